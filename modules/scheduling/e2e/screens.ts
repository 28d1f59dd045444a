import { createBookingLink } from '#modules/scheduling/booking-links/booking-links.ts'
import { linkPage } from '#modules/scheduling/booking-links/link-token.ts'
import { localDate } from '#app/lib/time.ts'
import { signConfirmation } from '#modules/scheduling/booking/signed-values.ts'
import { listImportedTimes } from '#modules/scheduling/calendar-import/queries.ts'
import { prepareImport, runImport } from '#modules/scheduling/calendar-import/service.ts'
import { AppointmentTypeInput, NewAppointment, NewAppointments, ScheduleInput } from '#modules/scheduling/forms.ts'
import { getManageUrl } from '#modules/scheduling/messages/manage-link.ts'
import { getPaidBookingPath } from '#modules/scheduling/paid-bookings/link.ts'
import { getOnlineSales } from '#modules/scheduling/paid-bookings/online-sales.ts'
import { getBookableType } from '#modules/scheduling/queries/bookable-types.ts'
import { saveAgenda } from '#modules/scheduling/services/agendas.ts'
import { createAppointment } from '#modules/scheduling/services/appointments.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createAppointments } from '#modules/scheduling/services/series.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { bookAsVisitor } from '#modules/scheduling/services/visitor-bookings.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { contextFor, inTenant, type Coach } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  /** A session that can be completed, a completed one, one ahead with the longest texts, its type, and a schedule. */
  interface World {
    session: number
    /** The agenda of the session, saved twice. */
    agenda: number
    completedSession: number
    longSession: number
    /** One of a series. */
    seriesSession: number
    sessionType: number
    schedule: number
    /** An imported calendar, and one of its busy times. */
    calendarImport: number
    busyTime: number
    /** The address of a confirmation. */
    booked: string
    /** The path of the page of a session that is being paid for. */
    paidBooking: string
    /** The path of the link in its emails. */
    managed: string
    /** The path of a personal link. */
    bookingLink: string
  }
}

