import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useLocation, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { recordId } from '#app/lib/record-id.ts'
import { revalidates } from '#app/lib/revalidate.ts'
import { formOf, submit } from '#app/lib/submit.ts'
import { addDays, dateOf, dayStart, timeOf } from '#app/lib/time.ts'
import { chosen } from '#app/lib/two-tabs.ts'
import { PrimaryLink } from '#app/ui/button.tsx'
import { FailedPage, statusOf } from '#app/ui/failed.tsx'
import { GoneDialog } from '#app/ui/gone-dialog.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Link } from '#app/ui/link.tsx'
import { Card, Page } from '#app/ui/page.tsx'
import { keepTyped } from '#app/ui/unreachable.ts'
import { clientNames } from '#modules/crm/index.ts'
import { attempt, backTo, press } from '#modules/press.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { calendarAddress, calendarState, daysOf, withoutDialog, type CalendarState } from '../calendar-state.ts'
import { AppointmentList } from '../components/appointment-list.tsx'
import { CompleteDialog } from '../components/complete-dialog.tsx'
import { DetailsDialog } from '../components/details-dialog.tsx'
import { EditAppointmentDialog } from '../components/edit-dialog.tsx'
import { MonthGrid } from '../components/month-grid.tsx'
import { ScheduleDialog } from '../components/schedule-dialog.tsx'
import { TimeGrid } from '../components/time-grid.tsx'
import { Legend, Toolbar } from '../components/toolbar.tsx'
import { TypeDialog } from '../components/type-dialog.tsx'
import { useMoves } from '../components/use-moves.ts'
import { appointmentDialog, scheduleDialog, typeDialog } from '../dialogs.ts'
import { AppointmentEditForm, AppointmentForm, AppointmentTypeFields, Completion, endsTooEarly, MoveForm, nobodyChosen } from '../forms.ts'
import { minutesOf, piecesByDay } from '../grid.ts'
import { calendarOf } from '../queries/appointments.ts'
import type { AppointmentRecord, ListedAppointment } from '../record.ts'
import { completeSession, deleteAppointment, editAppointment, restoreAppointment } from '../services/appointments.ts'
import { editByClock, scheduleByClock } from '../services/clock.ts'
import { addType, deleteType, editType, restoreType } from '../services/types.ts'
import { appointmentStatuses, statusWords } from '../statuses.ts'
import { dayWords, titleWords, whenWords } from '../words.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => titled(matches, data ? `${data.title} – Calendar` : 'Calendar')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const zone = ctx.account.timezone
  const now = ctx.now()
  const today = dateOf(now, zone)
  const asked = calendarState(searchParams)
  const [dialog, [client]] = await Promise.all([dialogOf(ctx, searchParams), asked.client ? clientNames(ctx, [asked.client]) : []])
  // An appointment that is asked for by itself is shown where it lies.
  const lies = dialog && 'date' in dialog ? (dialog.date ?? null) : null
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
    sentence: countWords(shown.filter((appointment) => beginsIn(appointment, state.view === 'month' ? date.slice(0, 7) : days, zone)), client?.name),
    client: client && state.client ? { id: client.id, name: client.name } : null,
    appointments: shown,
    upcoming,
    dialog,
  }
}

