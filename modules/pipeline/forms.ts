import { z } from 'zod'
import {
  cents,
  date,
  dollars,
  emptyAsNull,
  emptyAsZero,
  optionalFormId,
  requiredLine,
  wholeNumber,
} from '#app/lib/zod-types.ts'
import { defaultStageColor, maxStages } from './stages.ts'
import { prospect, stage } from './records.ts'

const color = stage.create.shape.color.pipe(z.string().regex(/^#[0-9a-f]{6}$/i, 'Use a color such as #3B82F6'))
const order = wholeNumber(1_000_000)

/** Input of the API. Without an `order` the stage becomes the last one. */
export const NewStage = stage.create.extend({
  color: z.preprocess((value) => value ?? defaultStageColor, color),
  order: emptyAsNull(order).optional(),
})
export const StageEdit = stage.update.extend({ color: color.optional(), order: order.optional() })
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

/** `position` counts among the other stages, from 0. */
const position = z.preprocess((value) => Number(value), wholeNumber(maxStages))
export const StageForm = stage.form.extend({ color, position })
/** `openedAt`: the position that the form was opened with. */
export const StageEditForm = stage.editForm.extend({
  color: color.optional(),
  position: position.optional(),
  openedAt: position,
})
export const DeleteStageForm = stage.editForm.pick({ id: true }).extend({ moveTo: z.string().optional() })

/** The id or alias of a stage. The service resolves it, because an unknown stage is a 404. */
const stageRef = z
  .union([z.number(), requiredLine('Stage is required')], 'Stage is required')
  .meta({ description: 'The id of a stage, or lead, qualified, proposal, negotiation, closed_won' })
export type StageRef = z.output<typeof stageRef>

/** Input of the API. `value` is in cents. */
const value = emptyAsZero(cents()).meta({ description: 'Cents, or dollars as a text with a point' })
const probability = emptyAsZero(wholeNumber(100))
export const NewProspect = prospect.create.extend({ stageId: stageRef, value, probability })
export type NewProspect = z.output<typeof NewProspect>

/** `position`: in its stage, from 0. */
export const ProspectEdit = prospect.update.extend({
  stageId: stageRef.optional(),
  value: value.optional(),
  probability: probability.optional(),
  position: wholeNumber(1_000_000).optional(),
})
export type ProspectEdit = z.output<typeof ProspectEdit>

/** Moves a prospect to the end of a stage. */
export const MoveForm = prospect.editForm.pick({ id: true }).extend({ stageId: prospect.form.shape.stageId })
/** `stageId`: the stage to return to if the conversion is undone. */
export const ConvertForm = MoveForm.partial({ stageId: true })
export type ConvertForm = z.output<typeof ConvertForm>
/** The value in dollars, the follow-up as a day in the coach's time zone ('2026-03-14'). */
const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === ''
const formValue = z.preprocess((value) => (isBlank(value) ? '0' : value), dollars())
const followUpDay = emptyAsNull(date({ required: 'Choose a day', max: '2200-12-30' }))
export const ProspectForm = prospect.form.extend({ value: formValue, nextFollowUp: followUpDay })
export type ProspectForm = z.output<typeof ProspectForm>
/** `openedIn`: the stage that the form was opened with. */
export const ProspectEditForm = prospect.editForm.extend({
  value: formValue.optional(),
  nextFollowUp: followUpDay.optional(),
  openedIn: optionalFormId(),
})
export type ProspectEditForm = z.output<typeof ProspectEditForm>
