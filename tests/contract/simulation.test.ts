import { beforeAll, describe, expect, test } from 'vitest'
import { fillSimulation, listSimulatedCoaches, type SimulatedCoaches } from '#tests/bench/simulation/data.ts'
import { findUnindexedReads, listRequests, recordStatements } from '#tests/bench/simulation/plans.ts'
import { filledTables } from '#tests/bench/simulation/rows.ts'
import { asOwner, runForCoach } from '#tests/support/as-db-owner.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The rules of `npm run bench -- --only simulation` that don't depend on the number of coaches.

const app = createTestApp()
const coaches = {} as SimulatedCoaches

beforeAll(async () => {
  await fillSimulation(app.ownerUrl, { coaches: 300, seed: 1, now: app.clock.now })
  Object.assign(coaches, await listSimulatedCoaches(app.ownerUrl))
  await asOwner(app.ownerUrl, (owner) => owner.query(`analyze ${filledTables.join(', ')}`))
})

test('the seed decides which coach is how large', () => {
  const sizes = Object.values(coaches).map(({ id, clients }) => [id, clients])
  expect(sizes).toEqual([
    [167, 1],
    [162, 2],
    [207, 300],
  ])
})

describe('each main request', () => {
  test.each(Object.entries(listRequests(app.clock.now)))(
    'of %s reads by an index on the coach',
    async (_name, path) => {
      const { id } = coaches.largest
      const statements = await recordStatements(async () => {
        expect((await app.call('GET', path, { as: coaches.largest })).status).toBe(200)
      })
      expect(statements.some(({ text }) => filledTables.some((table) => text.includes(table)))).toBe(true)
      expect(await findUnindexedReads(app.appUrl, id, statements, { isSmall: true })).toEqual([])
    },
  )

  test('would be reported if it read the rows of all coaches', async () => {
    const force = (word: string) =>
      asOwner(app.ownerUrl, (owner) => owner.query(`alter table history ${word} row level security`))
    const statements = [{ name: 'test.scan', text: 'select changes from history' }]
    await force('no force')
    const findings = await findUnindexedReads(app.ownerUrl, coaches.largest.id, statements, { isSmall: false })
    await force('force')
    expect(findings).toEqual([expect.stringContaining('Seq Scan of history without the coach')])
  })
})

describe('the product reads the simulated', () => {
  const lists = {
    client: '/api/clients',
    client_interaction: '/api/client-interactions',
    activity: '/api/activities',
    appointment: '/api/appointments',
    purchase: '/api/purchases',
    product: '/api/products',
    invoice: '/api/payments',
    prospect: '/api/prospects',
    pipeline_stage: '/api/pipeline/stages',
    task: '/api/tasks',
  }
  /** The length of a list that is shorter than a page. */
  const counts: Record<string, number> = { product: 1, pipeline_stage: 5 }
  test.each(Object.entries(lists))('%s, of one coach alone', async (table, path) => {
    const { id } = coaches.largest
    const { status, body } = await app.call('GET', `${path}?limit=20`, { as: coaches.largest })
    expect([status, body.length]).toEqual([200, counts[table] ?? 20])
    const ids: number[] = body.map((record: { id: number }) => record.id)
    const { rows } = await runForCoach(
      app.ownerUrl,
      id,
      `select count(*)::int as count from ${table} where coach_id = ${id} and id in (${ids.join()})`,
    )
    expect(rows).toEqual([{ count: ids.length }])
    const foreign = await app.call('GET', `${path}?limit=100`, { as: coaches.median })
    expect(foreign.body.filter((record: { id: number }) => ids.includes(record.id))).toEqual([])
  })

  test('clients, and refuses those of another coach', async () => {
    const { median, largest } = coaches
    expect((await app.call('GET', `/api/clients/${largest.lastClientId}`, { as: largest })).status).toBe(200)
    expect((await app.call('GET', `/api/clients/${largest.lastClientId}`, { as: median })).status).toBe(404)
  })

  test('texts, by a search of one coach alone', async () => {
    const find = async (as: SimulatedCoaches['largest']) => (await app.call('GET', '/api/search?q=maya', { as })).body
    expect((await find(coaches.largest)).length).toBeGreaterThan(0)
    const ids = (await find(coaches.largest)).map(({ id }: { id: number }) => id)
    expect((await find(coaches.median)).filter(({ id }: { id: number }) => ids.includes(id))).toEqual([])
  })
})
