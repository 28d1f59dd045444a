import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { createDatabase } from '#tests/support/database.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'
import {
  historyFunctions,
  lookupFunctions,
  readOnly,
  tenantColumn,
  tenantTables,
  findWeaknesses,
} from '#tests/support/row-security.ts'

const app = createTestApp()
let practices: TwoTenants
let connection: pg.Client
let tables: string[]

beforeAll(async () => {
  practices = await createTwoTenants(app)
  connection = new pg.Client({ connectionString: app.appUrl })
  await connection.connect()
  tables = await tenantTables(connection)
})
afterAll(() => connection?.end())

/** In a transaction that is taken back, as the role that serves, with `coach` as the tenant. */
async function as<T>(coach: string | number | null, work: () => Promise<T>): Promise<T> {
  await connection.query('begin')
  try {
    if (coach !== null) await connection.query(`select set_config('app.coach_id', $1, true)`, [String(coach)])
    return await work()
  } finally {
    await connection.query('rollback')
  }
}

const countIn = async (table: string, where = 'true'): Promise<number> =>
  Number((await connection.query(`select count(*) as n from "${table}" where ${where}`)).rows[0].n)
/** Columns that are written, not computed. */
const storedColumns = async (table: string): Promise<string[]> =>
  (
    await connection.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
  ).rows.map(({ name }) => name)
const refusal = async (statement: string, values: unknown[] = []): Promise<string> =>
  connection.query(statement, values).then(
    (result) => `did it, ${result.rowCount} rows`,
    (error: Error) => error.message,
  )

