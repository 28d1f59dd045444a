import ICAL from 'ical.js'
import { addDays, dayMs, dayStart, localDate, localTime, zonedToInstant } from '#app/lib/time.ts'

export type Series = {
  start: Date
  end: Date
  timezone: string
  /** Lines of iCalendar: RRULE, RDATE, EXDATE. */
  recurrence: string[]
}
export type Span = { start: Date; end: Date }

/** The most steps of a rule: each day of 68 years. */
const maxSteps = 25_000
/** The most times of a series within the range. */
const maxTimes = 2_000

/**
 * The times of a series that overlap the range, except those that begin at one of `except`. They keep their local time
 * when the clocks change. A rule that can't be read has the first time alone.
 */
export function expandSeries(series: Series, { from, to, except }: { from: Date; to: Date; except: Date[] }): Span[] {
  const removed = new Set(except.map((date) => date.getTime()))
  const starts = new Set([series.start.getTime()])
  for (const line of series.recurrence) {
    const [, name, params = '', value = ''] = /^(RRULE|RDATE|EXDATE)((?:;[^:]*)?):(.*)$/i.exec(line.trim()) ?? []
    if (!name) continue
    const dates = name.toUpperCase() === 'RRULE' ? expandRule(value, series, to) : readDates(value, params, series)
    const target = name.toUpperCase() === 'EXDATE' ? removed : starts
    for (const date of dates) target.add(date)
  }
  return [...starts]
    .filter((start) => !removed.has(start))
    .sort((a, b) => a - b)
    .map((start) => ({ start: new Date(start), end: getEnd(new Date(start), series) }))
    .filter(({ start, end }) => start < to && end > from)
    .slice(0, maxTimes)
}

/** Events of whole days end at midnight, also where the clocks change in between. */
function getEnd(start: Date, { start: first, end, timezone }: Series): Date {
  const isMidnight = (date: Date) => date.getTime() === dayStart(localDate(date, timezone), timezone).getTime()
  if (!isMidnight(first) || !isMidnight(end)) return new Date(start.getTime() + end.getTime() - first.getTime())
  const days = Math.round((Date.parse(localDate(end, timezone)) - Date.parse(localDate(first, timezone))) / dayMs)
  return dayStart(addDays(localDate(start, timezone), days), timezone)
}

class TooManySteps extends Error {}

/** The starts of a rule, counted in local time. */
function expandRule(value: string, { start, timezone }: Series, to: Date): number[] {
  try {
    const rule = ICAL.Recur.fromString(value)
    if (rule.interval < 1 || ['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq)) return []
    rule.until = toEarlier(rule.until, to, timezone)
    const iterator = rule.iterator(toLocalTime(start, timezone))
    // ical.js looks for the next match of its rules without an end.
    const matches = iterator.check_contracting_rules.bind(iterator)
    let steps = 0
    iterator.check_contracting_rules = () => {
      if (++steps > maxSteps) throw new TooManySteps()
      return matches()
    }
    const found: number[] = []
    for (let time = iterator.next(); time; time = iterator.next()) {
      if (found.length > maxSteps) throw new TooManySteps()
      found.push(fromLocalTime(time, timezone))
    }
    return found
  } catch {
    return []
  }
}

/** The earlier one of a rule's end, which may be in UTC or a date, and of the range. */
function toEarlier(until: ICAL.Time | null, to: Date, timezone: string): ICAL.Time {
  const end = toLocalTime(to, timezone)
  if (!until) return end
  const { year, month, day, hour, minute, second } = until
  const local = until.isDate
    ? ICAL.Time.fromDateTimeString(`${until.toString()}T23:59:59`)
    : until.zone === ICAL.Timezone.utcTimezone
      ? toLocalTime(new Date(Date.UTC(year, month - 1, day, hour, minute, second)), timezone)
      : until
  return local.compare(end) < 0 ? local : end
}

const toLocalTime = (date: Date, zone: string): ICAL.Time =>
  ICAL.Time.fromDateTimeString(`${localDate(date, zone)}T${localTime(date, zone)}:00`)

function fromLocalTime({ year, month, day, hour, minute }: ICAL.Time, zone: string): number {
  const two = (value: number) => String(value).padStart(2, '0')
  return zonedToInstant(
    `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`,
    `${two(hour)}:${two(minute)}`,
    zone,
  ).getTime()
}

/** '20260310T100000,20260317T100000Z' or dates. */
function readDates(value: string, params: string, { start, timezone }: Series): number[] {
  const zone = /TZID=([^;:]+)/i.exec(params)?.[1] ?? timezone
  return value.split(',').flatMap((text) => {
    const [, year, month, day, hour, minute, utc] =
      /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(text.trim()) ?? []
    if (!year) return []
    const date = `${year}-${month}-${day}`
    const time = hour ? `${hour}:${minute}` : localTime(start, timezone)
    try {
      return [zonedToInstant(date, time, utc ? 'UTC' : hour ? zone : timezone).getTime()]
    } catch {
      // An unknown zone, or a date that doesn't exist.
      return []
    }
  })
}