export const screens: Screen[] = [
  { name: 'calendar', route: '/calendar', path: '/calendar', as: 'full' },
  { name: 'calendar-empty', route: '/calendar', path: '/calendar', as: 'newcomer' },
  { name: 'calendar-week', route: '/calendar', path: '/calendar?view=week', as: 'full' },
  {
    name: 'calendar-day-of-client',
    route: '/calendar',
    path: ({ client }) => `/calendar?view=day&client=${client}&without=cancelled`,
    as: 'full',
  },
  {
    name: 'appointment-schedule-refused',
    route: '/calendar',
    path: '/calendar?dialog=schedule',
    as: 'full',
    setup: (page) =>
      page
        .getByRole('button', { name: 'Schedule', exact: true })
        .click()
        .then(() => page.getByText('Missing Information').waitFor()),
  },
  {
    name: 'appointment',
    route: '/calendar',
    path: ({ longSession }) => `/calendar?dialog=appointment&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'appointment-edit',
    route: '/calendar',
    path: ({ longSession }) => `/calendar?dialog=edit-appointment&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'appointment-edit-series',
    route: '/calendar',
    path: ({ seriesSession }) => `/calendar?dialog=edit-appointment&appointment=${seriesSession}`,
    as: 'full',
  },
  {
    name: 'appointment-delete-series',
    route: '/calendar',
    path: ({ seriesSession }) => `/calendar?dialog=delete-appointment&appointment=${seriesSession}`,
    as: 'full',
  },
  {
    name: 'appointment-repeat',
    route: '/calendar',
    path: '/calendar?dialog=schedule',
    as: 'full',
    setup: (page) =>
      page
        .getByLabel('Repeat')
        .selectOption('Every week')
        .then(() => undefined),
  },
  {
    name: 'appointment-complete',
    route: '/calendar',
    path: ({ session }) => `/calendar?dialog=complete&appointment=${session}`,
    as: 'full',
  },
  {
    name: 'appointment-add-notes',
    route: '/calendar',
    path: ({ completedSession }) => `/calendar?dialog=add-notes&appointment=${completedSession}`,
    as: 'full',
  },
  {
    name: 'appointment-not-found',
    route: '/calendar',
    path: '/calendar?dialog=appointment&appointment=999999999',
    as: 'full',
  },
  {
    name: 'appointment-history',
    route: '/history/appointment/:id',
    path: ({ session }) => `/history/appointment/${session}`,
    as: 'full',
  },
  {
    name: 'session-preparation',
    route: '/calendar/:id/prepare',
    path: ({ session }) => `/calendar/${session}/prepare`,
    as: 'full',
  },
  {
    name: 'session-preparation-long',
    route: '/calendar/:id/prepare',
    path: ({ longSession }) => `/calendar/${longSession}/prepare`,
    as: 'full',
  },
  {
    name: 'agenda-history',
    route: '/history/session_agenda/:id',
    path: ({ agenda }) => `/history/session_agenda/${agenda}`,
    as: 'full',
  },
  { name: 'appointment-type-add', route: '/settings', path: '/settings?dialog=add-type', as: 'full' },
  {
    name: 'appointment-type-delete',
    route: '/settings',
    path: ({ sessionType }) => `/settings?dialog=delete-type&type=${sessionType}`,
    as: 'full',
  },
  {
    name: 'appointment-type-history',
    route: '/history/appointment_type/:id',
    path: ({ sessionType }) => `/history/appointment_type/${sessionType}`,
    as: 'full',
  },
  {
    name: 'availability',
    route: '/calendar/availability',
    path: '/calendar/availability',
    as: 'full',
  },
  { name: 'availability-empty', route: '/calendar/availability', path: '/calendar/availability', as: 'newcomer' },
  { name: 'schedule-new', route: '/calendar/availability', path: '/calendar/availability?dialog=add', as: 'full' },
  {
    name: 'schedule-delete',
    route: '/calendar/availability',
    path: '/calendar/availability?dialog=delete',
    as: 'full',
  },
  {
    name: 'appointment-type',
    route: '/calendar/types/:id',
    path: ({ sessionType }) => `/calendar/types/${sessionType}`,
    as: 'full',
  },
  {
    name: 'appointment-type-product',
    route: '/calendar/types/:id',
    path: ({ sessionType }) => `/calendar/types/${sessionType}`,
    as: 'full',
    setup: (page) =>
      page
        .getByLabel('What it costs')
        .selectOption('A product')
        .then(() => page.getByLabel('Product', { exact: true }).waitFor()),
  },
  {
    name: 'schedule-history',
    route: '/history/availability_schedule/:id',
    path: ({ schedule }) => `/history/availability_schedule/${schedule}`,
    as: 'full',
  },
  { name: 'messages', route: '/calendar/messages', path: '/calendar/messages', as: 'full' },
  {
    name: 'messages-long-session',
    route: '/calendar/messages',
    path: ({ longSession }) => `/calendar/messages?message=follow_up&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'messages-reset',
    route: '/calendar/messages',
    path: '/calendar/messages?dialog=reset',
    as: 'full',
  },
  {
    name: 'messages-refused',
    route: '/calendar/messages',
    path: '/calendar/messages?message=reminder',
    as: 'full',
    setup: async (page) => {
      await page.getByLabel('Subject').fill('{{nobody}}')
      await page.getByRole('button', { name: 'Save Message' }).click()
      await page.getByText('There is no placeholder').waitFor()
    },
  },
  {
    name: 'appointment-emails',
    route: '/calendar',
    path: ({ longSession }) => `/calendar?dialog=appointment&appointment=${longSession}`,
    as: 'full',
    setup: (page) => page.getByText('Emails', { exact: true }).click(),
  },
  { name: 'book', route: '/book', path: '/book', as: 'visitor', host: 'full' },
  { name: 'book-nothing', route: '/book', path: '/book', as: 'visitor', host: 'limited' },
  {
    name: 'book-type',
    route: '/book/:type',
    path: '/book/first-talk?zone=Pacific/Honolulu&start=2026-03-18T20:00:00.000Z',
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'book-zone',
    route: '/book/:type',
    path: '/book/first-talk?zone=Pacific/Honolulu',
    as: 'visitor',
    host: 'full',
    setup: (page) => page.getByText('Honolulu time').click(),
  },
  {
    name: 'book-details',
    route: '/book/:type',
    path: '/book/first-talk?zone=Pacific/Honolulu&start=2026-03-18T20:00:00.000Z&step=details',
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'book-details-refused',
    route: '/book/:type',
    path: '/book/first-talk?zone=Pacific/Honolulu&start=2026-03-18T03:00:00.000Z&step=details',
    as: 'visitor',
    host: 'full',
    setup: (page) =>
      page
        .getByRole('button', { name: 'Book this time' })
        .click()
        .then(() => page.getByText('Enter your name').waitFor()),
  },
  { name: 'book-hidden', route: '/book/:type', path: '/book/hidden', as: 'visitor', host: 'full', status: 404 },
  {
    name: 'book-payment',
    route: '/book/payment/:token',
    path: ({ paidBooking }) => paidBooking,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'book-payment-forged',
    route: '/book/payment/:token',
    path: '/book/payment/forged',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  {
    name: 'book-confirmed',
    route: '/book/confirmed/:booking',
    path: ({ booked }) => `/book/confirmed/${booked}`,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'sharing',
    route: '/calendar/sharing',
    path: ({ client }) => `/calendar/sharing?client=${client}`,
    as: 'full',
  },
  { name: 'sharing-empty', route: '/calendar/sharing', path: '/calendar/sharing', as: 'newcomer' },
  { name: 'book-link', route: '/book/for/:token', path: ({ bookingLink }) => bookingLink, as: 'visitor', host: 'full' },
  {
    name: 'book-link-forged',
    route: '/book/for/:token',
    path: '/book/for/forged',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  { name: 'calendar-settings', route: '/settings/calendar', path: '/settings/calendar', as: 'full' },
  {
    name: 'calendar-settings-address',
    route: '/settings/calendar',
    path: '/settings/calendar',
    as: 'full',
    setup: (page) =>
      page
        .getByRole('button', { name: /^Make an? (new )?address/ })
        .click()
        .then(() => page.getByLabel('Your address').waitFor()),
  },
  { name: 'booking', route: '/booking/:token', path: ({ managed }) => managed, as: 'visitor', host: 'full' },
  {
    name: 'booking-move',
    route: '/booking/:token',
    path: ({ managed }) => `${managed}?step=move&start=2026-03-17T19:00:00.000Z`,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'booking-cancel',
    route: '/booking/:token',
    path: ({ managed }) => `${managed}?step=cancel`,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'booking-forged',
    route: '/booking/:token',
    path: '/booking/forged',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  { name: 'calendar-import', route: '/settings/calendar/import', path: '/settings/calendar/import', as: 'full' },
  {
    name: 'calendar-import-preview',
    route: '/settings/calendar/import/:id',
    path: ({ calendarImport }) => `/settings/calendar/import/${calendarImport}`,
    as: 'full',
  },
  {
    name: 'busy-time',
    route: '/calendar/busy/:id',
    path: ({ busyTime }) => `/calendar/busy/${busyTime}`,
    as: 'full',
  },
  {
    name: 'client-schedule',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=schedule`,
    as: 'full',
  },
]

