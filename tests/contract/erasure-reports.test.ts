import { expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { listErasureReports } from '#modules/core/erasure-reports.ts'
import { eraseRecord, eraseTrash } from '#modules/core/trash.ts'
import { mergeClients } from '#modules/crm/services/merge.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createInteraction,
  createProduct,
  createPurchase,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

async function createTrashedClient(coach: Coach): Promise<number> {
  const { id } = await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
  await createInteraction({ coach, clientId: id, name: 'A call with Mara' })
  await createInteraction({ coach, clientId: id, name: 'A letter from Mara' })
  const product = await createProduct({ coach })
  await createPurchase({ coach, clientId: id, productId: product.id })
  await app.call('DELETE', `/api/clients/${id}`, { as: coach })
  return id
}

const eraseClient = (coach: Coach, id: number): Promise<void> =>
  inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), id))

const listReports = async (coach: Coach) => listErasureReports(await contextFor(coach), { rows: 50 })

test('a report counts what was deleted with a client and what stayed, and names nobody', async () => {
  const coach = await createCoach()
  const id = await createTrashedClient(coach)
  await eraseClient(coach, id)
  const reports = await listReports(coach)
  expect(reports).toMatchObject([
    {
      kind: 'client',
      recordNumber: id,
      trashedAt: app.clock.now.toISOString(),
      erasedAt: app.clock.now.toISOString(),
      counts: expect.arrayContaining([
        { label: ['interaction', 'interactions'], deleted: 2, kept: 0 },
        { label: ['purchase', 'purchases'], deleted: 0, kept: 1 },
      ]),
    },
  ])
  expect(JSON.stringify(reports)).not.toMatch(/Mara|mara@/)
})

test('a client whose 30 days in the trash are over gets a report, too', async () => {
  const coach = await createCoach()
  const start = app.clock.now
  const id = await createTrashedClient(coach)
  try {
    app.clock.now = new Date(start.getTime() + 30 * dayMs)
    await eraseTrash(app.platform)
    expect(await listReports(coach)).toMatchObject([
      { recordNumber: id, trashedAt: start.toISOString(), erasedAt: app.clock.now.toISOString() },
    ])
  } finally {
    app.clock.now = start
  }
})

test('a client and the one who was merged into it, deleted on the same day, get one report each', async () => {
  const coach = await createCoach()
  const start = app.clock.now
  const { id: kept } = await createClient({ coach, name: 'Mara Lind' })
  const { id: merged } = await createClient({ coach, name: 'Mara L.' })
  await inTenant(coach, (ctx) => mergeClients(ctx, { keptId: kept, mergedId: merged }))
  await app.call('DELETE', `/api/clients/${kept}`, { as: coach })
  try {
    app.clock.now = new Date(start.getTime() + 30 * dayMs)
    await eraseTrash(app.platform)
    const numbers = (await listReports(coach)).map(({ recordNumber }) => recordNumber)
    expect(numbers.toSorted()).toEqual([kept, merged].toSorted())
  } finally {
    app.clock.now = start
  }
})

test('a prospect gets a report, a product does not', async () => {
  const coach = await createCoach()
  const { body: stages } = await app.call('GET', '/api/pipeline/stages', { as: coach })
  const { body: prospect } = await app.call('POST', '/api/prospects', {
    as: coach,
    body: { name: 'Mara Lind', email: 'mara@example.com', stageId: stages[0].id },
  })
  const product = await createProduct({ coach })
  await app.call('DELETE', `/api/prospects/${prospect.id}`, { as: coach })
  await app.call('DELETE', `/api/products/${product.id}`, { as: coach })
  await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'prospect'), prospect.id))
  await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'product'), product.id))
  expect(await listReports(coach)).toMatchObject([{ kind: 'prospect', recordNumber: prospect.id }])
})

test('ten deletions of one client at once leave one report', async () => {
  const coach = await createCoach()
  const id = await createTrashedClient(coach)
  const results = await concurrently(10, () => eraseClient(coach, id))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await listReports(coach)).toHaveLength(1)
})

test('reports are listed page by page, the newest first, and only those of the coach', async () => {
  const coach = await createCoach()
  const ids = [await createTrashedClient(coach), await createTrashedClient(coach)]
  for (const id of ids) await eraseClient(coach, id)
  const ctx = await contextFor(coach)
  const [newest] = await listErasureReports(ctx, { rows: 1 })
  expect(newest!.recordNumber).toBe(ids[1])
  expect(await listErasureReports(ctx, { rows: 1, before: newest!.id })).toMatchObject([{ recordNumber: ids[0] }])
  expect(await listReports(await createCoach())).toEqual([])
})

test('the nightly job deletes more clients than one transaction takes, each with a report', async () => {
  const coach = await createCoach()
  const start = app.clock.now
  await asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    await db.query(
      `insert into client (coach_id, name, email, created_at, updated_at, deleted_at)
        select $1, 'Client ' || n, n || '@example.com', $2, $2, $2 from generate_series(1, 1200) n`,
      [coach.id, start],
    )
  })
  try {
    app.clock.now = new Date(start.getTime() + 30 * dayMs)
    await eraseTrash(app.platform)
    expect(await listErasureReports(await contextFor(coach), { rows: 2000 })).toHaveLength(1200)
  } finally {
    app.clock.now = start
  }
})
