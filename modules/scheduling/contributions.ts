import { formatShortClock } from '#app/lib/clock.ts'
import { escapeMarkup } from '#app/lib/markup.ts'
import { parseId } from '#app/lib/url.ts'
import { formatDateTime, formatDay, formatTime, localDate, localTime } from '#app/lib/time.ts'
import {
  listClientNames,
  type ClientFactsById,
  type ClientFilter,
  type ClientNextSession,
  type ClientLink,
  type TimelineEntry,
} from '#modules/crm/index.ts'
import {
  shownOffers,
  type Contribution,
  type HomeOffers,
  type OnboardingPart,
  type OnboardingStep,
  type PublicLink,
  type QuickAction,
  type TodayPart,
} from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { describeType } from './booking/describe-type.ts'
import { findFeed } from './calendar-feed/feed.ts'
import { getScheduleDialog, suggestedTypes, getTypeDialog } from './dialogs.ts'
import {
  hasNextSession,
  listAppointments,
  countSessionsThisMonth,
  findNextSession,
  listClientSessions,
  listBillableSessions,
  listCompletedSessions,
  listSessionDates,
  listUpcoming,
  todayRange,
} from './queries/appointments.ts'
import { listDoubtful } from './messages/resend.ts'
import { getPaidBookingPath } from './paid-bookings/link.ts'
import { findPaidBooking } from './paid-bookings/paid-bookings.ts'
import { hasPublicTypes, listPublicTypes } from './queries/bookable-types.ts'
import { listTypesWithUsage } from './queries/types.ts'
import { statusLabels } from './fields.ts'
import { formatDateTimeRange, formatDuration, formatRelativeDay, formatTimes } from './format.ts'
import { loadPortalSessions } from './portal.ts'
import { offerPreparation, toPreparation } from './preparation-link.ts'

const permission = 'scheduling:appointment:read'

/** Scheduling's parts of the dashboard, the settings and the pages of clients. */
export const contributions: Contribution[] = [
  {
    slot: 'portal.home',
    widget: 'portal-sessions',
    order: 10,
    permission: 'client:session:read',
    load: loadPortalSessions,
  },
  { slot: 'sale.page', order: 10, load: (ctx, { id }) => findSalePage(ctx, Number(id)) },
  { slot: 'dashboard.greeting', order: 10, permission, load: greeting },
  { slot: 'dashboard.stat', widget: 'this-month', order: 20, permission, load: thisMonth },
  { slot: 'dashboard.main', widget: 'todays-schedule', order: 10, permission, load: todaysSchedule },
  { slot: 'today', order: 10, permission, load: sessionsLeftToday },
  {
    slot: 'dashboard.action',
    order: 30,
    permission: 'scheduling:appointment:write',
    load: async (): Promise<QuickAction> => ({
      label: 'Schedule Session',
      to: '/calendar?dialog=schedule',
      icon: 'calendar-plus',
    }),
  },
  { slot: 'dashboard.step', order: 40, permission: 'scheduling:appointment:write', load: onboardingStep },
  { slot: 'dashboard.step', order: 50, permission: 'scheduling:availability:write', load: hoursStep },
  { slot: 'dashboard.step', order: 60, permission: 'scheduling:type:write', load: bookingStep },
  {
    slot: 'settings.pane',
    widget: 'appointment-types',
    order: 20,
    permission: 'scheduling:type:write',
    load: typesPane,
  },
  {
    slot: 'settings.pane',
    widget: 'calendar-settings',
    order: 30,
    permission: 'scheduling:type:write',
    load: async () => ({}),
  },
  {
    slot: 'onboarding.calendar',
    widget: 'calendar-subscription',
    order: 20,
    permission: 'scheduling:appointment:write',
    load: subscriptionPart,
  },
  {
    slot: 'client.dialog',
    widget: 'client-dialog',
    order: 20,
    permission: 'scheduling:appointment:write',
    load: clientDialog,
  },
  {
    slot: 'client.timeline',
    order: 40,
    permission,
    load: (ctx, { id, rows = '50' }) => clientTimeline(ctx, Number(id), Number(rows)),
  },
  { slot: 'appointment.action', order: 10, permission, load: (ctx, { id }) => offerPreparation(ctx, Number(id)) },
  { slot: 'client.next', order: 10, permission, load: (ctx, { id }) => nextSession(ctx, Number(id)) },
  {
    slot: 'client.completed-session',
    order: 10,
    permission,
    load: (ctx, { id }) => listBillableSessions(ctx, Number(id)),
  },
  { slot: 'client.filter', order: 20, permission, load: async (ctx) => nextSessionFilter(ctx) },
  { slot: 'client.row', order: 20, permission, load: (ctx, { ids = '' }) => clientFacts(ctx, ids) },
  { slot: 'client.sessions', order: 10, permission, load: (ctx, { ids = '' }) => completedSessions(ctx, ids) },
  { slot: 'client.menu', order: 20, permission, load: async () => clientLinks },
  { slot: 'home.link', order: 10, load: homeLink },
  { slot: 'home.offer', order: 10, load: homeTypes },
  { slot: 'prospect.menu', order: 10, permission: 'scheduling:appointment:write', load: async () => prospectLinks },
]

