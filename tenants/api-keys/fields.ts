import type { Fields } from '#app/lib/fields.ts'
import { passwordCheckFields } from '../auth/fields.ts'

export const accessLevels = {
  read: 'See everything',
  write: 'See and change everything',
  chosen: 'Only what I choose',
} as const

export const lifetimes = { '30': '30 days', '90': '90 days', '365': 'A year', never: 'It never expires' } as const

export const apiKeyFields = {
  name: { kind: 'line', label: 'Name', required: 'Name this key', max: 60 },
  access: { kind: 'choice', label: 'This key may', choices: accessLevels, message: 'Choose what this key may do' },
  lifetime: { kind: 'choice', label: 'Expires after', choices: lifetimes, message: 'Choose when this key expires' },
  ...passwordCheckFields,
} as const satisfies Fields
