import type { Fields } from '#app/lib/fields.ts'

export const signInFields = {
  email: { kind: 'email', label: 'Email', required: 'Enter your email address' },
} as const satisfies Fields

/** How long a link works. */
export const linkMinutes = 15
/** The same for an invitation of the coach, which nobody waits for. */
export const invitationDays = 7
/** A session ends so long after its last use, and at last. */
export const idleDays = 30
export const sessionDays = 180
