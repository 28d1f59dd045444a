import { addDays, localDate, dayStart, localTime } from '#app/lib/time.ts'
import { listClientNames } from '#modules/crm/index.ts'
import { preloadWidgets } from '#modules/core/slot.tsx'
import type { Ctx } from '#tenants/context.ts'
import { listImportedTimes } from './calendar-import/queries.ts'
import { calendarUrl, formWidget, visibleDays, type CalendarState } from './calendar-state.ts'
import { getAppointmentDialog, getScheduleDialog, getTypeDialog, isAppointmentDialog } from './dialogs.ts'
import { timeToMinutes } from './day-segments.ts'
import { getCalendar } from './queries/appointments.ts'
import type { ListedAppointment } from './records.ts'
import { formatPeriod } from './format.ts'

/** The data of the calendar at a URL: days, appointments, upcoming ones and the open dialog. */
export async function loadCalendar(ctx: Ctx, url: URL) {
  const { timezone: zone, weekStart } = ctx.account
  const now = ctx.now()
  const today = localDate(now, zone)
  const requested = calendarUrl.parse(url)
  const [dialog, [client]] = await Promise.all([
    loadDialog(ctx, url.searchParams),
    requested.client ? listClientNames(ctx, [requested.client]) : [],
  ])
  // Without a date, show the day of the open appointment, unless it is visible with today anyway.
  const dialogDate =
    dialog && 'date' in dialog && dialog.date && !visibleDays(requested.view, today, weekStart).includes(dialog.date)
      ? dialog.date
      : null
  const state: CalendarState = {
    ...requested,
    date: requested.date ?? dialogDate,
    client: client && !client.inTrash ? client.id : null,
  }
  const date = state.date ?? today
  const days = visibleDays(state.view, date, weekStart)
  const range = { from: dayStart(days[0]!, zone), to: dayStart(addDays(days.at(-1)!, 1), zone) }
  const [{ appointments, upcoming }, busyTimes] = await Promise.all([
    getCalendar(ctx, { ...range, clientId: state.client }),
    state.client === null ? listImportedTimes(ctx, range) : [],
  ])
  const shown = appointments.filter(({ status }) => !state.without.includes(status))
  return {
    state,
    date,
    days,
    zone,
    today,
    now: timeToMinutes(localTime(now, zone)),
    title: formatPeriod(state.view, days, date),
    description: describeCount(
      shown.filter((appointment) => startsWithin(appointment, state.view === 'month' ? date.slice(0, 7) : days, zone)),
      client?.name,
    ),
    client: client && state.client ? { id: client.id, name: client.name } : null,
    appointments: shown,
    busyTimes,
    upcoming,
    dialog,
    widgets: dialog && isForm(dialog) ? await preloadWidgets([{ ...formWidget, data: null }]) : [],
  }
}

type CalendarDialog = NonNullable<Awaited<ReturnType<typeof loadDialog>>>
type FormDialog = Exclude<CalendarDialog, { kind: 'appointment' | 'not-found' | 'type-not-found' }>
export type CalendarForm = { dialog: FormDialog }

const isForm = ({ kind }: CalendarDialog): boolean => !['appointment', 'not-found', 'type-not-found'].includes(kind)

async function loadDialog(ctx: Ctx, params: URLSearchParams) {
  const kind = params.get('dialog')
  if (kind === 'schedule') return getScheduleDialog(ctx, Object.fromEntries(params))
  if (isAppointmentDialog(kind)) return getAppointmentDialog(ctx, kind, Object.fromEntries(params))
  return getTypeDialog(ctx, Object.fromEntries(params))
}

function startsWithin({ start }: ListedAppointment, period: string | string[], zone: string): boolean {
  const date = localDate(start, zone)
  return typeof period === 'string' ? date.startsWith(period) : period.includes(date)
}

/** '21 sessions (2 cancelled).' Cancelled sessions don't count, as on the dashboard. */
function describeCount(appointments: ListedAppointment[], clientName: string | undefined): string {
  const cancelled = appointments.filter(({ status }) => status === 'cancelled').length
  const count = appointments.length - cancelled
  const sessions = `${count || 'No'} ${count === 1 ? 'session' : 'sessions'}${clientName ? ` with ${clientName}` : ''}`
  return cancelled ? `${sessions} (${cancelled} cancelled).` : `${sessions}.`
}
