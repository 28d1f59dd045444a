import type { Fields } from '#app/lib/fields.ts'
import { passwordCheckFields } from '../auth/fields.ts'

export const domainFields = {
  hostname: { kind: 'line', label: 'Domain', required: 'Enter a domain, such as coaching.example.com' },
  ...passwordCheckFields,
} as const satisfies Fields
