import { dayOfWeek, daysSinceWeekStart, type WeekStart } from '#app/lib/clock.ts'
import { addDays, dayStart, localDate, zonedToInstant } from '#app/lib/time.ts'

/** Minutes after midnight in the schedule's time zone; `endMinute` is at most 1440, the end of the day. */
export type TimeRange = { startMinute: number; endMinute: number }
/** `weekday`: 0 is Sunday. */
export type WeeklyRange = TimeRange & { weekday: number }
/** Replaces the weekly hours of a day. A row without times is a day off; a day may have several rows. */
export type DateOverride = { date: string; startMinute: number | null; endMinute: number | null }

/** When a coach works. `dailyLimit` and `weeklyLimit` count all appointments. */
export type Schedule = {
  timezone: string
  weekStart: WeekStart
  hours: WeeklyRange[]
  overrides: DateOverride[]
  dailyLimit: number | null
  weeklyLimit: number | null
}

/** The rules of one appointment type. `dailyLimit` and `weeklyLimit` count its own appointments. */
export type SlotRules = {
  typeId: number
  durationMinutes: number
  bufferBefore: number
  bufferAfter: number
  minimumNoticeMinutes: number
  /** Days after today on which it can be booked; null: no limit. */
  bookingWindowDays: number | null
  dailyLimit: number | null
  weeklyLimit: number | null
  /** Minutes between the starts of two slots. */
  slotIntervalMinutes: number
}

/**
 * Times in milliseconds, because there are hundreds. `blockedFrom`, `blockedUntil`: with the buffers. External times
 * and those without a type have no `typeId`.
 */
export type BusyTime = {
  kind: 'appointment' | 'hold' | 'external' | 'google'
  typeId: number | null
  start: number
  end: number
  blockedFrom: number
  blockedUntil: number
}

export type Slot = { start: Date; end: Date }
export const refusalLabels = {
  'outside-hours': 'Outside of the working hours',
  override: 'The hours of this date are different',
  window: 'Too far ahead',
  notice: 'Too soon',
  booked: 'Booked',
  external: 'Busy in another calendar',
  google: 'Busy in Google',
  buffer: 'Too close to another appointment',
  'daily-limit': 'The limit of the day is reached',
  'weekly-limit': 'The limit of the week is reached',
} as const
export type RefusalReason = keyof typeof refusalLabels
export type RefusedSlot = Slot & { reason: RefusalReason }

export type SlotRequest = {
  schedule: Schedule
  type: SlotRules
  /** Every busy time that overlaps the range, and all of the weeks that it touches. */
  busy: BusyTime[]
  /** The range of starts; `to` is exclusive. */
  from: Date
  to: Date
  now: Date
}

/**
 * The slots that can be booked, by start, and those of the working hours that can't, with the reason. The booking page,
 * the preview and the check before a booking use this function alone, so that they agree.
 */
export function listSlots(request: SlotRequest): { slots: Slot[]; refused: RefusedSlot[] } {
  const durationMs = request.type.durationMinutes * minuteMs
  const slots: Slot[] = []
  const refused: RefusedSlot[] = []
  const starts: Start[] = []
  visitStarts(request, (start, reason) => starts.push({ start, reason }))
  for (const { start, reason } of withoutRepeats(starts.sort((a, b) => a.start - b.start))) {
    const slot = { start: new Date(start), end: new Date(start + durationMs) }
    if (reason === null) slots.push(slot)
    else refused.push({ ...slot, reason })
  }
  return { slots, refused }
}

/** The starts of the slots of `listSlots` that can be booked, in milliseconds. */
export function listFreeStarts(request: SlotRequest): number[] {
  const free: number[] = []
  let isAscending = true
  visitStarts(request, (start, reason) => {
    if (reason !== null) return
    isAscending &&= start > (free.at(-1) ?? Number.NEGATIVE_INFINITY)
    free.push(start)
  })
  return isAscending ? free : [...new Set(free)].sort((a, b) => a - b)
}

/** The working times of the dates from one day before `from` to one after `to`, in milliseconds. */
export const listWorkingSpans = (
  schedule: Pick<Schedule, 'timezone' | 'hours' | 'overrides'>,
  from: Date,
  to: Date,
): Span[] => listWorkingDays(schedule, from, to).flatMap(({ actual }) => actual)

