import { formatMinute } from './slots.ts'

/** The dates that overrides may have. */
export const minDate = '2000-01-01'
export const maxDate = '2200-12-30'

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Minutes after midnight. */
export type Range = { start: number; end: number }
export type WeekdayRange = Range & { weekday: number }
export type DateRanges = { date: string; ranges: Range[] }

/** 'Mon 09:00–12:00, 13:00–17:00; Tue 09:00–12:00', as the history shows it. */
export function describeHours(hours: WeekdayRange[]): string {
  return weekdays
    .map((name, weekday) => ({ name: name.slice(0, 3), ranges: hours.filter((one) => one.weekday === weekday) }))
    .filter(({ ranges }) => ranges.length)
    .map(({ name, ranges }) => `${name} ${describeRanges(ranges)}`)
    .join('; ')
}

/** '2026-12-24 off; 2026-12-31 09:00–12:00'. */
export function describeOverrides(overrides: DateRanges[]): string {
  return overrides
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map(({ date, ranges }) => `${date} ${ranges.length ? describeRanges(ranges) : 'off'}`)
    .join('; ')
}

function describeRanges(ranges: Range[]): string {
  return ranges
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => `${formatMinute(start)}–${formatMinute(end)}`)
    .join(', ')
}
