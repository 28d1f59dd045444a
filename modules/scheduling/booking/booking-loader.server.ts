import type { AppLoadContext } from '@remix-run/node'
import { daysSinceWeekStart, listWeekdays, type TimeSettings } from '#app/lib/clock.ts'
import {
  addDays,
  addMonths,
  dayMs,
  dayStart,
  formatCalendarDate,
  formatTime,
  localDate,
  monthSpan,
} from '#app/lib/time.ts'
import { otherTimezones } from '#app/lib/timezones.ts'
import { isTimezone } from '#app/lib/zod-types.ts'
import { countView } from '#tenants/auth/view-limits.ts'
import type { Ctx } from '#tenants/context.ts'
import { createHoldToken } from '../availability/hold-token.ts'
import type { RefusedSlot } from '../availability/slots.ts'
import { formatDay, formatMinutes } from '../format.ts'
import { weekdays } from '../availability/hours.ts'
import { getAvailability, toFreeStarts, type Availability } from '../queries/availability.ts'
import { getBookableType, getOffered, listPublicTypes, type BookableType } from '../queries/bookable-types.ts'
import { appointmentType } from '../records.ts'
import { bookingUrl, type BookingState } from './booking-url.ts'
import { slotRules } from './limits.ts'
import { openAsVisitor } from './permissions.ts'
import { describeRefundRule } from '../paid-bookings/describe.ts'
import { canBePaid, getRefundRule } from '../paid-bookings/online-sales.ts'
import { asksPhone } from './places.ts'
import { allowEmbedding } from '../embedding/embed-origins.ts'
import { describeType, type DescribedType } from './describe-type.ts'
import { signForm } from './signed-values.ts'

/** The page of a type. */
export async function loadBooking(context: AppLoadContext, slug: string, url: URL) {
  const { address, platform } = context.requestContext
  const ctx = await openAsVisitor(context)
  countView(platform, { rules: slotRules(address), address })
  const { state, zone } = readState(ctx, slug, url)
  const [{ type, availability }, listed] = await Promise.all([
    showsDetails(state)
      ? getBookableType(ctx, slug).then((type) => ({ type, availability: undefined }))
      : getBookableMonth(ctx, slug, { state, zone }),
    listPublicTypes(ctx),
    allowEmbedding(context, ctx, url),
  ])
  const types = listed.some(({ id }) => id === type.id)
    ? listed.map((type) => describeType(type, ctx.account.currency))
    : []
  return showBooking(ctx, {
    nonce: context.nonce,
    page: slug,
    type,
    types,
    person: null,
    coachName: context.tenant!.name,
    url,
    availability,
  })
}

/** The type with what decides about its free times of the month, in one query. Throws not_found. */
async function getBookableMonth(ctx: Ctx, slug: string, { state, zone }: { state: BookingState; zone: string }) {
  const range = monthSpan(chooseMonth(ctx, state, zone), zone)
  const availability = await getAvailability(ctx, { type: { slug }, ...range, ...toOwnHold(state), onlyFree: true })
  if (availability.type.visibility === 'hidden') throw appointmentType.notFound()
  return { type: await getOffered(ctx, { ...availability.type, slug }), availability }
}

/** `zone`: the visitor's, as far as it is known. */
function readState(ctx: Ctx, page: string, url: URL): { state: BookingState; zone: string } {
  const state = bookingUrl(page).parse(url)
  const isDetected = state.zone !== null && isTimezone(state.zone)
  return isDetected ? { state, zone: state.zone! } : { state: { ...state, zone: null }, zone: ctx.account.timezone }
}

const showsDetails = ({ step, start }: BookingState): boolean => step === 'details' && start !== null

type Shown = {
  nonce: string
  page: string
  type: BookableType
  /** To choose from instead. */
  types: DescribedType[]
  /** The one whose link it is: their name and email address are filled in. */
  person: { name: string; email: string } | null
  coachName: string
  url: URL
  /** The free times of the month, if they were read already. */
  availability?: Availability | undefined
}

