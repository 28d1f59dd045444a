import { addDays, addMonths, dayMs, zonedToInstant } from '#app/lib/time.ts'
import { dayOfWeek, daysSinceWeekStart, listWeekdays, type WeekStart } from '#app/lib/clock.ts'
import { minutesToTime } from '../day-segments.ts'

/** Every `interval` weeks or months. */
export type Frequency = { unit: 'week' | 'month'; interval: number }
/**
 * Ends after `count` dates, or with the last one that is not after `until`. `weekdays`: of a weekly series, the days
 * besides that of the first date; 0 is Sunday. `weekStart`: the coach's, from which every two weeks are counted.
 */
export type Recurrence = Frequency & {
  weekdays?: readonly number[] | undefined
  weekStart?: WeekStart | undefined
  count?: number | undefined
  until?: string | undefined
}
/** The time of day at which every session of a series begins. */
export type WallTime = { startMinute: number; timezone: string }

export const maxOccurrences = 104
export const tooManyOccurrences = `Use at most ${maxOccurrences} sessions within two years`
export const tooFewOccurrences = 'A series has at least two sessions'

/** The date that is `steps` after `start`, or before it. A month without that day has its last day instead. */
export function shiftOccurrence(start: string, { unit, interval }: Frequency, steps: number): string {
  if (unit === 'week') return addDays(start, 7 * interval * steps)
  const month = addMonths(start.slice(0, 7), interval * steps)
  const lastDay = addDays(`${addMonths(month, 1)}-01`, -1)
  const date = `${month}-${start.slice(8)}`
  return date < lastDay ? date : lastDay
}

/** Returns a date of a series after its date `from` has moved `to`: by as many days, or on the new day of the month. */
export function moveOccurrence(date: string, frequency: Frequency, { from, to }: { from: string; to: string }): string {
  if (frequency.unit === 'week') return addDays(date, (Date.parse(to) - Date.parse(from)) / dayMs)
  const month = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7))
  return shiftOccurrence(to, { unit: 'month', interval: 1 }, month(date) - month(from))
}

/** The dates without an end. */
function* eachOccurrence(
  start: string,
  { weekdays = [], weekStart = 'sunday', ...frequency }: Recurrence,
): Generator<string> {
  const days = new Set(frequency.unit === 'week' ? weekdays : []).add(dayOfWeek(start))
  const offsets = listWeekdays(weekStart).flatMap((day, index) =>
    days.has(day) ? index - daysSinceWeekStart(start, weekStart) : [],
  )
  for (let step = 0; ; step++) {
    const date = shiftOccurrence(start, frequency, step)
    for (const offset of offsets) if (step > 0 || offset >= 0) yield offset ? addDays(date, offset) : date
  }
}

/** The dates of a series from its first one, or why there can't be such a series. */
export function listOccurrences(
  start: string,
  { count = Infinity, until = '9999-12-31', ...recurrence }: Recurrence,
): { dates: string[] } | { problem: string } {
  const latest = shiftOccurrence(start, { unit: 'month', interval: 24 }, 1)
  const dates: string[] = []
  for (const date of eachOccurrence(start, recurrence)) {
    if (dates.length === count || date > until) break
    if (dates.length === maxOccurrences || date > latest) return { problem: tooManyOccurrences }
    dates.push(date)
  }
  return dates.length < 2 ? { problem: tooFewOccurrences } : { dates }
}

/** When a session of a series begins by its rule. Clock changes don't move the time of day (`zonedToInstant`). */
export const getRuleStart = (date: string, { startMinute, timezone }: WallTime): Date =>
  zonedToInstant(date, minutesToTime(startMinute), timezone)
