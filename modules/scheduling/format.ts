import { formatTimeRange, type TimeSettings } from '#app/lib/clock.ts'
import { addDays, localDate, formatCalendarDate, formatTime, localTime } from '#app/lib/time.ts'
import { commonTimezones } from '#app/lib/timezones.ts'
import type { View } from './calendar-state.ts'

// Formats from local times, so that server and browser render the same text.

/** '60 min', '2 h 30 min', '3 days'. */
export function formatDuration(start: string | Date, end: string | Date): string {
  return formatMinutes(Math.round((new Date(end).getTime() - new Date(start).getTime()) / 60_000))
}

export function formatMinutes(minutes: number): string {
  if (minutes < 120) return `${minutes} min`
  if (minutes >= 2880) return `${Math.round(minutes / 1440)} days`
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`
}

/** The title of a session with this person, unless the coach writes another. */
export const defaultTitle = (name: string): string => `Session with ${name.split(/\s+/)[0]}`

/** 'Tuesday, March 10', with the year unless it is this year. */
export function formatDay(date: string, today: string): string {
  return formatCalendarDate(date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  })
}

/** 'Today', 'Tomorrow', 'Fri, Mar 13'. */
export function formatRelativeDay(date: string, today: string): string {
  if (date === today) return 'Today'
  if (date === addDays(today, 1)) return 'Tomorrow'
  return formatCalendarDate(date, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  })
}

export const formatWeekday = (date: string): string => formatCalendarDate(date, { weekday: 'short' })

/** The title of a view: 'March 2026', 'Mar 8 – 14, 2026', 'Tuesday, March 10, 2026'. */
export function formatPeriod(view: View, days: string[], date: string): string {
  if (view === 'month') return formatCalendarDate(date, { month: 'long', year: 'numeric' })
  if (view === 'day')
    return formatCalendarDate(date, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
  const [first, last] = [days[0]!, days.at(-1)!]
  const year = first.slice(0, 4) === last.slice(0, 4) ? {} : ({ year: 'numeric' } as const)
  const begin = formatCalendarDate(first, { month: 'short', day: 'numeric', ...year })
  const end =
    first.slice(0, 7) === last.slice(0, 7)
      ? `${Number(last.slice(8))}, ${last.slice(0, 4)}`
      : formatCalendarDate(last, { month: 'short', day: 'numeric', year: 'numeric' })
  return `${begin} – ${end}`
}

/** 'Priya Raghunathan' as 'Priya R.'; a single word stays. */
export function shortenName(name: string): string {
  const parts = name.split(/\s+/)
  const last = parts.at(-1)!
  return parts.length > 1 ? `${parts[0]} ${[...last][0]!.toLocaleUpperCase('en-US')}.` : name
}

/** '9:00 – 9:45 AM'. */
export const formatTimes = (start: string | Date, end: string | Date, { timezone, timeFormat }: TimeSettings): string =>
  formatTimeRange(localTime(start, timezone), localTime(end, timezone), timeFormat)

/** 'Tuesday, March 10, 9:00 – 9:45 AM', with the day of the end if it is another one. */
export function formatDateTimeRange(start: string, end: string, settings: TimeSettings, today: string): string {
  const zone = settings.timezone
  const [first, last] = [localDate(start, zone), localDate(end, zone)]
  const times = formatTimes(start, end, settings)
  if (first === last || (last === addDays(first, 1) && localTime(end, zone) === '00:00'))
    return `${formatDay(first, today)}, ${times}`
  const [from, to] = [formatTime(start, settings), formatTime(end, settings)]
  return `${formatDay(first, today)}, ${from} – ${formatDay(last, today)}, ${to}`
}

/** '2:00 PM for Zeynep, Berlin', with the day if it is a different one; null if the clocks of both zones agree. */
export function formatAttendeeTime(
  start: string | Date,
  name: string,
  theirZone: string | null,
  { timezone: zone, timeFormat }: TimeSettings,
): string | null {
  if (!theirZone) return null
  const [date, time] = [localDate(start, theirZone), localTime(start, theirZone)]
  const ownDate = localDate(start, zone)
  if (time === localTime(start, zone) && date === ownDate) return null
  const day = date === ownDate ? '' : `, ${formatDay(date, ownDate)},`
  const place =
    commonTimezones.find(({ value }) => value === theirZone)?.label ?? theirZone.split('/').at(-1)!.replaceAll('_', ' ')
  return `${formatTime(start, { timezone: theirZone, timeFormat })}${day} for ${name.split(' ')[0]}, ${place}`
}

/** 'Tuesday, March 10' or 'Friday, April 10 – Sunday, April 12' for whole days. */
export function formatDays(start: string, end: string, zone: string, today: string): string {
  const first = localDate(start, zone)
  const last = localDate(new Date(new Date(end).getTime() - 1), zone)
  return first === last ? formatDay(first, today) : `${formatDay(first, today)} – ${formatDay(last, today)}`
}
