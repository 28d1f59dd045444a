import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import {
  goalFields,
  itemKinds,
  itemOwners,
  programFields,
  templateFields,
  valueSetters,
  type ItemKind,
  type ItemOwner,
  type TemplateMilestone,
  type ValueSetter,
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

export const GoalOut = goal.output.extend({
  value: z.number().describe('The current one; the start before the first value'),
  valueAt: z.iso.datetime().nullable(),
  setBy: z.enum(keys<ValueSetter>(valueSetters)).nullable(),
})
export type GoalOut = z.output<typeof GoalOut>

export const GoalValueOut = z.object({
  id: z.int(),
  coachId: z.int(),
  goalId: z.int(),
  value: z.number(),
  setBy: z.enum(keys<ValueSetter>(valueSetters)),
  createdAt: z.iso.datetime(),
})
export type GoalValueRecord = z.output<typeof GoalValueOut>

/** An item of a client's program. */
export const ItemOut = z.object({
  id: z.int(),
  coachId: z.int(),
  programId: z.int(),
  clientId: z.int(),
  milestoneId: z.int(),
  kind: z.enum(keys<ItemKind>(itemKinds)),
  title: z.string(),
  owner: z.enum(keys<ItemOwner>(itemOwners)),
  dueDate: z.iso.date().nullable(),
  choiceId: z.int().nullable().describe('The id of the form, appointment type or resource'),
  recordId: z.int().nullable().describe('The id of the task, form submission or share that the client got'),
  startedAt: z.iso.datetime().nullable().describe('When the client got it'),
  doneAt: z.iso.datetime().nullable().describe('When it was ticked, or done where it is kept'),
  createdAt: z.iso.datetime(),
})
export type ItemRecord = z.output<typeof ItemOut>

export const ProgressOut = z.object({
  percent: z.int(),
  done: z.int().describe('Items that are done, of those that count'),
  total: z.int().describe('Items that count: those of the client, but for resources'),
  setAt: z.iso.datetime().nullable().describe('When the coach set the percentage by hand; null: it is counted'),
  milestones: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      description: z.string().nullable(),
      startDate: z.iso.date(),
      items: z.array(ItemOut),
    }),
  ),
})
export type ProgressRecord = z.output<typeof ProgressOut>
