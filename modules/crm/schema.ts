import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, lookupPolicy, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import type { Mapping } from './import/column-mapping.ts'
import { clientStatuses, type ClientStatus } from './fields.ts'

/** A person whom the coach works with. */
export const Client = defineEntity({
  name: 'Client',
  tableName: 'client',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    location: p.text().nullable(),
    profession: p.text().nullable(),
    timezone: p.text().nullable(),
    program: p.text().nullable(),
    status: p.text().$type<ClientStatus>().default('active'),
    progress: p.integer().default(0),
    tags: p.array().columnType('text[]').default([]),
    goals: p.text().nullable(),
    notes: p.text().nullable(),
    futureGoals: p.text().nullable(),
    frustrations: p.text().nullable(),
    fears: p.text().nullable(),
    failures: p.text().nullable(),
    convertedAt: p.datetime(3).nullable(),
    convertedFromProspectId: p.bigint('number').nullable(),
    /** Cents. A cache of the completed purchases, kept by the module that sells. */
    totalSpent: p.bigint('number').default(0),
    /** The other client of the latest merge, for the history alone. No foreign key: it may be erased. */
    mergedWithId: p.bigint('number').nullable(),
    /** Archived clients don't count toward the plan. */
    archivedAt: p.datetime(3).nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn(`name || chr(10) || email`),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('client_current', '(coach_id, created_at desc, id desc) where deleted_at is null and archived_at is null'),
    sqlIndex('client_email', '(coach_id, lower(email)) where deleted_at is null'),
    // The search reads nothing else: its statements and the policies name no other column.
    sqlIndex('client_search', '(coach_id, id) include (search_text, archived_at, deleted_at) where deleted_at is null'),
    sqlIndex('client_tagged', `(coach_id) where tags <> '{}'`),
    sqlIndex('client_trash', '(coach_id, deleted_at) where deleted_at is not null'),
  ],
  checks: [
    ...lengthChecks('client', 255, ['name', 'phone', 'location', 'profession', 'timezone', 'program']),
    ...lengthChecks('client', 254, ['email']),
    ...lengthChecks('client', 50_000, ['goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures']),
    check('client_name_present', `name <> ''`),
    check('client_email_present', `email <> ''`),
    check('client_status_allowed', allowedValues('status', clientStatuses)),
    check('client_progress_range', 'progress >= 0 and progress <= 100'),
    check('client_tags_count', 'cardinality(tags) <= 20 and array_position(tags, null) is null'),
    check('client_total_spent_range', 'total_spent >= 0'),
    check('client_version_range', 'version >= 1'),
  ],
  ...lookupPolicy('client', { clients: { rows: `id = ${currentClient} and deleted_at is null` } }),
})
export type ClientRow = InferEntity<typeof Client>

/** An entry of the dashboard's recent activity. Never changes; erased with its client. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    type: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('activity_newest', '(coach_id, created_at desc, id desc)'),
    { name: 'activity_client', properties: ['coachId', 'client'] },
  ],
  checks: [
    check('activity_type_format', `type ~ '^[a-z]+(_[a-z]+)*$' and char_length(type) <= 60`),
    ...lengthChecks('activity', 255, ['title']),
    ...lengthChecks('activity', 50_000, ['description']),
  ],
  ...tenantPolicy('activity'),
})

/**
 * A session, call or email with a client, or an automatic entry (`source`). Hidden while its client is in the trash.
 */
export const ClientInteraction = defineEntity({
  name: 'ClientInteraction',
  tableName: 'client_interaction',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    /** The session that it is about. No foreign key: scheduling depends on this module. */
    appointmentId: p.bigint('number').nullable(),
    name: p.text(),
    /** Light markup, as `summary`. */
    content: p.text().nullable(),
    summary: p.text().nullable(),
    source: p.text().default('manual'),
    interactionDate: p.datetime(3),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex(
      'client_interaction_client',
      '(coach_id, client_id, interaction_date desc, id desc) where deleted_at is null',
    ),
    sqlIndex('client_interaction_newest', '(coach_id, interaction_date desc, id desc) where deleted_at is null'),
  ],
  checks: [
    check('client_interaction_name_length', `name <> '' and ${maxLength('name', 255)}`),
    ...lengthChecks('client_interaction', 50_000, ['content', 'summary']),
    check('client_interaction_source_format', `source ~ '^[a-z]+(_[a-z]+)*$' and char_length(source) <= 60`),
    check('client_interaction_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('client_interaction'),
})
export type ClientInteractionRow = InferEntity<typeof ClientInteraction>

/** A saved view of the client list: its search, filters and order. */
export const ClientView = defineEntity({
  name: 'ClientView',
  tableName: 'client_view',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    /** The URL of the list. */
    url: p.text(),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('client_view_name_key', '(coach_id, lower(name))', { unique: true })],
  checks: [
    check('client_view_name_length', `name <> '' and ${maxLength('name', 60)}`),
    ...lengthChecks('client_view', 2000, ['url']),
  ],
  ...tenantPolicy('client_view'),
})