/** A month with the free times of a type, or the form for a time. */
export async function showBooking(ctx: Ctx, shown: Shown) {
  const { nonce, page, type, types, person, coachName, url, availability } = shown
  const { state: requested, zone } = readState(ctx, page, url)
  const offered = type.durations.map(String)
  const state = { ...requested, duration: offered.includes(requested.duration ?? '') ? requested.duration : null }
  const visit: Visit = { ctx, type, zone, state, availability }
  const unpayable = person === null && !(await canBePaid(ctx, type))
  return {
    /** The coach, to write to, if it can't be paid and so not be booked. */
    unpayable: unpayable ? { name: coachName, email: ctx.account.email } : null,
    nonce,
    page,
    person,
    state,
    zone,
    zoneName: describeZone(zone),
    otherZones: otherTimezones(zone),
    type: describeType(type, ctx.account.currency),
    durations: type.durations.map((minutes) => ({ minutes: String(minutes), label: formatMinutes(minutes) })),
    types,
    ...(showsDetails(state)
      ? { details: await loadDetails(visit, state.start!, person === null), month: null }
      : { details: null, month: await loadMonth(visit) }),
  }
}
export type BookingData = Awaited<ReturnType<typeof showBooking>>
export type BookingMonth = Awaited<ReturnType<typeof loadMonth>>
export type BookingDetails = NonNullable<BookingData['details']>

type Visit = {
  ctx: Ctx
  type: BookableType
  zone: string
  state: BookingState
  /** The free times of the month that is shown, if they were read already. */
  availability?: Availability | undefined
}

type MonthVisit = Pick<Visit, 'ctx' | 'zone' | 'state'> & {
  type: { id: number }
  /** The appointment that is being moved: its own time is not offered. */
  moved?: { id: number; startTime: string }
  availability?: Availability | undefined
}

/** The month that was asked for, within those that coaches take bookings for. */
function chooseMonth(ctx: Ctx, { month, day, start }: BookingState, zone: string): string {
  const today = localDate(ctx.now(), zone)
  const asked = month ?? (day ?? (start ? localDate(start, zone) : today)).slice(0, 7)
  const thisMonth = today.slice(0, 7)
  return asked < thisMonth ? thisMonth : asked > maxMonth(thisMonth) ? maxMonth(thisMonth) : asked
}

/** A month with its free days, and the free times of one of them. */
export async function loadMonth(visit: MonthVisit) {
  const { ctx, zone, state } = visit
  const today = localDate(ctx.now(), zone)
  const thisMonth = today.slice(0, 7)
  const month = chooseMonth(ctx, state, zone)
  const { starts, listRefused, availability } = await findStarts(visit, monthSpan(month, zone), visit.availability)
  const lastMonth = lastBookableMonth(ctx, availability, zone)
  const byDay = groupByDay(starts, zone)
  const days = [...byDay.keys()]
  const day = state.day !== null && byDay.has(state.day) ? state.day : pickDay(state, days, zone)
  const next = starts.length ? null : await findNextStart(visit, monthSpan(month, zone).to)
  return {
    month,
    title: formatCalendarDate(`${month}-01`, { month: 'long', year: 'numeric' }),
    previous: month > thisMonth ? addMonths(month, -1) : null,
    next: month < lastMonth ? addMonths(month, 1) : null,
    weekdays: listWeekdays(ctx.account.weekStart).map((weekday) => weekdays[weekday]!.slice(0, 3)),
    /** Days of the first week that are in the month before. */
    blanks: daysSinceWeekStart(`${month}-01`, ctx.account.weekStart),
    days: listDays(month).map((date) => ({
      date,
      label: formatCalendarDate(date, { month: 'long', day: 'numeric' }),
      isFree: byDay.has(date),
      isToday: date === today,
    })),
    day: day === null ? null : { date: day, title: formatDay(day, today) },
    times: (day === null ? [] : byDay.get(day)!).map((start) => ({
      start: new Date(start).toISOString(),
      label: formatTime(new Date(start), { ...ctx.account, timezone: zone }),
    })),
    nextDay: next && toDay(next, zone, today),
    /** Names the hold of this page, so that its form can be sent twice. */
    holdKey: createHoldToken(),
    /** Why there are none, if it is the same for all. */
    reason: starts.length ? null : describeRefusal(listRefused()),
  }
}

/** Visitors learn when they can book, not what the coach does. */
function describeRefusal(refused: RefusedSlot[]): string | null {
  const reasons = new Set(refused.map(({ reason }) => reason))
  if (reasons.size !== 1) return null
  return reasons.has('window') ? 'it is too far ahead' : reasons.has('notice') ? 'it is too soon' : null
}

/** The starts, which are in order, by local date. */
function groupByDay(starts: number[], zone: string): Map<string, number[]> {
  const byDay = new Map<string, number[]>()
  let day: number[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const start of starts) {
    if (start >= end) {
      const date = localDate(new Date(start), zone)
      end = dayStart(addDays(date, 1), zone).getTime()
      day = byDay.get(date) ?? []
      byDay.set(date, day)
    }
    day.push(start)
  }
  return byDay
}

function toDay(start: Date, zone: string, today: string) {
  const date = localDate(start, zone)
  return { date, label: formatDay(date, today) }
}

