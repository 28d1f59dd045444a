import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWorkers } from '#app/server/process/jobs.ts'
import { runtime } from '#app/server/process/runtime.ts'
import type { Platform } from '#tenants/platform.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { testConfig } from '#tests/support/config.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { runImportJob } from './import-job.ts'
import { getImport } from './queries.ts'
import { runImport, startImport } from './service.ts'

const app = createTestApp()
/** Only failures wait this long. Generous, because a busy machine is slow. */
const patience = 60_000
let worker: Platform
beforeAll(async () => {
  worker = await runtime.open({ appUrl: app.appUrl, config: testConfig({ ROLE: 'worker' }) })
})
afterAll(() => worker?.close())

async function createImport(coach: Coach, rows: number): Promise<number> {
  const lines = Array.from({ length: rows }, (_, index) => `Person ${index},p${index}@example.com\n`)
  const content = Buffer.from(`Name,Email\n${lines.join('')}`)
  const id = await startImport(await contextFor(coach), { name: 'contacts.csv', content })
  await inTenant(coach, (ctx) => runImport(ctx, id))
  return id
}
const getState = async (coach: Coach, id: number) => getImport(await contextFor(coach), id)
const countJobs = (id: number): Promise<number> =>
  asOwner(app.ownerUrl, async (db) => {
    const { rows } = await db.query(
      `select count(*)::int as n from pgboss.job where name = 'crm.import' and data->>'importId' = $1`,
      [String(id)],
    )
    return rows[0].n
  })

test('a long import goes to the end of the queue when its turn is over, and goes on later', async () => {
  const coach = await createCoach()
  const id = await createImport(coach, 500)
  // Each look at the clock is a turn later.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3_000))
  await runImportJob(app.platform, { coachId: coach.id, importId: id })
  clock.mockRestore()
  expect(await getState(coach, id)).toMatchObject({ status: 'running', position: 200 })
  expect(await countJobs(id)).toBe(2)
  await runImportJob(app.platform, { coachId: coach.id, importId: id })
  expect(await getState(coach, id)).toMatchObject({ status: 'done', created: 500 })
})

test(
  "one coach's imports of 20,000 rows don't hold up another coach's import of one row",
  async () => {
    const [large, small] = [await createCoach(), await createCoach()]
    const largeIds = [await createImport(large, 20_000), await createImport(large, 20_000)]
    await startWorkers(worker)
    await vi.waitFor(async () => expect((await getState(large, largeIds[0]!)).position).toBeGreaterThan(0), patience)
    const smallId = await createImport(small, 1)
    await vi.waitFor(async () => expect((await getState(small, smallId)).status).toBe('done'), patience)
    const states = await Promise.all(largeIds.map((id) => getState(large, id)))
    expect(states.map(({ status }) => status)).toContain('running')
  },
  3 * patience,
)
