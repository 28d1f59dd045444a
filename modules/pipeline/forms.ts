import { z } from 'zod'
import { cents, dollars } from '#app/lib/money.ts'
import { email, instant, line, optional, requiredLine, text, timezone } from '#app/lib/zod-types.ts'

// The schemas of stages and prospects, shared by the screens, the API and the tests. Server only: browsers never load zod.

/** The five stages that an account begins with keep these names, whatever they are called and wherever they stand. */
export const stageAliases = ['lead', 'qualified', 'proposal', 'negotiation', 'closed_won'] as const
export type StageAlias = (typeof stageAliases)[number]
export const usualColor = '#3B82F6'
export const mostStages = 1000

const wholeFromZero = (most: number) =>
  z
    .number('Enter a whole number')
    .refine(
      (value) => Number.isInteger(value) && value >= 0 && value <= most,
      `Enter a whole number from 0 to ${most.toLocaleString('en-US')}`,
    )
    .meta({ type: 'integer', minimum: 0, maximum: most })

const stageName = requiredLine('Stage name is required')
const color = line()
  .refine((value) => value !== '', 'Color is required')
  .refine((value) => value === '' || /^#[0-9a-f]{6}$/i.test(value), 'Use a color such as #3B82F6')
const order = wholeFromZero(1_000_000)

/** A stage as it is sent; without an `order` it becomes the last. */
export const NewStage = z.object({
  name: stageName,
  color: z.preprocess((value) => value ?? usualColor, color),
  order: z.preprocess((value) => value ?? null, order.nullable()).optional(),
})
export const StageEdit = z.object({ name: stageName, color, order }).partial()
export type NewStage = z.output<typeof NewStage>
export type StageEdit = z.output<typeof StageEdit>

export const StageOrder = z.object({
  stages: z
    .array(
      z.object({ id: z.number('Send the id of each stage'), order }),
      'Send all stages, each with its id and order',
    )
    .max(mostStages, 'Send each stage once'),
})
export type StageOrder = z.output<typeof StageOrder>

/** A stage by its id, or by one of the five aliases. Which stage that is, the service finds out: an unknown one is a 404. */
const stageId = z
  .union([z.number(), requiredLine('Stage is required')], 'Stage is required')
  .meta({ description: 'The id of a stage, or lead, qualified, proposal, negotiation, closed_won' })
export type StageRef = z.output<typeof stageId>

const productId = z.int('Choose a product').positive('Choose a product')
const words = {
  name: requiredLine('Name is required'),
  email: optional(email()),
  phone: optional(line()),
  location: optional(line()),
  profession: optional(line()),
  timezone: optional(timezone()),
  company: optional(line()),
  title: optional(line()),
  source: optional(line()),
  notes: optional(text()),
  futureGoals: optional(text()),
  frustrations: optional(text()),
  fears: optional(text()),
  failures: optional(text()),
}
/** Left out, null or blank: 0. */
const orZero = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess(
    (value) => (value === undefined || value === null || (typeof value === 'string' && !value.trim()) ? 0 : value),
    schema,
  )
const fields = z.object({
  ...words,
  stageId,
  value: orZero(cents()).meta({ description: 'Cents, or dollars as a text with a point' }),
  probability: orZero(wholeFromZero(100)),
  productId: optional(productId),
  nextFollowUp: optional(instant()),
})

/** A prospect as it is sent. `value` is cents. */
export const NewProspect = fields
export type NewProspect = z.output<typeof NewProspect>

/** What is left out stays as it is; null or blank empties an optional field. `position`: the place in its stage, from 0. */
export const ProspectEdit = fields.extend({ position: wholeFromZero(1_000_000) }).partial()
export type ProspectEdit = z.output<typeof ProspectEdit>

const typedId = (value: unknown) => (typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : null)

/** A prospect as its dialog sends it: the value in dollars, the follow-up as the coach's day ('2026-03-14'). */
export const ProspectForm = z.object({
  ...words,
  stageId: z.preprocess(typedId, z.int('Choose a stage')),
  value: z.preprocess((typed) => (typeof typed === 'string' && typed.trim() ? typed : '0'), dollars()),
  probability: z.preprocess((typed) => (typeof typed === 'string' ? Number(typed.trim() || 0) : 0), wholeFromZero(100)),
  productId: z.preprocess(typedId, productId.nullable()),
  nextFollowUp: optional(
    z.iso
      .date('Choose a day')
      .refine((day) => day >= '1900-01-01' && day <= '2200-12-30', 'Use a date from 1900 to 2200'),
  ),
})
export type ProspectForm = z.output<typeof ProspectForm>
/** As the Edit dialog sends it; `version` is the one that was shown, `openedIn` the stage. */
export const ProspectEditForm = ProspectForm.extend({
  version: z.preprocess((typed) => Number(typed), z.int()),
  openedIn: z.preprocess(typedId, z.int().nullable()),
})

/** A stage as its dialog sends it; `place` counts among the other stages, from 0. */
export const StageForm = z.object({
  name: stageName,
  color,
  place: z.preprocess((typed) => Number(typed), wholeFromZero(1000)),
})
/** As the Edit dialog sends it; `version` is the one that was shown, `openedAt` the place. */
export const StageEditForm = StageForm.extend({
  version: z.preprocess((typed) => Number(typed), z.int()),
  openedAt: z.preprocess((typed) => Number(typed), wholeFromZero(1000)),
})

/** The fields of a prospect that people fill in, in the order of the form. */
export const prospectFields = [
  'name',
  'email',
  'phone',
  'location',
  'profession',
  'timezone',
  'company',
  'title',
  'value',
  'probability',
  'source',
  'notes',
  'futureGoals',
  'frustrations',
  'fears',
  'failures',
  'productId',
  'nextFollowUp',
] as const satisfies readonly (keyof NewProspect)[]
export type ProspectField = (typeof prospectFields)[number]
