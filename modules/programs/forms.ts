import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { date, emptyAsNull, formId, id, multiLine, requiredLine, version } from '#app/lib/zod-types.ts'
import { itemKinds, itemOwners, limits, type ItemKind, type ItemOwner } from './fields.ts'
import { goal, program, template } from './records.ts'

const keys = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as [K, ...K[]]
const incomplete = 'This form is incomplete.'

const number = (min: number, max: number) =>
  z.int('Enter a whole number').min(min, `Enter at least ${min}`).max(max, `Enter at most ${max}`)
/** A number of a form; empty: `undefined`. */
const formNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (value.trim() === '' ? undefined : Number(value)) : value),
    schema,
  )

export const ProgramDate = date()

const ItemInput = z.object({
  kind: z.enum(keys<ItemKind>(itemKinds), 'Choose a kind'),
  title: requiredLine('Enter a title'),
  owner: z.enum(keys<ItemOwner>(itemOwners), 'Choose who does it').default('client'),
  days: number(0, limits.days).nullable().default(null),
  choiceId: id('Choose one of the list').nullable().default(null),
})
const MilestoneInput = z.object({
  title: requiredLine('Enter a title'),
  description: emptyAsNull(multiLine(2000)).default(null),
  week: number(1, limits.weeks),
})
export type ItemInput = z.output<typeof ItemInput>
export type MilestoneInput = z.output<typeof MilestoneInput>

const MilestonesInput = z
  .array(
    MilestoneInput.extend({
      items: z.array(ItemInput).max(limits.items, `Use at most ${limits.items} items`).default([]),
    }),
  )
  .max(limits.milestones, `Use at most ${limits.milestones} milestones`)
export type MilestonesInput = z.output<typeof MilestonesInput>

export const NewTemplate = template.create.extend({ milestones: MilestonesInput.default([]) })
export type NewTemplate = z.output<typeof NewTemplate>
export const TemplateEdit = template.update.extend({ milestones: MilestonesInput.optional() })
export type TemplateEdit = z.output<typeof TemplateEdit>

export const NewProgram = z.object({
  templateId: id('Choose a template'),
  clientId: id('Choose a client'),
  startDate: date({ required: 'Choose the date on which it begins' }),
})
export type NewProgram = z.output<typeof NewProgram>
export const ProgramFilter = z.object({
  status: z.enum(['running', 'completed']).optional(),
  clientId: z.string().optional().describe('Only those of this client.'),
})
export const ProgramEdit = program.update
export type ProgramEdit = z.output<typeof ProgramEdit>

const shiftDays = () => number(-3650, 3650).refine((days) => days !== 0, 'Enter at least one day')
export const Shift = z.object({ days: shiftDays().describe('Negative: to earlier dates.') })
export const ProgressEdit = z.object({
  percent: number(0, 100).nullable().optional().describe('null: it is counted again.'),
})

/** POST /api/programs/{id}/items: at the end of a milestone. */
export const NewProgramItem = z.object({
  milestoneId: id('Choose a milestone'),
  kind: z.enum(['check', 'task'], 'Choose a kind').default('check'),
  title: ItemInput.shape.title,
  owner: ItemInput.shape.owner,
  dueDate: emptyAsNull(date()).default(null),
})
export type NewProgramItem = z.output<typeof NewProgramItem>

/** '1,500' and '1500.5' as the pages show them, and '7,5'. */
function readNumber(text: string): number {
  const value = text.trim()
  const isGrouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(value)
  return value ? Number(isGrouped ? value.replaceAll(',', '') : value.replace(',', '.')) : Number.NaN
}

/** With at most two decimals. */
const measure = (required: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? readNumber(value) : value),
    z
      .number(required)
      .min(-1e9, 'Enter a number from -1,000,000,000 to 1,000,000,000')
      .max(1e9, 'Enter a number from -1,000,000,000 to 1,000,000,000')
      .transform((value) => Math.round(value * 100) / 100),
  )
export const NewGoal = goal.create.extend({ start: measure('Enter the start'), target: measure('Enter the target') })
export type NewGoal = z.output<typeof NewGoal>
export const GoalEdit = NewGoal.partial()
export type GoalEdit = z.output<typeof GoalEdit>
export const GoalFilter = z.object({ programId: z.string().optional().describe('Only those of this program.') })
/** POST /api/goals. */
export const NewGoalOfProgram = NewGoal.extend({ programId: id('Choose a program') })
export const NewGoalValue = z.object({ value: measure('Enter the value') })

// Forms of the pages.

export const TemplateForm = template.form
export const EditTemplateForm = template.editForm
export const EditProgramForm = program.editForm

/** Without `milestone`: a new one. */
export const MilestoneForm = z.object({
  id: formId(incomplete),
  version: version(),
  milestone: z.string().max(40).optional(),
  title: MilestoneInput.shape.title,
  description: MilestoneInput.shape.description,
  week: formNumber(MilestoneInput.shape.week),
})
export type MilestoneForm = z.output<typeof MilestoneForm>

/** Without `item`: a new one of the kind. */
export const ItemForm = z.object({
  id: formId(incomplete),
  version: version(),
  milestone: z.string().max(40),
  item: z.string().max(40).optional(),
  kind: ItemInput.shape.kind,
  title: ItemInput.shape.title,
  owner: ItemInput.shape.owner,
  days: formNumber(number(0, limits.days).optional()),
  choiceId: formNumber(id('Choose one of the list').optional()),
})
export type ItemForm = z.output<typeof ItemForm>

export const ByMilestone = z.object({ id: formId(incomplete), milestone: z.string().max(40) })
export const ByItem = ByMilestone.extend({ item: z.string().max(40) })
const position = () => z.preprocess(Number, z.int().min(0).max(limits.milestones))
export const MoveMilestoneForm = ByMilestone.extend({ to: position() })
export const MoveItemForm = ByItem.extend({ to: position() })

export const AssignForm = z.object({
  templateId: formId('Choose a template'),
  clientId: formId('Choose a client'),
  startDate: NewProgram.shape.startDate,
})

export const ShiftForm = z.object({
  id: formId(incomplete),
  version: version(),
  days: formNumber(shiftDays()),
})

export const ProgressForm = z.object({ id: formId(incomplete), percent: formNumber(number(0, 100)) })

const goalForm = {
  title: goal.form.shape.title,
  unit: goal.form.shape.unit,
  start: NewGoal.shape.start,
  target: NewGoal.shape.target,
}
export const AddGoalForm = z.object({ program: formId(incomplete), ...goalForm })
export const EditGoalForm = z.object({ id: formId(incomplete), version: version(), ...goalForm })
/** A button with a number beside it: a failure is a toast. */
export const MeasureForm = z.object({ id: formId(incomplete), value: z.string().max(100) })

/** Throws validation_failed. */
export function parseMeasure(text: string): number {
  const parsed = measure('Enter a number').safeParse(text)
  if (parsed.success) return parsed.data
  throw new AppError('validation_failed', `${parsed.error.issues[0]!.message}.`)
}

/** A new checklist item or task at the end of a milestone of a client's program. */
export const ProgramItemForm = NewProgramItem.extend({ id: formId(incomplete), milestoneId: formId(incomplete) })
