import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import {
  goalFields,
  itemKinds,
  itemOwners,
  programFields,
  templateFields,
  type ItemKind,
  type ItemOwner,
  type TemplateMilestone,
} from './fields.ts'

const keys = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as [K, ...K[]]

const MilestoneOut: z.ZodType<TemplateMilestone> = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  week: z.int().describe('Of the program, in which it begins'),
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(keys<ItemKind>(itemKinds)),
      title: z.string(),
      owner: z.enum(keys<ItemOwner>(itemOwners)),
      days: z.int().nullable().describe('After the milestone begins, on which it is due'),
      choiceId: z.int().nullable().describe('The id of the form, appointment type or resource'),
    }),
  ),
})

export const template = defineRecord({
  kind: 'program_template',
  label: 'Program template',
  alias: 't',
  fields: templateFields,
  computed: {
    milestones: { output: z.array(MilestoneOut), sql: 't.milestones' },
    updatedAt: timestamp('t.updated_at'),
  },
})
export type TemplateRecord = z.output<typeof template.output>

export const program = defineRecord({
  kind: 'program',
  label: 'Program',
  alias: 'p',
  fields: programFields,
  computed: {
    templateId: { output: z.int().nullable(), sql: 'p.template_id' },
    completedAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('p.completed_at') },
    updatedAt: timestamp('p.updated_at'),
  },
})
export type ProgramRecord = z.output<typeof program.output>

export const goal = defineRecord({
  kind: 'goal',
  label: 'Goal',
  alias: 'g',
  fields: goalFields,
  computed: {
    programId: { output: z.int(), sql: 'g.program_id' },
    start: { output: z.number(), sql: 'g.start_value' },
    target: { output: z.number(), sql: 'g.target_value' },
    updatedAt: timestamp('g.updated_at'),
  },
})
export type GoalRecord = z.output<typeof goal.output>
