import { useCallback } from 'react'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { useOptimisticMoves, type MoveResponse } from '#app/ui/dnd/use-optimistic-moves.ts'
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
      const warning = await describeOverlap(id)
      const rest = seriesId === null ? null : 'The rest of the series stays.'
      return {
        tone: 'success',
        title: 'Appointment Updated',
        text: [`${formatDateTimeRange(start, end, settings, today)}${(warning ?? rest) ? '.' : ''}`, warning, rest]
          .filter(Boolean)
          .join(' '),
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

/** Names what is at its new time too. Null if the server can't be reached. */
async function describeOverlap(id: number): Promise<string | null> {
  try {
    const response = await fetch(`/calendar/${id}/overlap`)
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