/** Fills a day with more sessions than a month cell holds, some at the same time. */
export async function world({ full, client, longClient, longText: long }: World): Promise<Partial<World>> {
  const hour = 3_600_000
  const imported = await importCalendar(full, long)
  return inTenant(full, async (ctx) => {
    const type = await createType(ctx, { name: 'Coaching' })
    const longType = await createType(ctx, { name: long })
    const add = (title: string, ahead: number, more: object = {}) =>
      createAppointment(
        ctx,
        NewAppointment.parse({
          title,
          clientId: client,
          startTime: new Date(ctx.now().getTime() + ahead).toISOString(),
          endTime: new Date(ctx.now().getTime() + ahead + hour).toISOString(),
          appointmentTypeId: type.id,
          ...more,
        }),
      )
    const session = await add('Session 5', -hour / 4, { meetingUrl: 'https://meet.example.com/winter' })
    const completed = await add('Session 1', -3 * hour, { status: 'completed' })
    for (const [nth, status] of (['cancelled', 'confirmed', 'scheduled'] as const).entries())
      await add(`Session ${nth + 2}`, (nth - 2) * hour, { status })
    const longest = await add(long, hour / 2, {
      clientId: longClient,
      appointmentTypeId: longType.id,
      description: long.repeat(5),
      meetingUrl: `https://meet.example.com/${long}`,
      status: 'confirmed',
    })
    const repeated = await createAppointments(
      ctx,
      NewAppointments.parse({
        title: 'Weekly talk',
        clientId: client,
        startTime: '2026-05-04T14:00:00Z',
        endTime: '2026-05-04T15:00:00Z',
        recurrence: { unit: 'week', count: 3 },
      }),
    )
    await saveAgenda(ctx, session.id, { content: '• Begin with what went well' })
    const agenda = await saveAgenda(ctx, session.id, { content: '• Begin with **what went well**\n• The next step' })
    await saveAgenda(ctx, longest.id, { content: long.repeat(5) })
    const schedule = await createSchedule(
      ctx,
      ScheduleInput.parse({
        name: 'Working hours',
        hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' })),
        overrides: [{ date: '2026-12-24', ranges: [] }],
      }),
    )
    const booking = await addBooking(ctx, long)
    const link = { clientId: client, prospectId: null, appointmentTypeId: type.id, days: 7 }
    await createBookingLink(ctx, { ...link, clientId: longClient, days: null })
    return {
      ...booking,
      bookingLink: `/book/${linkPage(ctx, await createBookingLink(ctx, link))}`,
      ...imported,
      schedule: schedule.id,
      session: session.id,
      agenda: agenda.id!,
      completedSession: completed.id,
      longSession: longest.id,
      seriesSession: repeated.id,
      sessionType: type.id,
    }
  })
}

