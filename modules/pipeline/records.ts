import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { prospectFields, stageFields } from './fields.ts'
import { activityTypes } from './schema.ts'

export const stage = defineRecord({
  kind: 'pipeline_stage',
  label: 'Stage',
  fields: stageFields,
  computed: { order: { output: z.int(), sql: 'position' } },
})
export const StageOut = stage.output
export type StageRecord = z.output<typeof StageOut>

export const prospect = defineRecord({
  kind: 'prospect',
  label: 'Prospect',
  fields: prospectFields,
  computed: { updatedAt: timestamp('updated_at') },
})
/** `position` is not part of `prospect.select`: it depends on the other prospects of the stage. */
export const ProspectOut = prospect.output.extend({
  position: z.int().describe('The position in its stage, from 0'),
})
export type ProspectRecord = z.output<typeof ProspectOut>

/** SQL: the condition for prospects on the board. */
export const onBoardSql = 'deleted_at is null and converted_at is null'

/** An activity of a prospect. `metadata` has ids and field names, depending on the type. */
export const PipelineActivityOut = z.object({
  id: z.int(),
  coachId: z.int(),
  prospectId: z.int(),
  type: z.enum(activityTypes),
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
})
export type PipelineActivityRecord = z.infer<typeof PipelineActivityOut>

/** Selects a PipelineActivityRecord. */
export const activitySelect = `
  id, coach_id as "coachId", prospect_id as "prospectId", type, description, metadata,
  ${isoTimestamp('created_at')} as "createdAt"`
