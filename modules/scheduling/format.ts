import { addDays, dateOf, dateWords, timeOf } from '#app/lib/time.ts'
import { minutesOf } from './day-segments.ts'
import type { View } from './calendar-state.ts'

// The words that screens use for days and times. Made of the clock's digits alone, so that server and browser write the same.

/** '9:30 AM' of '09:30', '12:00 AM' of '24:00'. */
export function clockWords(time: string): string {
  return `${shortClock(time)} ${halfOf(time)}`
}

/** '9:30' of '09:30' and of '21:30'. */
export function shortClock(time: string): string {
  const hours = Number(time.slice(0, 2)) % 12
  return `${hours || 12}:${time.slice(3, 5)}`
}

const halfOf = (time: string): 'AM' | 'PM' => (minutesOf(time) % 1440 < 720 ? 'AM' : 'PM')

/** '9:00 – 10:30 AM', '11:30 AM – 12:30 PM'. */
export function spanWords(start: string, end: string): string {
  return `${halfOf(start) === halfOf(end) ? shortClock(start) : clockWords(start)} – ${clockWords(end)}`
}

/** '60 min', '2 h 30 min', '3 days'. */
export function lengthWords(start: string | Date, end: string | Date): string {
  const minutes = Math.round((new Date(end).getTime() - new Date(start).getTime()) / 60_000)
  if (minutes < 120) return `${minutes} min`
  if (minutes >= 2880) return `${Math.round(minutes / 1440)} days`
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`
}

/** 'Tuesday, March 10'; another year than `today`'s is said. */
export function dayWords(date: string, today: string): string {
  return dateWords(date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  })
}

/** 'Today', 'Tomorrow', 'Fri, Mar 13'. */
export function nearWords(date: string, today: string): string {
  if (date === today) return 'Today'
  if (date === addDays(today, 1)) return 'Tomorrow'
  return dateWords(date, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  })
}

export const weekdayWords = (date: string): string => dateWords(date, { weekday: 'short' })

/** What is shown: 'March 2026', 'Mar 8 – 14, 2026', 'Tuesday, March 10, 2026'. */
export function titleWords(view: View, days: string[], date: string): string {
  if (view === 'month') return dateWords(date, { month: 'long', year: 'numeric' })
  if (view === 'day') return dateWords(date, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
  const [first, last] = [days[0]!, days.at(-1)!]
  const year = first.slice(0, 4) === last.slice(0, 4) ? {} : ({ year: 'numeric' } as const)
  const begin = dateWords(first, { month: 'short', day: 'numeric', ...year })
  const end =
    first.slice(0, 7) === last.slice(0, 7)
      ? `${Number(last.slice(8))}, ${last.slice(0, 4)}`
      : dateWords(last, { month: 'short', day: 'numeric', year: 'numeric' })
  return `${begin} – ${end}`
}

/** 'Priya R.' of 'Priya Raghunathan'; a name that is written as one word stays. */
export function shortName(name: string): string {
  const parts = name.split(/\s+/)
  const last = parts.at(-1)!
  return parts.length > 1 ? `${parts[0]} ${[...last][0]!.toLocaleUpperCase('en-US')}.` : name
}

/** When an appointment is, on the clock of `zone`: 'Tuesday, March 10, 9:00 – 9:45 AM'; another day of its end is said. */
export function whenWords(start: string, end: string, zone: string, today: string): string {
  const [first, last] = [dateOf(start, zone), dateOf(end, zone)]
  const times = spanWords(timeOf(start, zone), timeOf(end, zone))
  if (first === last || (last === addDays(first, 1) && timeOf(end, zone) === '00:00'))
    return `${dayWords(first, today)}, ${times}`
  return `${dayWords(first, today)}, ${clockWords(timeOf(start, zone))} – ${dayWords(last, today)}, ${clockWords(timeOf(end, zone))}`
}
