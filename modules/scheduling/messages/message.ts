import type { MessageKind } from './kinds.ts'

export type Message = {
  id: number
  appointmentId: number
  kind: MessageKind
  sequence: number
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
  /** Whether its type has this kind of reminder. */
  isOn: boolean
}
