import { addDays, addMonths } from '#app/lib/time.ts'
import { appointmentStatuses, type AppointmentStatus } from './statuses.ts'

export const views = ['month', 'week', 'day'] as const
export type View = (typeof views)[number]

/** What the calendar shows: all of it stands in the address. */
export type CalendarState = {
  view: View
  /** A day of what is shown: '2026-03-10'. Null: today. */
  date: string | null
  /** One client's alone; 0: everybody's. */
  client: number
  /** Statuses that are left out. */
  without: AppointmentStatus[]
}

/** Reads an address. What isn't known shows the month of today. */
export function calendarState(params: URLSearchParams): CalendarState {
  const date = params.get('date')
  const client = params.get('client') ?? ''
  const without = (params.get('without') ?? '').split(',')
  return {
    view: views.find((view) => view === params.get('view')) ?? 'month',
    date: isDay(date) ? date : null,
    client: /^[1-9]\d{0,14}$/.test(client) ? Number(client) : 0,
    without: appointmentStatuses.filter((status) => without.includes(status)),
  }
}

/** The address of the calendar in this state; `more` opens a dialog. */
export function calendarAddress(
  { view, date, client, without }: CalendarState,
  more: Record<string, string> = {},
): string {
  const params = new URLSearchParams()
  if (view !== 'month') params.set('view', view)
  if (date) params.set('date', date)
  if (client) params.set('client', String(client))
  if (without.length) params.set('without', without.join())
  for (const [name, value] of Object.entries(more)) params.set(name, value)
  // A comma reads better than %2C, and means the same.
  const query = params.toString().replaceAll('%2C', ',')
  return query ? `/calendar?${query}` : '/calendar'
}

/** An address of the house without the dialog of the calendar that is open there. */
export function withoutDialog(address: string): string {
  const [path = '/', query = ''] = address.split('?')
  const params = new URLSearchParams(query)
  for (const name of ['dialog', 'appointment', 'time', 'who', 'prospect', ...(path === '/calendar' ? [] : ['client'])])
    params.delete(name)
  return params.size ? `${path}?${params}` : path
}

/** A real day that can be shown, with room around it. */
export function isDay(date: string | null): date is string {
  if (date === null || !/^\d{4}-\d\d-\d\d$/.test(date) || date < '1900-02-01' || date > '2200-11-30') return false
  const at = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}

/** The days that a view shows, from Sunday to Saturday: of a month whole weeks. */
export function daysOf(view: View, date: string): string[] {
  if (view === 'day') return [date]
  const first = view === 'month' ? `${date.slice(0, 7)}-01` : date
  const begin = addDays(first, -weekdayOf(first))
  const last = view === 'month' ? addDays(`${addMonths(date.slice(0, 7), 1)}-01`, -1) : date
  const end = addDays(last, 6 - weekdayOf(last))
  const days = [begin]
  while (days.at(-1)! < end) days.push(addDays(days.at(-1)!, 1))
  return days
}

/** A day of the span before or after. */
export function stepped(view: View, date: string, by: 1 | -1): string {
  if (view === 'month') return `${addMonths(date.slice(0, 7), by)}-01`
  return addDays(date, view === 'week' ? 7 * by : by)
}

/** 0: Sunday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}
