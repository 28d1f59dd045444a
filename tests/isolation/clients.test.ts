import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { listTenantTables, readOnlyTables, tenantColumn } from '#tests/support/row-security.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'

// SQL of the serving role with a client of the portal chosen: what it sees and changes, in every table.

const app = createTestApp()
let tenants: TwoTenants
let connection: pg.Client
let tables: string[]
/** The two clients of Ada's with the most rows, and one of Bea's. */
let own: number
let sibling: number
let foreign: number

/** The tables with a rule for clients (`tenantPolicy`). */
const openTables = new Set(
  runtime.entities
    .filter(({ meta }) => meta.policies.some(({ name }) => name === `${meta.tableName}_client_delete`))
    .map(({ meta }) => meta.tableName),
)

beforeAll(async () => {
  tenants = await createTwoTenants(app)
  connection = new pg.Client({ connectionString: app.appUrl })
  await connection.connect()
  tables = await listTenantTables(connection)
  ;[own, sibling] = (await listClients(tenants.ada.id)) as [number, number]
  ;[foreign] = (await listClients(tenants.bea.id)) as [number]
})
afterAll(() => connection?.end())

const listClients = (coachId: number): Promise<number[]> =>
  asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    const { rows } = await db.query<{ id: string }>(
      `select c.id from client c where c.coach_id = $1 and c.deleted_at is null
        order by (select count(*) from appointment a where a.coach_id = $1 and a.client_id = c.id) desc, c.id limit 2`,
      [coachId],
    )
    return rows.map(({ id }) => Number(id))
  })

/** Runs `work` as the app's role with a coach and a client chosen, in a transaction that is rolled back. */
async function asClient<T>(coachId: number, clientId: number, work: () => Promise<T>): Promise<T> {
  await connection.query('begin')
  try {
    const signed = app.platform.databaseSigner.signActor(coachId, null)
    await connection.query(
      `select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true), set_config('app.client_id', $3, true)`,
      [String(coachId), signed, String(clientId)],
    )
    return await work()
  } finally {
    await connection.query('rollback')
  }
}

const listIds = async (table: string): Promise<string[]> =>
  (await connection.query<{ id: string }>(`select id from "${table}"`)).rows.map(({ id }) => id)

const run = async (statement: string): Promise<string> => {
  await connection.query('savepoint attempt')
  return connection.query(statement).then(
    (result) => `${result.rowCount} rows`,
    async (error: Error) => {
      await connection.query('rollback to attempt')
      return error.message
    },
  )
}

const listColumns = async (table: string): Promise<string[]> =>
  (
    await connection.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    )
  ).rows.map(({ name }) => name)

test('the sample has two clients with rows of their own', async () => {
  expect(new Set([own, sibling, foreign]).size).toBe(3)
  for (const client of [own, sibling])
    expect(await asClient(tenants.ada.id, client, () => listIds('appointment'))).not.toEqual([])
})

test('a client sees no row of a table that has no rule for clients, and changes none', async () => {
  for (const table of tables.filter((each) => !openTables.has(each))) {
    const seen = await asClient(tenants.ada.id, own, async () => [
      (await listIdsOrRows(table)).length,
      ...(readOnlyTables.includes(table) ? [] : [await run(`delete from "${table}"`)]),
    ])
    expect([table, ...seen]).toEqual([table, 0, ...(readOnlyTables.includes(table) ? [] : ['0 rows'])])
  }
})

const listIdsOrRows = async (table: string): Promise<unknown[]> =>
  (await connection.query(`select 1 from "${table}"`)).rows

test('what a client sees is theirs, or of nobody in particular', async () => {
  for (const table of openTables) {
    const columns = await listColumns(table)
    const key = table === 'client' ? 'id' : 'client_id'
    if (!columns.includes(key)) continue
    const others = await asClient(tenants.ada.id, own, async () => {
      const { rows } = await connection.query(
        `select id from "${table}" where "${key}" <> ${own} or ${tenantColumn(table)} <> ${tenants.ada.id}`,
      )
      return rows
    })
    expect([table, others]).toEqual([table, []])
  }
})

/** Texts of the practice, which each client sees who has one of them. */
const commonTables = new Set(['form', 'form_version'])

test('two clients of one coach share no row but what is for all', async () => {
  for (const table of [...openTables].filter((name) => !commonTables.has(name))) {
    const seen = async (client: number) => new Set(await asClient(tenants.ada.id, client, () => listIds(table)))
    const [first, second] = [await seen(own), await seen(sibling)]
    const shared = [...first].filter((id) => second.has(id))
    const columns = await listColumns(table)
    const forAll = columns.includes('client_id')
      ? await asClient(tenants.ada.id, own, async () =>
          (await connection.query<{ id: string }>(`select id from "${table}" where client_id is null`)).rows.map(
            ({ id }) => id,
          ),
        )
      : []
    expect([table, shared.filter((id) => !forAll.includes(id))]).toEqual([table, []])
  }
})

test('a client of another coach sees nothing here', async () => {
  for (const table of openTables) {
    if (!(await listColumns(table)).includes(table === 'client' ? 'id' : 'client_id')) continue
    const ids = await asClient(tenants.ada.id, foreign, async () => {
      const key = table === 'client' ? 'id' : 'client_id'
      return (await connection.query(`select id from "${table}" where "${key}" is not null`)).rows
    })
    expect([table, ids]).toEqual([table, []])
  }
})

test('a client deletes nothing, and changes and adds only rows of the tables that say so', async () => {
  for (const table of openTables) {
    const { meta } = runtime.entities.find((entity) => entity.meta.tableName === table)!
    const policy = meta.policies.find(({ name }) => name === `${table}_client`)!
    const writes = policy.check === policy.using
    const [deleted, updated, taken] = await asClient(tenants.ada.id, own, async () => [
      await run(`delete from "${table}"`),
      await run(`update "${table}" set id = id`),
      await run(`update "${table}" set ${tenantColumn(table)} = ${tenants.bea.id}`),
    ])
    const refused = new RegExp(`^(0 rows|new row violates row-level security policy.*"${table}")`)
    expect([table, deleted]).toEqual([table, '0 rows'])
    expect([table, taken]).toEqual([table, expect.stringMatching(refused)])
    if (!writes) expect([table, updated]).toEqual([table, expect.stringMatching(refused)])
    if (writes && (await listColumns(table)).includes('client_id'))
      expect([
        table,
        await asClient(tenants.ada.id, own, () => run(`update "${table}" set client_id = ${sibling}`)),
      ]).toEqual([table, expect.stringMatching(refused)])
  }
})
