import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { nameRoles, getRoles } from '#db/roles.ts'
import { createDatabase, getDatabaseName } from '#tests/support/database.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'
import {
  historyFunctions,
  lookupFunctions,
  platformTables,
  readOnlyTables,
  tenantColumn,
  listTenantTables,
  findWeaknesses,
} from '#tests/support/row-security.ts'

const app = createTestApp()
let tenants: TwoTenants
let connection: pg.Client
let tables: string[]

beforeAll(async () => {
  tenants = await createTwoTenants(app)
  connection = new pg.Client({ connectionString: app.appUrl })
  await connection.connect()
  tables = await listTenantTables(connection)
})
afterAll(() => connection?.end())

/** Runs `work` as the app's role with `coach` as the tenant, in a transaction that is rolled back. */
async function asTenant<T>(coach: string | number | null, work: () => Promise<T>): Promise<T> {
  await connection.query('begin')
  try {
    if (coach !== null) await connection.query(`select set_config('app.coach_id', $1, true)`, [String(coach)])
    return await work()
  } finally {
    await connection.query('rollback')
  }
}

const countRows = async (table: string, where = 'true'): Promise<number> =>
  Number((await connection.query(`select count(*) as n from "${table}" where ${where}`)).rows[0].n)
/** The columns that the app's role may insert, without generated ones. */
const listColumns = async (table: string): Promise<string[]> =>
  (
    await connection.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
         and has_column_privilege(attrelid, attnum, 'insert')`,
      [table],
    )
  ).rows.map(({ name }) => name)
/** The error's message, or what the statement did. */
const run = async (statement: string, values: unknown[] = []): Promise<string> =>
  connection.query(statement, values).then(
    (result) => `${result.rowCount} rows`,
    (error: Error) => error.message,
  )

describe('the catalog', () => {
  test('has no table, key, view, function or role that gets around row level security', async () => {
    expect(await asOwner(app.ownerUrl, (db) => findWeaknesses(db))).toEqual([])
  })

  test('has a tenant table for each entity', () => {
    const known = runtime.entities
      .map((entity) => entity.meta.tableName)
      .filter((table) => !platformTables.includes(table))
    expect(tables.toSorted()).toEqual(known.toSorted())
  })

  test('the app’s role can’t switch roles, create anything or change the tables', async () => {
    const { rows } = await connection.query<{ name: string }>(
      `select rolname as name from pg_roles where rolname <> current_user and rolname <> $1`,
      [getRoles(getDatabaseName(app.ownerUrl)).app],
    )
    // Roles belong to the cluster: one of another test may be dropped at the same time.
    for (const { name } of rows)
      expect(await run(`set role ${pg.escapeIdentifier(name)}`)).toMatch(
        /permission denied to set role|role "test_\w+" does not exist/,
      )
    expect(await run('set session authorization postgres')).toMatch(/permission denied/)
    expect(await run('create table mine (id int)')).toMatch(/permission denied/)
    expect(await run('create schema mine')).toMatch(/permission denied/)
    expect(await run('alter table account no force row level security')).toMatch(/must be owner/)
    expect(await run('drop policy account_tenant on account')).toMatch(/must be owner/)
    expect(await run('truncate account cascade')).toMatch(/permission denied/)
    expect(await run(`delete from schema_migration`)).toMatch(/permission denied/)
    expect(await run(`copy account to program 'cat'`)).toMatch(/permission denied/)
    expect(await run(`select pg_read_file('/etc/passwd')`)).toMatch(/permission denied/)
    expect(await run('set row_security = off; select id from account')).toMatch(/row-level security/)
  })

  test('the app’s role owns nothing', async () => {
    const { rows } = await connection.query(`
      select c.oid::regclass::text as what from pg_class c where pg_has_role(current_user, c.relowner, 'member')
      union all select p.oid::regprocedure::text from pg_proc p where pg_has_role(current_user, p.proowner, 'member')
      union all select nspname from pg_namespace where pg_has_role(current_user, nspowner, 'member')`)
    expect(rows).toEqual([])
  })

  test('the lookup functions return no whole rows', async () => {
    const { rows } = await connection.query<{ name: string; result: string }>(
      `select proname as name, pg_get_function_result(oid) as result from pg_proc
       where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
    )
    // The functions of a removed module are missing.
    const known = [...lookupFunctions, ...historyFunctions]
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
    for (const { result } of rows) expect(result).not.toMatch(/SETOF (account|session|client)/)
  })
})