describe('the catalog', () => {
  test('every table is keyed by its coach and under forced row level security, and nothing else reaches around it', async () => {
    expect(await asOwner(app.ownerUrl, (db) => findWeaknesses(db))).toEqual([])
  })

  test('every entity is a table that was looked at', () => {
    const known = runtime.entities.map((entity) => entity.meta.tableName).filter((table) => table !== 'throttle')
    expect(tables.toSorted()).toEqual(known.toSorted())
  })

  test('the role that serves can become nobody else, and make nothing', async () => {
    const { rows } = await connection.query<{ name: string }>(
      `select rolname as name from pg_roles where rolname <> current_user and rolname <> 'practice_app'`,
    )
    // Roles are the whole server's: that of a test which ends at this moment may be gone.
    for (const { name } of rows)
      expect(await refusal(`set role ${pg.escapeIdentifier(name)}`)).toMatch(
        /permission denied to set role|role "test_\w+" does not exist/,
      )
    expect(await refusal('set session authorization postgres')).toMatch(/permission denied/)
    expect(await refusal('create table mine (id int)')).toMatch(/permission denied/)
    expect(await refusal('create schema mine')).toMatch(/permission denied/)
    expect(await refusal('alter table account no force row level security')).toMatch(/must be owner/)
    expect(await refusal('drop policy account_tenant on account')).toMatch(/must be owner/)
    expect(await refusal('truncate account cascade')).toMatch(/permission denied/)
    expect(await refusal(`delete from schema_migration`)).toMatch(/permission denied/)
    expect(await refusal(`copy account to program 'cat'`)).toMatch(/permission denied/)
    expect(await refusal(`select pg_read_file('/etc/passwd')`)).toMatch(/permission denied/)
    expect(await refusal('set row_security = off; select * from account')).toMatch(/row-level security/)
  })

  test('the role that serves owns nothing', async () => {
    const { rows } = await connection.query(`
      select c.oid::regclass::text as what from pg_class c where pg_has_role(current_user, c.relowner, 'member')
      union all select p.oid::regprocedure::text from pg_proc p where pg_has_role(current_user, p.proowner, 'member')
      union all select nspname from pg_namespace where pg_has_role(current_user, nspowner, 'member')`)
    expect(rows).toEqual([])
  })

  test('the look-ups tell nobody what was not asked for', async () => {
    const { rows } = await connection.query<{ name: string; answers: string }>(
      `select proname as name, pg_get_function_result(oid) as answers from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
    )
    expect(rows.map(({ name }) => name).filter((name) => !lookupFunctions.includes(name))).toEqual(historyFunctions)
    for (const { answers } of rows) expect(answers).not.toMatch(/SETOF (account|session|client)/)
  })
})

describe('rows', () => {
  test.each([
    ['no coach', null],
    ['an empty coach', ''],
    ['a coach that nobody is', '999999999999'],
    ['zero', '0'],
    ['a negative number', '-1'],
  ])('with %s there is none in any table', async (_what, coach) => {
    for (const table of tables) expect([table, await as(coach, () => countIn(table))]).toEqual([table, 0])
  })

  test.each(['abc', "1' or '1'='1", '1; drop table account', '9223372036854775808', ' ', '1.5', 'null', '\u0661'])(
    'with %j for a coach every table refuses',
    async (coach) => {
      for (const table of tables)
        expect(await as(coach, () => refusal(`select * from "${table}"`))).toMatch(
          /invalid input syntax for type bigint|out of range for type bigint/,
        )
    },
  )

  test('a coach sees their own rows alone, in every table', async () => {
    const { ada, bea } = practices
    for (const table of tables) {
      const column = tenantColumn(table)
      expect([table, await as(ada.id, () => countIn(table, `${column} is distinct from ${ada.id}`))]).toEqual([
        table,
        0,
      ])
      expect([table, await as(ada.id, () => countIn(table, `${column} = ${bea.id}`))]).toEqual([table, 0])
      expect([table, (await as(bea.id, () => countIn(table))) > 0]).toEqual([table, true])
    }
  })

  test('a coach changes and removes nothing of another', async () => {
    const { ada, bea } = practices
    for (const table of tables.filter((each) => !readOnly.includes(each))) {
      const column = tenantColumn(table)
      expect([table, await as(ada.id, () => refusal(`delete from "${table}" where ${column} = $1`, [bea.id]))]).toEqual(
        [table, 'did it, 0 rows'],
      )
      expect([
        table,
        await as(ada.id, () => refusal(`update "${table}" set ${column} = ${column} where ${column} = $1`, [bea.id])),
      ]).toEqual([table, 'did it, 0 rows'])
      expect([table, await as(null, () => refusal(`delete from "${table}"`))]).toEqual([table, 'did it, 0 rows'])
    }
  })

  test('a coach can not hand a row to another, nor write one in their name', async () => {
    const { ada, bea } = practices
    for (const table of tables.filter((each) => !readOnly.includes(each))) {
      const column = tenantColumn(table)
      expect([table, await as(ada.id, () => refusal(`update "${table}" set ${column} = $1`, [bea.id]))]).toEqual([
        table,
        `new row violates row-level security policy for table "${table}"`,
      ])
      const columns = (await storedColumns(table)).join(', ')
      const copied = `insert into "${table}" (${columns}) select ${columns} from (select (jsonb_populate_record(t, jsonb_build_object('${column}', $1::bigint))).* from "${table}" t limit 1) copy`
      expect([table, await as(ada.id, () => refusal(copied, [bea.id]))]).toEqual([
        table,
        `new row violates row-level security policy for table "${table}"`,
      ])
    }
  })

  test('nobody who serves changes, removes or forges what the history says', async () => {
    const { ada } = practices
    for (const table of readOnly) {
      for (const statement of [
        `delete from "${table}"`,
        `update "${table}" set kind = 'x'`,
        `insert into "${table}" select * from "${table}"`,
        `truncate "${table}"`,
      ]) {
        expect(await as(ada.id, () => refusal(statement))).toBe(`permission denied for table ${table}`)
      }
    }
  })
})

describe('the check itself', () => {
  let scratch: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    scratch = await createDatabase(inject('ownerUrl'))
  })
  afterAll(() => scratch?.drop())

  const tenant = `coach_id = nullif(current_setting('app.coach_id', true), '')::bigint`
  const guarded = (name: string) =>
    `create table ${name} (coach_id bigint, id bigint, primary key (coach_id, id)); alter table ${name} enable row level security; alter table ${name} force row level security`

  test.each([
    [
      'a table without row level security',
      'create table bad (coach_id bigint, id bigint, primary key (coach_id, id))',
      [
        'bad has no row level security',
        'bad does not force row level security on its owner',
        'bad has no policy for all commands',
      ],
    ],
    [
      'a key without the coach',
      `create table bad (id bigint primary key, coach_id bigint); alter table bad enable row level security; alter table bad force row level security; create policy p on bad using (${tenant}) with check (${tenant})`,
      ['bad has the primary key (id), which does not begin with coach_id'],
    ],
    [
      'row level security that its owner escapes',
      `${guarded('bad')}; alter table bad no force row level security; create policy p on bad using (${tenant}) with check (${tenant})`,
      ['bad does not force row level security on its owner'],
    ],
    [
      'a policy without a check',
      `${guarded('bad')}; create policy p on bad using (${tenant})`,
      ['bad has the policy p with WITH CHECK (nothing)'],
    ],
    [
      'a second policy that lets all through',
      `${guarded('bad')}; create policy p on bad using (${tenant}) with check (${tenant}); create policy q on bad for select using (true)`,
      ['bad has the policy q with USING true', 'bad has the policy q with WITH CHECK (nothing)'],
    ],
    [
      'a policy that fails open',
      `${guarded('bad')}; create policy p on bad using (current_setting('app.coach_id', true) is null or ${tenant}) with check (${tenant})`,
      [expect.stringMatching(/^bad has the policy p with USING/)],
    ],
    [
      'a look-up policy that writes',
      `${guarded('bad')}; create policy p on bad using (${tenant}) with check (${tenant}); create policy q on bad to practice_lookup using (true) with check (true)`,
      ['bad lets practice_lookup do more than read, by the policy q'],
    ],
    [
      'a view with its owner’s rights',
      'create view bad as select * from account',
      ['bad is a view without security_invoker'],
    ],
    [
      'a materialized view',
      'create materialized view bad as select 1 as one',
      ['bad is a materialized view, which knows no row level security'],
    ],
    [
      'a foreign key without the coach',
      `${guarded('bad')}; create policy p on bad using (${tenant}) with check (${tenant}); alter table bad add unique (id); create table worse (coach_id bigint, id bigint, bad_id bigint references bad (id), primary key (coach_id, id)); alter table worse enable row level security; alter table worse force row level security; create policy p on worse using (${tenant}) with check (${tenant})`,
      ['worse points to bad without the coach (worse_bad_id_fkey)'],
    ],
    [
      'a function with rights of its own',
      `create function bad() returns int language sql security definer as 'select 1'`,
      [
        expect.stringMatching(/^bad\(\) runs with the rights of/),
        expect.stringMatching(/^bad\(\) belongs to/),
        'bad() does not fix its search_path',
        'bad() may be called by everybody',
      ],
    ],
  ])('reports %s', async (_what, statements, said) => {
    await asOwner(scratch.ownerUrl, async (db) => {
      const before = await findWeaknesses(db)
      await db.query('begin')
      await db.query(statements)
      expect((await findWeaknesses(db)).filter((sentence) => !before.includes(sentence))).toEqual(said)
      await db.query('rollback')
    })
  })
})
