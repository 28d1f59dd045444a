import type { Fields } from '#app/lib/fields.ts'

/** To add a field: here, in `schema.ts`, `migrations.ts`, `components/client-fields.tsx` and `client-details.tsx`. */
export const clientFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required', csv: 'Name' },
  email: { kind: 'email', label: 'Email', required: 'Email is required', csv: 'Email' },
  phone: { kind: 'line', label: 'Phone', optional: true, csv: 'Phone' },
  location: { kind: 'line', label: 'Location', optional: true, csv: 'Location' },
  profession: { kind: 'line', label: 'Profession', optional: true, csv: 'Profession' },
  timezone: { kind: 'timezone', label: 'Time zone', optional: true, csv: 'Time zone' },
  program: { kind: 'line', label: 'Program type', optional: true, csv: 'Program' },
  status: {
    kind: 'choice',
    label: 'Status',
    choices: { active: 'Active', inactive: 'Inactive', completed: 'Completed', pending: 'Pending' },
    message: 'Choose one of active, inactive, completed, pending',
    default: 'active',
    csv: 'Status',
  },
  progress: { kind: 'percent', label: 'Progress', default: 0, csv: 'Progress' },
  tags: { kind: 'tags', label: 'Tags', default: [], csv: 'Tags' },
  goals: { kind: 'markup', label: 'Client Goals', optional: true, csv: 'Goals' },
  notes: { kind: 'markup', label: 'Session Notes & Observations', optional: true, csv: 'Notes' },
  futureGoals: { kind: 'markup', label: 'Future Goals', optional: true, csv: 'Future goals' },
  frustrations: { kind: 'markup', label: 'Frustrations', optional: true, csv: 'Frustrations' },
  fears: { kind: 'markup', label: 'Fears', optional: true, csv: 'Fears' },
  failures: { kind: 'markup', label: 'Past Failures', optional: true, csv: 'Past failures' },
} as const satisfies Fields

/** A contact with a client, added by the coach or logged by a module. */
export const interactionFields = {
  name: { kind: 'line', label: 'Title', required: 'Title is required' },
  interactionDate: { kind: 'instant', label: 'Date', required: 'Date is required' },
  content: { kind: 'markup', label: 'Content', optional: true },
  clientId: { kind: 'reference', label: 'Client', to: 'client', readonly: true },
  summary: { kind: 'markup', label: 'Summary', optional: true, readonly: true },
  source: { kind: 'line', label: 'Source', readonly: true },
  appointmentId: { kind: 'reference', label: 'Appointment', to: 'appointment', optional: true, readonly: true },
} as const satisfies Fields

export type ClientField = keyof typeof clientFields
export type ClientStatus = keyof typeof clientFields.status.choices
export const clientFieldNames = Object.keys(clientFields) as ClientField[]
export const clientStatuses = Object.keys(clientFields.status.choices) as ClientStatus[]