export type SubscriptionPart = OnboardingPart & { createdAt: string | null }

async function subscriptionPart(ctx: Ctx): Promise<SubscriptionPart> {
  const feed = await findFeed(ctx)
  return { done: feed !== null, createdAt: feed && formatDateTime(feed.createdAt, ctx.account) }
}

/** The first types that visitors can book; null without any. */
async function homeTypes(ctx: Ctx): Promise<HomeOffers | null> {
  const types = await listPublicTypes(ctx)
  if (!types.length) return null
  return {
    title: 'Sessions',
    offers: types.slice(0, shownOffers).map((type) => {
      const { slug, name, description, duration, place, price } = describeType(type, ctx.account.currency)
      return {
        name,
        description,
        details: [duration, place].filter(Boolean).join(' · '),
        price: price === null ? null : { text: price, amount: type.price! },
        to: `/book/${slug}`,
        buttonLabel: 'Book',
      }
    }),
    more: types.length > shownOffers ? { label: 'All sessions', to: '/book' } : null,
  }
}

async function homeLink(ctx: Ctx): Promise<PublicLink | null> {
  return (await hasPublicTypes(ctx)) ? { label: 'Book a session', to: '/book' } : null
}

const schedule = { label: 'Schedule Session', icon: 'calendar-plus', dialog: 'schedule' }
const clientLinks: ClientLink[] = [
  { ...schedule, placement: 'page' },
  { ...schedule, placement: 'card-menu' },
  { label: 'Booking Link', icon: 'calendar', to: '/calendar/sharing?client={id}', placement: 'card-menu' },
  { label: 'Sessions', icon: 'calendar', to: '/calendar?client={id}', placement: 'card' },
]

const prospectLinks = [
  { label: 'Schedule Session', to: '/calendar?dialog=schedule&prospect={id}' },
  { label: 'Booking Link', to: '/calendar/sharing?prospect={id}' },
]

/** No coach has more sessions a day. */
const maxCounted = 50

/** '3 sessions left today. Ada Lovelace is next, at 10:30 AM.' */
async function greeting(ctx: Ctx): Promise<string> {
  const zone = ctx.account.timezone
  const today = localDate(ctx.now(), zone)
  const upcoming = await listUpcoming(ctx, maxCounted)
  const [next] = upcoming
  if (!next) return 'No upcoming sessions.'
  const left = upcoming.filter(({ start }) => localDate(start, zone) === today).length
  const day = formatRelativeDay(localDate(next.start, zone), today)
  const when = { Today: '', Tomorrow: 'tomorrow ' }[day] ?? `${day}, `
  const time = formatTime(next.start, ctx.account)
  const count = `${left || 'No'} ${left === 1 ? 'session' : 'sessions'} left today.`
  return `${count} ${next.attendeeName} is next, ${when}at ${time}.`
}

