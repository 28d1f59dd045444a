import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useLocation, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { FailedPage, whyOf } from '#app/ui/components/load-error.tsx'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { calendarPage } from '../calendar-loader.server.ts'
import { calendarAddress } from '../calendar-state.ts'
import { AppointmentList } from '../components/appointment-list.tsx'
import { CompleteDialog } from '../components/complete-dialog.tsx'
import { DayCard } from '../components/day-card.tsx'
import { DetailsDialog } from '../components/details-dialog.tsx'
import { EditAppointmentDialog } from '../components/edit-dialog.tsx'
import { MonthGrid } from '../components/month-grid.tsx'
import { ScheduleDialog } from '../components/schedule-dialog.tsx'
import { TimeGrid } from '../components/time-grid.tsx'
import { Legend, Toolbar } from '../components/toolbar.tsx'
import { TypeDialog } from '../components/type-dialog.tsx'
import { useMoves } from '../components/use-optimistic-moves.ts'
import { calendarDeed } from '../calendar-action.server.ts'
import { piecesByDay } from '../day-segments.ts'
import { sorry } from '../failure-messages.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  titled(matches, data ? `${data.title} – Calendar` : 'Calendar')

export async function loader({ request, context }: LoaderFunctionArgs) {
  return calendarPage(context.coach(), new URL(request.url).searchParams)
}

export async function action({ request, context }: ActionFunctionArgs) {
  return calendarDeed(request, context)
}

export const clientAction = keepTyped({
  ...sorry,
  status: sorry.edit,
  move: sorry.edit,
  complete: { title: 'Completion Failed', text: sorry.complete },
})

/** When another tab saved meanwhile, the dialog shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

export default function CalendarPage() {
  const { state, date, days, zone, today, now, title, sentence, client, appointments, upcoming, dialog } =
    useLoaderData<typeof loader>()
  const { laid, move } = useMoves(appointments, zone, today)
  const pieces = useMemo(() => piecesByDay(laid, days, zone), [laid, days, zone])
  const here = calendarAddress(state)
  const { search } = useLocation()
  const open = dialog?.kind === 'appointment' || dialog?.kind === 'complete' ? dialog.appointment.id : null
  const toNew = (on: string, time?: string) =>
    calendarAddress({ ...state, date: on }, { dialog: 'schedule', ...(time ? { time } : {}) })
  const toDetails = (id: number) =>
    calendarAddress({ ...state, date: state.date && date }, { dialog: 'appointment', appointment: String(id) })
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
                <DayCard
                  key={each}
                  date={each}
                  appointments={(pieces.get(each) ?? []).map(({ appointment }) => appointment)}
                  zone={zone}
                  today={today}
                  toNew={toNew}
                  toDetails={toDetails}
                />
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
                <AppointmentList
                  label="Upcoming Appointments"
                  appointments={upcoming}
                  zone={zone}
                  today={today}
                  withDay
                  to={toDetails}
                />
              </div>
            ) : (
              <p className="px-5 pb-5 text-ink-3">No appointments scheduled</p>
            )}
          </Card>
        </div>
      </div>
      {dialog?.kind === 'schedule' && (
        <ScheduleDialog
          key={Object.values(dialog.values).join()}
          {...dialog}
          action={`/calendar${search}`}
          closeTo={here}
        />
      )}
      {dialog?.kind === 'appointment' && (
        <DetailsDialog
          appointment={dialog.appointment}
          to={(kind) => calendarAddress(state, { dialog: kind, appointment: String(dialog.appointment.id) })}
          closeTo={here}
        />
      )}
      {dialog?.kind === 'edit-appointment' && <EditAppointmentDialog key={dialog.id} {...dialog} closeTo={here} />}
      {dialog?.kind === 'complete' && <CompleteDialog appointment={dialog.appointment} closeTo={here} />}
      {(dialog?.kind === 'add-type' || dialog?.kind === 'edit-type') && (
        <TypeDialog key={dialog.type?.id} type={dialog.type} closeTo="/settings" />
      )}
      {dialog?.kind === 'gone' && <GoneDialog what="Appointment" kind="appointment" closeTo={here} />}
    </Page>
  )
}

export function ErrorBoundary() {
  return (
    <FailedPage
      title="Calendar"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Calendar' }]}
      what="Error Loading Calendar"
    >
      Failed to fetch appointments: {whyOf(useRouteError())}
    </FailedPage>
  )
}
