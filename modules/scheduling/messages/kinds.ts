/** `lead`: minutes before the start at which a reminder is due. */
export const messageKinds = {
  confirmation: { label: 'Confirmation', lead: null },
  change: { label: 'Change', lead: null },
  cancellation: { label: 'Cancellation', lead: null },
  reminder_day: { label: 'Reminder a day before', lead: 24 * 60 },
  reminder_hour: { label: 'Reminder an hour before', lead: 60 },
} as const
export type MessageKind = keyof typeof messageKinds
export const reminderKinds = ['reminder_day', 'reminder_hour'] as const satisfies MessageKind[]

/** Why a message was not sent. */
export const skipReasons = {
  cancelled: 'The session was cancelled.',
  'not-cancelled': 'The session takes place.',
  superseded: 'A later message took its place.',
  'not-confirmed': 'The session was not confirmed.',
  late: 'It was too late.',
  off: 'Reminders of this type are off.',
  'no-address': 'There is no email address.',
  unverified: 'Your own email address is not confirmed.',
  refused: 'The mail server refused it.',
} as const
export type SkipReason = keyof typeof skipReasons