async function thisMonth(ctx: Ctx) {
  return { ...(await countSessionsThisMonth(ctx)), month: localDate(ctx.now(), ctx.account.timezone).slice(0, 7) }
}
export type ThisMonth = Awaited<ReturnType<typeof thisMonth>>

/** The sessions that are not over. */
async function sessionsLeftToday(ctx: Ctx): Promise<TodayPart | null> {
  const appointments = await listAppointments(ctx, todayRange(ctx))
  const left = appointments.filter(
    ({ endTime, status, sessionCompleted }) =>
      new Date(endTime) > ctx.now() && status !== 'cancelled' && !sessionCompleted,
  )
  if (!left.length) return null
  const items = left
    .slice(0, maxCounted)
    .map(({ id, title, clientId, clientName, prospectName, startTime, endTime }) => ({
      key: String(id),
      title: `${formatTime(startTime, ctx.account)} ${title}`,
      detail: [clientName ?? prospectName, formatDuration(startTime, endTime)].filter(Boolean).join(' · '),
      to: clientId === null ? `/calendar?dialog=appointment&appointment=${id}` : toPreparation(id),
    }))
  return { title: 'Sessions', items, more: null }
}

async function todaysSchedule(ctx: Ctx) {
  const { timezone, timeFormat } = ctx.account
  const now = ctx.now()
  const [appointments, doubtful] = await Promise.all([listAppointments(ctx, todayRange(ctx)), listDoubtful(ctx)])
  const next = appointments.find(({ endTime, status }) => new Date(endTime) > now && status !== 'cancelled')
  return {
    clock: formatShortClock(localTime(now, timezone), timeFormat),
    /** Emails that may not have been sent. */
    doubtful: doubtful.length,
    appointments: appointments.map((appointment) => {
      const { id, title, clientId, clientName, prospectName, status, startTime, endTime, meetingUrl } = appointment
      return {
        id,
        title,
        status,
        attendeeName: clientName ?? prospectName ?? 'Unknown',
        time: formatTime(startTime, ctx.account),
        duration: formatDuration(startTime, endTime),
        isOver: new Date(endTime) <= now,
        prepareTo: appointment === next && clientId !== null ? toPreparation(id) : null,
        joinUrl: appointment === next ? meetingUrl : null,
      }
    }),
  }
}
export type TodaysSchedule = Awaited<ReturnType<typeof todaysSchedule>>

async function onboardingStep(ctx: Ctx): Promise<OnboardingStep> {
  const [row] = await ctx.query<{ done: boolean }>({
    name: 'scheduling.has-sessions',
    text: 'select exists (select 1 from appointment where coach_id = $1) as done',
    values: [ctx.coachId],
  })
  return {
    title: 'Schedule a session',
    text: 'Put your first session on the calendar.',
    ...row!,
    to: '/calendar?dialog=schedule',
    buttonLabel: 'Open Calendar',
  }
}

async function hoursStep(ctx: Ctx): Promise<OnboardingStep> {
  const [row] = await ctx.query<{ done: boolean }>({
    name: 'scheduling.has-hours',
    text: `select exists (select 1 from availability_schedule where coach_id = $1 and deleted_at is null) as done`,
    values: [ctx.coachId],
  })
  return {
    title: 'Set your working hours',
    text: 'When clients and visitors can book you.',
    ...row!,
    to: '/calendar/availability',
    buttonLabel: 'Set Hours',
  }
}

async function bookingStep(ctx: Ctx): Promise<OnboardingStep> {
  const [row] = await ctx.query<{ done: boolean }>({
    name: 'scheduling.has-bookable-types',
    text: `select exists (select 1 from appointment_type
      where coach_id = $1 and visibility <> 'hidden' and deleted_at is null) as done`,
    values: [ctx.coachId],
  })
  return {
    title: 'Share your booking page',
    text: 'Choose which appointments can be booked, and by whom.',
    ...row!,
    to: '/calendar/availability',
    buttonLabel: 'Open Availability',
  }
}

