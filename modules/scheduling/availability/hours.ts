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

/** '09:00–12:30, 13:00–17:00'. */
export const formatRanges = (ranges: { start: string; end: string }[]): string =>
  ranges.map(({ start, end }) => `${start}–${end}`).join(', ')

/** Reads '9–12:30, 1pm–5pm'. Null if it isn't a list of times in which each end is after its start. */
export function parseRanges(text: string): Range[] | null {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean)
  const ranges = parts.map(parseRange)
  return ranges.every((range) => range !== null) ? ranges : null
}

function parseRange(text: string): Range | null {
  const [from = '', to = '', ...more] = text.split(/\s*(?:-|–|—|to)\s*/i)
  const [start, end] = [parseTime(from), parseTime(to)]
  return more.length || start === null || end === null || end <= start ? null : { start, end }
}

/** '9', '09:30', '1:30 pm' or '24:00' in minutes. */
function parseTime(text: string): number | null {
  const [, hourText, minuteText = '0', half] = /^(\d{1,2})(?:[:.](\d{2}))?\s*([ap]m)?$/i.exec(text) ?? []
  if (hourText === undefined) return null
  const hour = Number(hourText)
  if (half && (hour < 1 || hour > 12)) return null
  const minute = (half ? (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : hour) * 60 + Number(minuteText)
  return Number(minuteText) < 60 && minute <= 1440 ? minute : null
}
