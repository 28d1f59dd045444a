import { reassignClient, reassignProspect } from '#modules/crm/index.ts'
import { defineModule } from '../core/manifest.ts'
import { assertCurrency, deliverSold, implementHook, keepSold, soldRefundFailed } from '../core/hooks.ts'
import { automationTriggers } from './automations.ts'
import { operations } from './api.ts'
import { BookingLink } from './booking-links/schema.ts'
import { bookingPermissions } from './booking/permissions.ts'
import { CalendarFeed } from './calendar-feed/schema.ts'
import { CalendarImport, ImportedEvent } from './calendar-import/schema.ts'
import { contributions } from './contributions.ts'
import { BookingEmbed } from './embedding/schema.ts'
import { jobs } from './jobs.ts'
import { AppointmentMessage, MessageSettings, MessageText } from './messages/schema.ts'
import { metrics } from './metrics.ts'
import { appointmentCreated, appointmentUpdated, sessionCompleted, appointmentDeleted } from './events.ts'
import { migrations } from './migrations.ts'
import { sessionCountQuery } from './queries/appointments.ts'
import { permissions } from './permissions.ts'
import { programPart } from './program-part.ts'
import { PaidBooking } from './paid-bookings/schema.ts'
import { deliverPaidBooking, keepPaidBooking } from './paid-bookings/paid-bookings.ts'
import { failBookingRefund } from './paid-bookings/refund-plan.ts'
import { records } from './trash.ts'
import {
  Appointment,
  AppointmentSeries,
  AppointmentType,
  AvailabilityOverride,
  AvailabilityRange,
  AvailabilitySchedule,
  BusyTime,
  SessionAgenda,
} from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { reassignToClient, reassignToProspect } from './services/reassignment.ts'
import { assertPricesPayable, forgetProduct } from './services/types.ts'

export default defineModule({
  id: 'scheduling',
  title: 'Calendar',
  dependsOn: ['crm'],
  notifications: [
    {
      kind: 'scheduling.booked',
      label: 'A client or visitor books a session',
      description: 'Unless it is switched off in the messages of the appointment type.',
    },
    {
      kind: 'scheduling.moved',
      label: 'A client moves a session',
      description: 'Unless it is switched off in the messages of the appointment type.',
    },
    {
      kind: 'scheduling.cancelled',
      label: 'A client cancels a session',
      description: 'Unless it is switched off in the messages of the appointment type.',
    },
  ],
  entities: [
    AvailabilitySchedule,
    AvailabilityRange,
    AvailabilityOverride,
    AppointmentType,
    AppointmentSeries,
    Appointment,
    SessionAgenda,
    BusyTime,
    AppointmentMessage,
    MessageText,
    MessageSettings,
    CalendarFeed,
    BookingLink,
    CalendarImport,
    ImportedEvent,
    BookingEmbed,
    PaidBooking,
  ],
  publishedEvents: [
    { event: appointmentCreated, label: 'Session booked or added' },
    { event: appointmentUpdated, label: 'Session changed or cancelled' },
    { event: sessionCompleted, label: 'Session completed' },
    { event: appointmentDeleted, label: 'Session deleted' },
  ],
  automationTriggers,
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'calendar', file: 'routes/calendar.tsx' },
    { path: 'calendar/availability', file: 'routes/availability.tsx' },
    { path: 'calendar/messages', file: 'routes/messages.tsx' },
    { path: 'calendar/types/:id', file: 'routes/type.tsx' },
    { path: 'calendar/sharing', file: 'routes/sharing.tsx' },
    { path: 'calendar/busy/:id', file: 'routes/busy-time.tsx' },
    { path: 'book', file: 'routes/book.tsx', layout: 'public' },
    { path: 'book/:type', file: 'routes/book-type.tsx', layout: 'public' },
    { path: 'book/for/:token', file: 'routes/book-link.tsx', layout: 'public' },
    { path: 'book/payment/:token', file: 'routes/pay-booking.tsx', layout: 'public' },
    { path: 'book/confirmed/:booking', file: 'routes/book-confirmed.tsx', layout: 'public' },
    { path: 'booking/:token', file: 'routes/manage-booking.tsx', layout: 'public' },
    { path: 'booking/:token/session.ics', file: 'routes/booking-file.ts', layout: 'resource' },
    { path: 'calendar-feed/:token', file: 'routes/calendar-feed.ts', layout: 'resource' },
    { path: 'calendar/export', file: 'routes/appointments-export.ts', layout: 'resource', isPrivate: true },
    { path: 'calendar/export.ics', file: 'routes/calendar-export.ts', layout: 'resource', isPrivate: true },
    { path: 'calendar/attendees', file: 'routes/attendees.ts', layout: 'resource' },
    { path: 'calendar/:id/overlap', file: 'routes/appointment-overlap.ts', layout: 'resource' },
    { path: 'calendar/:id/prepare', file: 'routes/prepare.tsx' },
    { path: 'calendar/:id/session.ics', file: 'routes/appointment-file.ts', layout: 'resource' },
    { path: 'settings/calendar', file: 'routes/calendar-settings.tsx' },
    { path: 'settings/calendar/import', file: 'routes/calendar-import.tsx', uploads: true },
    { path: 'settings/calendar/import/:id', file: 'routes/calendar-import-preview.tsx' },
  ],
  nav: [
    {
      label: 'Calendar',
      to: '/calendar',
      otherPaths: ['/history/appointment', '/history/session_agenda', '/history/availability_schedule'],
      icon: 'calendar',
      section: 'main',
      order: 40,
      permission: 'scheduling:appointment:read',
    },
  ],
  search,
  contributions,
  metrics,
  programPart,
  clientRecords: [
    { table: 'appointment', label: ['session', 'sessions'] },
    { table: 'booking_link', parents: { appointment_id: 'appointment' } },
  ],
  recordKinds: records,
  counts: { sessionsThisMonth: sessionCountQuery },
  buyerPermissions: bookingPermissions,
  jobs,
  seed,
  hooks: [
    implementHook('scheduling', reassignProspect, reassignToClient),
    implementHook('scheduling', reassignClient, reassignToProspect),
    implementHook('scheduling', assertCurrency, assertPricesPayable),
    implementHook('scheduling', keepSold, keepPaidBooking),
    implementHook('scheduling', deliverSold, deliverPaidBooking),
    implementHook('scheduling', soldRefundFailed, failBookingRefund),
  ],
  beforeErase: [{ kind: 'product', run: (ctx, { id }) => forgetProduct(ctx, id) }],
  practiceExport: {
    tables: {
      calendar_feed: { leftOut: 'its address is secret' },
      busy_time: {
        partly: 'holds of visitors and events of other calendars',
        where: 'r.hold_token_hash is null and r.source is null',
      },
    },
  },
})
