import type { Fields } from '#app/lib/fields.ts'

export const formats = { individual: 'Individual', group: 'Group' } as const
export type Format = keyof typeof formats

/** How the sessions of a client count; without a choice, by whether the client has ever paid. */
export const countings = { paid: 'Paid', pro_bono: 'Pro bono', not_counted: 'Not counted' } as const
export type Counting = keyof typeof countings

/** To add a field: here, in `schema.ts`, `migrations.ts`, the dialog and the page. */
export const entryFields = {
  clientName: { kind: 'line', label: 'Client or group', required: 'Enter whom you coached' },
  contact: { kind: 'line', label: 'Email or phone', optional: true },
  format: {
    kind: 'choice',
    label: 'Coaching',
    choices: formats,
    message: 'Choose individual or group',
    default: 'individual',
  },
  participants: { kind: 'count', label: 'People in the group', min: 2, max: 1000, optional: true },
  startDate: { kind: 'date', label: 'First session', required: 'Enter the date of the first session' },
  endDate: { kind: 'date', label: 'Last session', required: 'Enter the date of the last session' },
  paidMinutes: { kind: 'count', label: 'Paid minutes', min: 0, max: 600_000, default: 0 },
  proBonoMinutes: { kind: 'count', label: 'Pro bono minutes', min: 0, max: 600_000, default: 0 },
} as const satisfies Fields

const { paidMinutes: _paid, proBonoMinutes: _proBono, ...shared } = entryFields
/** The form has hours. */
export const entryFormFields = {
  ...shared,
  paidHours: { kind: 'line', label: 'Paid hours', max: 20 },
  proBonoHours: { kind: 'line', label: 'Pro bono hours', max: 20 },
} as const satisfies Fields

/** The credentials of the International Coaching Federation, with the hours and clients that each needs. */
export const credentials = [
  { name: 'ACC', hours: 100, paid: 75, clients: 8 },
  { name: 'PCC', hours: 500, paid: 450, clients: 25 },
  { name: 'MCC', hours: 2500, paid: 2250, clients: 35 },
] as const
