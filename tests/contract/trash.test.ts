import { dayMs } from '#app/lib/time.ts'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAppApi } from '#app/server/process/runtime.ts'
import { updateClient } from '#modules/crm/index.ts'
import { getHistory } from '#modules/core/history.ts'
import { eraseRecord, eraseTrash, restoreRecord, listTrash } from '#modules/core/trash.ts'
import { extensions } from '#modules/registry.ts'
import { createCoach, inTenant, contextFor, type Coach, createClient } from '#tests/support/factories.ts'
import { createTestApp, type CallResult } from '#tests/support/test-app.ts'
import { createSampleBody } from '#tests/support/request-samples.ts'
import { createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'

// Rules for every record kind that a module registers.

const app = createTestApp()
/** The app has a clock of its own in tests. */
const databaseTime: Date = expect.toSatisfy((at: Date) => Math.abs(at.getTime() - Date.now()) < 60_000)
let tenants: TwoTenants

beforeAll(async () => {
  tenants = await createTwoTenants(app)
})

const client = extensions.recordKinds.find(({ kind }) => kind === 'client')!
const queryCount = async (coach: Coach, text: string): Promise<{ n: number }[]> =>
  (await contextFor(coach)).query({ name: `test.${createHash('sha1').update(text).digest('hex')}`, text })

test('the trash is paginated, each record once, even if many were deleted at the same time', async () => {
  const coach = await createCoach()
  for (let index = 0; index < 3; index++) {
    const { id } = await createClient({ coach })
    const { body: product } = await app.call('POST', '/api/products', {
      as: coach,
      body: { name: `Product ${index}`, price: 1 },
    })
    await app.call('DELETE', `/api/clients/${id}`, { as: coach })
    await app.call('DELETE', `/api/products/${product.id}`, { as: coach })
  }
  const { body: whole } = await app.call('GET', '/api/trash', { as: coach })
  const seen: unknown[] = []
  for (let next: string | undefined = '/api/trash?limit=2'; next; ) {
    const page: CallResult = await app.call('GET', next, { as: coach })
    expect(page.body.length).toBeLessThanOrEqual(2)
    seen.push(...page.body)
    next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(seen).toEqual(whole)
  expect(whole).toHaveLength(6)
  expect(await listTrash(await contextFor(coach), { only: 'product', rows: 2 })).toHaveLength(2)
})

describe.each(extensions.recordKinds.filter(({ restore }) => restore))('a $kind', (kind) => {
  const make = createAppApi().operations.find(
    ({ method, path }) => method === 'post' && path.slice(1).replaceAll('/', '_') === `${kind.kind}s`,
  )

  /** Deletes one record as its module does: a new one where the API can create it. */
  const one = async (coach: Coach) => {
    if (make) await app.call('POST', `/api${make.path}`, { as: coach, body: createSampleBody(make) })
    return inTenant(coach, async (ctx) => {
      const [row] = await ctx.query<{ id: number }>({
        name: `test.trash.${kind.kind}`,
        text: `update "${kind.kind}" r set deleted_at = $2 where coach_id = $1 and id = (
            select max(id) from "${kind.kind}" r
            where r.coach_id = $1 and r.deleted_at is null and not (${kind.hidden ?? 'false'})
          ) returning id`,
        values: [ctx.coachId, ctx.now()],
      })
      return row!.id
    })
  }

  test("that is deleted is in its practice's trash only, and its history says so", async () => {
    const id = await one(tenants.ada)
    expect(await listTrash(await contextFor(tenants.ada))).toContainEqual(
      expect.objectContaining({ kind: kind.kind, id, erasedAt: new Date(app.clock.now.getTime() + 30 * dayMs) }),
    )
    expect(
      (await listTrash(await contextFor(tenants.bea))).filter(
        (record) => record.kind === kind.kind && record.id === id,
      ),
    ).toEqual([])
    expect((await getHistory(await contextFor(tenants.ada), kind, id)).entries[0]).toMatchObject({
      action: 'deleted',
      by: { id: tenants.ada.id },
      at: databaseTime,
    })
    await expect(getHistory(await contextFor(tenants.bea), kind, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(inTenant(tenants.bea, (ctx) => restoreRecord(ctx, kind, id))).rejects.toMatchObject({
      code: 'not_found',
    })
    await inTenant(tenants.ada, (ctx) => restoreRecord(ctx, kind, id))
    expect((await getHistory(await contextFor(tenants.ada), kind, id)).entries[0]).toMatchObject({ action: 'restored' })
  })

  test('is erased only from the trash, together with its history', async () => {
    const id = await one(tenants.ada)
    await expect(inTenant(tenants.bea, (ctx) => eraseRecord(ctx, kind, id))).rejects.toMatchObject({
      code: 'not_found',
    })
    await inTenant(tenants.ada, (ctx) => eraseRecord(ctx, kind, id))
    expect(
      await queryCount(tenants.ada, `select 1 as n from history where kind = '${kind.kind}' and record_id = ${id}`),
    ).toEqual([])
    await expect(inTenant(tenants.ada, (ctx) => eraseRecord(ctx, kind, id))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('that is not in the trash is not erased', async () => {
    const [row] = await queryCount(tenants.ada, `select max(id) as n from "${kind.kind}" where deleted_at is null`)
    await expect(inTenant(tenants.ada, (ctx) => eraseRecord(ctx, kind, row!.n))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('is erased after 30 days, and not before', async () => {
    const id = await one(tenants.ada)
    const left = () => queryCount(tenants.ada, `select count(*) as n from "${kind.kind}" where id = ${id}`)
    const start = app.clock.now.getTime()
    try {
      app.clock.now = new Date(start + 29 * dayMs)
      await eraseTrash(app.platform)
      expect(await left()).toEqual([{ n: 1 }])
      app.clock.now = new Date(start + 30 * dayMs)
      await eraseTrash(app.platform)
      expect(await left()).toEqual([{ n: 0 }])
    } finally {
      app.clock.now = new Date(start)
    }
  })
})

describe('the history', () => {
  test('names who changed which field from what to what, and when', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await inTenant(coach, (ctx) => updateClient(ctx, id, { phone: '+1 415-555-0100', progress: 40 }))
    await inTenant(coach, (ctx) => updateClient(ctx, id, { phone: null }))
    const { entries, ...record } = await getHistory(await contextFor(coach), client, id)
    const at = databaseTime
    const by = { id: coach.id, name: expect.stringContaining('Coach') }
    expect(record).toEqual({ title: 'Ada Lovelace', to: `/clients/${id}` })
    expect(entries).toMatchObject([
      { action: 'changed', by, at, changes: [{ field: 'phone', label: 'Phone', from: '+1 415-555-0100', to: null }] },
      {
        action: 'changed',
        by,
        at,
        changes: [
          { field: 'phone', from: null, to: '+1 415-555-0100' },
          { field: 'progress', from: 0, to: 40 },
        ],
      },
      { action: 'created', by, at, changes: [] },
    ])
  })

  test('is returned by the API, latest first', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await app.call('PATCH', `/api/clients/${id}`, { as: coach, body: { futureGoals: 'Lead a team' } })
    const { status, body } = await app.call('GET', `/api/history/client/${id}`, { as: coach })
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { action: 'changed', changes: [{ field: 'futureGoals', label: 'Future Goals', from: null, to: 'Lead a team' }] },
      { action: 'created' },
    ])
  })

  test('is paginated, with long texts shortened', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    for (let index = 1; index <= 5; index++) await inTenant(coach, (ctx) => updateClient(ctx, id, { progress: index }))
    const first = await app.call('GET', `/api/history/client/${id}?limit=4`, { as: coach })
    expect(first.body.map(({ changes }: { changes: { to: number }[] }) => changes[0]?.to)).toEqual([5, 4, 3, 2])
    const next = /<(.*)>/.exec(first.headers.get('link')!)![1]!
    const second = await app.call('GET', next, { as: coach })
    expect(second.body.map(({ action }: { action: string }) => action)).toEqual(['changed', 'created'])
  })

  test('has no entry for a change that was rolled back', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await expect(
      inTenant(coach, async (ctx) => {
        await updateClient(ctx, id, { phone: '1' })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect((await getHistory(await contextFor(coach), client, id)).entries).toHaveLength(1)
  })

  test("ignores cached columns: a purchase's addition to the total is no change of the client", async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await inTenant(coach, (ctx) =>
      ctx.query({
        name: 'test.total',
        text: 'update client set total_spent = 5, version = 9 where id = $1',
        values: [id],
      }),
    )
    expect((await getHistory(await contextFor(coach), client, id)).entries).toHaveLength(1)
  })
})

test('the API and the page list the same trash', async () => {
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  await app.call('DELETE', `/api/clients/${id}`, { as: coach })
  const { body } = await app.call('GET', '/api/trash', { as: coach })
  expect(body).toEqual([
    {
      kind: 'client',
      id,
      title: 'Ada Lovelace',
      deletedAt: app.clock.now.toISOString(),
      erasedAt: new Date(app.clock.now.getTime() + 30 * dayMs).toISOString(),
    },
  ])
})
