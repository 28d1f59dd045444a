import type { LoaderFunctionArgs, MetaFunction, SerializeFrom } from '@remix-run/node'
import { useLoaderData, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { CalendarClock, Plus } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { withQuery } from '#app/lib/url.ts'
import { PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { LoadErrorPage, errorReason } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { preloadWidgets, Slot } from '#modules/core/slot.tsx'
import { loadCalendar } from '../calendar-loader.server.ts'
import { calendarUrl, formWidget, type CalendarState } from '../calendar-state.ts'
import { AppointmentList } from '../components/appointment-list.tsx'
import { DayCard } from '../components/day-card.tsx'
import { DetailsDialog } from '../components/details-dialog.tsx'
import { MonthGrid } from '../components/month-grid.tsx'
import { OverlapQuestion } from '../components/overlap-question.tsx'
import { TimeGrid } from '../components/time-grid.tsx'
import { Legend, Toolbar } from '../components/toolbar.tsx'
import { useSessionMoves } from '../components/use-optimistic-moves.ts'
import { calendarAction } from '../calendar-action.server.ts'
import { segmentsByDay } from '../day-segments.ts'
import { messages } from '../action-messages.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `${data.title} – Calendar` : 'Calendar')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const url = new URL(request.url)
  const params = Object.fromEntries(url.searchParams)
  const [data, cards] = await Promise.all([
    loadCalendar(ctx, url),
    fillSlot(ctx, 'calendar.card', params).then(preloadWidgets),
  ])
  return { ...data, cards }
}

export const action = calendarAction

export const clientAction = formClientAction(messages)

/** After a conflict the dialog must show what the other tab saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => shouldRevalidateUnless(change, [409])

type PageData = SerializeFrom<typeof loader>

export default function CalendarPage() {
  const data = useLoaderData<typeof loader>()
  const { state, date, zone, today, title, description, client, upcoming, cards } = data
  const urls = calendarUrls(state, date)
  return (
    <Page
      title={title}
      crumbs={crumbs}
      description={description}
      wide
      actions={
        <>
          <SecondaryLink icon={CalendarClock} to="/calendar/availability">
            Availability
          </SecondaryLink>
          <PrimaryLink icon={Plus} to={urls.toNew(date)} preventScrollReset>
            New Appointment
          </PrimaryLink>
        </>
      }
    >
      <Toolbar state={state} date={date} client={client} />
      <CalendarLayout {...data} urls={urls}>
        {cards.length > 0 && (
          <div className="grid min-w-0 gap-6 max-xl:order-last">
            <Slot filled={cards} />
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
                to={urls.toDetails}
              />
            </div>
          ) : (
            <p className="px-5 pb-5 text-ink-3">No appointments scheduled</p>
          )}
        </Card>
      </CalendarLayout>
      <CalendarDialog {...data} />
    </Page>
  )
}

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Calendar' }]

function calendarUrls(state: CalendarState, date: string) {
  return {
    toNew: (day: string, time?: string) =>
      withQuery(calendarUrl.href(state, { date: day }), { dialog: 'schedule', time: time ?? null }),
    toDay: (day: string) => calendarUrl.href(state, { view: 'day', date: day }),
    toList: (day: string) => calendarUrl.href(state, { date: day }),
    toDetails: (id: number) =>
      withQuery(calendarUrl.href(state, { date: state.date && date }), {
        dialog: 'appointment',
        appointment: String(id),
      }),
  }
}

type LayoutProps = PageData & { urls: ReturnType<typeof calendarUrls>; children: ReactNode }

function CalendarLayout({ urls, children, ...data }: LayoutProps) {
  const { state, date, days, zone, today, now, dialog, busyTimes } = data
  const { appointments, onMove, question } = useSessionMoves(data.appointments, zone, today)
  const segments = useMemo(() => segmentsByDay(appointments, days, zone), [appointments, days, zone])
  const busy = useMemo(() => segmentsByDay(busyTimes, days, zone), [busyTimes, days, zone])
  const openId = dialog && 'appointment' in dialog ? (dialog.appointment?.id ?? null) : null
  const grid = { days, segments, busy, today, zone, openId, onMove, ...urls }
  const dayCard = (day: string) => (
    <DayCard
      key={day}
      date={day}
      appointments={(segments.get(day) ?? []).map(({ appointment }) => appointment)}
      busy={busy.get(day) ?? []}
      zone={zone}
      today={today}
      toNew={urls.toNew}
      toDetails={urls.toDetails}
    />
  )
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="min-w-0">
        {state.view === 'month' ? (
          <MonthGrid {...grid} month={date.slice(0, 7)} selectedDay={date} />
        ) : (
          <div className={state.view === 'week' ? 'max-md:hidden' : ''}>
            <TimeGrid key={state.view} {...grid} now={now} />
          </div>
        )}
        {state.view === 'week' && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:hidden">{days.map(dayCard)}</div>
        )}
        <Legend state={state} />
        <OverlapQuestion question={question} />
      </div>
      <div className="grid min-w-0 content-start gap-6">
        {state.view === 'month' && <div className="min-w-0 md:hidden">{dayCard(date)}</div>}
        {children}
      </div>
    </div>
  )
}

type DialogData = PageData['dialog']

/** Keeps a form open if another tab deletes the session, so that nothing typed is lost. */
function useDialogWhileEditing(loaded: DialogData): DialogData {
  const [shown, setShown] = useState(loaded)
  const editedId =
    shown?.kind === 'edit-appointment'
      ? shown.id
      : shown?.kind === 'complete' || shown?.kind === 'add-notes'
        ? shown.appointment.id
        : null
  const isEditing = loaded?.kind === 'not-found' && loaded.id === editedId
  if (!isEditing && shown !== loaded) setShown(loaded)
  return isEditing ? shown : loaded
}

function CalendarDialog({ dialog: loadedDialog, state }: PageData) {
  const dialog = useDialogWhileEditing(loadedDialog)
  const closeTo = calendarUrl.href(state)
  switch (dialog?.kind) {
    case 'appointment': {
      const { appointment } = dialog
      const toDialog = (kind: string) => withQuery(closeTo, { dialog: kind, appointment: String(appointment.id) })
      return <DetailsDialog appointment={appointment} toDialog={toDialog} closeTo={closeTo} />
    }
    case 'not-found':
      return <NotFoundDialog label="Session" kind="appointment" closeTo={closeTo} />
    case 'type-not-found':
    case undefined:
      return null
    default:
      return <Slot filled={[{ ...formWidget, data: { dialog, closeTo } }]} />
  }
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage title="Calendar" crumbs={crumbs} heading="Error Loading Calendar">
      Failed to fetch appointments: {errorReason(useRouteError())}
    </LoadErrorPage>
  )
}