async function typesPane(ctx: Ctx, params: Record<string, string | undefined>) {
  const [types, dialog] = await Promise.all([listTypesWithUsage(ctx), getTypeDialog(ctx, params)])
  const existing = new Set(types.map(({ name }) => name.toLowerCase()))
  return { types, suggested: suggestedTypes.filter((name) => !existing.has(name.toLowerCase())), dialog }
}
export type TypesPane = Awaited<ReturnType<typeof typesPane>>

/** The Schedule dialog in the URL of a client's page or of the clients list, or null. */
async function clientDialog(ctx: Ctx, { dialog, id, who }: Record<string, string | undefined>) {
  if (dialog !== 'schedule') return null
  const [client] = await listClientNames(ctx, [parseId(id)])
  return client && !client.inTrash
    ? { clientId: client.id, dialog: await getScheduleDialog(ctx, { client: id, who }) }
    : null
}
export type ClientDialog = Awaited<ReturnType<typeof clientDialog>>

/** The sessions that have started. */
async function clientTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const sessions = await listClientSessions(ctx, clientId, rows)
  return sessions.map(({ id, title, status, start, end, description }) => ({
    key: `session ${id}`,
    at: start,
    kind: 'session',
    title,
    text: escapeMarkup(
      [`${statusLabels[status]}, ${formatTimes(start, end, ctx.account)}`, description].filter(Boolean).join('. '),
    ),
    to: `/calendar?dialog=appointment&appointment=${id}`,
  }))
}

/** Clients with and without a session ahead. */
const nextSessionFilter = (ctx: Ctx): ClientFilter => ({
  name: 'next',
  label: 'Next session',
  choices: async () => [
    { value: 'none', label: 'No next session' },
    { value: 'scheduled', label: 'Scheduled' },
  ],
  condition: (value) => {
    if (value !== 'none' && value !== 'scheduled') return null
    const sql = (placeholder: string) =>
      value === 'none' ? `not ${hasNextSession(placeholder)}` : hasNextSession(placeholder)
    return { name: `next-${value}`, value: ctx.now(), sql }
  },
})

async function clientFacts(ctx: Ctx, ids: string): Promise<ClientFactsById> {
  const zone = ctx.account.timezone
  const today = localDate(ctx.now(), zone)
  const formatNext = (at: Date) => `${formatRelativeDay(localDate(at, zone), today)}, ${formatTime(at, ctx.account)}`
  const rows = await listSessionDates(ctx, ids.split(',').map(Number).filter(Boolean))
  return Object.fromEntries(
    rows.map(({ clientId, last, next }) => [
      clientId,
      {
        ...(last ? { lastAppointment: formatDay(last, ctx.now(), zone) } : {}),
        ...(next ? { nextAppointment: formatNext(next) } : {}),
      },
    ]),
  )
}

async function completedSessions(ctx: Ctx, ids: string): Promise<Record<number, string[]>> {
  const rows = await listCompletedSessions(ctx, ids.split(',').map(Number).filter(Boolean))
  const starts: Record<number, string[]> = {}
  for (const { clientId, start } of rows) (starts[clientId] ??= []).push(start)
  return starts
}

async function nextSession(ctx: Ctx, clientId: number): Promise<ClientNextSession | null> {
  const session = await findNextSession(ctx, clientId)
  if (!session) return null
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  return {
    label: session.title,
    when: formatDateTimeRange(session.start, session.end, ctx.account, today),
    to: `/calendar?dialog=appointment&appointment=${session.id}`,
    prepareTo: toPreparation(session.id),
  }
}

/** The page of a slot that is being paid for. */
async function findSalePage(ctx: Ctx, saleId: number): Promise<string | null> {
  const booking = await findPaidBooking(ctx, 'sale_id', saleId)
  return booking && getPaidBookingPath(ctx, booking.id)
}
