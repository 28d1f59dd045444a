import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { ProspectField } from './forms.ts'
import { activityTypes } from './schema.ts'

const text = z.string().nullable()
const time = z.iso.datetime()

/** A stage in the API. */
export const StageOut = z.object({
  id: z.int(),
  coachId: z.int(),
  name: z.string(),
  color: z.string(),
  order: z.int(),
  createdAt: time,
})
export type StageRecord = z.infer<typeof StageOut>

/** A prospect in the API. */
export const ProspectOut = z.object({
  id: z.int(),
  coachId: z.int(),
  name: z.string(),
  email: text,
  phone: text,
  location: text,
  profession: text,
  timezone: text,
  company: text,
  title: text,
  stageId: z.int(),
  position: z.int().describe('The position in its stage, from 0'),
  value: z.int().describe('Cents'),
  probability: z.int(),
  source: text,
  notes: text,
  futureGoals: text,
  frustrations: text,
  fears: text,
  failures: text,
  productId: z.int().nullable(),
  nextFollowUp: time.nullable(),
  createdAt: time,
  updatedAt: time,
})
export type ProspectRecord = z.infer<typeof ProspectOut>

/** An activity of a prospect. `metadata` has ids and field names, depending on the type. */
export const PipelineActivityOut = z.object({
  id: z.int(),
  coachId: z.int(),
  prospectId: z.int(),
  type: z.enum(activityTypes),
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: time,
})
export type PipelineActivityRecord = z.infer<typeof PipelineActivityOut>

/** The columns of the form's fields. */
export const prospectColumns = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  location: 'location',
  profession: 'profession',
  timezone: 'timezone',
  company: 'company',
  title: 'title',
  value: 'value',
  probability: 'probability',
  source: 'source',
  notes: 'notes',
  futureGoals: 'future_goals',
  frustrations: 'frustrations',
  fears: 'fears',
  failures: 'failures',
  productId: 'product_id',
  nextFollowUp: 'next_follow_up',
} as const satisfies Record<ProspectField, string>

/** SQL: a row of `pipeline_stage` as a StageRecord. */
export const stageRecordSql = `
  id, coach_id as "coachId", name, color, position as "order", ${isoTimestamp('created_at')} as "createdAt"`

/** SQL: the condition for prospects on the board. */
export const onBoardSql = 'deleted_at is null and converted_at is null'

/** SQL: a row of `prospect` as a ProspectRecord, except for its position in the stage. */
export const prospectRecordSql = `
  id, coach_id as "coachId", name, email, phone, location, profession, timezone, company, title,
  stage_id as "stageId", value, probability, source, notes, future_goals as "futureGoals", frustrations, fears,
  failures,
  product_id as "productId", ${isoTimestamp('next_follow_up')} as "nextFollowUp",
  ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('updated_at')} as "updatedAt"`

/** SQL: a row of `pipeline_activity` as a PipelineActivityRecord. */
export const pipelineActivityRecordSql = `
  id, coach_id as "coachId", prospect_id as "prospectId", type, description, metadata,
  ${isoTimestamp('created_at')} as "createdAt"`

export const stageNotFound = (): AppError => new AppError('not_found', 'Stage not found', { subject: 'pipeline_stage' })
export const prospectNotFound = (): AppError => new AppError('not_found', 'Prospect not found', { subject: 'prospect' })
