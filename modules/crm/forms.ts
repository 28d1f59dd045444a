import { z } from 'zod'
import { email, instant, line, optional, requiredLine, text, timezone } from '#app/lib/text.ts'

// The schemas of clients, shared by the screens, the API, the import and the tests. Server only: browsers never load zod.

export const clientStatuses = ['active', 'inactive', 'completed', 'pending'] as const
export type ClientStatus = (typeof clientStatuses)[number]

const status = z.enum(clientStatuses, `Choose one of ${clientStatuses.join(', ')}`)
const progress = z
  .number('Enter a whole number from 0 to 100')
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= 100, 'Enter a whole number from 0 to 100')
  .meta({ type: 'integer', minimum: 0, maximum: 100 })

const fields = z.object({
  name: requiredLine('Name is required'),
  email: email(),
  phone: optional(line()),
  location: optional(line()),
  profession: optional(line()),
  timezone: optional(timezone()),
  program: optional(line()),
  status,
  progress,
  goals: optional(text()),
  notes: optional(text()),
  futureGoals: optional(text()),
  frustrations: optional(text()),
  fears: optional(text()),
  failures: optional(text()),
})

/** What makes a client. `productId`: the product assigned at once, recorded as a pending purchase at its price. */
export const NewClient = fields.extend({
  status: status.default('active'),
  progress: progress.default(0),
  productId: optional(z.number('Choose a product').refine((value) => Number.isSafeInteger(value) && value > 0, 'Choose a product')),
})
export type NewClient = z.output<typeof NewClient>

/** As the Add Client dialog sends it: 'No product assigned' sends nothing. */
export const NewClientForm = NewClient.extend({
  productId: z.preprocess((typed) => (typeof typed === 'string' && /^[1-9]\d{0,15}$/.test(typed) ? Number(typed) : null), z.int('Choose a product').nullable()),
})

/** What is left out stays as it is; null or blank empties an optional field. */
export const ClientEdit = fields.partial()
export type ClientEdit = z.output<typeof ClientEdit>

/** The edit form of the screens. A progress that is no number counts as 0 (part-1 §2); `version` is the one that was shown. */
export const ClientForm = ClientEdit.extend({
  progress: z.preprocess((typed) => (typeof typed === 'string' || Number.isNaN(typed) ? Number(typed) || 0 : typed), progress),
  version: z.number().int(),
})

/** The fields of a client that people fill in, in the order of the form and of the export. */
export const clientFields = [
  'name', 'email', 'phone', 'location', 'profession', 'timezone', 'program', 'status', 'progress',
  'goals', 'notes', 'futureGoals', 'frustrations', 'fears', 'failures',
] as const satisfies readonly (keyof z.output<typeof fields>)[]
export type ClientField = (typeof clientFields)[number]
export type ClientValues = z.output<typeof fields>

const interactionFields = z.object({
  name: requiredLine('Title is required'),
  content: optional(text()),
  interactionDate: instant('Date is required'),
})

/** A contact with a client. `interactionDate` is an instant; screens send the coach's local noon. */
export const NewInteraction = interactionFields
export type NewInteraction = z.output<typeof NewInteraction>

/** What is left out stays as it is. */
export const InteractionEdit = interactionFields.partial()
export type InteractionEdit = z.output<typeof InteractionEdit>