async function dialogOf(ctx: Ctx, params: URLSearchParams) {
  const kind = params.get('dialog')
  if (kind === 'schedule') return scheduleDialog(ctx, Object.fromEntries(params))
  if (kind === 'appointment' || kind === 'edit-appointment' || kind === 'complete') return appointmentDialog(ctx, kind, Object.fromEntries(params))
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

const sorry = {
  schedule: 'Failed to create appointment',
  edit: 'Failed to update appointment',
  complete: 'Failed to complete session',
  delete: 'Failed to delete appointment',
  restore: 'Failed to restore appointment',
  'add-type': 'Failed to add appointment type',
  'edit-type': 'Failed to update appointment type',
  'delete-type': 'Failed to delete appointment type',
  'restore-type': 'Failed to restore appointment type',
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  const form = await formOf(request.clone())
  const id = recordId(form.get('id'))
  const here = withoutDialog(backTo(request, '/calendar'))
  const error = (failed: string) => ({ to: here, sorry: failed })
  switch (form.get('intent')) {
    case 'schedule':
      return submit(request, AppointmentForm, (input) => attempt(context, sorry.schedule, (tx) => scheduleByClock(tx, input)), {
        to: (appointment) => besideIt(ctx, here, appointment),
        toast: (appointment) => ({ tone: 'success', title: 'Appointment Created', text: whenOf(ctx, appointment) }),
        invalid: (messages) => problemOf(messages, 'Please fill in all required fields including selecting either a client or prospect.'),
      })
    case 'edit':
      return submit(request, AppointmentEditForm, ({ version, ...input }) => attempt(context, sorry.edit, (tx) => editByClock(tx, id, chosen(input, form), version)), {
        to: (appointment) => besideIt(ctx, here, appointment),
        toast: (appointment) => ({ tone: 'success', title: 'Appointment Updated', text: whenOf(ctx, appointment) }),
        invalid: (messages) => problemOf(messages, 'Please fill in all required fields.'),
      })
    case 'complete':
      return submit(request, Completion, (input) => attempt(context, sorry.complete, (tx) => completeSession(tx, id, input)), {
        to: here,
        toast: ({ title }) => ({ tone: 'success', title: 'Session Completed', text: title }),
        failed: 'Completion Failed',
      })
    case 'status': {
      const status = appointmentStatuses.find((known) => known === form.get('status')) ?? 'scheduled'
      const was = appointmentStatuses.find((known) => known === form.get('was'))
      const undo = was && status === 'cancelled' ? { action: { label: 'Undo', to: '/calendar', fields: { intent: 'status', id: String(id), status: was } } } : {}
      return press(context, {
        ...error(sorry.edit),
        done: { tone: 'success', title: 'Appointment Updated', text: `The session is ${statusWords[status].toLowerCase()}.`, ...undo },
        work: (tx) => editAppointment(tx, id, { status }),
      })
    }
    case 'move': {
      const times = MoveForm.safeParse(Object.fromEntries(form))
      if (!times.success) throw new AppError('bad_request', 'This form is not known here.')
      return press(context, {
        ...error(sorry.edit),
        done: { tone: 'success', title: 'Appointment Updated', text: 'It is back where it was.' },
        work: (tx) => editAppointment(tx, id, times.data),
      })
    }
    case 'delete':
      return press(context, {
        ...error(sorry.delete),
        done: { tone: 'success', title: 'Appointment Deleted', action: { label: 'Undo', to: '/calendar', fields: { intent: 'restore', id: String(id) } } },
        work: (tx) => deleteAppointment(tx, id),
      })
    case 'restore':
      return press(context, {
        ...error(sorry.restore),
        done: { tone: 'success', title: 'Appointment restored' },
        work: (tx) => restoreAppointment(tx, id),
      })
    default:
      return typeDeed(request, context, form)
  }
}

/** What is done with appointment types: in Settings, over it. */
function typeDeed(request: Request, context: AppLoadContext, form: FormData) {
  const id = recordId(form.get('id'))
  const to = '/settings'
  switch (form.get('intent')) {
    case 'add-type':
      return submit(request, AppointmentTypeFields, (input) => attempt(context, sorry['add-type'], (tx) => addType(tx, input)), { to, toast: 'Appointment type created' })
    case 'edit-type':
      return submit(request, AppointmentTypeFields, (input) => attempt(context, sorry['edit-type'], (tx) => editType(tx, id, input)), { to, toast: 'Appointment type updated' })
    case 'delete-type':
      return press(context, {
        to,
        sorry: sorry['delete-type'],
        done: { tone: 'success', title: 'Appointment type deleted', action: { label: 'Undo', to: '/calendar', fields: { intent: 'restore-type', id: String(id) } } },
        work: (tx) => deleteType(tx, id),
      })
    case 'restore-type':
      return press(context, { to, sorry: sorry['restore-type'], done: { tone: 'success', title: 'Appointment type restored' }, work: (tx) => restoreType(tx, id) })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

/** Back where one was; on the calendar, where the appointment lies. */
function besideIt(ctx: Ctx, here: string, { startTime }: AppointmentRecord): string {
  const [path, query = ''] = here.split('?')
  return path === '/calendar' ? calendarAddress({ ...calendarState(new URLSearchParams(query)), date: dateOf(startTime, ctx.account.timezone) }) : here
}

function whenOf({ account: { timezone }, now }: Ctx, { startTime, endTime }: AppointmentRecord): string {
  return whenWords(startTime, endTime, timezone, dateOf(now(), timezone))
}

/** The toasts of part-2 §5 and §8. */
function problemOf(messages: Record<string, string[] | null>, missing: string): ToastMessage | undefined {
  const said = Object.values(messages).flatMap((of) => of ?? [])
  const needed = said.filter((message) => message.endsWith(' is required') || message === nobodyChosen)
  if (needed.length) return { tone: 'error', title: 'Missing Information', text: needed.length === 1 && needed[0] === nobodyChosen ? nobodyChosen : missing }
  return said.includes(endsTooEarly) ? { tone: 'error', title: 'Invalid Time', text: endsTooEarly } : undefined
}

export const clientAction = keepTyped({ ...sorry, status: sorry.edit, move: sorry.edit, complete: { title: 'Completion Failed', text: sorry.complete } })

/** When another tab saved meanwhile, the dialog shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

export default function CalendarPage() {
  const { state, date, days, zone, today, now, title, sentence, client, appointments, upcoming, dialog } = useLoaderData<typeof loader>()
  const { laid, move } = useMoves(appointments, zone, today)
  const pieces = useMemo(() => piecesByDay(laid, days, zone), [laid, days, zone])
  const here = calendarAddress(state)
  const { search } = useLocation()
  const open = dialog?.kind === 'appointment' || dialog?.kind === 'complete' ? dialog.appointment.id : null
  const toNew = (on: string, time?: string) => calendarAddress({ ...state, date: on }, { dialog: 'schedule', ...(time ? { time } : {}) })
  const toDetails = (id: number) => calendarAddress({ ...state, date: state.date && date }, { dialog: 'appointment', appointment: String(id) })
  const ofDay = (pieces.get(date) ?? []).map(({ appointment }) => appointment)
  return (
    <Page
      title={title}
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Calendar' }]}
      sentence={sentence}
      wide
      actions={
        <PrimaryLink icon={Plus} to={toNew(date)} preventScrollReset>
          New Appointment
        </PrimaryLink>
      }
    >
      <Toolbar state={state} date={date} client={client} />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          {state.view === 'month' ? (
            <MonthGrid
              days={days}
              pieces={pieces}
              month={date.slice(0, 7)}
              today={today}
              chosen={date}
              zone={zone}
              open={open}
              toNew={toNew}
              toDay={(on) => calendarAddress({ ...state, view: 'day', date: on })}
              toList={(on) => calendarAddress({ ...state, date: on })}
              toDetails={toDetails}
              onMove={move}
            />
          ) : (
            <div className={state.view === 'week' ? 'max-md:hidden' : ''}>
              <TimeGrid
                key={state.view}
                days={days}
                pieces={pieces}
                today={today}
                zone={zone}
                now={now}
                open={open}
                toNew={toNew}
                toDay={(on) => calendarAddress({ ...state, view: 'day', date: on })}
                toDetails={toDetails}
                onMove={move}
              />
            </div>
          )}
          {state.view === 'week' && (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:hidden">
              {days.map((each) => (
                <DayCard key={each} date={each} appointments={(pieces.get(each) ?? []).map(({ appointment }) => appointment)} zone={zone} today={today} toNew={toNew} toDetails={toDetails} />
              ))}
            </div>
          )}
          <Legend state={state} />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          {state.view === 'month' && (
            <div className="min-w-0 md:hidden">
              <DayCard date={date} appointments={ofDay} zone={zone} today={today} toNew={toNew} toDetails={toDetails} />
            </div>
          )}
          <Card title="Upcoming Appointments">
            {upcoming.length ? (
              <div className="border-t border-line-soft">
                <AppointmentList label="Upcoming Appointments" appointments={upcoming} zone={zone} today={today} withDay to={toDetails} />
              </div>
            ) : (
              <p className="px-5 pb-5 text-ink-3">No appointments scheduled</p>
            )}
          </Card>
        </div>
      </div>
      {dialog?.kind === 'schedule' && <ScheduleDialog key={Object.values(dialog.values).join()} {...dialog} action={`/calendar${search}`} closeTo={here} />}
      {dialog?.kind === 'appointment' && <DetailsDialog appointment={dialog.appointment} to={(kind) => calendarAddress(state, { dialog: kind, appointment: String(dialog.appointment.id) })} closeTo={here} />}
      {dialog?.kind === 'edit-appointment' && <EditAppointmentDialog key={dialog.id} {...dialog} closeTo={here} />}
      {dialog?.kind === 'complete' && <CompleteDialog appointment={dialog.appointment} closeTo={here} />}
      {(dialog?.kind === 'add-type' || dialog?.kind === 'edit-type') && <TypeDialog key={dialog.type?.id} type={dialog.type} closeTo="/settings" />}
      {dialog?.kind === 'gone' && <GoneDialog what="Appointment" kind="appointment" closeTo={here} />}
    </Page>
  )
}

/** The appointments of a day as a list, for phones. */
function DayCard({
  date,
  appointments,
  zone,
  today,
  toNew,
  toDetails,
}: {
  date: string
  appointments: ListedAppointment[]
  zone: string
  today: string
  toNew: (date: string) => string
  toDetails: (id: number) => string
}) {
  return (
    <Card title={dayWords(date, today)} aside={<AddLink to={toNew(date)} label={`New appointment on ${dayWords(date, today)}`} />}>
      {appointments.length > 0 && (
        <div className="border-t border-line-soft">
          <AppointmentList label={dayWords(date, today)} appointments={appointments} zone={zone} today={today} withDay={false} to={toDetails} />
        </div>
      )}
    </Card>
  )
}

function AddLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} preventScrollReset aria-label={label} className="btn btn-ghost btn-icon -mr-2">
      <Plus className="i" />
    </Link>
  )
}

export function ErrorBoundary() {
  return (
    <FailedPage title="Calendar" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Calendar' }]} what="Error Loading Calendar">
      Failed to fetch appointments: {statusOf(useRouteError())}
    </FailedPage>
  )
}
