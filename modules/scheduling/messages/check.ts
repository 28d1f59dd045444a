import { isForCoach, type SkipReason } from './kinds.ts'
import type { Message, MessageAppointment } from './message.ts'

type Checked = Pick<Message, 'kind' | 'leadMinutes' | 'email' | 'startTime' | 'dueAt'>

/** Why a planned message must not be sent at a time, or null. Decides at the moment of sending, and in the simulator. */
export function findSkipReason(
  message: Checked,
  appointment: MessageAppointment | undefined,
  { now, emailVerified }: { now: Date; emailVerified: boolean },
): SkipReason | null {
  if (!appointment) return 'cancelled'
  if (!emailVerified) return 'unverified'
  const { status, attendeeEmail, tentative, rules } = appointment
  const { kind } = message
  if (isForCoach(kind)) {
    if (!rules.tellsCoach) return 'off'
    if (kind !== 'coach_cancelled' && status === 'cancelled') return 'cancelled'
    return null
  }
  const isSameAddress = attendeeEmail?.toLowerCase() === message.email.toLowerCase()
  if (kind === 'cancellation') {
    if (status !== 'cancelled' && isSameAddress) return 'not-cancelled'
    return new Date(message.startTime) <= now ? 'late' : null
  }
  if (status === 'cancelled') return 'cancelled'
  if (attendeeEmail === null) return 'no-address'
  if (kind === 'follow_up') {
    if (rules.followUpMinutes === null) return 'off'
    if (tentative) return 'not-confirmed'
    return isTooLate(message, now) ? 'late' : null
  }
  if (new Date(appointment.endTime) <= now) return 'late'
  if (kind !== 'reminder') return null
  if (status === 'completed') return 'late'
  if (!rules.reminderMinutes.includes(message.leadMinutes)) return 'off'
  if (tentative) return 'not-confirmed'
  if (message.startTime !== appointment.startTime) return 'superseded'
  return new Date(appointment.startTime) <= now || isTooLate(message, now) ? 'late' : null
}

/** A day. */
const followUpPatience = 1440

/** A reminder of a day that can't be sent for twelve hours says nothing that the one of an hour doesn't. */
function isTooLate({ kind, dueAt, leadMinutes }: Checked, now: Date): boolean {
  const patience = kind === 'follow_up' ? followUpPatience : leadMinutes / 2
  return now.getTime() > new Date(dueAt).getTime() + patience * 60_000
}
