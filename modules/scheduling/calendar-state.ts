import { addDays, addMonths } from '#app/lib/time.ts'
import { appointmentStatuses, type AppointmentStatus } from './fields.ts'

export const views = ['month', 'week', 'day'] as const
export type View = (typeof views)[number]

/** The state of the calendar, all in the URL. */
export type CalendarState = {
  view: View
  /** A day of the period: '2026-03-10'. Null: today. */
  date: string | null
  /** Only this client's appointments; 0: all. */
  client: number
  /** Hidden statuses. */
  without: AppointmentStatus[]
}

/** Invalid values are ignored. */
export function parseCalendarState(params: URLSearchParams): CalendarState {
  const date = params.get('date')
  const client = params.get('client') ?? ''
  const without = (params.get('without') ?? '').split(',')
  return {
    view: views.find((view) => view === params.get('view')) ?? 'month',
    date: isSupportedDate(date) ? date : null,
    client: /^[1-9]\d{0,14}$/.test(client) ? Number(client) : 0,
    without: appointmentStatuses.filter((status) => without.includes(status)),
  }
}

/** The URL of the calendar in this state; `extra` params open a dialog. */
export function calendarHref(
  { view, date, client, without }: CalendarState,
  extra: Record<string, string> = {},
): string {
  const params = new URLSearchParams()
  if (view !== 'month') params.set('view', view)
  if (date) params.set('date', date)
  if (client) params.set('client', String(client))
  if (without.length) params.set('without', without.join())
  for (const [name, value] of Object.entries(extra)) params.set(name, value)
  const query = params.toString().replaceAll('%2C', ',')
  return query ? `/calendar?${query}` : '/calendar'
}

/** A URL without the calendar's dialog. */
export function withoutDialog(url: string): string {
  const [path = '/', query = ''] = url.split('?')
  const params = new URLSearchParams(query)
  for (const name of ['dialog', 'appointment', 'time', 'who', 'prospect', ...(path === '/calendar' ? [] : ['client'])])
    params.delete(name)
  return params.size ? `${path}?${params}` : path
}

/** Whether it is a day that the calendar can show, with room for the days around it. */
export function isSupportedDate(date: string | null): date is string {
  if (date === null || !/^\d{4}-\d\d-\d\d$/.test(date) || date < '1900-02-01' || date > '2200-11-30') return false
  const at = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}

/** The days of a view. A month has whole weeks from Sunday to Saturday. */
export function visibleDays(view: View, date: string): string[] {
  if (view === 'day') return [date]
  const first = view === 'month' ? `${date.slice(0, 7)}-01` : date
  const begin = addDays(first, -dayOfWeek(first))
  const last = view === 'month' ? addDays(`${addMonths(date.slice(0, 7), 1)}-01`, -1) : date
  const end = addDays(last, 6 - dayOfWeek(last))
  const days = [begin]
  while (days.at(-1)! < end) days.push(addDays(days.at(-1)!, 1))
  return days
}

/** A day in the previous or next period. */
export function shiftDate(view: View, date: string, by: 1 | -1): string {
  if (view === 'month') return `${addMonths(date.slice(0, 7), by)}-01`
  return addDays(date, view === 'week' ? 7 * by : by)
}

/** 0: Sunday. */
export function dayOfWeek(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}
