import { addDays, addMonths, dayMs, zonedToInstant } from '#app/lib/time.ts'
import { minutesToTime } from '../day-segments.ts'

/** Every `interval` weeks or months. */
export type Frequency = { unit: 'week' | 'month'; interval: number }
/** Ends after `count` dates, or with the last one that is not after `until`. */
export type Recurrence = Frequency & { count?: number | undefined; until?: string | undefined }
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

/** How many steps `date` is after `start`; both are dates of one series. */
export function countSteps(start: string, date: string, { unit, interval }: Frequency): number {
  const month = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7))
  const passed = unit === 'week' ? (Date.parse(date) - Date.parse(start)) / (7 * dayMs) : month(date) - month(start)
  return Math.round(passed / interval)
}

/** The dates of a series from its first one, or why there can't be such a series. */
export function listOccurrences(
  start: string,
  { count = Infinity, until = '9999-12-31', ...frequency }: Recurrence,
): { dates: string[] } | { problem: string } {
  const latest = shiftOccurrence(start, { unit: 'month', interval: 24 }, 1)
  const dates: string[] = []
  for (let date = start; dates.length < count && date <= until; ) {
    if (dates.length === maxOccurrences || date > latest) return { problem: tooManyOccurrences }
    dates.push(date)
    date = shiftOccurrence(start, frequency, dates.length)
  }
  return dates.length < 2 ? { problem: tooFewOccurrences } : { dates }
}

/** When a session of a series begins by its rule. Clock changes don't move the time of day (`zonedToInstant`). */
export const getRuleStart = (date: string, { startMinute, timezone }: WallTime): Date =>
  zonedToInstant(date, minutesToTime(startMinute), timezone)
