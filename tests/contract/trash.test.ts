import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { allOperations } from '#app/server/process/runtime.ts'
import { addClient, editClient, NewClient } from '#modules/crm/index.ts'
import { eraseRecord, eraseTrash, historyOf, kindOf, recordKinds, restoreRecord, trash } from '#modules/core/trash.ts'
import { aCoach, aHouse, asCoach, ctxFor, type Called, type Coach } from '#tests/support/test-app.ts'
import { bodyFor } from '#tests/support/request-samples.ts'
import { twoPractices, type Practices } from '#tests/support/two-tenants.ts'

// What holds for every kind of record that a module registers.

const house = aHouse()
const day = 86_400_000
let practices: Practices

beforeAll(async () => {
  practices = await twoPractices(house)
})

const client = kindOf('client')
const aClient = (coach: Coach) =>
  asCoach(coach, (ctx) => addClient(ctx, NewClient.parse({ name: 'Ada Lovelace', email: 'ada@example.com' })))
const rowsOf = async (coach: Coach, text: string): Promise<{ n: number }[]> =>
  (await ctxFor(coach)).rows({ name: `test.${createHash('sha1').update(text).digest('hex')}`, text })

test('the trash comes page by page, each record once, also where many were deleted at one moment', async () => {
  const coach = await aCoach(house)
  for (let at = 0; at < 3; at++) {
    const { id } = await aClient(coach)
    const { body: product } = await house.call('POST', '/api/products', {
      as: coach,
      body: { name: `Product ${at}`, price: 1 },
    })
    await house.call('DELETE', `/api/clients/${id}`, { as: coach })
    await house.call('DELETE', `/api/products/${product.id}`, { as: coach })
  }
  const { body: whole } = await house.call('GET', '/api/trash', { as: coach })
  const seen: unknown[] = []
  for (let next: string | undefined = '/api/trash?limit=2'; next; ) {
    const page: Called = await house.call('GET', next, { as: coach })
    expect(page.body.length).toBeLessThanOrEqual(2)
    seen.push(...page.body)
    next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(seen).toEqual(whole)
  expect(whole).toHaveLength(6)
  expect(await trash(await ctxFor(coach), { only: 'product', rows: 2 })).toHaveLength(2)
})

describe.each(recordKinds)('a $kind', (kind) => {
  const make = allOperations().operations.find(
    ({ method, path }) => method === 'post' && path.slice(1).replaceAll('/', '_') === `${kind.kind}s`,
  )

  /** Puts one record into the trash, as its module does it: where the API makes such records, one that nothing hangs on yet. */
  const one = async (coach: Coach) => {
    if (make) await house.call('POST', `/api${make.path}`, { as: coach, body: bodyFor(make) })
    return asCoach(coach, async (ctx) => {
      const [row] = await ctx.rows<{ id: number }>({
        name: `test.trash.${kind.kind}`,
        text: `update "${kind.kind}" r set deleted_at = $1 where id = (select max(id) from "${kind.kind}" r where r.deleted_at is null and not (${kind.hidden ?? 'false'})) returning id`,
        values: [ctx.now()],
      })
      return row!.id
    })
  }

  test('that is deleted lies in the trash, and in no other practice’s, and its history says so', async () => {
    const id = await one(practices.ada)
    expect(await trash(await ctxFor(practices.ada))).toContainEqual(
      expect.objectContaining({ kind: kind.kind, id, erasedAt: new Date(house.clock.now.getTime() + 30 * day) }),
    )
    expect(
      (await trash(await ctxFor(practices.bea))).filter((record) => record.kind === kind.kind && record.id === id),
    ).toEqual([])
    expect((await historyOf(await ctxFor(practices.ada), kind, id)).entries[0]).toMatchObject({
      action: 'deleted',
      by: { id: practices.ada.id },
      at: house.clock.now,
    })
    await expect(historyOf(await ctxFor(practices.bea), kind, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(asCoach(practices.bea, (ctx) => restoreRecord(ctx, kind, id))).rejects.toMatchObject({
      code: 'not_found',
    })
    await asCoach(practices.ada, (ctx) => restoreRecord(ctx, kind, id))
    expect((await historyOf(await ctxFor(practices.ada), kind, id)).entries[0]).toMatchObject({ action: 'restored' })
  })

  test('is erased by hand from the trash alone, and takes its history with it', async () => {
    const id = await one(practices.ada)
    await expect(asCoach(practices.bea, (ctx) => eraseRecord(ctx, kind, id))).rejects.toMatchObject({
      code: 'not_found',
    })
    await asCoach(practices.ada, (ctx) => eraseRecord(ctx, kind, id))
    expect(
      await rowsOf(practices.ada, `select 1 as n from history where kind = '${kind.kind}' and record_id = ${id}`),
    ).toEqual([])
    await expect(asCoach(practices.ada, (ctx) => eraseRecord(ctx, kind, id))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('that is not in the trash is not erased', async () => {
    const [row] = await rowsOf(practices.ada, `select max(id) as n from "${kind.kind}" where deleted_at is null`)
    await expect(asCoach(practices.ada, (ctx) => eraseRecord(ctx, kind, row!.n))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('is erased after 30 days, and not a day before', async () => {
    const id = await one(practices.ada)
    const left = () => rowsOf(practices.ada, `select count(*) as n from "${kind.kind}" where id = ${id}`)
    const start = house.clock.now.getTime()
    try {
      house.clock.now = new Date(start + 29 * day)
      await eraseTrash(house.platform)
      expect(await left()).toEqual([{ n: 1 }])
      house.clock.now = new Date(start + 30 * day)
      await eraseTrash(house.platform)
      expect(await left()).toEqual([{ n: 0 }])
    } finally {
      house.clock.now = new Date(start)
    }
  })
})

describe('the history', () => {
  test('says who changed which field from what to what, and when', async () => {
    const coach = await aCoach(house)
    const { id } = await aClient(coach)
    const start = house.clock.now
    house.clock.now = new Date(start.getTime() + 5 * day)
    await asCoach(coach, (ctx) => editClient(ctx, id, { phone: '+1 415-555-0100', progress: 40 }))
    await asCoach(coach, (ctx) => editClient(ctx, id, { phone: null }))
    const { entries, ...record } = await historyOf(await ctxFor(coach), client, id)
    const at = house.clock.now
    house.clock.now = start
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
      { action: 'created', by, at: start, changes: [] },
    ])
  })

  test('is answered by the API, latest first', async () => {
    const coach = await aCoach(house)
    const { id } = await aClient(coach)
    await house.call('PATCH', `/api/clients/${id}`, { as: coach, body: { futureGoals: 'Lead a team' } })
    const { status, body } = await house.call('GET', `/api/history/client/${id}`, { as: coach })
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { action: 'changed', changes: [{ field: 'futureGoals', label: 'Future Goals', from: null, to: 'Lead a team' }] },
      { action: 'created' },
    ])
  })

  test('is read in pages, and a text in it never makes the page heavy', async () => {
    const coach = await aCoach(house)
    const { id } = await aClient(coach)
    for (let at = 1; at <= 5; at++) await asCoach(coach, (ctx) => editClient(ctx, id, { progress: at }))
    const first = await house.call('GET', `/api/history/client/${id}?limit=4`, { as: coach })
    expect(first.body.map(({ changes }: { changes: { to: number }[] }) => changes[0]?.to)).toEqual([5, 4, 3, 2])
    const next = /<(.*)>/.exec(first.headers.get('link')!)![1]!
    const second = await house.call('GET', next, { as: coach })
    expect(second.body.map(({ action }: { action: string }) => action)).toEqual(['changed', 'created'])
  })

  test('of a change that is taken back says nothing', async () => {
    const coach = await aCoach(house)
    const { id } = await aClient(coach)
    await expect(
      asCoach(coach, async (ctx) => {
        await editClient(ctx, id, { phone: '1' })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect((await historyOf(await ctxFor(coach), client, id)).entries).toHaveLength(1)
  })

  test('keeps no caches: what a sale adds to the total is no change of the client', async () => {
    const coach = await aCoach(house)
    const { id } = await aClient(coach)
    await asCoach(coach, (ctx) =>
      ctx.rows({
        name: 'test.total',
        text: 'update client set total_spent = 5, version = 9 where id = $1',
        values: [id],
      }),
    )
    expect((await historyOf(await ctxFor(coach), client, id)).entries).toHaveLength(1)
  })
})

test('the trash of the API is the trash of the page', async () => {
  const coach = await aCoach(house)
  const { id } = await aClient(coach)
  await house.call('DELETE', `/api/clients/${id}`, { as: coach })
  const { body } = await house.call('GET', '/api/trash', { as: coach })
  expect(body).toEqual([
    {
      kind: 'client',
      id,
      title: 'Ada Lovelace',
      deletedAt: house.clock.now.toISOString(),
      erasedAt: new Date(house.clock.now.getTime() + 30 * day).toISOString(),
    },
  ])
})
