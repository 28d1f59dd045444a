import { formatClock, formatTimeRange, type TimeFormat } from '#app/lib/clock.ts'
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

/** '9:00 AM – 12:30 PM, 1:00 – 5:00 PM'. `readRanges` reads it. */
export const formatRanges = (ranges: { start: string; end: string }[], format: TimeFormat): string =>
  ranges.map(({ start, end }) => formatTimeRange(start, end, format)).join(', ')

const maxRanges = 10

/** Reads '9–12:30, 1–5 PM', or says what is wrong. Every end is after its start. */
export function readRanges(text: string): { ranges: Range[] } | { problem: string } {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > maxRanges) return { problem: `Enter at most ${maxRanges} times for a day` }
  const ranges: Range[] = []
  for (const part of parts) {
    const range = readRange(part)
    if ('problem' in range) return range
    ranges.push(range)
  }
  return { ranges }
}

function readRange(text: string): Range | { problem: string } {
  const [from, to, ...more] = text.split(/\s*(?:-|–|—|to)\s*/i).map(readTime)
  if (!from || !to || more.length)
    return { problem: 'Write times such as 9 AM – 12:30 PM, 1 PM – 5 PM or 09:00–12:30, 13:00–17:00' }
  if (mayBeAfternoon(from) && !to.half && to.hour <= 12 && from.minutes < to.minutes)
    return { problem: `Add AM or PM to “${text}”, or write ${formatMinute(from.minutes)}` }
  const end = to.minutes || endOfDay
  const start = getStart(from, to, end)
  return start < end ? { start, end } : { problem: `“${text}” ends before it starts. ${adviseEnd(start, to)}` }
}

const endOfDay = 1440
const noon = 720

type Time = { hour: number; minutes: number; half: 'a' | 'p' | null; hasZero: boolean }

/** Reads '9', '09:30', '1:30 pm' or '24:00'. */
function readTime(text: string): Time | null {
  const found = /^(\d{1,2})(?:[:.]([0-5]\d))?\s*(?:([ap])\.?m\.?)?$/i.exec(text)
  if (!found) return null
  const [, hourText = '', minuteText = '0', letter] = found
  const hour = Number(hourText)
  const half = letter ? (letter.toLowerCase() as 'a' | 'p') : null
  if (half && (hour < 1 || hour > 12)) return null
  const minutes = (half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour) * 60 + Number(minuteText)
  return minutes <= endOfDay ? { hour, minutes, half, hasZero: hourText.startsWith('0') } : null
}

/** '1' to '6' without AM and PM, unless it is written as '01'. */
const mayBeAfternoon = ({ hour, half, hasZero }: Time): boolean => !half && !hasZero && hour <= 6

/** '1–5 PM' is in the afternoon, '9–5 PM' begins in the morning. */
function getStart(from: Time, to: Time, end: number): number {
  if (from.half || !to.half || from.hour > 12) return from.minutes
  const sameHalf = (from.minutes % noon) + (to.half === 'p' ? noon : 0)
  return sameHalf < end ? sameHalf : from.minutes
}

function adviseEnd(start: number, { minutes, half }: Time): string {
  const later = formatMinute(minutes + noon)
  return !half && minutes < noon && minutes + noon > start
    ? `Write ${formatClock(later, '12h')} or ${later} if that is what you mean`
    : 'Write the part after midnight on the next day'
}
