import { createApp } from '#app/server/http/app.ts'
import { createAppApi, uploadPaths } from '#app/server/process/runtime.ts'
import type { Pages } from '#app/server/pages/pages.ts'
import { dayMs } from '#app/lib/time.ts'
import { describe, expect, test } from 'vitest'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { createCoach, createSession, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently, type CallResult } from '#tests/support/test-app.ts'

const app = createTestApp()

const add = (as: Coach, index: number, headers: Record<string, string> = {}): Promise<CallResult> =>
  app.call('POST', '/api/clients', {
    as,
    body: { name: `Person ${index}`, email: `person${index}@example.com` },
    headers,
  })
const listClients = async (as: Coach): Promise<{ id: number }[]> => (await app.call('GET', '/api/clients', { as })).body

/** Counts the calls by status. */
async function countStatuses(calls: Promise<PromiseSettledResult<CallResult>[]>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const call of await calls) {
    const status = call.status === 'fulfilled' ? call.value.status : 0
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe('fifty concurrent calls', () => {
  test.each<[PlanName, Record<number, number>]>([
    ['free', { 201: 1, 403: 49 }],
    ['pro', { 201: 10, 403: 40 }],
    ['premium', { 201: 50 }],
  ])('that create clients on %s stop exactly at the limit', async (plan, expected) => {
    const coach = await createCoach({ plan })
    expect(await countStatuses(concurrently(50, (index) => add(coach, index)))).toEqual(expected)
    expect(await listClients(coach)).toHaveLength(expected[201]!)
    const activities = await app.call('GET', '/api/activities?limit=100', { as: coach })
    expect(activities.body).toHaveLength(expected[201]!)
  })

  test.each<[PlanName, number]>([
    ['free', 1],
    ['pro', 10],
  ])('that unarchive clients on %s stop exactly at the limit', async (plan, places) => {
    const coach = await createCoach({ plan: 'premium' })
    await concurrently(50, (index) => add(coach, index))
    const ids = (await listClients(coach)).map(({ id }) => id)
    for (const id of ids) expect((await app.call('POST', `/api/clients/${id}/archive`, { as: coach })).status).toBe(200)
    await setPlan(coach, plan)
    expect(
      await countStatuses(
        concurrently(50, (index) => app.call('POST', `/api/clients/${ids[index]}/unarchive`, { as: coach })),
      ),
    ).toEqual({ 200: places, 403: 50 - places })
    expect(await listClients(coach)).toHaveLength(places)
  })

  test.each<[PlanName, number]>([
    ['free', 1],
    ['pro', 10],
  ])('that restore clients on %s stop exactly at the limit', async (plan, places) => {
    const coach = await createCoach({ plan: 'premium' })
    await concurrently(50, (index) => add(coach, index))
    const ids = (await listClients(coach)).map(({ id }) => id)
    for (const id of ids) expect((await app.call('DELETE', `/api/clients/${id}`, { as: coach })).status).toBe(204)
    await setPlan(coach, plan)
    expect(
      await countStatuses(
        concurrently(50, (index) => app.call('POST', `/api/clients/${ids[index]}/restore`, { as: coach })),
      ),
    ).toEqual({ 200: places, 403: 50 - places })
    expect(await listClients(coach)).toHaveLength(places)
  })

  test('that create, unarchive and restore share the limit', async () => {
    const coach = await createCoach({ plan: 'premium' })
    await concurrently(40, (index) => add(coach, index))
    const ids = (await listClients(coach)).map(({ id }) => id)
    for (const [at, id] of ids.entries())
      await app.call(at % 2 ? 'POST' : 'DELETE', `/api/clients/${id}${at % 2 ? '/archive' : ''}`, { as: coach })
    await setPlan(coach, 'pro')
    const counts = await countStatuses(
      concurrently(50, (index) => {
        if (index >= ids.length) return add(coach, 100 + index)
        return app.call('POST', `/api/clients/${ids[index]}/${index % 2 ? 'unarchive' : 'restore'}`, { as: coach })
      }),
    )
    expect((counts[200] ?? 0) + (counts[201] ?? 0)).toBe(10)
    expect(counts[403]).toBe(40)
    expect(await listClients(coach)).toHaveLength(10)
  })

  test('of two coaches do not share a limit', async () => {
    const coaches = [await createCoach({ plan: 'pro' }), await createCoach({ plan: 'pro' })]
    expect(await countStatuses(concurrently(50, (index) => add(coaches[index % 2]!, index)))).toEqual({
      201: 20,
      403: 30,
    })
  })

  test('with one idempotency key create one client', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const answers = await concurrently(50, () => add(coach, 1, { 'idempotency-key': 'once' }))
    expect(
      new Set(
        answers.map((answer) =>
          answer.status === 'fulfilled' ? `${answer.value.status} ${answer.value.text}` : 'failed',
        ),
      ).size,
    ).toBe(1)
    expect(await listClients(coach)).toHaveLength(1)
  })

  test('that delete a client delete it once, and that archive it archive it once', async () => {
    const coach = await createCoach()
    const [{ body: deleted }, { body: kept }] = [await add(coach, 1), await add(coach, 2)]
    expect(
      await countStatuses(concurrently(50, () => app.call('DELETE', `/api/clients/${deleted.id}`, { as: coach }))),
    ).toEqual({
      204: 1,
      404: 49,
    })
    expect(
      await countStatuses(concurrently(50, () => app.call('POST', `/api/clients/${kept.id}/archive`, { as: coach }))),
    ).toEqual({
      200: 50,
    })
  })

  test('that start the trial start it once', async () => {
    const coach = await createCoach({ plan: 'free' })
    expect(
      await countStatuses(concurrently(50, () => app.call('POST', '/api/subscription/trial', { as: coach }))),
    ).toEqual({
      200: 1,
      409: 49,
    })
  })
})

