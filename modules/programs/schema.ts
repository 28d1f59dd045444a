import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import {
  itemKinds,
  itemOwners,
  valueSetters,
  type ItemKind,
  type ItemOwner,
  type ProgressEntry,
  type TemplateMilestone,
  type ValueSetter,
} from './fields.ts'

/** A program as the coach plans it. Clients get copies. */
export const ProgramTemplate = defineEntity({
  name: 'ProgramTemplate',
  tableName: 'program_template',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    description: p.text().nullable(),
    milestones: p.json().$type<TemplateMilestone[]>().default([]),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('name'),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('program_template_newest', '(coach_id, created_at desc, id desc) where deleted_at is null')],
  checks: [
    check('program_template_name_length', `name <> '' and ${maxLength('name', 255)}`),
    ...lengthChecks('program_template', 2000, ['description']),
    check(
      'program_template_milestones_count',
      `jsonb_typeof(milestones) = 'array' and jsonb_array_length(milestones) <= 50`,
    ),
    check('program_template_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('program_template'),
})

/** A client's program: a copy of a template, with dates. */
export const Program = defineEntity({
  name: 'Program',
  tableName: 'program',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    template: () => tenantReference(ProgramTemplate, 'template_id', 'no action').nullable(),
    name: p.text(),
    description: p.text().nullable(),
    startDate: p.date(),
    completedAt: p.datetime(3).nullable(),
    /** The progress that the coach has set by hand, oldest first. */
    progress: p.json().$type<ProgressEntry[]>().default([]),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('name'),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('program_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('program_client', '(coach_id, client_id)'),
    sqlIndex('program_template_id', '(coach_id, template_id) where template_id is not null'),
    // A template assigned twice is one program.
    sqlIndex(
      'program_running',
      `(coach_id, client_id, template_id)
  where template_id is not null and completed_at is null and deleted_at is null`,
      { unique: true },
    ),
  ],
  checks: [
    check('program_name_length', `name <> '' and ${maxLength('name', 255)}`),
    ...lengthChecks('program', 2000, ['description']),
    check('program_progress_count', `jsonb_typeof(progress) = 'array' and jsonb_array_length(progress) <= 500`),
    check('program_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('program', { clients: { rows: `client_id = ${currentClient} and deleted_at is null` } }),
})
export type ProgramRow = InferEntity<typeof Program>

/** The rows that clients see of the parts of a program: row level security of `program` hides those of the trash. */
const ofOwnProgram = (table: string): string => `client_id = ${currentClient} and exists (
        select 1 from program p where p.coach_id = ${table}.coach_id and p.id = ${table}.program_id)`

export const ProgramMilestone = defineEntity({
  name: 'ProgramMilestone',
  tableName: 'program_milestone',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    program: () => tenantReference(Program, 'program_id', 'cascade'),
    position: p.integer(),
    title: p.text(),
    description: p.text().nullable(),
    startDate: p.date(),
  },
  indexes: [
    sqlIndex('program_milestone_program', '(coach_id, program_id, position)'),
    sqlIndex('program_milestone_client', '(coach_id, client_id)'),
  ],
  checks: [
    check('program_milestone_title_length', `title <> '' and ${maxLength('title', 255)}`),
    ...lengthChecks('program_milestone', 2000, ['description']),
  ],
  ...tenantPolicy('program_milestone', { clients: { rows: ofOwnProgram('program_milestone') } }),
})

export const ProgramItem = defineEntity({
  name: 'ProgramItem',
  tableName: 'program_item',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    program: () => tenantReference(Program, 'program_id', 'cascade'),
    milestone: () => tenantReference(ProgramMilestone, 'milestone_id', 'cascade'),
    position: p.integer(),
    kind: p.text().$type<ItemKind>(),
    title: p.text(),
    owner: p.text().$type<ItemOwner>(),
    dueDate: p.date().nullable(),
    /** The form, appointment type or resource. Its module may be missing, so there is no foreign key. */
    choiceId: p.bigint('number').nullable(),
    /** The task, the submission or the share that the client got. No foreign key either. */
    recordId: p.bigint('number').nullable(),
    /** When the client got it. Null: its milestone hasn't begun. */
    startedAt: p.datetime(3).nullable(),
    /** When it was ticked. */
    doneAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('program_item_program', '(coach_id, program_id)'),
    sqlIndex('program_item_milestone', '(coach_id, milestone_id)'),
    sqlIndex('program_item_client', '(coach_id, client_id)'),
    sqlIndex('program_item_to_start', `(coach_id, program_id) where started_at is null and kind <> 'check'`),
  ],
  checks: [
    check('program_item_kind_allowed', allowedValues('kind', Object.keys(itemKinds))),
    check('program_item_title_length', `title <> '' and ${maxLength('title', 255)}`),
    check('program_item_owner_allowed', allowedValues('owner', Object.keys(itemOwners))),
    check('program_item_started', 'record_id is null or started_at is not null'),
  ],
  // The coach's own items are theirs alone.
  ...tenantPolicy('program_item', {
    clients: { rows: `owner = 'client' and ${ofOwnProgram('program_item')}`, writes: true },
  }),
})

/** A measure of a program: from its start to its target. */
export const Goal = defineEntity({
  name: 'Goal',
  tableName: 'goal',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    program: () => tenantReference(Program, 'program_id', 'cascade'),
    title: p.text(),
    unit: p.text().nullable(),
    startValue: p.double().$type<number>(),
    targetValue: p.double().$type<number>(),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [sqlIndex('goal_program', '(coach_id, program_id)'), sqlIndex('goal_client', '(coach_id, client_id)')],
  checks: [
    check('goal_title_length', `title <> '' and ${maxLength('title', 255)}`),
    ...lengthChecks('goal', 40, ['unit']),
    check('goal_values_differ', 'start_value <> target_value'),
    check('goal_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('goal', { clients: { rows: `deleted_at is null and ${ofOwnProgram('goal')}` } }),
})

/** A value of a goal at one time. The latest is current. */
export const GoalValue = defineEntity({
  name: 'GoalValue',
  tableName: 'goal_value',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    goal: () => tenantReference(Goal, 'goal_id', 'cascade'),
    value: p.double().$type<number>(),
    setBy: p.text().$type<ValueSetter>(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('goal_value_newest', '(coach_id, goal_id, created_at desc, id desc)'),
    sqlIndex('goal_value_client', '(coach_id, client_id)'),
  ],
  checks: [check('goal_value_set_by_allowed', allowedValues('set_by', Object.keys(valueSetters)))],
  ...tenantPolicy('goal_value', {
    clients: {
      rows: `client_id = ${currentClient} and exists (
        select 1 from goal g where g.coach_id = goal_value.coach_id and g.id = goal_value.goal_id)`,
      writes: true,
    },
  }),
})
