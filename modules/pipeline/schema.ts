import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { atMost, oneOf, searched, tenantColumns, tenantPolicy, timestamps } from '#db/columns.ts'
import { Product } from '#modules/billing/index.ts'
import { Client } from '#modules/crm/index.ts'
import { stageAliases, usualColor, type StageAlias } from './forms.ts'

const check = (name: string, expression: string) => ({ name, expression })
const lengths = (table: string, max: number, columns: string[]) =>
  columns.map((column) => check(`${table}_${column}_length`, atMost(column, max)))

/** A column of the board. */
export const PipelineStage = defineEntity({
  name: 'PipelineStage',
  tableName: 'pipeline_stage',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    name: p.text(),
    color: p.text().default(usualColor),
    /** The stages stand in this order; two of them never have the same (see `holdStages`). */
    position: p.integer(),
    /** The five that an account begins with are also known by these. */
    alias: p.text().$type<StageAlias>().nullable(),
    deletedAt: p.datetime(3).nullable(),
    /** Counts the edits of name and color, so that the second of two open tabs is told. */
    version: p.integer().default(1),
    ...timestamps,
  },
  uniques: [{ name: 'pipeline_stage_alias_key', properties: ['coachId', 'alias'] }],
  checks: [
    check('pipeline_stage_name_length', `name <> '' and ${atMost('name', 255)}`),
    check('pipeline_stage_color_shape', `color ~ '^#[0-9a-fA-F]{6}$'`),
    check('pipeline_stage_position_range', 'position >= 0'),
    check('pipeline_stage_alias_known', oneOf('alias', stageAliases)),
    check('pipeline_stage_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('pipeline_stage'),
})
export type StageRow = InferEntity<typeof PipelineStage>

/** Somebody who may become a client. Converted, the row stays for the client's history, and holds no stage. */
export const Prospect = defineEntity({
  name: 'Prospect',
  tableName: 'prospect',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    location: p.text().nullable(),
    profession: p.text().nullable(),
    timezone: p.text().nullable(),
    company: p.text().nullable(),
    title: p.text().nullable(),
    stage: () =>
      p
        .manyToOne(PipelineStage)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'stage_id')
        .ownColumns('stage_id')
        .updateRule('no action')
        .deleteRule('set null (stage_id)'),
    /** The order inside the stage, with room between neighbours: a move writes one row. */
    position: p.bigint('number'),
    /**
     * The stages that were deleted from under it, the first one first, until somebody moves it: restoring one of them brings it
     * back there. No foreign key: an id of a stage that was erased is never that of another one.
     */
    displacedBy: p.array<number>(Number).columnType('bigint[]').default([]),
    /** The first of these, as the version before this one notes it; only read and emptied, and gone in a later one. */
    displacedFrom: () =>
      p
        .manyToOne(PipelineStage)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'displaced_from_id')
        .ownColumns('displaced_from_id')
        .updateRule('no action')
        .deleteRule('set null (displaced_from_id)'),
    /** Cents. */
    value: p.bigint('number').default(0),
    probability: p.integer().default(0),
    source: p.text().nullable(),
    notes: p.text().nullable(),
    futureGoals: p.text().nullable(),
    frustrations: p.text().nullable(),
    fears: p.text().nullable(),
    failures: p.text().nullable(),
    product: () =>
      p
        .manyToOne(Product)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'product_id')
        .ownColumns('product_id')
        .updateRule('no action')
        .deleteRule('set null (product_id)'),
    nextFollowUp: p.datetime(3).nullable(),
    convertedAt: p.datetime(3).nullable(),
    /** Who came of it; erased together. */
    client: () =>
      p
        .manyToOne(Client)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'client_id')
        .ownColumns('client_id')
        .updateRule('no action')
        .deleteRule('cascade'),
    deletedAt: p.datetime(3).nullable(),
    /** Counts the edits, so that the second of two open tabs is told. */
    version: p.integer().default(1),
    ...searched(`name || chr(10) || coalesce(email, '')`),
    ...timestamps,
  },
  indexes: [
    {
      name: 'prospect_board',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, stage_id, position, id) where deleted_at is null and converted_at is null`,
    },
    {
      name: 'prospect_newest',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, created_at desc, id desc) where deleted_at is null and converted_at is null`,
    },
    {
      // The search reads nothing else: its statements name no other column.
      name: 'prospect_searched',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, id) include (search_text, converted_at) where deleted_at is null`,
    },
    { name: 'prospect_of_client', properties: ['coachId', 'client'] },
  ],
  checks: [
    ...lengths('prospect', 255, ['name', 'phone', 'location', 'profession', 'timezone', 'company', 'title', 'source']),
    ...lengths('prospect', 254, ['email']),
    ...lengths('prospect', 50_000, ['notes', 'future_goals', 'frustrations', 'fears', 'failures']),
    check('prospect_name_present', `name <> ''`),
    check('prospect_value_range', 'value >= 0 and value <= 9999999999'),
    check('prospect_probability_range', 'probability >= 0 and probability <= 100'),
    check('prospect_version_range', 'version >= 1'),
    check('prospect_stands_somewhere', 'stage_id is not null or deleted_at is not null or converted_at is not null'),
    check('prospect_converted_is_off_board', 'converted_at is null or stage_id is null'),
    check('prospect_converted_has_client', '(converted_at is null) = (client_id is null)'),
  ],
  ...tenantPolicy('prospect'),
})
export type ProspectRow = InferEntity<typeof Prospect>

export const activityTypes = ['created', 'moved', 'edited', 'converted', 'deleted', 'restored'] as const
export type ActivityType = (typeof activityTypes)[number]
export type ActivityMetadata = { from?: number | null; to?: number; fields?: string[]; clientId?: number }

/** What happened with a prospect. Never changed, erased with it. */
export const PipelineActivity = defineEntity({
  name: 'PipelineActivity',
  tableName: 'pipeline_activity',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    prospect: () =>
      p
        .manyToOne(Prospect)
        .ref()
        .joinColumns('coach_id', 'prospect_id')
        .ownColumns('prospect_id')
        .updateRule('no action')
        .deleteRule('cascade'),
    type: p.text().$type<ActivityType>(),
    description: p.text(),
    metadata: p.json().$type<ActivityMetadata>(),
    createdAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'pipeline_activity_of_prospect',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, prospect_id, created_at desc, id desc)`,
    },
  ],
  checks: [
    check('pipeline_activity_type_known', oneOf('type', activityTypes)),
    ...lengths('pipeline_activity', 50_000, ['description']),
  ],
  ...tenantPolicy('pipeline_activity'),
})
