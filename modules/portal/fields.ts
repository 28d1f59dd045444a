import type { Fields } from '#app/lib/fields.ts'

export const signInFields = {
  email: { kind: 'email', label: 'Email', required: 'Enter your email address' },
} as const satisfies Fields

/** How many a client can have. */
export const maxPasskeys = 10
/** A passkey is added so long after signing in. */
export const addPasskeyMinutes = 60

/** How long a link works. */
export const linkMinutes = 15
/** The same for an invitation of the coach, which nobody waits for. */
export const invitationDays = 7
/** A session ends so long after its last use, and at last. */
export const idleDays = 30
export const sessionDays = 180