/** The day of the chosen time, or the first one with free times. */
function pickDay({ start }: BookingState, days: string[], zone: string): string | null {
  const chosen = start === null ? undefined : days.find((date) => date === localDate(start, zone))
  return chosen ?? days[0] ?? null
}

function listDays(month: string): string[] {
  const end = `${addMonths(month, 1)}-01`
  const days = []
  for (let date = `${month}-01`; date < end; date = addDays(date, 1)) days.push(date)
  return days
}

/** No coach takes bookings further ahead. */
const maxMonth = (thisMonth: string): string => addMonths(thisMonth, 24)

function lastBookableMonth(ctx: Ctx, { rules, schedule }: Availability, zone: string): string {
  const days = rules.bookingWindowDays
  const thisMonth = localDate(ctx.now(), zone).slice(0, 7)
  if (days === null) return maxMonth(thisMonth)
  const end = dayStart(addDays(localDate(ctx.now(), schedule.timezone), days + 1), schedule.timezone)
  const last = localDate(new Date(end.getTime() - 1), zone).slice(0, 7)
  return last < maxMonth(thisMonth) ? last : maxMonth(thisMonth)
}

/** The visitor's own hold doesn't take time from them. */
const toOwnHold = ({ hold }: BookingState) => ({ holdToken: hold ?? undefined })

async function findStarts(
  { ctx, type, state, moved }: MonthVisit,
  range: { from: Date; to: Date },
  availability?: Availability,
) {
  const durationMinutes = state.duration === null ? undefined : Number(state.duration)
  const query = { type: { id: type.id }, ...range, ...toOwnHold(state), exceptAppointmentId: moved?.id, onlyFree: true }
  const found = toFreeStarts(ctx, availability ?? (await getAvailability(ctx, query)), { ...range, durationMinutes })
  const present = moved && new Date(moved.startTime).getTime()
  return { ...found, starts: found.starts.filter((start) => start !== present) }
}

const searchedDays = 92

/** The first free time in the three months from a time. */
async function findNextStart(visit: MonthVisit, from: Date): Promise<Date | null> {
  const { starts } = await findStarts(visit, { from, to: new Date(from.getTime() + searchedDays * dayMs) })
  return starts.length ? new Date(starts[0]!) : null
}

const offeredInstead = 6

/** `paysNow`: a personal link books without paying. */
async function loadDetails(visit: Visit, chosen: string, paysNow: boolean) {
  const { ctx, type, zone, state } = visit
  const start = new Date(chosen)
  const today = localDate(ctx.now(), zone)
  const { starts } = await findStarts(visit, { from: start, to: new Date(start.getTime() + 1) })
  const isFree = starts.length > 0
  const minutes = Number(state.duration ?? type.durations[0])
  return {
    start: chosen,
    when: formatWhen(start, { ...ctx.account, timezone: zone }, today),
    duration: formatMinutes(minutes),
    isFree,
    isHeld: isFree && state.hold !== null,
    instead: isFree ? [] : await listInstead(visit, start, today),
    signature: signForm(ctx.platform, ctx.coachId, ctx.now()),
    asksPlace: type.locationKind === 'client_choice',
    asksPhone: asksPhone(type),
    questions: type.questions,
    needsConfirmation: type.confirmation === 'manual',
    payment: paysNow && type.payment === 'booking' ? describePayment(type) : null,
  }
}

function describePayment({ sessionCount, cancellationNoticeMinutes, ...type }: BookableType): string {
  const rule = describeRefundRule(getRefundRule({ ...type, sessionCount }), cancellationNoticeMinutes)
  if (sessionCount === null || sessionCount === 1) return rule
  return `You pay for ${sessionCount} sessions, of which this is the first. ${rule}`
}

/** The next free times after one that is taken. */
async function listInstead(visit: Visit, taken: Date, today: string) {
  const { ctx, zone } = visit
  const from = taken > ctx.now() ? taken : ctx.now()
  const { starts } = await findStarts(visit, { from, to: new Date(from.getTime() + searchedDays * dayMs) })
  const settings = { ...ctx.account, timezone: zone }
  return starts
    .slice(0, offeredInstead)
    .map((start) => ({ value: new Date(start).toISOString(), label: formatWhen(new Date(start), settings, today) }))
}

/** 'Tuesday, March 17, 8:45 AM'. */
const formatWhen = (start: Date, settings: TimeSettings, today: string): string =>
  `${formatDay(localDate(start, settings.timezone), today)}, ${formatTime(start, settings)}`

/** 'Pacific/Honolulu' as 'Honolulu time'. */
export const describeZone = (zone: string): string => `${zone.split('/').at(-1)!.replaceAll('_', ' ')} time`
