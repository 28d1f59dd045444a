import { useCallback } from 'react'
import { dayMs } from '#app/lib/time.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { useOptimisticMoves, type MoveResponse } from '#app/ui/dnd/use-optimistic-moves.ts'
import { useRevalidateAcrossTabs } from '#app/ui/navigation/use-revalidate-across-tabs.ts'
import type { AppointmentRecord, ListedAppointment } from '../records.ts'
import { formatDateTimeRange } from '../format.ts'

type SessionMove = { appointment: ListedAppointment; start: string; end: string }
export type OnMove = (appointment: ListedAppointment, start: Date, end: Date) => void

/** The appointments of the calendar, with pending moves. */
export function useSessionMoves(
  loaded: ListedAppointment[],
  zone: string,
  today: string,
): { appointments: ListedAppointment[]; onMove: OnMove } {
  const settings = { timezone: zone, timeFormat: useTimeFormat() }
  const revalidate = useRevalidateAcrossTabs('calendar')
  const { state, move } = useOptimisticMoves<ListedAppointment[], SessionMove>(loaded, {
    apply: applyMove,
    toRequest: ({ appointment, start, end }) => ({
      method: 'PATCH',
      path: `/api/appointments/${appointment.id}`,
      body: { startTime: start, endTime: end },
    }),
    savedToast: async ({ appointment: { id, seriesId, start: startTime, end: endTime }, start, end }) => {
      const other = await findOverlap(id, start, end)
      const format = (from: string, to: string) => formatDateTimeRange(from, to, settings, today)
      const warning =
        other && `. ${other.title} with ${other.attendeeName} is at the same time: ${format(other.start, other.end)}.`
      const rest = seriesId === null ? '' : `${warning ? '' : '.'} The rest of the series stays.`
      return {
        tone: 'success',
        title: 'Appointment Updated',
        text: `${format(start, end)}${warning ?? ''}${rest}`,
        action: { label: 'Undo', to: '/calendar', fields: { intent: 'move', id: String(id), startTime, endTime } },
      }
    },
    failureText,
    revalidate,
  })
  const onMove = useCallback<OnMove>(
    (appointment, start, end) => move({ appointment, start: start.toISOString(), end: end.toISOString() }),
    [move],
  )
  return { appointments: state, onMove }
}

type Overlap = { title: string; attendeeName: string; start: string; end: string }

/** Another session at that time, also one that the calendar doesn't show now. Null if the server can't be reached. */
async function findOverlap(id: number, start: string, end: string): Promise<Overlap | null> {
  const from = new Date(Date.parse(start) - dayMs).toISOString()
  try {
    const response = await fetch(`/api/appointments?${new URLSearchParams({ from, to: end, limit: '100' })}`)
    const listed = response.ok ? ((await response.json()) as AppointmentRecord[]) : []
    const other = listed.find((one) => one.id !== id && one.endTime > start && one.status !== 'cancelled')
    if (!other) return null
    const { title, clientName, prospectName, startTime, endTime } = other
    return { title, attendeeName: clientName ?? prospectName ?? 'Unknown', start: startTime, end: endTime }
  } catch {
    return null
  }
}

function applyMove(appointments: ListedAppointment[], { appointment: { id }, start, end }: SessionMove) {
  return appointments.map((appointment) => (appointment.id === id ? { ...appointment, start, end } : appointment))
}

function failureText(_move: SessionMove, { status }: MoveResponse): string {
  if (status === 401) return 'You are signed out. Sign in, then move it again.'
  if (status === 404) return 'This session was deleted. You can restore it from the trash for 30 days.'
  return 'Failed to update appointment'
}
