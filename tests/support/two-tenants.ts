import type pg from 'pg'
import { allOperations } from '#app/server/process/runtime.ts'
import { modules } from '#modules/registry.ts'
import { saveLogo } from '#tenants/accounts/logos.ts'
import { OneTimeToken, Retry } from '#tenants/schema.ts'
import { aCoach, asCoach, ctxFor, type Coach, type House } from './test-app.ts'
import { asOwner } from './as-db-owner.ts'
import { tenantColumn, tenantTables } from './row-security.ts'
import { bodyFor, idFieldsOf, listOf } from './request-samples.ts'

/** Stands in every text of the second practice that takes it, with the table's name behind it: found anywhere near the first, it is a leak. */
export const canary = 'canary7f3'

export type Practices = {
  ada: Coach
  /** Another practice, whose ids lie far from Ada's and whose texts carry the canary. */
  bea: Coach
  /** Table → Bea's ids in it. */
  ids: Map<string, number[]>
}

/**
 * Two practices with rows in every tenant table: those of the demo practice (each module's `seed`), one of each
 * kind that the API adds, and those that the house makes. Throws, and says what to do, when a table stays empty.
 */
export async function twoPractices(house: House): Promise<Practices> {
  const ada = await practice(house, 'ada')
  await moveSequences(house.ownerUrl)
  const bea = await practice(house, 'bea')
  const ids = await mark(house.ownerUrl, bea)
  return { ada, bea, ids }
}

async function practice(house: House, name: string): Promise<Coach> {
  const coach = await aCoach(house, { plan: 'premium', subdomain: `${name}-coaching`, email: `${name}@example.com` })
  const ctx = await ctxFor(coach)
  for (const module of modules) await module.seed?.(ctx, { which: 'first', now: house.clock.now })
  await fillByCalls(coach)
  await asCoach(coach, (tx) => saveLogo(tx, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))
  await fillRest(house.ownerUrl, coach)
  await asCoach(coach, async ({ em }) => {
    em.create(OneTimeToken, {
      coachId: coach.id,
      kind: 'reset',
      tokenHash: Buffer.from(`token of ${name}`),
      expiresAt: new Date(house.clock.now.getTime() + 3_600_000),
    })
    em.create(Retry, {
      coachId: coach.id,
      key: `key of ${name}`,
      requestHash: Buffer.from(name),
      status: 201,
      body: '{}',
      createdAt: house.clock.now,
    })
  })
  return coach
}

/** What a practice holds, as the owner of the database sees it, in a text to compare: of each table how many rows, and a number that any change to them changes. */
export function everythingOf({ ownerUrl }: House, coachId: number): Promise<string> {
  return asOwner(ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    const held = (await tenantTables(db)).map(
      (table) =>
        `select '${table}' as name, count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)), 0) as number from "${table}" t where ${tenantColumn(table)} = $1`,
    )
    const { rows } = await db.query(
      `select string_agg(concat_ws(' ', name, rows, number), e'\n' order by name) as all from (${held.join(' union all ')}) tables`,
      [coachId],
    )
    return rows[0].all
  })
}

/** A record of the coach's; where there is none, of the demo practice. */
export async function seededId(table: string, coach: Coach): Promise<number> {
  const ctx = await ctxFor(coach)
  const newest = async () =>
    (
      await ctx.rows<{ id: number | null }>({
        name: `test.newest.${table}`,
        text: `select max(id) as id from "${table}" where deleted_at is null`,
      })
    )[0]!.id
  if ((await newest()) === null)
    for (const module of modules) await module.seed?.(ctx, { which: 'second', now: coach.house.clock.now })
  return (await newest())!
}

/** One record of each kind that the API makes: each call that adds to a list, in the order of the registry. */
async function fillByCalls(coach: Coach): Promise<void> {
  const { operations } = allOperations()
  const lists = operations
    .filter(({ method, path, access }) => method === 'get' && access === 'coach' && !path.includes('{'))
    .map(({ path }) => path)
  for (const operation of operations) {
    if (operation.method !== 'post' || operation.access !== 'coach' || !lists.includes(operation.path)) continue
    const body = bodyFor(operation)
    for (const field of idFieldsOf(operation)) {
      const list = listOf(field, operations)
      if (list) body[field] = (await coach.house.call('GET', `/api${list}`, { as: coach })).body[0]?.id
    }
    await coach.house.call('POST', `/api${operation.path}`, { as: coach, body })
  }
}

/** Rows of tables that no demo practice fills, since they hold work that is under way. */
const unfinished: Record<string, string> = {
  client_import: `insert into client_import (coach_id, file_name, content, mapping, status, total, created_at, updated_at)
    values ($1, 'clients.csv', convert_to('Name,Email\nMara ${canary},mara@example.com', 'UTF8'), '{"${canary}": "name"}', 'ready', 1, now(), now())`,
}

async function fillRest(ownerUrl: string, coach: Coach): Promise<void> {
  await asOwner(ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    const tables = await tenantTables(db)
    for (const [table, statement] of Object.entries(unfinished))
      if (tables.includes(table)) await db.query(statement, [coach.id])
  })
}

/** Each table counts on from a place of its own, so that no id of Bea's is anybody's id in another table. */
async function moveSequences(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (db) => {
    const { rows } = await db.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`,
    )
    for (const [at, { name }] of rows.entries())
      await db.query(`select setval($1::regclass, $2)`, [name, 7_000_000 + at * 100_000])
  })
}

/** Writes the canary into every text that takes it, and answers the ids. */
async function mark(ownerUrl: string, coach: Coach): Promise<Map<string, number[]>> {
  return asOwner(ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    const ids = new Map<string, number[]>()
    for (const table of await tenantTables(db)) {
      const { rows: columns } = await db.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and data_type = 'text' and is_generated = 'NEVER'`,
        [table],
      )
      for (const { name } of columns)
        if (!untouched.has(`${table}.${name}`))
          await tryTo(db, `update "${table}" set "${name}" = coalesce("${name}", '') || ' ${canary}.${table}'`)
      const { rows } = await db.query<{ id: number }>(`select * from "${table}" where ${tenantColumn(table)} = $1`, [
        coach.id,
      ])
      if (!rows.length) {
        throw new Error(
          `No row of the second practice is in the table "${table}". Let the seed of its module (seed.ts) make at least one, or add it to "unfinished" in tests/support/two-tenants.ts.`,
        )
      }
      ids.set(
        table,
        rows.map((row) => Number(row.id)).filter((id) => id > 0),
      )
    }
    return ids
  })
}

/** What the coach, or a record's history, is found by: marked, it could not be reached any more. */
const untouched = new Set([
  'account.subdomain',
  'account.timezone',
  'account.email',
  'history.kind',
  'search_words.kind',
])

async function tryTo(db: pg.Client, statement: string): Promise<void> {
  await db.query('begin')
  await db.query(statement).then(
    () => db.query('commit'),
    // A text with a shape of its own (a status, a colour) stays as it is.
    () => db.query('rollback'),
  )
}