describe('over the limit', () => {
  test('clients can be read, edited, archived and deleted, but not added', async () => {
    const coach = await createCoach({ plan: 'premium' })
    await concurrently(12, (index) => add(coach, index))
    await setPlan(coach, 'pro')
    const [first, second, third] = await listClients(coach)
    expect(await listClients(coach)).toHaveLength(12)
    expect(
      (await app.call('PATCH', `/api/clients/${first!.id}`, { as: coach, body: { name: 'Still mine' } })).status,
    ).toBe(200)
    const refused = await add(coach, 99)
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit'])
    await app.call('POST', `/api/clients/${second!.id}/archive`, { as: coach })
    expect((await app.call('POST', `/api/clients/${second!.id}/unarchive`, { as: coach })).body.code).toBe('plan_limit')
    await app.call('DELETE', `/api/clients/${third!.id}`, { as: coach })
    expect((await app.call('POST', `/api/clients/${third!.id}/restore`, { as: coach })).body.code).toBe('plan_limit')
    expect(await listClients(coach)).toHaveLength(10)
  })

  test('archived clients are read-only, with their notes, sessions and purchases, until there is room', async () => {
    const coach = await createCoach({ plan: 'free' })
    const { body: archived } = await add(coach, 1)
    const records = `/api/clients/${archived.id}/interactions`
    const note = { name: 'Call', interactionDate: '2026-03-09T10:00:00Z' }
    const session = { title: 'Session', startTime: '2026-03-12T10:00:00Z', endTime: '2026-03-12T11:00:00Z' }
    const send = (method: string, path: string, body?: object) => app.call(method, path, { as: coach, body })
    const { body: product } = await send('POST', '/api/products', {
      name: 'Package',
      price: '100.00',
    })
    const purchase = { clientId: archived.id, productId: product.id, amount: 10_000, paymentMethod: 'cash' }
    const [{ body: noted }, { body: booked }, { body: bought }] = await Promise.all([
      send('POST', records, note),
      send('POST', '/api/appointments', { ...session, clientId: archived.id }),
      send('POST', '/api/purchases', purchase),
    ])
    const writes = (): Promise<CallResult>[] => [
      send('PATCH', `/api/clients/${archived.id}`, { name: `Changed ${Math.random()}` }),
      send('POST', records, note),
      send('PATCH', `${records}/${noted.id}`, { name: `Changed ${Math.random()}` }),
      send('POST', '/api/appointments', { ...session, clientId: archived.id }),
      send('PATCH', `/api/appointments/${booked.id}`, { title: `Changed ${Math.random()}` }),
      send('POST', '/api/purchases', purchase),
      send('PATCH', `/api/purchases/${bought.id}`, { notes: `Changed ${Math.random()}` }),
    ]
    const statuses = async () => (await Promise.all(writes())).map(({ status }) => status)

    await send('POST', `/api/clients/${archived.id}/archive`)
    expect(await statuses()).toEqual([200, 201, 200, 201, 200, 201, 200])
    const { body: other } = await add(coach, 2)
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403, 403])
    const refused = await send('POST', records, note)
    expect([refused.body.code, refused.body.message]).toEqual(['plan_limit', expect.stringContaining('is read-only')])
    expect((await send('GET', `/api/clients/${archived.id}`)).status).toBe(200)
    expect((await send('DELETE', `${records}/${noted.id}`)).status).toBe(204)

    await send('POST', `/api/clients/${other.id}/archive`)
    expect((await send('POST', `/api/clients/${archived.id}/unarchive`)).status).toBe(200)
    expect((await send('POST', records, note)).status).toBe(201)
  })

  test("the trial has Pro's limit and ends on Free", async () => {
    const coach = await createCoach({ plan: 'free' })
    await app.call('POST', '/api/subscription/trial', { as: coach })
    expect(await countStatuses(concurrently(50, (index) => add(coach, index)))).toEqual({ 201: 10, 403: 40 })
    app.clock.now = new Date(app.clock.now.getTime() + 15 * dayMs)
    coach.cookie = `session=${await createSession(coach)}`
    expect(await listClients(coach)).toHaveLength(10)
    for (const { id } of (await listClients(coach)).slice(1))
      await app.call('POST', `/api/clients/${id}/archive`, { as: coach })
    expect((await add(coach, 99)).body.code).toBe('plan_limit')
  })

  test('of the storage nothing is added or changed, until something is deleted', async () => {
    const coach = await createCoach({ plan: 'free' })
    const fill = `insert into client_import
        (coach_id, file_name, content, mapping, status, total, created_at, updated_at)
      select $1, 'people.csv', convert_to(repeat('a', 10485760), 'UTF8'), '[]', 'ready', 1, $2, $2
      from generate_series(1, 20)`
    const run = (name: string, text: string, values: unknown[]) =>
      inTenant(coach, (ctx) => ctx.query({ name, text, values }))
    await run('test.fill-storage', fill, [coach.id, app.clock.now])
    const refused = await add(coach, 1)
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit'])
    expect(refused.body.message).toContain('Your Free plan includes 200 MB of storage.')

    await run('test.empty-storage', 'delete from client_import where coach_id = $1', [coach.id])
    app.clock.now = new Date(app.clock.now.getTime() + 6_000)
    expect((await add(coach, 1)).status).toBe(201)
  })

  test('validation errors and missing products are reported before the limit', async () => {
    const coach = await createCoach({ plan: 'free' })
    await add(coach, 1)
    expect((await app.call('POST', '/api/clients', { as: coach, body: { name: '' } })).status).toBe(422)
    expect(
      (
        await app.call('POST', '/api/clients', {
          as: coach,
          body: { name: 'A', email: 'a@example.com', productId: 123 },
        })
      ).status,
    ).toBe(404)
    expect((await add(coach, 2)).status).toBe(403)
  })
})

test('a page gets forms of 1 MB at most, and one for files leaves its own limit to itself', async () => {
  const received: string[] = []
  const pages: Pages = {
    routeName: () => 'page',
    handle: async (request) => {
      received.push(new URL(request.url).pathname)
      return { response: new Response('page'), framedBy: [] }
    },
  }
  const options = { platform: app.platform, api: createAppApi(), pages, uploads: uploadPaths }
  const { fetch } = createApp({ ...options, ready: async () => true })
  const send = async (path: string) => {
    const body = new Uint8Array(2 * 1024 * 1024)
    const headers = { host: 'localhost:3000', 'content-length': String(body.length) }
    return (await fetch(new Request(`http://localhost:3000${path}`, { method: 'POST', headers, body }))).status
  }
  const uploads = ['/settings/account/photo', '/session-summaries/7', '/session-summaries/7.data']
  for (const path of uploads) expect([path, await send(path)]).toEqual([path, 200])
  for (const path of ['/clients', '/session-summaries/7/edit', '/session-summaries', '/session-summaries/7.data/x'])
    expect([path, await send(path)]).toEqual([path, 413])
  expect(received).toEqual(uploads)
})
