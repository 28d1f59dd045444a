import { createApp } from '#app/server/http/app.ts'
import { createAppApi, runtime } from '#app/server/process/runtime.ts'
import type { Config } from '#tenants/config.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { whileRepeating } from '../limits.ts'
import { load, type Workload } from '../load.ts'
import { createdName } from '../data.ts'
import { fetchRaw } from '../servers.ts'
import {
  createSimulation,
  listSimulatedCoaches,
  type SimulatedCoach,
  type SimulatedCoaches,
  type SimulationOptions,
} from './data.ts'
import { measureMigrations } from './migrations.ts'
import { findUnindexedReads, listRequests, recordStatements } from './plans.ts'
import { filledTables } from './rows.ts'
import { countSequentialScans, formatFigures, measureIndexes, measureTables, type Figures } from './storage.ts'

const hammers = 8

type Simulation = SimulationOptions & { ownerUrl: string; appUrl: string }
type Setting = Simulation & { config: Config; port: number; seconds: number }

/** Creates the database of the options, unless it is there. Throws for a number that is none. */
export async function prepareSimulation(
  serverUrl: string,
  { coaches, seed }: { coaches: string; seed: string },
  prepare: (ownerUrl: string) => Promise<{ appUrl: string }>,
): Promise<Simulation> {
  const options = { coaches: parsePositive(coaches), seed: parsePositive(seed), now: new Date() }
  const started = performance.now()
  const database = await createSimulation(serverUrl, options, prepare)
  console.log(`The database was ready after ${((performance.now() - started) / 1000).toFixed(0)} s.`)
  return { ...options, ...database }
}

function parsePositive(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${text} is no positive whole number.`)
  return number
}

/** Measures the product at `port` on the simulation's database. Returns one table after the other, as text. */
export async function* measureSimulation(setting: Setting): AsyncGenerator<string> {
  for await (const figures of measure(setting)) yield formatFigures(figures)
}

async function* measure(setting: Setting): AsyncGenerator<Figures> {
  const { ownerUrl, appUrl, port } = setting
  const coaches = await listSimulatedCoaches(ownerUrl)
  yield await measureVacuum(ownerUrl)
  yield await measureTables(ownerUrl)
  yield* await measurePlans(setting, coaches)
  const before = await countSequentialScans(ownerUrl)
  yield await measureHosts(appUrl, setting.coaches)
  yield await measureRequests(setting, coaches)
  yield await compareScans(ownerUrl, before)
  yield await measureMigrations(ownerUrl, () => createClient(port, coaches.median))
  yield await measureIndexes(ownerUrl)
}

async function measureVacuum(ownerUrl: string): Promise<Figures> {
  const started = performance.now()
  await asOwner(ownerUrl, (owner) => owner.query(`vacuum analyze ${filledTables.join(', ')}`))
  const seconds = (performance.now() - started) / 1000
  return { title: 'After filling', columns: ['step', 'seconds'], rows: [['vacuum analyze', seconds.toFixed(1)]] }
}

/** Explains what each request sends, without forbidding any plan. */
async function measurePlans(setting: Setting, coaches: SimulatedCoaches): Promise<Figures[]> {
  const { appUrl, config, now } = setting
  const platform = await runtime.open({ appUrl, config: { ...config, role: 'web' } })
  const app = createApp({ platform, api: createAppApi(), ready: async () => true })
  try {
    const rows: string[][] = []
    for (const [name, path] of Object.entries(listRequests(now)))
      for (const [size, { id, cookie }] of Object.entries(coaches)) {
        const headers = { host: 'localhost', cookie }
        const statements = await recordStatements(async () => {
          const response = await app.fetch(new Request(`http://localhost${path}`, { headers }), {} as never)
          if (response.status !== 200) throw new Error(`${path}: status ${response.status}`)
        })
        for (const finding of await findUnindexedReads(appUrl, id, statements, { isSmall: false }))
          rows.push([`${name}, ${size} coach`, finding.replaceAll(/\s+/g, ' ').slice(0, 120)])
      }
    return [{ title: 'Reads without an index on the coach', columns: ['request', 'plan'], rows }]
  } finally {
    await platform.close()
  }
}

/** Milliseconds of each request of three coaches, and of the small one while the largest sends eight at once. */
async function measureRequests({ port, seconds, now }: Setting, coaches: SimulatedCoaches): Promise<Figures> {
  const requests = listRequests(now)
  const paths = Object.values(requests)
  let sent = 0
  const hammer = () => fetchRaw(port, paths[sent++ % paths.length]!, coaches.largest)
  const rows: string[][] = []
  for (const [name, path] of Object.entries({ session: '/api/user', ...requests })) {
    const measure = async (coach: SimulatedCoach) => {
      await load(port, createWorkload(name, path, coach), seconds / 4, () => [], 1)
      return load(port, createWorkload(name, path, coach), seconds, () => [], 1)
    }
    const small = await measure(coaches.small)
    const middle = await measure(coaches.median)
    const large = await measure(coaches.largest)
    const busy = await whileRepeating(hammers, hammer, () => measure(coaches.small))
    rows.push([
      name,
      ...[small, middle, large, busy].map(({ median, p95 }) => `${median.toFixed(1)} / ${p95.toFixed(1)}`),
      (busy.p95 / small.p95).toFixed(1),
    ])
  }
  const { small, median, largest } = coaches
  return {
    title: `Milliseconds, median / p95, of coaches with ${small.clients}, ${median.clients} and ${largest.clients} clients`,
    columns: ['request', 'small', 'median', 'largest', `small, largest × ${hammers}`, 'p95 ratio'],
    rows,
  }
}

function createWorkload(name: string, path: string, { cookie }: SimulatedCoach): Workload {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\n\r\n`)
  return { name, status: 200, next: () => request }
}

/** Microseconds of the look-up of a host, which each request of a visitor begins with. */
async function measureHosts(appUrl: string, coaches: number): Promise<Figures> {
  const times = await asOwner(appUrl, async (app) => {
    const measured: number[] = []
    for (let n = 0; n < 1000; n++) {
      const started = performance.now()
      const label = `practice-${1 + ((n * 7919) % coaches)}`
      const { rows } = await app.query({
        name: 'viewer',
        text: 'select tenant from find_viewer(null, $1, now())',
        values: [label],
      })
      if (!rows[0].tenant) throw new Error(`There is no practice at ${label}.`)
      measured.push((performance.now() - started) * 1000)
    }
    return measured.sort((a, b) => a - b)
  })
  const row = ['find_viewer', times[500]!.toFixed(0), times[950]!.toFixed(0)]
  return { title: 'Look-up of a host, microseconds', columns: ['function', 'median', 'p95'], rows: [row] }
}

async function compareScans(ownerUrl: string, before: Map<string, number>): Promise<Figures> {
  const after = await countSequentialScans(ownerUrl)
  const rows = [...after].flatMap(([table, scans]) => {
    const added = scans - (before.get(table) ?? 0)
    return added ? [[table, String(added)]] : []
  })
  return { title: 'Large tables that these requests read whole', columns: ['table', 'times'], rows }
}

async function createClient(port: number, { cookie }: SimulatedCoach): Promise<void> {
  const response = await fetch(`http://localhost:${port}/api/clients`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: createdName, email: 'new.client@example.com' }),
  })
  if (response.status !== 201) throw new Error(`POST /api/clients: status ${response.status}`)
}
