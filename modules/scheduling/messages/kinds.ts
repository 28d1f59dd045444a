import { formatLead } from './leads.ts'

/** The emails about an appointment. Those to the coach begin with `coach_`. */
export const messageKinds = {
  confirmation: 'Confirmation',
  change: 'Change',
  cancellation: 'Cancellation',
  reminder: 'Reminder',
  follow_up: 'Follow-up',
  coach_booked: 'To you: booked',
  coach_moved: 'To you: moved',
  coach_cancelled: 'To you: cancelled',
} as const
export type MessageKind = keyof typeof messageKinds

/** The notifications that the coach can switch off. */
export const notificationKinds = {
  coach_booked: 'scheduling.booked',
  coach_moved: 'scheduling.moved',
  coach_cancelled: 'scheduling.cancelled',
} as const

export const isForCoach = (kind: MessageKind): kind is keyof typeof notificationKinds => kind in notificationKinds

/** 'Reminder 24 h before', 'Follow-up 2 h after'. */
export function describeKind(kind: MessageKind, leadMinutes: number): string {
  const label = messageKinds[kind]
  if (kind === 'reminder' && leadMinutes > 0) return `${label} ${formatLead(leadMinutes)} before`
  return kind === 'follow_up' && leadMinutes > 0 ? `${label} ${formatLead(leadMinutes)} after` : label
}

/** Why a message was not sent. */
export const skipReasons = {
  cancelled: 'The session was cancelled.',
  'not-cancelled': 'The session takes place.',
  superseded: 'A later message took its place.',
  'not-confirmed': 'The session is not confirmed.',
  late: 'It was too late.',
  off: 'It is switched off.',
  'no-address': 'There is no email address.',
  unverified: 'Your own email address is not confirmed.',
  refused: 'The mail server refused it.',
} as const
export type SkipReason = keyof typeof skipReasons

/** Why a message is not even planned. */
export const planReasons = {
  ...skipReasons,
  late: 'It is too late.',
  cancelled: 'The session is cancelled.',
  'not-announced': 'This session was entered without emails.',
} as const
export type PlanReason = keyof typeof planReasons