describe('rows', () => {
  test.each([
    ['no coach', null],
    ['an empty coach', ''],
    ['an unknown coach', '999999999999'],
    ['zero', '0'],
    ['a negative number', '-1'],
  ])('with %s are visible in no table', async (_name, coach) => {
    for (const table of tables) expect([table, await asTenant(coach, () => countRows(table))]).toEqual([table, 0])
  })

  test.each(['abc', "1' or '1'='1", '1; drop table account', '9223372036854775808', ' ', '1.5', 'null', '\u0661'])(
    'with the coach %j fail in every table',
    async (coach) => {
      for (const table of tables)
        expect(await asTenant(coach, () => run(`select ${tenantColumn(table)} from "${table}"`))).toMatch(
          /invalid input syntax for type bigint|out of range for type bigint/,
        )
    },
  )

  test('of another coach are invisible in every table', async () => {
    const { ada, bea } = tenants
    for (const table of tables) {
      const column = tenantColumn(table)
      expect([table, await asTenant(ada.id, () => countRows(table, `${column} is distinct from ${ada.id}`))]).toEqual([
        table,
        0,
      ])
      expect([table, await asTenant(ada.id, () => countRows(table, `${column} = ${bea.id}`))]).toEqual([table, 0])
      expect([table, (await asTenant(bea.id, () => countRows(table))) > 0]).toEqual([table, true])
    }
  })

  test('of another coach can’t be changed or deleted', async () => {
    const { ada, bea } = tenants
    for (const table of tables.filter((each) => !readOnlyTables.includes(each))) {
      const column = tenantColumn(table)
      expect([
        table,
        await asTenant(ada.id, () => run(`delete from "${table}" where ${column} = $1`, [bea.id])),
      ]).toEqual([table, '0 rows'])
      expect([
        table,
        await asTenant(ada.id, () => run(`update "${table}" set ${column} = ${column} where ${column} = $1`, [bea.id])),
      ]).toEqual([table, '0 rows'])
      expect([table, await asTenant(null, () => run(`delete from "${table}"`))]).toEqual([table, '0 rows'])
    }
  })

  test('can’t be given to another coach or inserted for one', async () => {
    const { ada, bea } = tenants
    for (const table of tables.filter((each) => !readOnlyTables.includes(each))) {
      const column = tenantColumn(table)
      expect([table, await asTenant(ada.id, () => run(`update "${table}" set ${column} = $1`, [bea.id]))]).toEqual([
        table,
        `new row violates row-level security policy for table "${table}"`,
      ])
      const columns = await listColumns(table)
      const values = columns.map((name) => (name === column ? '$1::bigint' : name))
      const copy = `insert into "${table}" (${columns.join(', ')}) select ${values.join(', ')} from "${table}" limit 1`
      expect([table, await asTenant(ada.id, () => run(copy, [bea.id]))]).toEqual([
        table,
        `new row violates row-level security policy for table "${table}"`,
      ])
    }
  })

  test('of the history can’t be changed, deleted, inserted or truncated', async () => {
    const { ada } = tenants
    for (const table of readOnlyTables) {
      for (const statement of [
        `delete from "${table}"`,
        `update "${table}" set kind = 'x'`,
        `insert into "${table}" select * from "${table}"`,
        `truncate "${table}"`,
      ]) {
        expect(await asTenant(ada.id, () => run(statement))).toBe(`permission denied for table ${table}`)
      }
    }
  })
})

