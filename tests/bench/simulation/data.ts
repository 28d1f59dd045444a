import type pg from 'pg'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createEmptyDatabase } from '../limits.ts'
import { coachRowsSql, createCoachesSql, createSliceSql, filledTables, sliceRowsSql } from './rows.ts'

export type SimulationOptions = {
  coaches: number
  /** The same seed, number of coaches and day create the same rows. */
  seed: number
  now: Date
}
export type SimulatedCoach = { id: number; cookie: string; clients: number; lastClientId: number }
export type SimulatedCoaches = Record<'small' | 'median' | 'largest', SimulatedCoach>

/** The rows are inserted in so many parts that those of a coach are spread over each table, as in real life. */
const slices = 24
const connections = 2

/** Creates and fills the database, unless it was filled on the same day. Deletes those of other runs. */
export async function createSimulation(
  serverUrl: string,
  options: SimulationOptions,
  prepare: (ownerUrl: string) => Promise<{ appUrl: string }>,
): Promise<{ ownerUrl: string; appUrl: string }> {
  const { coaches, seed, now } = options
  const name = `simulation_${coaches}_${seed}_${now.toISOString().slice(0, 10).replaceAll('-', '')}`
  const existing = await asOwner(serverUrl, async (owner) => {
    const { rows } = await owner.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'simulation\\_%'`,
    )
    for (const other of rows) if (other.name !== name) await owner.query(`drop database ${other.name}`)
    return rows.some((row) => row.name === name)
  })
  const url = serverUrl.replace(/[^/?]*(\?|$)/, `${name}$1`)
  const isFilled = existing && (await asOwner(url, isComplete))
  const ownerUrl = isFilled ? url : await createEmptyDatabase(serverUrl, name)
  const { appUrl } = await prepare(ownerUrl)
  if (!isFilled) await fillSimulation(ownerUrl, options)
  return { ownerUrl, appUrl }
}

async function isComplete(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ done: boolean }>(`select to_regclass('simulation.filled') is not null as done`)
  return rows[0]!.done
}

/**
 * Fills a migrated database. Sizes follow Zipf's law: the coach at rank r has `coaches` / r clients, at least one and at
 * most 10,000. Constraints and indexes are on. Triggers are off: the rows that they would write are inserted.
 */
export async function fillSimulation(ownerUrl: string, { coaches, seed, now }: SimulationOptions): Promise<void> {
  await asOwner(ownerUrl, async (owner) => {
    await switchTriggers(owner, false)
    await owner.query('create schema simulation')
    await owner.query(createCoachesSql(coaches, seed, now))
    for (const sql of coachRowsSql) await owner.query(sql)
    await fillSlices(ownerUrl)
    for (const table of filledTables) if (table !== 'search_content') await owner.query(setSequenceSql(table))
    await switchTriggers(owner, true)
    await owner.query('create table simulation.filled ()')
  })
}

/** And row level security, which applies to the owner too. */
async function switchTriggers(owner: pg.Client, isOn: boolean): Promise<void> {
  const changes = isOn
    ? 'force row level security, enable trigger user'
    : 'no force row level security, disable trigger user'
  for (const table of filledTables) await owner.query(`alter table ${table} ${changes}`)
}

async function fillSlices(ownerUrl: string): Promise<void> {
  let next = 0
  const fill = async (owner: pg.Client) => {
    while (next < slices) {
      await owner.query('begin')
      await owner.query(createSliceSql(next++, slices))
      for (const sql of sliceRowsSql) await owner.query(sql)
      await owner.query('commit')
    }
  }
  await Promise.all(Array.from({ length: connections }, () => asOwner(ownerUrl, fill)))
}

const setSequenceSql = (table: string): string =>
  `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`

/** A small, a median and the largest coach, each signed in. */
export async function listSimulatedCoaches(ownerUrl: string): Promise<SimulatedCoaches> {
  const rows = await asOwner(ownerUrl, async (owner) => {
    const result = await owner.query<Omit<SimulatedCoach, 'cookie'>>(
      `select coach_id::int as id, clients, (client_base + clients)::int as "lastClientId" from simulation.coach
        order by rank desc`,
    )
    return result.rows
  })
  const [small, median, largest] = [rows[0]!, rows[Math.floor(rows.length / 2)]!, rows.at(-1)!].map((coach) => ({
    ...coach,
    cookie: `session=simulation-${coach.id}`,
  }))
  return { small: small!, median: median!, largest: largest! }
}
