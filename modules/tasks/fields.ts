import type { Fields } from '#app/lib/fields.ts'

export const taskOwners = { coach: 'Me', client: 'The client' } as const
export type TaskOwner = keyof typeof taskOwners

/** When the coach gets an email about a task with a due date. */
export const reminders = { due: 'On the due date', before: 'The day before', none: 'No reminder' } as const
export type Reminder = keyof typeof reminders

/** `session`: an action item of a session's summary. `program`: an item of a client's program. */
export const taskSources = { manual: 'Added by hand', session: 'Session summary', program: 'Program' } as const
export type TaskSource = keyof typeof taskSources

export const taskFields = {
  // An action item of a summary has as many characters.
  title: { kind: 'line', label: 'Title', required: 'Title is required', max: 1000 },
  owner: { kind: 'choice', label: 'Who does it', choices: taskOwners, message: 'Choose who does it', default: 'coach' },
  clientId: { kind: 'reference', label: 'Client', to: 'client', optional: true },
  dueDate: { kind: 'date', label: 'Due', optional: true },
  reminder: {
    kind: 'choice',
    label: 'Reminder',
    choices: reminders,
    message: 'Choose a reminder',
    default: 'due',
  },
  notes: { kind: 'markup', label: 'Notes', optional: true },
} as const satisfies Fields