/** Imports a whole day and an hour, with the shortest and the longest texts. */
async function importCalendar(coach: Coach, long: string): Promise<{ calendarImport: number; busyTime: number }> {
  const ctx = await contextFor(coach)
  const start = new Date(ctx.now().getTime() + 2 * 3_600_000)
  const day = localDate(start, ctx.account.timezone).replaceAll('-', '')
  const utc = `${start.toISOString().slice(0, 13).replaceAll('-', '')}0000Z`
  const events = [
    `UID:1\r\nDTSTART;VALUE=DATE:${day}\r\nSUMMARY:Retreat`,
    `UID:2\r\nDTSTART:${utc}\r\nDURATION:PT2H\r\nSUMMARY:${long}`,
    `UID:3\r\nDTSTART;TZID=Middle Earth:${day}T090000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY\r\nSUMMARY:Choir`,
    `UID:4\r\nDTSTART:${utc}\r\nDURATION:PT1H\r\nSTATUS:CANCELLED\r\nSUMMARY:Dentist`,
  ]
  const file = ['BEGIN:VCALENDAR', ...events.map((one) => `BEGIN:VEVENT\r\n${one}\r\nEND:VEVENT`), 'END:VCALENDAR']
  const content = Buffer.from(file.join('\r\n'))
  const calendarImport = await prepareImport(ctx, { name: `${long.slice(0, 100)}.ics`, content })
  await inTenant(coach, (tx) => runImport(tx, calendarImport))
  const [first] = await listImportedTimes(ctx, { from: ctx.now(), to: new Date(start.getTime() + 3_600_000) })
  return { calendarImport, busyTime: first!.id }
}

/** Offers types with the shortest and the longest texts, and books one. Returns the addresses of its pages. */
async function addBooking(
  ctx: WriteCtx,
  long: string,
): Promise<{ booked: string; managed: string; paidBooking: string }> {
  for (const type of [
    {
      name: 'First talk',
      priceCents: 0,
      durations: [30, 60],
      description: 'To see whether we should.',
      locationKind: 'client_choice',
      questions: [
        { label: 'What brings you here?', kind: 'long', required: true },
        { label: 'How did you hear of me?', kind: 'choice', options: ['A friend', 'A search'] },
      ],
    },
    {
      name: `${long.slice(0, 200)} 2`,
      priceCents: 22_000,
      description: long,
      locationKind: 'in_person',
      locationDetail: long,
    },
  ])
    await createType(ctx, AppointmentTypeInput.parse({ visibility: 'public', ...type }))
  const type = await getBookableType(ctx, 'first-talk')
  const { id } = await bookAsVisitor(ctx, type, {
    start: new Date('2026-03-16T20:00:00Z'),
    name: 'Noor Aziz',
    email: 'noor@example.com',
    phone: '',
    place: 'video',
    notes: null,
    answers: [],
    timezone: 'Pacific/Honolulu',
  })
  return {
    paidBooking: await addPaidBooking(ctx, type.id),
    booked: signConfirmation(ctx.platform, ctx.coachId, id),
    managed: new URL(getManageUrl(ctx, id)!).pathname,
  }
}

/** A session that a visitor hasn't paid for, without its sale where the module of sales is missing. */
async function addPaidBooking(ctx: WriteCtx, typeId: number): Promise<string> {
  const buyer = { name: 'Noor Aziz', email: 'noor@example.com' }
  const saleId = await getOnlineSales(ctx)?.start(ctx, { name: 'First talk', amount: 22_000, buyer })
  const [added] = await ctx.query<{ id: number }>({
    text: `insert into paid_booking (coach_id, sale_id, appointment_type_id, start_time, duration_minutes, timezone, details,
        kept_until, refund, created_at, updated_at)
      values ($1, $2, $3, '2026-03-17T20:00:00Z', 30, 'Pacific/Honolulu', '{}', $4, 'automatic', $5, $5) returning id`,
    values: [ctx.coachId, saleId ?? 0, typeId, new Date(ctx.now().getTime() + 31 * 60_000), ctx.now()],
  })
  return getPaidBookingPath(ctx, added!.id)
}
