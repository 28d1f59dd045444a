import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { inTurn } from '#app/ui/dnd/mutation-queue.ts'
import { useFresh } from '#app/ui/navigation/revalidate.ts'
import { useToast } from '#app/ui/components/toast.tsx'
import { signInBeside } from '#app/ui/forms/offline-action.ts'
import type { ListedAppointment } from '../output.ts'
import { whenWords } from '../format.ts'

type Move = { key: number; id: number; start: string; end: string; saved: boolean }
export type OnMove = (appointment: ListedAppointment, start: Date, end: Date) => void

/**
 * The appointments as they are and as they are being moved: a move shows at once, goes to the server behind those before
 * it, and is taken back with a toast when it is refused.
 */
export function useMoves(
  appointments: ListedAppointment[],
  zone: string,
  today: string,
): { laid: ListedAppointment[]; move: OnMove } {
  const [moves, setMoves] = useState<Move[]>([])
  const load = useFresh()
  const toast = useToast()
  const count = useRef(0)
  // What was saved is in what was loaded since.
  useEffect(
    () => setMoves((all) => (all.some(({ saved }) => saved) ? all.filter(({ saved }) => !saved) : all)),
    [appointments],
  )
  const laid = useMemo(() => (moves.length ? moves.reduce(applied, appointments) : appointments), [appointments, moves])

  const move = useCallback<OnMove>(
    (appointment, from, to) => {
      const { id } = appointment
      const next: Move = { key: ++count.current, id, start: from.toISOString(), end: to.toISOString(), saved: false }
      setMoves((all) => [...all, next])
      inTurn(async (signal) => {
        const refused = await send(signal, id, next)
        setMoves((all) =>
          refused === null
            ? all.map((one) => (one.key === next.key ? { ...one, saved: true } : one))
            : all.filter((one) => one.key !== next.key),
        )
        if (refused === null) {
          const undo = { intent: 'move', id: String(id), startTime: appointment.start, endTime: appointment.end }
          toast({
            tone: 'success',
            title: 'Appointment Updated',
            text: whenWords(next.start, next.end, zone, today),
            action: { label: 'Undo', to: '/calendar', fields: undo },
          })
        } else {
          toast({
            tone: 'error',
            title: 'Error',
            text: refused.text || 'Failed to update appointment',
            ...(refused.link ? { link: refused.link } : {}),
          })
        }
        load()
      })
    },
    [toast, load, zone, today],
  )
  return { laid, move }
}

function applied(appointments: ListedAppointment[], { id, start, end }: Move): ListedAppointment[] {
  return appointments.map((appointment) => (appointment.id === id ? { ...appointment, start, end } : appointment))
}

type Refused = { text: string; link?: typeof signInBeside }

/** Null when it was taken; otherwise what there is to say, if anything. A server that can't be reached refuses too. */
async function send(signal: AbortSignal, id: number, { start, end }: Move): Promise<Refused | null> {
  try {
    const answer = await fetch(`/api/appointments/${id}`, {
      signal,
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ startTime: start, endTime: end }),
    })
    if (answer.ok) return null
    if (answer.status === 401) return { text: 'You are signed out. Sign in, then move it again.', link: signInBeside }
    return {
      text:
        answer.status === 404
          ? 'This appointment was deleted meanwhile. For 30 days it can be restored from the trash.'
          : '',
    }
  } catch {
    return { text: '' }
  }
}
