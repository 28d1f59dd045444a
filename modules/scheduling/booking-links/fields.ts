import type { Fields } from '#app/lib/fields.ts'

/** In days; null: it doesn't expire. */
export const linkLifetimes = { never: null, week: 7, month: 30 } as const

export const linkFields = {
  /** 'client-7' or 'prospect-7'. */
  attendee: { kind: 'line', label: 'Client or prospect', required: 'Choose who books' },
  type: { kind: 'line', label: 'Appointment type', required: 'Choose an appointment type' },
  expires: {
    kind: 'choice',
    label: 'Expires',
    choices: { never: 'Never', week: 'In a week', month: 'In a month' },
    message: 'Choose when it expires',
    default: 'never',
  },
} as const satisfies Fields
