import { formatClock, type TimeSettings } from './clock.ts'

export const hourMs = 3_600_000
/** Milliseconds of a day. */
export const dayMs = 24 * hourMs

/** 'Jan 14, 2026': the local date of an instant. */
export function formatDate(instant: string | Date, zone: string): string {
  const { year, month, day: date } = toWallClock(new Date(instant), zone)
  return `${months[month - 1]} ${date}, ${year}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a calendar date ('2026-01-14') with Intl options. */
export function formatCalendarDate(date: string, options: Intl.DateTimeFormatOptions): string {
  return getFormat('UTC', JSON.stringify(options), options).format(new Date(`${date}T12:00:00Z`))
}

/** '10:12 AM' or '10:12': the local time of an instant. */
export const formatTime = (instant: string | Date, { timezone, timeFormat }: TimeSettings): string =>
  formatClock(localTime(instant, timezone), timeFormat)

/** 'Jan 14, 2026, 10:12 AM': the local date and time of an instant. */
export const formatDateTime = (instant: string | Date, settings: TimeSettings): string =>
  `${formatDate(instant, settings.timezone)}, ${formatTime(instant, settings)}`

/** 'Central European Standard Time'. */
export function formatZone(zone: string, at: string | Date): string {
  const parts = getFormat(zone, 'zone', { timeZoneName: 'long' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** 'Just now', '5h ago', '4d ago'. Source: part-1 §2. */
export function formatRelative(instant: string | Date, now: Date): string {
  const age = now.getTime() - new Date(instant).getTime()
  if (age < hourMs) return 'Just now'
  return age < dayMs ? `${Math.floor(age / hourMs)}h ago` : `${Math.floor(age / dayMs)}d ago`
}

const weekday = { weekday: 'short' } as const
const thisYear = { month: 'short', day: 'numeric' } as const

/**
 * A local date as lists show it: 'Today', 'Tomorrow', 'Yesterday', 'Mon' within six days, 'Jan 14' in the current year,
 * otherwise 'Jan 14, 2025'.
 */
export function formatDay(instant: string | Date, now: Date, zone: string): string {
  const [date, today] = [localDate(instant, zone), localDate(now, zone)]
  const distance = (Date.parse(date) - Date.parse(today)) / dayMs
  if (Math.abs(distance) <= 1) return ['Yesterday', 'Today', 'Tomorrow'][distance + 1]!
  if (Math.abs(distance) < 7) return formatCalendarDate(date, weekday)
  return date.slice(0, 4) === today.slice(0, 4) ? formatCalendarDate(date, thisYear) : formatDate(instant, zone)
}

/** The start of the local month of `now`. */
export function monthStart(now: Date, zone: string): Date {
  return monthSpan(localDate(now, zone).slice(0, 7), zone).from
}

/** The start (inclusive) and end (exclusive) of a local month ('2026-01'). */
export function monthSpan(month: string, zone: string): { from: Date; to: Date } {
  return { from: dayStart(`${month}-01`, zone), to: dayStart(`${addMonths(month, 1)}-01`, zone) }
}

/** The end of the same local day in the month before, or the end of that month if it is shorter. */
export function sameDayLastMonth(now: Date, zone: string): Date {
  const today = localDate(now, zone)
  const next = addDays(`${addMonths(today.slice(0, 7), -1)}-01`, Number(today.slice(8)))
  const first = `${today.slice(0, 7)}-01`
  return dayStart(next < first ? next : first, zone)
}

/** '2026-01' and 1: '2026-02'. */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
}

/** '2026-01-31' and 1: '2026-02-01'. */
export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10)
}

/** The start of a local day ('2026-01-14'). If the clock skips midnight, the first instant after it. */
export function dayStart(date: string, zone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const guess = new Date(midnight - utcOffset(new Date(midnight), zone))
  const start = new Date(midnight - utcOffset(guess, zone))
  return localDate(start, zone) === date ? start : new Date(Math.max(start.getTime(), guess.getTime()))
}

/** '2026-01-14': the local date of an instant, as date inputs have it. */
export function localDate(instant: string | Date, zone: string): string {
  const { year, month, day } = toWallClock(new Date(instant), zone)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Noon on a local day ('2026-01-14'). */
export function noonIn(date: string, zone: string): Date {
  return zonedToInstant(date, '12:00', zone)
}

/** '09:30': the local time of an instant, as time inputs have it. */
export function localTime(instant: string | Date, zone: string): string {
  const { hour, minute } = toWallClock(new Date(instant), zone)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/**
 * The instant of a local date ('2026-01-14') and time ('09:30'; '24:00' is the end of the day). A time that the clock
 * skips is moved forward by the length of the gap. For a time that occurs twice, returns the first, or the first one
 * after `after`.
 */
export function zonedToInstant(date: string, time: string, zone: string, after?: Date): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return wallTimeToInstant(Date.parse(`${date}T00:00:00Z`) + hours * hourMs + minutes * 60_000, zone, after)
}

/** `wallTime`: the local date and time as if it were UTC, in milliseconds. */
function wallTimeToInstant(wallTime: number, zone: string, after?: Date): Date {
  // The offset changes at most once between the day before and the day after.
  const [earlier, later] = [-dayMs, dayMs].map((shift) => wallTime - utcOffset(new Date(wallTime + shift), zone)) as [
    number,
    number,
  ]
  if (earlier === later) return new Date(earlier)
  const matches = [earlier, later]
    .filter((instant) => instant + utcOffset(new Date(instant), zone) === wallTime)
    .sort((a, b) => a - b)
  return new Date(matches.find((instant) => !after || instant > after.getTime()) ?? matches[0] ?? earlier)
}

/** The local date and time of an instant. */
function toWallClock(instant: Date, zone: string) {
  const wall = new Date(instant.getTime() + utcOffset(instant, zone))
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  }
}

/** Offsets by time zone and UTC day; null for a day on which the offset changes. */
const offsets = new Map<string, number | null>()
const maxOffsets = 50_000

/** The UTC offset of `zone` in milliseconds. Cached, because Intl takes ten times as long. */
function utcOffset(instant: Date, zone: string): number {
  const days = Math.floor(instant.getTime() / dayMs)
  const key = `${zone} ${days}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    const [first, last] = [days * dayMs, (days + 1) * dayMs - 1_000].map((one) => queryOffset(one, zone)) as [
      number,
      number,
    ]
    offset = first === last ? first : null
    if (offsets.size >= maxOffsets) offsets.clear()
    offsets.set(key, offset)
  }
  return offset ?? queryOffset(instant.getTime(), zone)
}

function queryOffset(instant: number, zone: string): number {
  // '1/14/2026, 15:04:05': parsing this is faster than formatToParts.
  const formatted = getFormat(zone, 'wall', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).format(instant)
  const [month, date, year, hours, minute, second] = formatted.match(/\d+/g)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  // Date.UTC adds 1900 to years below 100.
  return (
    new Date(Date.UTC(2000, month - 1, date, hours, minute, second)).setUTCFullYear(year) -
    Math.floor(instant / 1000) * 1000
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 500

/**
 * Cached, because creating a format takes longer than using it a hundred times. Limited, because zone names ignore
 * case.
 */
function getFormat(zone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`
  const cached = formats.get(key)
  if (cached) return cached
  if (formats.size >= maxFormats) formats.clear()
  const created = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
  formats.set(key, created)
  return created
}
