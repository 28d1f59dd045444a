import { describe, expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { openOrm } from '#db/orm.ts'
import { getRoles } from '#db/roles.ts'
import { extensions } from '#modules/registry.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { getDatabaseName } from '#tests/support/database.ts'
import { platformTables } from '#tests/support/row-security.ts'

const app = createTestApp()
const personalColumns = ['bill_to_name', 'bill_to_email', 'bill_to_address', 'notes']

describe('the migrations', () => {
  test('create exactly what the entities describe', async () => {
    expect(await listDrift()).toEqual([])
  })

  test('record every column of a record in the history, except those that its trigger ignores', async () => {
    // The alias of a stage never changes.
    const internal = ['alias', 'id', 'coach_id', 'created_at', 'updated_at', 'deleted_at', 'search_text']
    for (const { kind, fields } of extensions.recordKinds) {
      const ignored = await listTriggerArguments(`${kind}_history`)
      const columns = await query<{ name: string }>(
        `select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = $1`,
        [kind],
      )
      const missing = columns
        .map(({ name }) => name)
        .filter((name) => !(name in fields) && !internal.includes(name) && !ignored.includes(name))
      expect([kind, missing]).toEqual([kind, []])
    }
  })

  test('index every column with light markup for the search', async () => {
    for (const { kind, fields } of extensions.recordKinds) {
      const markup = Object.entries(fields)
        .filter(([, label]) => typeof label === 'object' && 'as' in label && label.as === 'markup')
        .map(([name]) => name)
      const indexed = await listTriggerArguments(`${kind}_content`)
      expect([kind, markup.filter((name) => !indexed.includes(name))]).toEqual([kind, []])
    }
  })

  test('scrub the notes and addresses of records that stay when their client is erased', async () => {
    const tables = await query<{ name: string }>(
      `select conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'client'::regclass and confdeltype <> 'c'`,
    )
    expect(tables.length).toBeGreaterThan(0)
    for (const { name } of tables) {
      const { fields = {} } = extensions.recordKinds.find(({ kind }) => kind === name) ?? {}
      const personal = personalColumns.filter((column) => column in fields)
      const scrubbed = personal.length ? [name, ...personal] : []
      expect([name, await listTriggerArguments(`${name}_clear`)]).toEqual([name, scrubbed])
      expect([name, await listTriggerArguments(`${name}_scrub_history`)]).toEqual([name, scrubbed])
    }
  })
})

/**
 * Rules that allow the tables to be distributed by tenant (docs/operating.md). They hold for every table in `public`.
 */
describe('every tenant table', () => {
  test('has unique keys that begin with the coach', async () => {
    const keys = await query<{ name: string }>(
      `select c.relname as name from pg_index i
        join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indisunique and t.relnamespace = 'public'::regnamespace and t.relname <> all ($1)
        and a.attname is distinct from 'coach_id'
      order by 1`,
      [['account', ...platformTables]],
    )
    // Tokens are looked up before the coach is known: their tables are not distributed.
    expect(keys.map(({ name }) => name)).toEqual([
      'api_key_token_hash_key',
      'one_time_token_hash_key',
      'passkey_credential_id_key',
      'session_token_hash_key',
    ])
  })

  test('has foreign keys that delete the row or do nothing, never set a column to null', async () => {
    const keys = await query<{ name: string; action: string }>(
      `select conname as name, confdeltype as action from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype not in ('a', 'c')`,
    )
    expect(keys).toEqual([])
  })

  test('passes its name to its triggers as the first argument', async () => {
    const triggers = await query<{ table: string; name: string }>(
      `select tgrelid::regclass::text as table, tgname as name from pg_trigger where not tgisinternal`,
    )
    for (const { table, name } of triggers) expect([name, (await listTriggerArguments(name))[0]]).toEqual([name, table])
  })

  test('is not named by tg_table_name in a function', async () => {
    expect(await query(`select proname from pg_proc where prosrc like '%tg_table_name%'`)).toEqual([])
  })
})

test.each([
  ['a column', 'alter table session add column device text'],
  ['a constraint', 'alter table account drop constraint account_bio_length'],
  ['an index', 'drop index account_email_key'],
  ['a policy', 'drop policy session_tenant on session'],
  ['row level security', 'alter table idempotency_key disable row level security'],
])('drift of %s is reported', async (_name, change) => {
  const before = await listDrift()
  await query(change)
  expect((await listDrift()).length).toBeGreaterThan(before.length)
})

/**
 * The statements that would bring the database to what the entities describe, except for what only migrations have:
 * functions, triggers, and the foreign keys to the tables of modules that may be missing.
 */
async function listDrift(): Promise<string[]> {
  const orm = openOrm(app.ownerUrl, { entities: runtime.entities, poolSize: 1 })
  // Tests share the entities: the roles are those of another test's database, or as migrations name them.
  const roles = getRoles(getDatabaseName(app.ownerUrl))
  for (const { policies } of orm.getMetadata().getAll().values())
    for (const policy of policies)
      policy.roles = policy.roles?.map((role) => roles[role.split('_').at(-1) as keyof typeof roles])
  try {
    const statements = await orm.schema.getUpdateSchemaSQL({ wrap: false })
    return statements.split('\n').filter((statement) => statement && !onlyInMigrations.test(statement))
  } finally {
    await orm.close()
  }
}

const onlyInMigrations =
  /^drop (function|trigger)|^alter table "\w+" drop constraint "(\w+_coach_id_prospect|appointment_type_coach_id_product|contract_requirement_coach_id_product)_id_foreign"/

async function listTriggerArguments(trigger: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select unnest(string_to_array(encode(tgargs, 'escape'), '\\000')) as name from pg_trigger where tgname = $1`,
    [trigger],
  )
  return rows.map(({ name }) => name).filter(Boolean)
}

async function query<Row extends object = object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return asOwner(app.ownerUrl, async (db) => (await db.query<Row>(text, values)).rows)
}
