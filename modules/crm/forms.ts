import { z } from 'zod'
import { email, instant, line, optional, requiredLine, text, timezone } from '#app/lib/zod-types.ts'

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
  productId: optional(
    z.number('Choose a product').refine((value) => Number.isSafeInteger(value) && value > 0, 'Choose a product'),
  ),
})
export type NewClient = z.output<typeof NewClient>

/** As the Add Client dialog sends it: 'No product assigned' sends nothing. */
export const NewClientForm = NewClient.extend({
  productId: z.preprocess(
    (typed) => (typeof typed === 'string' && /^[1-9]\d{0,15}$/.test(typed) ? Number(typed) : null),
    z.int('Choose a product').nullable(),
  ),
})

/** What is left out stays as it is; null or blank empties an optional field. */
export const ClientEdit = fields.partial()
export type ClientEdit = z.output<typeof ClientEdit>

/** The edit form of the screens. A progress that is no number counts as 0 (part-1 §2); `version` is the one that was shown. */
export const ClientForm = ClientEdit.extend({
  progress: z.preprocess(
    (typed) => (typeof typed === 'string' || Number.isNaN(typed) ? Number(typed) || 0 : typed),
    progress,
  ),
  version: z.number().int(),
  /** Prints of the texts that the form was opened with (two-tabs.ts). */
  was: z.string().optional(),
})

export type ClientForm = z.output<typeof ClientForm>

/** The fields of a client that people fill in, in the order of the form and of the export. */
export const clientFields = [
  'name',
  'email',
  'phone',
  'location',
  'profession',
  'timezone',
  'program',
  'status',
  'progress',
  'goals',
  'notes',
  'futureGoals',
  'frustrations',
  'fears',
  'failures',
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

/** As the interaction dialog sends it: a day of the coach instead of an instant. Without an id it is a new one. */
export const InteractionForm = z.object({
  name: interactionFields.shape.name,
  interactionDate: z.preprocess(
    (typed) => typed ?? '',
    z
      .string()
      .refine((typed) => typed !== '', 'Date is required')
      .refine(
        (typed) =>
          typed === '' || (z.iso.date().safeParse(typed).success && typed >= '1900-01-01' && typed <= '2200-12-31'),
        'Enter a date from 1900 to 2200',
      ),
  ),
  content: interactionFields.shape.content,
  version: z.number().int().optional(),
  was: z.string().optional(),
})

/** What is left out stays as it is. */
export const InteractionEdit = interactionFields.partial()
export type InteractionEdit = z.output<typeof InteractionEdit>