/** Why a time can't be booked; null if it can. */
export function checkSlot(request: Omit<SlotRequest, 'from' | 'to'>, start: Date): RefusalReason | null {
  const { slots, refused } = listSlots({ ...request, from: start, to: new Date(start.getTime() + 1) })
  return slots.length ? null : (refused[0]?.reason ?? 'outside-hours')
}

/** Says why a time or its buffers are not free; null if they are. Ignores limits and hours. */
export const checkOverlap = (
  { busy, type }: Pick<SlotRequest, 'busy' | 'type'>,
  start: Date,
): 'booked' | 'external' | 'google' | 'buffer' | null => createOverlapSearch(busy, type)(start.getTime())

const minuteMs = 60_000
type Start = { start: number; reason: RefusalReason | null }
type Span = { start: number; end: number }
/** `actual`: the working times of a date, `replaced`: those of its weekday if an override replaces them. */
type WorkingDay = { actual: Span[]; replaced: Span[] }

type Visit = (start: number, reason: RefusalReason | null) => void

/**
 * Visits the starts in the range at every interval of the working times, each with the reason that it can't be booked.
 */
function visitStarts(request: SlotRequest, visit: Visit): void {
  const { schedule, type, from, to } = request
  const step = type.slotIntervalMinutes * minuteMs
  const durationMs = type.durationMinutes * minuteMs
  const refuse = createRules(request)
  const days = listWorkingDays(schedule, from, to)
  const visitSpan = (span: Span, decide: (start: number) => RefusalReason | null): void => {
    const before = Math.max(0, Math.ceil((from.getTime() - span.start) / step))
    const end = Math.min(span.end, to.getTime())
    for (let start = span.start + before * step; start < end; start += step) visit(start, decide(start))
  }
  for (const [index, { actual, replaced }] of days.slice(0, -continuedDays).entries()) {
    for (const span of actual) {
      const last = extendPastMidnight(span, days.slice(index + 1, index + 1 + continuedDays)) - durationMs
      visitSpan(span, (start) => (start > last ? 'outside-hours' : refuse(start)))
    }
    for (const span of replaced) visitSpan(span, () => 'override')
  }
}

/**
 * Starts that follow each other. Two dates have the same instants when a zone skips a day: one that can be booked wins.
 */
function withoutRepeats(starts: Start[]): Start[] {
  const kept: Start[] = []
  for (const one of starts) {
    const last = kept.at(-1)
    if (last?.start !== one.start) kept.push(one)
    else if (one.reason === null) last.reason = null
  }
  return kept
}

/** How many days a slot may go on without a break after the one in which it starts. */
const continuedDays = 2

/** The dates that may have starts in the range, and those on which their slots may end. */
function listWorkingDays(
  { timezone, hours, overrides }: Pick<Schedule, 'timezone' | 'hours' | 'overrides'>,
  from: Date,
  to: Date,
): WorkingDay[] {
  const weekly = Map.groupBy(hours, ({ weekday }) => weekday)
  const merged = new Map([...weekly].map(([weekday, ranges]) => [weekday, mergeRanges(ranges)]))
  const overridesByDate = Map.groupBy(overrides, ({ date }) => date)
  const days: WorkingDay[] = []
  const last = addDays(localDate(to, timezone), 1 + continuedDays)
  for (let date = addDays(localDate(from, timezone), -1); date <= last; date = addDays(date, 1)) {
    const regular = toSpans(merged.get(dayOfWeek(date)) ?? [], date, timezone)
    const own = overridesByDate.get(date)
    days.push(
      own
        ? { actual: toSpans(mergeRanges(own.filter(isRange)), date, timezone), replaced: regular }
        : { actual: regular, replaced: [] },
    )
  }
  return days
}

const isRange = (range: DateOverride): range is DateOverride & TimeRange =>
  range.startMinute !== null && range.endMinute !== null

/** Ranges that touch or overlap become one. */
function mergeRanges(ranges: TimeRange[]): TimeRange[] {
  const merged: TimeRange[] = []
  for (const { startMinute, endMinute } of ranges.toSorted((a, b) => a.startMinute - b.startMinute)) {
    const last = merged.at(-1)
    if (last && startMinute <= last.endMinute) last.endMinute = Math.max(last.endMinute, endMinute)
    else merged.push({ startMinute, endMinute })
  }
  return merged
}

