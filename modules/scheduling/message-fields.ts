import type { Fields } from '#app/lib/fields.ts'
import { maxBody, maxSubject } from './messages/texts.ts'

export const messageTextFields = {
  subject: { kind: 'line', label: 'Subject', required: 'Enter a subject', max: maxSubject },
  body: { kind: 'text', label: 'Text', required: 'Enter a text', max: maxBody },
} as const satisfies Fields

const sentOrNot = { on: 'Sent', off: 'Not sent' }
export const messageSettingsFields = {
  reminderMinutes: { kind: 'line', label: 'Reminders before a session', max: 100, optional: true },
  followUp: { kind: 'choice', label: 'Follow-up after a session', choices: sentOrNot, message: 'Choose one' },
  followUpMinutes: { kind: 'line', label: 'How long after', max: 20, required: 'Enter a time' },
  tellsCoach: {
    kind: 'choice',
    label: 'Email me when a client books, moves or cancels',
    choices: { on: 'Yes', off: 'No' },
    message: 'Choose one',
  },
} as const satisfies Fields
