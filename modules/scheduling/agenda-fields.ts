import type { Fields } from '#app/lib/fields.ts'

// Apart from the other fields, because the calendar's page is at the limit of its scripts.
export const agendaFields = {
  content: { kind: 'markup', label: 'Your points', optional: true },
} as const satisfies Fields
