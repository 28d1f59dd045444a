import { isForCoach, notificationKinds, type SkipReason } from './kinds.ts'
import type { Message, MessageAppointment } from './message.ts'

type Checked = Pick<Message, 'kind' | 'leadMinutes' | 'email' | 'startTime' | 'dueAt'>

/**
 * Why a planned message must not be sent at a time, or null. Decides at the moment of sending, and in the simulator.
 */
export function findSkipReason(
  message: Checked,
  appointment: MessageAppointment | undefined,
  { now, emailVerified, isOn }: { now: Date; emailVerified: boolean; isOn: (notification: string) => boolean },
): SkipReason | null {
  if (!appointment) return 'cancelled'
  if (!emailVerified) return 'unverified'
  const { kind } = message
  if (isForCoach(kind)) return isOn(notificationKinds[kind]) ? checkForCoach(message, appointment) : 'off'
  if (kind === 'cancellation') return checkCancellation(message, appointment, now)
  if (appointment.status === 'cancelled') return 'cancelled'
  if (appointment.attendeeEmail === null) return 'no-address'
  if (kind === 'follow_up') return checkFollowUp(message, appointment, now)
  if (new Date(appointment.endTime) <= now) return 'late'
  return kind === 'reminder' ? checkReminder(message, appointment, now) : null
}

function checkForCoach({ kind }: Checked, { status, rules }: MessageAppointment): SkipReason | null {
  if (!rules.tellsCoach) return 'off'
  return kind !== 'coach_cancelled' && status === 'cancelled' ? 'cancelled' : null
}

function checkCancellation(
  { email, startTime }: Checked,
  { status, attendeeEmail }: MessageAppointment,
  now: Date,
): SkipReason | null {
  if (status !== 'cancelled' && attendeeEmail?.toLowerCase() === email.toLowerCase()) return 'not-cancelled'
  return new Date(startTime) <= now ? 'late' : null
}

function checkFollowUp(message: Checked, { rules, tentative }: MessageAppointment, now: Date): SkipReason | null {
  if (rules.followUpMinutes === null) return 'off'
  if (tentative) return 'not-confirmed'
  return isTooLate(message, now) ? 'late' : null
}

function checkReminder(message: Checked, appointment: MessageAppointment, now: Date): SkipReason | null {
  const { status, startTime, tentative, rules } = appointment
  if (status === 'completed') return 'late'
  if (!rules.reminderMinutes.includes(message.leadMinutes)) return 'off'
  if (tentative) return 'not-confirmed'
  if (message.startTime !== startTime) return 'superseded'
  return new Date(startTime) <= now || isTooLate(message, now) ? 'late' : null
}

/** A day. */
const followUpPatience = 1440

/** A reminder of a day that can't be sent for twelve hours says nothing that the one of an hour doesn't. */
function isTooLate({ kind, dueAt, leadMinutes }: Checked, now: Date): boolean {
  const patience = kind === 'follow_up' ? followUpPatience : leadMinutes / 2
  return now.getTime() > new Date(dueAt).getTime() + patience * 60_000
}
