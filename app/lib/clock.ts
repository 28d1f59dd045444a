// How the coach wants to see times and weeks. No other file formats a time of day.

export const timeFormats = { '12h': '12-hour (2:30 PM)', '24h': '24-hour (14:30)' } as const
export type TimeFormat = keyof typeof timeFormats

export const weekStarts = { sunday: 'Sunday', monday: 'Monday', saturday: 'Saturday' } as const
export type WeekStart = keyof typeof weekStarts

/** The settings that an instant is shown with. An account has them. */
export type TimeSettings = { timezone: string; timeFormat: TimeFormat }

/** '09:30' as '9:30 AM' or '09:30', '24:00' as '12:00 AM' or '24:00'. */
export function formatClock(time: string, format: TimeFormat): string {
  return format === '24h' ? time : `${formatShortClock(time, format)} ${amOrPm(time)}`
}

/** '09:30' and '21:30' as '9:30', or with 24 hours as they are. */
export function formatShortClock(time: string, format: TimeFormat): string {
  return format === '24h' ? time : `${Number(time.slice(0, 2)) % 12 || 12}:${time.slice(3, 5)}`
}

/** '9:00 – 10:30 AM', '11:30 AM – 12:30 PM', '09:00 – 10:30'. */
export function formatTimeRange(start: string, end: string, format: TimeFormat): string {
  const formatStart = amOrPm(start) === amOrPm(end) ? formatShortClock : formatClock
  return `${formatStart(start, format)} – ${formatClock(end, format)}`
}

const amOrPm = (time: string): 'AM' | 'PM' => (Number(time.slice(0, 2)) % 24 < 12 ? 'AM' : 'PM')

/** The numbers of the weekdays (0 is Sunday), from the first one. */
export function listWeekdays(weekStart: WeekStart): number[] {
  return Array.from({ length: 7 }, (_, index) => (firstWeekdays[weekStart] + index) % 7)
}

/** How many days of the week are before a date. */
export function daysSinceWeekStart(date: string, weekStart: WeekStart): number {
  return (dayOfWeek(date) - firstWeekdays[weekStart] + 7) % 7
}

const firstWeekdays: Record<WeekStart, number> = { sunday: 0, monday: 1, saturday: 6 }

/** 0: Sunday. */
export function dayOfWeek(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}
