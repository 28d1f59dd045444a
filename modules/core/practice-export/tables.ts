import type { EntityMetadata } from '@mikro-orm/core'
import type { Platform } from '#tenants/platform.ts'
import type { ExportRule } from '../manifest.ts'

export type ExportedColumn = {
  name: string
  /** SQL over the row `r`, for the coach $1. */
  select: string
  /** The SQL type of what is exported. */
  type: string
  /** SQL over the row `r` of an export, for the coach $1: the column's value. */
  load: string
}
export type ExportedTable = {
  name: string
  columns: ExportedColumn[]
  /** SQL over the row `r`. */
  where: string
  isOnlyToRead: boolean
  reason: string | null
  hasBytes: boolean
}
export type LeftOut = { name: string; reason: string }

const derived = 'made again from the records'
const access = 'a way to sign in'
const temporary = 'work in progress'

/** Rules of the platform's own tables. */
const platformRules: Record<string, ExportRule> = {
  session: { leftOut: access },
  one_time_token: { leftOut: access },
  authenticator_app: { leftOut: access },
  recovery_code: { leftOut: access },
  passkey: { leftOut: access },
  api_key: { leftOut: access },
  security_event: { leftOut: 'addresses and devices of sign-ins' },
  custom_domain: { leftOut: 'prove your domain again' },
  released_subdomain: { leftOut: 'former addresses of this platform' },
  idempotency_key: { leftOut: temporary },
  file_upload: { leftOut: temporary },
  practice_export: { leftOut: temporary },
  search_content: { leftOut: derived },
}

/** Columns of the account that belong to its installation, and the password. */
export const accountColumnsLeftOut = [
  'id',
  'password_hash',
  'email_verified_at',
  'is_admin',
  'payment_failed_at',
  'module_switches',
  'removed_at',
  'closed_at',
  'closing_reminded_at',
  'last_sign_in_at',
  'custom_domain',
]
const accountReason = 'the password, and what your sign-in has been through'

/** Values that name the installation's own ids: an export has none. */
const translations: Record<string, Record<string, Pick<ExportedColumn, 'select' | 'load'> & { type?: string }>> = {
  history: {
    actor_id: {
      type: 'text',
      select: `case when r.actor_id = $1 then 'coach' when r.actor_id is not null then 'administrator' end`,
      // No account has the id 0.
      load: `case r.actor_id when 'coach' then $1::bigint when 'administrator' then 0 end`,
    },
  },
  stored_file: {
    key: { select: `split_part(r.key, '/', 2)`, load: `concat($1::bigint, '/', r.key)` },
    record_id: {
      select: `case when r.kind <> 'account' then r.record_id end`,
      load: 'coalesce(r.record_id, $1::bigint)',
    },
  },
}

/** The tables of an export: parents before the rows that refer to them. */
export function listExportTables(platform: Platform): { tables: ExportedTable[]; leftOut: LeftOut[] } {
  const rules: Record<string, ExportRule> = Object.assign(
    {},
    platformRules,
    ...platform.extensions.practiceExports.map(({ tables }) => tables),
  )
  const leftOut: LeftOut[] = [{ name: 'account', reason: accountReason }]
  const tables: ExportedTable[] = []
  for (const meta of listTenantEntities(platform)) {
    const rule = rules[meta.tableName]
    if (rule && 'leftOut' in rule) leftOut.push({ name: meta.tableName, reason: rule.leftOut })
    else tables.push(toExportedTable(meta, rule))
    if (rule && 'partly' in rule) leftOut.push({ name: meta.tableName, reason: rule.partly })
  }
  const history = tables.find(({ name }) => name === 'history')!
  const kinds = tables.filter(({ isOnlyToRead }) => !isOnlyToRead).map(({ name }) => `'${name}'`)
  history.where = `r.kind in (${kinds.join(', ')})`
  // The history refers to nothing, and is the largest.
  return { tables: [...tables.filter((table) => table !== history), history], leftOut }
}

function listTenantEntities({ entities, orm }: Platform): EntityMetadata[] {
  const discovered = new Map([...orm.getMetadata().getAll().values()].map((meta) => [meta.tableName, meta]))
  const names = new Set(entities.map(({ meta }) => meta.tableName))
  return [...names]
    .map((name) => discovered.get(name)!)
    .filter(({ tableName, properties }) => 'coachId' in properties || tableName === 'account')
}

function toExportedTable(
  meta: EntityMetadata,
  rule: Exclude<ExportRule, { leftOut: string }> | undefined,
): ExportedTable {
  const name = meta.tableName
  const values = rule && 'values' in rule ? (rule.values ?? {}) : {}
  const without = [
    ...(name === 'account' ? accountColumnsLeftOut : ['coach_id']),
    ...(rule && 'without' in rule ? (rule.without ?? []) : []),
  ]
  const types = new Map(
    Object.values(meta.properties).flatMap(({ fieldNames = [], columnTypes = [], generated, persist }) =>
      generated || persist === false
        ? []
        : fieldNames.map((column, index) => [column, columnTypes[index]!.replace('serial', 'int')] as const),
    ),
  )
  const columns = [...types]
    .filter(([column]) => !without.includes(column))
    .map(([column, type]) => ({
      name: column,
      type,
      select: values[column] ?? `r."${column}"`,
      load: `r."${column}"`,
      ...translations[name]?.[column],
    }))
  return {
    name,
    columns,
    where: rule && 'where' in rule ? (rule.where ?? 'true') : 'true',
    isOnlyToRead: rule !== undefined && 'onlyToRead' in rule,
    reason: rule && 'onlyToRead' in rule ? rule.onlyToRead : null,
    hasBytes: columns.some(({ type }) => type === 'bytea'),
  }
}
