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

/** `blockedFrom`, `blockedUntil`: with the buffers. External times and those without a type have no `typeId`. */
export type BusyTime = {
  kind: 'appointment' | 'hold' | 'external' | 'google'
  typeId: number | null
  start: Date
  end: Date
  blockedFrom: Date
  blockedUntil: Date
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
  const { schedule, type, from, to } = request
  const days = listWorkingTimes(schedule)
  const found = new Map<number, RefusalReason | null>()
  const durationMs = type.durationMinutes * minuteMs
  const refuse = createRules(request)
  const lastDay = addDays(localDate(to, schedule.timezone), 1)
  for (let date = addDays(localDate(from, schedule.timezone), -1); date <= lastDay; date = addDays(date, 1)) {
    for (const { start, isInHours, endsBy } of listCandidates(days, date, type)) {
      if (start < from.getTime() || start >= to.getTime()) continue
      const reason = isInHours ? (start + durationMs > endsBy ? 'outside-hours' : refuse(start)) : 'override'
      // Two dates have the same instants when a zone skips a day: one that can be booked wins.
      if (!found.has(start) || reason === null) found.set(start, reason)
    }
  }
  const all = [...found].sort(([a], [b]) => a - b)
  const toSlot = (start: number): Slot => ({ start: new Date(start), end: new Date(start + durationMs) })
  return {
    slots: all.flatMap(([start, reason]) => (reason === null ? [toSlot(start)] : [])),
    refused: all.flatMap(([start, reason]) => (reason === null ? [] : [{ ...toSlot(start), reason }])),
  }
}

/** Why a time can't be booked; null if it can. */
export function checkSlot(request: Omit<SlotRequest, 'from' | 'to'>, start: Date): RefusalReason | null {
  const { slots, refused } = listSlots({ ...request, from: start, to: new Date(start.getTime() + 1) })
  return slots.length ? null : (refused[0]?.reason ?? 'outside-hours')
}

const minuteMs = 60_000
type Span = { start: number; end: number }
type WorkingTimes = { regular(date: string): Span[]; actual(date: string): Span[]; isOverridden(date: string): boolean }

/** The working times of a date as instants: those of its weekday, and those that an override may replace. */
function listWorkingTimes({ timezone, hours, overrides }: Schedule): WorkingTimes {
  const overridesByDate = Map.groupBy(overrides, ({ date }) => date)
  const regular = memoize((date) => {
    const weekday = dayOfWeek(date)
    return toSpans(
      hours.filter((range) => range.weekday === weekday),
      date,
      timezone,
    )
  })
  const actual = memoize((date) => {
    const own = overridesByDate.get(date)
    if (!own) return regular(date)
    const ranges = own.flatMap(({ startMinute, endMinute }) =>
      startMinute === null || endMinute === null ? [] : [{ startMinute, endMinute }],
    )
    return toSpans(ranges, date, timezone)
  })
  return { regular, actual, isOverridden: (date) => overridesByDate.has(date) }
}

function memoize(get: (date: string) => Span[]): (date: string) => Span[] {
  const known = new Map<string, Span[]>()
  return (date) => {
    const spans = known.get(date) ?? get(date)
    known.set(date, spans)
    return spans
  }
}

/** Ranges that touch or overlap become one. A range that the clock skips has no time. */
function toSpans(ranges: TimeRange[], date: string, zone: string): Span[] {
  const merged: TimeRange[] = []
  for (const { startMinute, endMinute } of ranges.toSorted((a, b) => a.startMinute - b.startMinute)) {
    const last = merged.at(-1)
    if (last && startMinute <= last.endMinute) last.endMinute = Math.max(last.endMinute, endMinute)
    else merged.push({ startMinute, endMinute })
  }
  return merged.flatMap(({ startMinute, endMinute }) => {
    const start = zonedToInstant(date, formatMinute(startMinute), zone)
    const end = zonedToInstant(date, formatMinute(endMinute), zone, start)
    return end > start ? [{ start: start.getTime(), end: end.getTime() }] : []
  })
}

/** 570: '09:30'. */
export const formatMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** `endsBy`: when the working time ends in which a slot starts. */
type Candidate = { start: number; isInHours: boolean; endsBy: number }

/** Starts at every interval of the working times of a date, and those that its override removes. */
function listCandidates(days: WorkingTimes, date: string, { slotIntervalMinutes }: SlotRules): Candidate[] {
  const step = slotIntervalMinutes * minuteMs
  const listStarts = ({ start, end }: Span) =>
    Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => start + index * step)
  const candidates = days.actual(date).flatMap((span) => {
    const endsBy = extendPastMidnight(days, date, span)
    return listStarts(span).map((start) => ({ start, isInHours: true, endsBy }))
  })
  if (!days.isOverridden(date)) return candidates
  const known = new Set(candidates.map(({ start }) => start))
  const removed = days.regular(date).flatMap(listStarts)
  return [
    ...candidates,
    ...removed.filter((start) => !known.has(start)).map((start) => ({ start, isInHours: false, endsBy: 0 })),
  ]
}

/** The end of a working time that the next days continue without a break, at most two days on. */
function extendPastMidnight(days: WorkingTimes, date: string, { end }: Span): number {
  let endsBy = end
  for (const next of [addDays(date, 1), addDays(date, 2)])
    for (const span of days.actual(next)) if (span.start <= endsBy) endsBy = Math.max(endsBy, span.end)
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
  const times = busy
    .map(({ kind, start, end, blockedFrom, blockedUntil }) => ({
      kind,
      start: start.getTime(),
      end: end.getTime(),
      from: blockedFrom.getTime(),
      until: blockedUntil.getTime(),
    }))
    .sort((a, b) => a.from - b.from)
  // The latest end so far: grows with the index, so that the first busy time that may overlap is found by halving.
  let latest = Number.NEGATIVE_INFINITY
  const ends = times.map(({ until }) => (latest = Math.max(latest, until)))
  return (start: number): 'booked' | 'external' | 'google' | 'buffer' | null => {
    const end = start + durationMinutes * minuteMs
    const from = start - bufferBefore * minuteMs
    const until = end + bufferAfter * minuteMs
    let found: 'buffer' | null = null
    for (let index = findFirst(ends, from); index < times.length && times[index]!.from < until; index++) {
      const time = times[index]!
      if (time.until <= from) continue
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
    const date = localDate(start, timezone)
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