/** The instants of a date's ranges. One that the clock skips has no time. */
function toSpans(ranges: TimeRange[], date: string, zone: string): Span[] {
  return ranges.flatMap(({ startMinute, endMinute }) => {
    const start = zonedToInstant(date, formatMinute(startMinute), zone)
    const end = zonedToInstant(date, formatMinute(endMinute), zone, start)
    return end > start ? [{ start: start.getTime(), end: end.getTime() }] : []
  })
}

/** 570: '09:30'. */
export const formatMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The end of a working time that the next days continue without a break. */
function extendPastMidnight({ end }: Span, nextDays: WorkingDay[]): number {
  let endsBy = end
  for (const { actual } of nextDays)
    for (const span of actual) if (span.start <= endsBy) endsBy = Math.max(endsBy, span.end)
  return endsBy
}

/** Returns a function that says why a start within the working hours can't be booked. */
function createRules({ schedule, type, busy, now }: SlotRequest): (start: number) => RefusalReason | null {
  const { timezone, weekStart } = schedule
  const soonest = now.getTime() + type.minimumNoticeMinutes * minuteMs
  const windowEnd =
    type.bookingWindowDays === null
      ? Infinity
      : dayStart(addDays(localDate(now, timezone), type.bookingWindowDays + 1), timezone).getTime()
  const findOverlap = createOverlapSearch(busy, type)
  const limits = [schedule.dailyLimit, schedule.weeklyLimit, type.dailyLimit, type.weeklyLimit]
  const counts = limits.every((limit) => limit === null) ? null : countAppointments(busy, schedule, type.typeId)
  return (start) => {
    if (start >= windowEnd) return 'window'
    if (start < soonest) return 'notice'
    const overlap = findOverlap(start)
    if (overlap) return overlap
    if (!counts) return null
    const date = localDate(new Date(start), timezone)
    const week = toWeek(date, weekStart)
    if (counts.reaches(date, schedule.dailyLimit, type.dailyLimit)) return 'daily-limit'
    if (counts.reaches(week, schedule.weeklyLimit, type.weeklyLimit)) return 'weekly-limit'
    return null
  }
}

/** Says whether a slot or its buffers overlap a busy time. */
function createOverlapSearch(busy: BusyTime[], { durationMinutes, bufferBefore, bufferAfter }: SlotRules) {
  const times = busy.toSorted((a, b) => a.blockedFrom - b.blockedFrom)
  // The latest end so far: grows with the index, so that the first busy time that may overlap is found by halving.
  let latest = Number.NEGATIVE_INFINITY
  const ends = times.map(({ blockedUntil }) => (latest = Math.max(latest, blockedUntil)))
  return (start: number): 'booked' | 'external' | 'google' | 'buffer' | null => {
    const end = start + durationMinutes * minuteMs
    const from = start - bufferBefore * minuteMs
    const until = end + bufferAfter * minuteMs
    let found: 'buffer' | null = null
    for (let index = findFirst(ends, from); index < times.length && times[index]!.blockedFrom < until; index++) {
      const time = times[index]!
      if (time.blockedUntil <= from) continue
      if (time.start < end && time.end > start)
        return time.kind === 'external' || time.kind === 'google' ? time.kind : 'booked'
      found = 'buffer'
    }
    return found
  }
}

/** The index of the first of the ascending numbers that is greater than `limit`. */
function findFirst(numbers: number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! > limit) high = middle
    else low = middle + 1
  }
  return low
}

/** Counts appointments and holds by the local date and week in which they start. */
function countAppointments(busy: BusyTime[], { timezone, weekStart }: Schedule, ownType: number) {
  const all = new Map<string, number>()
  const own = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { kind, typeId, start } of busy) {
    if (kind === 'external' || kind === 'google') continue
    const date = localDate(new Date(start), timezone)
    for (const key of [date, toWeek(date, weekStart)]) {
      add(all, key)
      if (typeId === ownType) add(own, key)
    }
  }
  return {
    reaches: (key: string, limit: number | null, ownLimit: number | null): boolean =>
      (limit !== null && (all.get(key) ?? 0) >= limit) || (ownLimit !== null && (own.get(key) ?? 0) >= ownLimit),
  }
}

const toWeek = (date: string, weekStart: WeekStart): string =>
  `week ${addDays(date, -daysSinceWeekStart(date, weekStart))}`
