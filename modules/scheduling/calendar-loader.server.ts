import { addDays, dateOf, dayStart, timeOf } from '#app/lib/time.ts'
import { clientNames } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { calendarState, daysOf, type CalendarState } from './calendar-state.ts'
import { appointmentDialog, scheduleDialog, typeDialog } from './dialogs.ts'
import { minutesOf } from './day-segments.ts'
import { calendarOf } from './queries/appointments.ts'
import type { ListedAppointment } from './output.ts'
import { titleWords } from './format.ts'

/** What the calendar shows at an address: the days, what lies on them, what is ahead, and the dialog that is open. */
export async function calendarPage(ctx: Ctx, searchParams: URLSearchParams) {
  const zone = ctx.account.timezone
  const now = ctx.now()
  const today = dateOf(now, zone)
  const asked = calendarState(searchParams)
  const [dialog, [client]] = await Promise.all([
    dialogOf(ctx, searchParams),
    asked.client ? clientNames(ctx, [asked.client]) : [],
  ])
  // An appointment that is asked for by itself is shown where it lies; beside today that is here.
  const lies =
    dialog && 'date' in dialog && dialog.date && !daysOf(asked.view, today).includes(dialog.date) ? dialog.date : null
  const state: CalendarState = { ...asked, date: asked.date ?? lies, client: client && !client.inTrash ? client.id : 0 }
  const date = state.date ?? today
  const days = daysOf(state.view, date)
  const { appointments, upcoming } = await calendarOf(ctx, {
    from: dayStart(days[0]!, zone),
    to: dayStart(addDays(days.at(-1)!, 1), zone),
    clientId: state.client || null,
  })
  const shown = appointments.filter(({ status }) => !state.without.includes(status))
  return {
    state,
    date,
    days,
    zone,
    today,
    now: minutesOf(timeOf(now, zone)),
    title: titleWords(state.view, days, date),
    sentence: countWords(
      shown.filter((appointment) => beginsIn(appointment, state.view === 'month' ? date.slice(0, 7) : days, zone)),
      client?.name,
    ),
    client: client && state.client ? { id: client.id, name: client.name } : null,
    appointments: shown,
    upcoming,
    dialog,
  }
}

async function dialogOf(ctx: Ctx, params: URLSearchParams) {
  const kind = params.get('dialog')
  if (kind === 'schedule') return scheduleDialog(ctx, Object.fromEntries(params))
  if (kind === 'appointment' || kind === 'edit-appointment' || kind === 'complete')
    return appointmentDialog(ctx, kind, Object.fromEntries(params))
  return typeDialog(ctx, Object.fromEntries(params))
}

function beginsIn({ start }: ListedAppointment, span: string | string[], zone: string): boolean {
  const date = dateOf(start, zone)
  return typeof span === 'string' ? date.startsWith(span) : span.includes(date)
}

/** '21 sessions and 2 cancelled.': a session that was cancelled is none, as on the dashboard. */
function countWords(appointments: ListedAppointment[], who: string | undefined): string {
  const cancelled = appointments.filter(({ status }) => status === 'cancelled').length
  const count = appointments.length - cancelled
  const sessions = `${count || 'No'} ${count === 1 ? 'session' : 'sessions'}${who ? ` with ${who}` : ''}`
  return cancelled ? `${sessions} and ${cancelled} cancelled.` : `${sessions}.`
}