describe('findWeaknesses', () => {
  let scratch: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    scratch = await createDatabase(inject('ownerUrl'))
  })
  afterAll(() => scratch?.drop())

  const ownRows = `coach_id = nullif(current_setting('app.coach_id', true), '')::bigint`
  const createTable = (name: string, columns = 'coach_id bigint, id bigint, primary key (coach_id, id)') =>
    `create table ${name} (${columns}); alter table ${name} enable row level security;
    alter table ${name} force row level security; ${noClients(name)}`
  const nobody = `nullif(current_setting('app.client_id', true), '') is null`
  const noClients = (name: string) =>
    `create policy no_clients on ${name} as restrictive to practice_app using (${nobody}) with check (${nobody});`
  const policy = `create policy p on bad using (${ownRows}) with check (${ownRows});`

  test.each([
    [
      'a table without row level security',
      'create table bad (coach_id bigint, id bigint, primary key (coach_id, id))',
      [
        'bad has no row level security',
        'bad does not force row level security on its owner',
        'bad shows clients in the portal all rows',
        'bad has no policy for all commands',
      ],
    ],
    [
      'a primary key without the coach',
      createTable('bad', 'id bigint primary key, coach_id bigint') + policy,
      ['bad has the primary key (id), which does not begin with coach_id'],
    ],
    [
      'row level security that isn’t forced on the owner',
      `${createTable('bad')} alter table bad no force row level security; ${policy}`,
      ['bad does not force row level security on its owner'],
    ],
    [
      'a policy without a check',
      `${createTable('bad')} create policy p on bad using (${ownRows})`,
      ['bad has the policy p with WITH CHECK (nothing)'],
    ],
    [
      'a second policy that allows all rows',
      `${createTable('bad')} ${policy} create policy q on bad for select using (true)`,
      ['bad has the policy q with USING true', 'bad has the policy q with WITH CHECK (nothing)'],
    ],
    [
      'a policy that allows all rows without a coach',
      `${createTable('bad')}
      create policy p on bad using (current_setting('app.coach_id', true) is null or ${ownRows}) with check (${ownRows})`,
      [expect.stringMatching(/^bad has the policy p with USING/)],
    ],
    [
      'a table that clients in the portal see',
      `${createTable('bad')} ${policy} drop policy no_clients on bad`,
      ['bad shows clients in the portal all rows'],
    ],
    [
      'a lookup policy that writes',
      `${createTable('bad')} ${policy} create policy q on bad to practice_lookup using (true) with check (true)`,
      ['bad lets the look-up role do more than read, by the policy q'],
    ],
    [
      'a view with its owner’s privileges',
      'create view bad as select * from account',
      ['bad is a view without security_invoker'],
    ],
    [
      'a materialized view',
      'create materialized view bad as select 1 as one',
      [`bad is a materialized view, which can't have row level security`],
    ],
    [
      'a foreign key without the coach',
      `${createTable('bad')} ${policy} alter table bad add unique (id);
      ${createTable('worse', 'coach_id bigint, id bigint, bad_id bigint references bad (id), primary key (coach_id, id)')}
      create policy p on worse using (${ownRows}) with check (${ownRows})`,
      ['worse refers to bad without the coach (worse_bad_id_fkey)'],
    ],
    [
      'a SECURITY DEFINER function',
      `create function bad() returns int language sql security definer as 'select 1'`,
      [
        expect.stringMatching(/^bad\(\) runs as/),
        expect.stringMatching(/^bad\(\) is owned by/),
        'bad() does not set its search_path',
        'bad() can be called by every role',
      ],
    ],
  ])('reports %s', async (_name, statements, findings) => {
    await asOwner(scratch.ownerUrl, async (db) => {
      const before = await findWeaknesses(db)
      await db.query('begin')
      await db.query(nameRoles(statements, getDatabaseName(scratch.ownerUrl)))
      expect((await findWeaknesses(db)).filter((finding) => !before.includes(finding))).toEqual(findings)
      await db.query('rollback')
    })
  })
})
