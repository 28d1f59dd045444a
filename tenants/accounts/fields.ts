import type { Fields } from '#app/lib/fields.ts'

// `text` for email addresses and passwords: a maxlength attribute would silently cut off what is pasted.

const firstName = { kind: 'line', label: 'First name', required: 'First name is required' } as const
const lastName = { kind: 'line', label: 'Last name', required: 'Last name is required' } as const
const email = { kind: 'text', label: 'Email', required: 'Email is required' } as const
const password = { kind: 'text', label: 'Password', required: 'Password is required' } as const

export const loginFields = { email, password } as const satisfies Fields
export const registrationFields = { firstName, lastName, email, password } as const satisfies Fields
export const forgotPasswordFields = { email } as const satisfies Fields
export const resetPasswordFields = {
  token: { kind: 'text', label: 'Link', required: 'This link is incomplete' },
  password: { ...password, label: 'New password' },
} as const satisfies Fields

/** The token of an emailed link. */
export const verificationFields = { token: resetPasswordFields.token } as const satisfies Fields

export const nameFields = { firstName, lastName } as const satisfies Fields

const currentPassword = { kind: 'text', label: 'Current password', required: 'Enter your current password' } as const
export const emailChangeFields = {
  email: { ...email, label: 'New email' },
  currentPassword,
} as const satisfies Fields
export const passwordChangeFields = {
  currentPassword,
  newPassword: { ...password, label: 'New password' },
} as const satisfies Fields

export const brandingFields = {
  primaryColor: { kind: 'line', label: 'Primary color', max: 7 },
  subdomain: { kind: 'line', label: 'Web address', max: 40, optional: true },
} as const satisfies Fields
