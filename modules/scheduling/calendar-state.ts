import { daysSinceWeekStart, type WeekStart } from '#app/lib/clock.ts'
import { addDays, addMonths } from '#app/lib/time.ts'
import { defaultParam, idParam, listParam, urlState, withQuery, type Param } from '#app/lib/url.ts'
import { appointmentStatuses } from './fields.ts'

export const views = ['month', 'week', 'day'] as const
export type View = (typeof views)[number]

/** A day that the calendar can show: '2026-03-10'. Null: today. */
export const dateParam: Param<string | null> = {
  parse: (date) => (isSupportedDate(date) ? date : undefined),
  empty: null,
}

export const calendarUrl = urlState('/calendar', {
  view: defaultParam(views, 'month'),
  date: dateParam,
  /** Only this client's appointments. */
  client: idParam,
  /** Hidden statuses. */
  without: listParam(appointmentStatuses),
})
export type CalendarState = ReturnType<typeof calendarUrl.parse>

/** The widget with the dialogs that have a form. */
export const formWidget = { key: 'form', module: 'scheduling', widget: 'calendar-form' }

/** A URL without the calendar's dialog. */
export function withoutDialog(url: string): string {
  const isCalendar = url.split('?')[0] === '/calendar'
  const dialogParams = ['dialog', 'appointment', 'time', 'who', 'prospect', ...(isCalendar ? [] : ['client'])]
  return withQuery(url, Object.fromEntries(dialogParams.map((name) => [name, null])))
}

/** Whether the calendar can show this day, with room for the days around it. */
export function isSupportedDate(date: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || date < '1900-02-01' || date > '2200-11-30') return false
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

/** The days of a view. A month has whole weeks. */
export function visibleDays(view: View, date: string, weekStart: WeekStart): string[] {
  if (view === 'day') return [date]
  const first = view === 'month' ? `${date.slice(0, 7)}-01` : date
  const begin = addDays(first, -daysSinceWeekStart(first, weekStart))
  const last = view === 'month' ? addDays(`${addMonths(date.slice(0, 7), 1)}-01`, -1) : date
  const end = addDays(last, 6 - daysSinceWeekStart(last, weekStart))
  const days = [begin]
  while (days.at(-1)! < end) days.push(addDays(days.at(-1)!, 1))
  return days
}

/** A day in the previous or next period. */
export function shiftDate(view: View, date: string, by: 1 | -1): string {
  if (view === 'month') return `${addMonths(date.slice(0, 7), by)}-01`
  return addDays(date, view === 'week' ? 7 * by : by)
}
