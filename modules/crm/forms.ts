import { z } from 'zod'
import { email, isoInstant, singleLine, emptyAsNull, requiredLine, multiLine, timezone } from '#app/lib/zod-types.ts'
import { clientStatuses } from './fields.ts'

// Server only: zod must not reach the browser. Labels are in fields.ts.

const status = z.enum(clientStatuses, `Choose one of ${clientStatuses.join(', ')}`)
const progress = z
  .number('Enter a whole number from 0 to 100')
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= 100, 'Enter a whole number from 0 to 100')
  .meta({ type: 'integer', minimum: 0, maximum: 100 })

const fields = z.object({
  name: requiredLine('Name is required'),
  email: email(),
  phone: emptyAsNull(singleLine()),
  location: emptyAsNull(singleLine()),
  profession: emptyAsNull(singleLine()),
  timezone: emptyAsNull(timezone()),
  program: emptyAsNull(singleLine()),
  status,
  progress,
  goals: emptyAsNull(multiLine()),
  notes: emptyAsNull(multiLine()),
  futureGoals: emptyAsNull(multiLine()),
  frustrations: emptyAsNull(multiLine()),
  fears: emptyAsNull(multiLine()),
  failures: emptyAsNull(multiLine()),
})

/** `productId`: a product sold with the new client, as a pending purchase at its price. */
export const NewClient = fields.extend({
  status: status.default('active'),
  progress: progress.default(0),
  productId: emptyAsNull(
    z.number('Choose a product').refine((value) => Number.isSafeInteger(value) && value > 0, 'Choose a product'),
  ),
})
export type NewClient = z.output<typeof NewClient>

/** The Add Client dialog. 'No product assigned' sends an empty text. */
export const NewClientForm = NewClient.extend({
  productId: z.preprocess(
    (sent) => (typeof sent === 'string' && /^[1-9]\d{0,15}$/.test(sent) ? Number(sent) : null),
    z.int('Choose a product').nullable(),
  ),
})

/** Only the fields that are sent change; null or a blank text clears an optional field. */
export const ClientEdit = fields.partial()
export type ClientEdit = z.output<typeof ClientEdit>

/** The edit form, with the version it was opened with. A progress that isn't a number counts as 0 (part-1 §2). */
export const EditClientForm = ClientEdit.extend({
  progress: z.preprocess(
    (sent) => (typeof sent === 'string' || Number.isNaN(sent) ? Number(sent) || 0 : sent),
    progress,
  ),
  version: z.number().int(),
  /** Hashes of the values the form was opened with; see app/lib/edit-conflict.ts. */
  was: z.string().optional(),
})

export type EditClientForm = z.output<typeof EditClientForm>

export type ClientValues = z.output<typeof fields>

const interaction = z.object({
  name: requiredLine('Title is required'),
  content: emptyAsNull(multiLine()),
  interactionDate: isoInstant('Date is required'),
})

/** `interactionDate` is an instant; screens use noon in the coach's time zone. */
export const NewInteraction = interaction
export type NewInteraction = z.output<typeof NewInteraction>

/** The interaction dialog: sends a date in the coach's time zone instead of an instant. */
export const InteractionForm = z.object({
  name: interaction.shape.name,
  interactionDate: z.preprocess(
    (sent) => sent ?? '',
    z
      .string()
      .min(1, 'Date is required')
      .refine(
        (date) => date === '' || (z.iso.date().safeParse(date).success && date >= '1900-01-01' && date <= '2200-12-31'),
        'Enter a date from 1900 to 2200',
      ),
  ),
  content: interaction.shape.content,
  version: z.number().int().optional(),
  was: z.string().optional(),
})

/** Only the fields that are sent change. */
export const InteractionEdit = interaction.partial()
export type InteractionEdit = z.output<typeof InteractionEdit>
