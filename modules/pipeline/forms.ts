import { z } from 'zod'
import {
  cents,
  dollars,
  email,
  emptyAsNull,
  isoInstant,
  multiLine,
  requiredLine,
  singleLine,
  timezone,
} from '#app/lib/zod-types.ts'

// Server only, so that browsers never load zod.

/** Fixed names of an account's five initial stages, which the coach may rename and reorder. */
export const stageAliases = ['lead', 'qualified', 'proposal', 'negotiation', 'closed_won'] as const
export type StageAlias = (typeof stageAliases)[number]
export const defaultStageColor = '#3B82F6'
export const maxStages = 1000

const integerUpTo = (max: number) =>
  z
    .number('Enter a whole number')
    .refine(
      (value) => Number.isInteger(value) && value >= 0 && value <= max,
      `Enter a whole number from 0 to ${max.toLocaleString('en-US')}`,
    )
    .meta({ type: 'integer', minimum: 0, maximum: max })

const stageName = requiredLine('Stage name is required')
const color = singleLine()
  .refine((value) => value !== '', 'Color is required')
  .refine((value) => value === '' || /^#[0-9a-f]{6}$/i.test(value), 'Use a color such as #3B82F6')
const order = integerUpTo(1_000_000)

/** Without an `order` the stage becomes the last one. */
export const NewStage = z.object({
  name: stageName,
  color: z.preprocess((value) => value ?? defaultStageColor, color),
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
    .max(maxStages, 'Send each stage once'),
})
export type StageOrder = z.output<typeof StageOrder>

/** The id or alias of a stage. The service resolves it, because an unknown stage is a 404. */
const stageRef = z
  .union([z.number(), requiredLine('Stage is required')], 'Stage is required')
  .meta({ description: 'The id of a stage, or lead, qualified, proposal, negotiation, closed_won' })
export type StageRef = z.output<typeof stageRef>

const productId = z.int('Choose a product').positive('Choose a product')
const textFields = {
  name: requiredLine('Name is required'),
  email: emptyAsNull(email()),
  phone: emptyAsNull(singleLine()),
  location: emptyAsNull(singleLine()),
  profession: emptyAsNull(singleLine()),
  timezone: emptyAsNull(timezone()),
  company: emptyAsNull(singleLine()),
  title: emptyAsNull(singleLine()),
  source: emptyAsNull(singleLine()),
  notes: emptyAsNull(multiLine()),
  futureGoals: emptyAsNull(multiLine()),
  frustrations: emptyAsNull(multiLine()),
  fears: emptyAsNull(multiLine()),
  failures: emptyAsNull(multiLine()),
}
/** Missing, null or blank becomes 0. */
const orZero = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess(
    (value) => (value === undefined || value === null || (typeof value === 'string' && !value.trim()) ? 0 : value),
    schema,
  )
const fields = z.object({
  ...textFields,
  stageId: stageRef,
  value: orZero(cents()).meta({ description: 'Cents, or dollars as a text with a point' }),
  probability: orZero(integerUpTo(100)),
  productId: emptyAsNull(productId),
  nextFollowUp: emptyAsNull(isoInstant()),
})

/** `value` is in cents. */
export const NewProspect = fields
export type NewProspect = z.output<typeof NewProspect>

/** Missing fields stay unchanged; null or blank clears an optional field. `position`: in its stage, from 0. */
export const ProspectEdit = fields.extend({ position: integerUpTo(1_000_000) }).partial()
export type ProspectEdit = z.output<typeof ProspectEdit>

const parseFormId = (value: unknown) =>
  typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : null

/** The prospect form: the value in dollars, the follow-up as a day in the coach's time zone ('2026-03-14'). */
export const ProspectForm = z.object({
  ...textFields,
  stageId: z.preprocess(parseFormId, z.int('Choose a stage')),
  value: z.preprocess((value) => (typeof value === 'string' && value.trim() ? value : '0'), dollars()),
  probability: z.preprocess((value) => (typeof value === 'string' ? Number(value.trim() || 0) : 0), integerUpTo(100)),
  productId: z.preprocess(parseFormId, productId.nullable()),
  nextFollowUp: emptyAsNull(
    z.iso
      .date('Choose a day')
      .refine((day) => day >= '1900-01-01' && day <= '2200-12-30', 'Use a date from 1900 to 2200'),
  ),
})
export type ProspectForm = z.output<typeof ProspectForm>
/** `version` and `openedIn` are the version and the stage that the form was opened with. */
export const ProspectEditForm = ProspectForm.extend({
  version: z.preprocess((value) => Number(value), z.int()),
  openedIn: z.preprocess(parseFormId, z.int().nullable()),
})

/** The stage form; `position` counts among the other stages, from 0. */
export const StageForm = z.object({
  name: stageName,
  color,
  position: z.preprocess((value) => Number(value), integerUpTo(1000)),
})
/** `version` and `openedAt` are the version and the position that the form was opened with. */
export const StageEditForm = StageForm.extend({
  version: z.preprocess((value) => Number(value), z.int()),
  openedAt: z.preprocess((value) => Number(value), integerUpTo(1000)),
})

/** The editable fields of a prospect. */
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
