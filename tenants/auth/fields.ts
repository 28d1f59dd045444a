import type { Fields } from '#app/lib/fields.ts'

const currentPassword = { kind: 'text', label: 'Your password', required: 'Enter your password' } as const
const code = { kind: 'text', label: 'Code', required: 'Enter the code' } as const

export const loginCodeFields = {
  token: { kind: 'text', label: 'Sign-in', required: 'Sign in again' },
  code,
} as const satisfies Fields
export const passwordCheckFields = { currentPassword } as const satisfies Fields
export const setupCodeFields = { code } as const satisfies Fields
export const passkeyFields = {
  name: { kind: 'line', label: 'Name', required: 'Name this passkey', max: 60 },
} as const satisfies Fields
export const turnOffFields = {
  passwordOrCode: { kind: 'text', label: 'Your password or a code', required: 'Enter your password or a code' },
} as const satisfies Fields
