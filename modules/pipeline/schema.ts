import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Product } from '#modules/billing/index.ts'
import { Client } from '#modules/crm/index.ts'
import { stageAliases, defaultStageColor, type StageAlias } from './stages.ts'

/** A column of the board. */
export const PipelineStage = defineEntity({
  name: 'PipelineStage',
  tableName: 'pipeline_stage',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    color: p.text().default(defaultStageColor),
    /** The order of the stages, unique among those outside the trash (see `lockStages`). */
    position: p.integer(),
    /** Names the five initial stages. */
    alias: p.text().$type<StageAlias>().nullable(),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  uniques: [{ name: 'pipeline_stage_alias_key', properties: ['coachId', 'alias'] }],
  checks: [
    check('pipeline_stage_name_length', `name <> '' and ${maxLength('name', 255)}`),
    check('pipeline_stage_color_format', `color ~ '^#[0-9a-fA-F]{6}$'`),
    check('pipeline_stage_position_range', 'position >= 0'),
    check('pipeline_stage_alias_allowed', allowedValues('alias', stageAliases)),
    check('pipeline_stage_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('pipeline_stage'),
})
export type StageRow = InferEntity<typeof PipelineStage>

/** A possible client. A converted one stays for the client's history, without a stage. */
export const Prospect = defineEntity({
  name: 'Prospect',
  tableName: 'prospect',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    location: p.text().nullable(),
    profession: p.text().nullable(),
    timezone: p.text().nullable(),
    company: p.text().nullable(),
    title: p.text().nullable(),
    stage: () => tenantReference(PipelineStage, 'stage_id', 'no action').nullable(),
    /** The order inside the stage, with room between neighbours: a move writes one row. */
    position: p.bigint('number'),
    /**
     * The deleted stages it was moved out of, first one first, until it is moved by hand: restoring one of them brings
     * it back there. No foreign key: ids are never reused.
     */
    displacedBy: p.array<number>(Number).columnType('bigint[]').default([]),
    /** Cents. */
    value: p.bigint('number').default(0),
    probability: p.integer().default(0),
    source: p.text().nullable(),
    notes: p.text().nullable(),
    futureGoals: p.text().nullable(),
    frustrations: p.text().nullable(),
    fears: p.text().nullable(),
    failures: p.text().nullable(),
    product: () => tenantReference(Product, 'product_id', 'no action').nullable(),
    nextFollowUp: p.datetime(3).nullable(),
    convertedAt: p.datetime(3).nullable(),
    /** The client it was converted into; erased together. */
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn(`name || chr(10) || coalesce(email, '')`),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('prospect_board', '(coach_id, stage_id, position, id) where deleted_at is null and converted_at is null'),
    sqlIndex(
      'prospect_newest',
      '(coach_id, created_at desc, id desc) where deleted_at is null and converted_at is null',
    ),
    // The search reads nothing else: its statements name no other column.
    sqlIndex('prospect_search', '(coach_id, id) include (search_text, converted_at) where deleted_at is null'),
    { name: 'prospect_client', properties: ['coachId', 'client'] },
  ],
  checks: [
    ...lengthChecks('prospect', 255, [
      'name',
      'phone',
      'location',
      'profession',
      'timezone',
      'company',
      'title',
      'source',
    ]),
    ...lengthChecks('prospect', 254, ['email']),
    ...lengthChecks('prospect', 50_000, ['notes', 'future_goals', 'frustrations', 'fears', 'failures']),
    check('prospect_name_present', `name <> ''`),
    check('prospect_value_range', 'value >= 0 and value <= 9999999999'),
    check('prospect_probability_range', 'probability >= 0 and probability <= 100'),
    check('prospect_version_range', 'version >= 1'),
    check('prospect_stage_present', 'stage_id is not null or deleted_at is not null or converted_at is not null'),
    check('prospect_converted_without_stage', 'converted_at is null or stage_id is null'),
    check('prospect_converted_with_client', '(converted_at is null) = (client_id is null)'),
  ],
  ...tenantPolicy('prospect'),
})
export type ProspectRow = InferEntity<typeof Prospect>

export const activityTypes = ['created', 'moved', 'edited', 'converted', 'deleted', 'restored', 'message'] as const
export type ActivityType = (typeof activityTypes)[number]
export type ActivityMetadata = { from?: number | null; to?: number; fields?: string[]; clientId?: number }

/** An event of a prospect. Never changes; erased with the prospect. */
export const PipelineActivity = defineEntity({
  name: 'PipelineActivity',
  tableName: 'pipeline_activity',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    prospect: () => tenantReference(Prospect, 'prospect_id', 'cascade'),
    type: p.text().$type<ActivityType>(),
    description: p.text(),
    metadata: p.json().$type<ActivityMetadata>(),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('pipeline_activity_prospect', '(coach_id, prospect_id, created_at desc, id desc)')],
  checks: [
    check('pipeline_activity_type_allowed', allowedValues('type', activityTypes)),
    ...lengthChecks('pipeline_activity', 50_000, ['description']),
  ],
  ...tenantPolicy('pipeline_activity'),
})