export const bulkActions = ['add-tag', 'remove-tag', 'status', 'archive', 'unarchive', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** A change of many clients, and what undoes it. Erased after 30 days. */
export const ClientChange = defineEntity({
  name: 'ClientChange',
  tableName: 'client_change',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    action: p.text().$type<BulkAction>(),
    /** The tag or the status. */
    value: p.text().nullable(),
    /** For each client that was changed, what it had before. */
    before: p.json().$type<[id: number, before: string | null][]>(),
    undoneAt: p.datetime(3).nullable(),
    ...columns.timestamps,
  },
  checks: [
    check('client_change_action_allowed', allowedValues('action', bulkActions)),
    ...lengthChecks('client_change', 60, ['value']),
  ],
  ...tenantPolicy('client_change'),
})

/** The rows of a merge that were moved, by table. */
export type MovedRecords = Record<string, number[]>
/** A field of the kept client that a merge changed. */
export type MergedField = { from: unknown; to: unknown }

/**
 * Two clients that became one: whose records went where, and what undoes it. Kept while the client who was kept is
 * there; `merged` is null once the other one is erased, and nothing can be undone any more.
 */
export const ClientMerge = defineEntity({
  name: 'ClientMerge',
  tableName: 'client_merge',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kept: () => tenantReference(Client, 'kept_id', 'cascade'),
    merged: () => tenantReference(Client, 'merged_id', 'no action').nullable(),
    moved: p.json().$type<MovedRecords>(),
    /** The highest id of each table at the time of the merge. */
    lastIds: p.json().$type<Record<string, number>>(),
    fields: p.json().$type<Record<string, MergedField>>(),
    undoneAt: p.datetime(3).nullable(),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('client_merge_kept', '(coach_id, kept_id)'),
    // A client is merged into one other at a time.
    sqlIndex('client_merge_active', '(coach_id, merged_id) where undone_at is null', { unique: true }),
  ],
  checks: [check('client_merge_two_clients', 'kept_id <> merged_id')],
  ...tenantPolicy('client_merge'),
})

export const importStatuses = ['mapping', 'ready', 'running', 'done', 'undoing', 'undone'] as const
export type ImportStatus = (typeof importStatuses)[number]

/**
 * A file of clients on its way in: what it holds, how it is read, and how far its rows have come. Erased after 30 days.
 */
export const ClientImport = defineEntity({
  name: 'ClientImport',
  tableName: 'client_import',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    fileName: p.text(),
    content: p.blob(),
    /** Chosen by the coach; null: recognised. */
    encoding: p.text().nullable(),
    /** The recognized origin of the file: one of `Source`. */
    source: p.text().nullable(),
    mapping: p.json().$type<Mapping>(),
    /** Rows (from 0) that the coach doesn't want to import. */
    deselected: p.json().$type<number[]>().default([]),
    /** A tag for all clients of the import. */
    tag: p.text().nullable(),
    status: p.text().$type<ImportStatus>(),
    /** Rows of the file, and how many of them are dealt with. */
    total: p.integer(),
    position: p.integer().default(0),
    created: p.integer().default(0),
    duplicates: p.integer().default(0),
    failed: p.integer().default(0),
    /** People for whom the plan had no room, the first of them on the row `fullAt` (from 0). */
    leftOut: p.integer().default(0),
    fullAt: p.integer().nullable(),
    /** Rows that would have been imported, but were deselected. */
    notSelected: p.integer().default(0),
    finishedAt: p.datetime(3).nullable(),
    ...columns.timestamps,
  },
  checks: [
    ...lengthChecks('client_import', 255, ['file_name']),
    check('client_import_content_size', 'octet_length(content) <= 10485760'),
    check('client_import_status_allowed', allowedValues('status', importStatuses)),
    check('client_import_position_range', 'position >= 0 and position <= total'),
    check('client_import_counts', 'created + duplicates + failed + left_out + not_selected = position'),
    check('client_import_deselected_list', `jsonb_typeof(deselected) = 'array'`),
    ...lengthChecks('client_import', 40, ['tag']),
  ],
  ...tenantPolicy('client_import'),
})
export type ClientImportRow = InferEntity<typeof ClientImport>

/** `moved`: to the trash. The others are why the undo of an import left a client alone. */
export const undoOutcomes = ['moved', 'changed', 'archived', 'used', 'deleted'] as const
export type UndoOutcome = (typeof undoOutcomes)[number]

/** A client that an import has added, and what its undo did. Deleted with the import. */
export const ImportedClient = defineEntity({
  name: 'ImportedClient',
  tableName: 'imported_client',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    import: () => tenantReference(ClientImport, 'import_id', 'cascade'),
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    /** Null: not undone. */
    outcome: p.text().$type<UndoOutcome>().nullable(),
    /** The kind of a record that the client has, if it was kept for that. */
    usedBy: p.text().nullable(),
  },
  indexes: [
    sqlIndex('imported_client_import', '(coach_id, import_id, id)'),
    sqlIndex('imported_client_client', '(coach_id, client_id)', { unique: true }),
  ],
  checks: [
    check('imported_client_outcome_allowed', allowedValues('outcome', undoOutcomes)),
    ...lengthChecks('imported_client', 100, ['used_by']),
  ],
  ...tenantPolicy('imported_client'),
})
