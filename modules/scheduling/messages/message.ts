import type { MessageKind } from './kinds.ts'

export type Message = {
  id: number
  appointmentId: number
  kind: MessageKind
  sequence: number
  /** Minutes before the start or, of a follow-up, after the end. */
  leadMinutes: number
  email: string
  startTime: string
  endTime: string
  place: string | null
  dueAt: string
  isPending: boolean
}

/** An appointment as its messages describe it. */
export type MessageAppointment = {
  id: number
  uidNamesHost: boolean
  title: string
  attendeeName: string
  attendeeEmail: string | null
  startTime: string
  endTime: string
  /** The attendee's. */
  timezone: string
  place: string | null
  status: string
  tentative: boolean
  version: number
  cancellationReason: string | null
  moveReason: string | null
  /** The remaining sessions of the client, such as '3 of 12 sessions left'; null without a package. */
  sessionsLeft: string | null
  rules: MessageRules
}

/** Which messages an appointment has besides announcements: those of its type, otherwise the coach's. */
export type MessageRules = {
  /** Minutes before the start, longest first. */
  reminderMinutes: number[]
  /** Minutes after the end; null: none. */
  followUpMinutes: number | null
  tellsCoach: boolean
}

/** A message that is being sent. */
export type ClaimedMessage = { message: Message; appointment: MessageAppointment }
