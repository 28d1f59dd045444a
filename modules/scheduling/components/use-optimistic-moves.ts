import { useCallback } from 'react'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { useOptimisticMoves, type MoveQuestion, type MoveResponse } from '#app/ui/dnd/use-optimistic-moves.ts'
import { useRevalidateAcrossTabs } from '#app/ui/navigation/use-revalidate-across-tabs.ts'
import type { ListedAppointment } from '../records.ts'
import { formatDateTimeRange } from '../format.ts'

type SessionMove = { appointment: ListedAppointment; start: string; end: string }
export type OnMove = (appointment: ListedAppointment, start: Date, end: Date) => void

/** The appointments of the calendar, with pending moves. */
export function useSessionMoves(
  loaded: ListedAppointment[],
  zone: string,
  today: string,
): { appointments: ListedAppointment[]; onMove: OnMove; question: MoveQuestion | null } {
  const settings = { timezone: zone, timeFormat: useTimeFormat() }
  const revalidate = useRevalidateAcrossTabs('calendar')
  const { state, move, question } = useOptimisticMoves<ListedAppointment[], SessionMove>(loaded, {
    apply: applyMove,
    toRequest: ({ appointment, start, end }) => ({
      method: 'PATCH',
      path: `/api/appointments/${appointment.id}`,
      body: { startTime: start, endTime: end },
    }),
    findQuestion: describeOverlap,
    savedToast: ({ appointment: { id, seriesId, start: startTime, end: endTime }, start, end }) => {
      const when = formatDateTimeRange(start, end, settings, today)
      return {
        tone: 'success',
        title: 'Appointment Updated',
        text: seriesId === null ? when : `${when}. The rest of the series stays.`,
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
  return { appointments: state, onMove, question }
}

/** Milliseconds. Saving has a limit of its own, which this must not use up. */
const questionMs = 5_000

/** Names what is at its new time too. Null if the server can't be reached: saving says so. */
async function describeOverlap({ appointment, start, end }: SessionMove, signal: AbortSignal): Promise<string | null> {
  try {
    const times = new URLSearchParams({ start, end })
    const response = await fetch(`/calendar/${appointment.id}/overlap?${times}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(questionMs)]),
    })
    return response.ok ? ((await response.json()) as { text: string | null }).text : null
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
