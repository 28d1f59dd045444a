import { expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { openOrm } from '#db/orm.ts'
import { extensions } from '#modules/registry.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'

const app = createTestApp()

/** The statements that would bring the database to what the entities say. The look-up functions and the triggers of history, search and erasing are written by hand, in migrations alone. */
async function drift(): Promise<string[]> {
  const orm = await openOrm(app.ownerUrl, { entities: runtime.entities, poolSize: 1 })
  try {
    const statements = await orm.schema.getUpdateSchemaSQL({ wrap: false })
    return statements
      .split('\n')
      .filter(
        (statement) =>
          statement && !/^drop (function|trigger if exists "\w+_(history|words|emptied|forgotten)")/.test(statement),
      )
  } finally {
    await orm.close()
  }
}

test('the migrations make exactly what the entities describe', async () => {
  expect(await drift()).toEqual([])
})

test('of every record the history tells each column, but for what its trigger was told to be silent about', async () => {
  // An alias is given with the account and never changes.
  const ownColumns = ['alias', 'id', 'coach_id', 'created_at', 'updated_at', 'deleted_at', 'search_text']
  for (const { kind, fields } of extensions.recordKinds) {
    const silent = await argumentsOf(`${kind}_history`)
    const columns = await asOwner(app.ownerUrl, (db) =>
      db.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
        [kind],
      ),
    )
    const untold = columns.rows
      .map(({ name }) => name)
      .filter((name) => !(name in fields) && !ownColumns.includes(name) && !silent.includes(name))
    expect([kind, untold]).toEqual([kind, []])
  }
})

test('of every record the search knows each column with light markup', async () => {
  for (const { kind, fields } of extensions.recordKinds) {
    const markup = Object.entries(fields)
      .filter(([, label]) => typeof label === 'object' && 'as' in label && label.as === 'markup')
      .map(([name]) => name)
    const known = await argumentsOf(`${kind}_words`)
    expect([kind, markup.filter((name) => !known.includes(name))]).toEqual([kind, []])
  }
})

test('what stays when the one it refers to is erased forgets what was noted', async () => {
  const { rows } = await asOwner(app.ownerUrl, (db) =>
    db.query<{ name: string }>(
      `select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'client'::regclass and confdeltype = 'n'`,
    ),
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { name } of rows) {
    const noted = extensions.recordKinds.flatMap(({ kind, fields }) =>
      kind === name && 'notes' in fields ? ['notes'] : [],
    )
    expect([name, await argumentsOf(`${name}_emptied`), await argumentsOf(`${name}_last_forgotten`)]).toEqual([
      name,
      noted,
      noted,
    ])
  }
})

async function argumentsOf(trigger: string): Promise<string[]> {
  const { rows } = await asOwner(app.ownerUrl, (db) =>
    db.query<{ name: string }>(
      `select unnest(string_to_array(encode(tgargs, 'escape'), '\\000')) as name from pg_trigger where tgname = $1`,
      [trigger],
    ),
  )
  return rows.map(({ name }) => name).filter(Boolean)
}

test.each([
  ['a column', 'alter table session add column device text'],
  ['a constraint', 'alter table account drop constraint account_bio_length'],
  ['an index', 'drop index account_email_key'],
  ['a policy', 'drop policy session_tenant on session'],
  ['row level security', 'alter table retry disable row level security'],
])('%s that differs is told', async (_what, change) => {
  const before = await drift()
  await asOwner(app.ownerUrl, (db) => db.query(change))
  expect((await drift()).length).toBeGreaterThan(before.length)
})
