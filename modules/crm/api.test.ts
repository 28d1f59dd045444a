import { expect, test } from 'vitest'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' }
const add = async (as: Coach, fields: object = {}) =>
  (await app.call('POST', '/api/clients', { as, body: { ...ada, ...fields } })).body

test('a client has every field of the API contract, null if empty', async () => {
  const as = await createCoach()
  const { status, body } = await app.call('POST', '/api/clients', { as, body: ada })
  expect(status).toBe(201)
  expect(body).toEqual({
    ...ada,
    id: expect.any(Number),
    coachId: as.id,
    phone: null,
    location: null,
    profession: null,
    timezone: null,
    program: null,
    status: 'active',
    progress: 0,
    tags: [],
    goals: null,
    notes: null,
    futureGoals: null,
    frustrations: null,
    fears: null,
    failures: null,
    convertedAt: null,
    convertedFromProspectId: null,
    totalSpent: 0,
    archivedAt: null,
    createdAt: '2026-03-10T14:00:00.000Z',
    updatedAt: '2026-03-10T14:00:00.000Z',
  })
  expect((await app.call('GET', `/api/clients/${body.id}`, { as })).body).toEqual(body)
})

test('read-only fields are ignored', async () => {
  const as = await createCoach()
  const client = await add(as, {
    id: 99999,
    coachId: 1,
    totalSpent: 500,
    createdAt: '2000-01-01T00:00:00Z',
    convertedFromProspectId: 4,
    archivedAt: '2000-01-01T00:00:00Z',
  })
  expect(client).toMatchObject({
    coachId: as.id,
    totalSpent: 0,
    createdAt: '2026-03-10T14:00:00.000Z',
    convertedFromProspectId: null,
    archivedAt: null,
  })
  expect(client.id).not.toBe(99999)
})

test('a missing product is a 404', async () => {
  const as = await createCoach()
  const { status, body } = await app.call('POST', '/api/clients', { as, body: { ...ada, productId: 1 } })
  expect([status, body.message]).toEqual([404, 'Product not found'])
  expect((await app.call('GET', '/api/clients', { as })).body).toEqual([])
})

test('PATCH and PUT update the given fields, and {} nothing', async () => {
  const as = await createCoach()
  const client = await add(as, { phone: '1' })
  for (const method of ['PATCH', 'PUT']) {
    const before = (await app.call('GET', `/api/clients/${client.id}`, { as })).body
    expect((await app.call(method, `/api/clients/${client.id}`, { as, body: {} })).body).toEqual(before)
    expect((await app.call(method, `/api/clients/${client.id}`, { as, body: { goals: method } })).body).toMatchObject({
      phone: '1',
      goals: method,
    })
  }
})

test("another coach's record is the same 404 as a missing one, before validation", async () => {
  const [as, other] = [await createCoach(), await createCoach()]
  const { id } = await add(other)
  const answers = []
  for (const path of [
    `/api/clients/${id}`,
    '/api/clients/987654321',
    '/api/clients/abc',
    '/api/clients/0',
    '/api/clients/9223372036854775808',
  ]) {
    answers.push(await app.call('PATCH', path, { as, body: { progress: 'x' } }))
  }
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(answers[0]!.body.message).toBe('Client not found')
  expect({ ...answers[0]!.body, requestId: '' }).toEqual({ ...answers[1]!.body, requestId: '' })
})

test('DELETE is a 204 once, then a 404; restore brings the client back', async () => {
  const as = await createCoach()
  const client = await add(as)
  const path = `/api/clients/${client.id}`
  expect((await app.call('DELETE', path, { as })).status).toBe(204)
  expect((await app.call('DELETE', path, { as })).status).toBe(404)
  expect((await app.call('GET', path, { as })).status).toBe(404)
  expect((await app.call('GET', '/api/activities', { as })).body).toEqual([])
  expect((await app.call('POST', `${path}/restore`, { as })).body).toEqual(client)
})

test('archived clients are listed on request, and stay readable', async () => {
  const as = await createCoach()
  const client = await add(as)
  expect((await app.call('POST', `/api/clients/${client.id}/archive`, { as })).body).toEqual({
    ...client,
    archivedAt: '2026-03-10T14:00:00.000Z',
  })
  expect((await app.call('GET', '/api/clients', { as })).body).toEqual([])
  expect((await app.call('GET', '/api/clients?archived=true', { as })).body).toHaveLength(1)
  expect((await app.call('GET', `/api/clients/${client.id}`, { as })).status).toBe(200)
  expect((await app.call('POST', `/api/clients/${client.id}/unarchive`, { as })).body).toEqual(client)
})

test('following the Link headers lists every record once, newest first', async () => {
  const as = await createCoach()
  for (let n = 0; n < 7; n++) await add(as, { name: `Client ${n}` })
  for (const [first, names] of [
    ['/api/clients?limit=3', '6 5 4 3 2 1 0'],
    ['/api/clients?limit=3&q=CLIENT', '6 5 4 3 2 1 0'],
    ['/api/activities?limit=3', '6 5 4 3 2 1 0'],
  ]) {
    const seen: string[] = []
    for (let path: string | undefined = first; path; ) {
      const { body, headers } = await app.call('GET', path, { as })
      expect(body.length).toBeLessThanOrEqual(3)
      seen.push(
        ...body.map(({ name, description }: { name?: string; description?: string }) =>
          (name ?? description ?? '').slice(-1),
        ),
      )
      path = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen.join(' ')).toBe(names)
  }
})

test('without a limit the whole list is returned, but only fifty activities', async () => {
  const as = await createCoach()
  for (let n = 0; n < 51; n++) await add(as)
  expect((await app.call('GET', '/api/clients?_=123', { as })).body).toHaveLength(51)
  expect((await app.call('GET', '/api/activities', { as })).body).toHaveLength(50)
})

test.each([
  'limit=0',
  'limit=501',
  'limit=-1',
  'limit=1.5',
  'limit=abc',
  'limit=',
  'limit=1e2',
  'cursor=abc',
  'cursor=',
  'cursor=%00',
  'limit=3&cursor=eyJ9',
  'q=%00',
  'archived=yes',
])('%s is a 422', async (query) => {
  const as = await createCoach()
  const { status, body } = await app.call('GET', `/api/clients?${query}`, { as })
  expect([status, body.code]).toEqual([422, 'validation_failed'])
})

test('a cursor of another coach or list is a 422', async () => {
  const [as, other] = [await createCoach(), await createCoach()]
  for (let n = 0; n < 2; n++) await add(as)
  const next = /cursor=([^&>]+)/.exec((await app.call('GET', '/api/clients?limit=1', { as })).headers.get('link')!)![1]
  expect((await app.call('GET', `/api/clients?cursor=${next}`, { as })).status).toBe(200)
  expect((await app.call('GET', `/api/clients?cursor=${next}`, { as: other })).status).toBe(422)
  expect((await app.call('GET', `/api/activities?cursor=${next}`, { as })).status).toBe(422)
})

test('a retry with the same key creates one client', async () => {
  const as = await createCoach()
  const headers = { 'idempotency-key': 'k1' }
  const first = await app.call('POST', '/api/clients', { as, body: ada, headers })
  const again = await app.call('POST', '/api/clients', { as, body: ada, headers })
  expect([again.status, again.body]).toEqual([201, first.body])
  expect((await app.call('GET', '/api/clients', { as })).body).toHaveLength(1)
  expect((await app.call('POST', '/api/clients', { as, body: { ...ada, name: 'Else' }, headers })).status).toBe(422)
})

test("over the plan's limit: 403 plan_limit with a message", async () => {
  const as = await createCoach({ plan: 'free' })
  await add(as)
  const { status, body } = await app.call('POST', '/api/clients', { as, body: ada })
  expect([status, body.code, body.message]).toEqual([
    403,
    'plan_limit',
    'Your Free plan includes 1 client. Upgrade your plan or archive a client to make room.',
  ])
})

test('search ranks name prefixes first and archived clients last', async () => {
  const as = await createCoach()
  for (const name of ['Zoë Annan', 'Beth Hannah', 'Anna Wood', 'anna bell', 'Ben']) await add(as, { name })
  const { body: listed } = await app.call('GET', '/api/clients', { as })
  await app.call(
    'POST',
    `/api/clients/${listed.find(({ name }: { name: string }) => name === 'anna bell').id}/archive`,
    { as },
  )
  const { body: found } = await app.call('GET', '/api/search?q=ANNÁ', { as })
  expect(found.map(({ title }: { title: string }) => title)).toEqual([
    'Anna Wood',
    'Zoë Annan',
    'Beth Hannah',
    'anna bell',
  ])
})

test('the longest name and email, in characters that decompose into three, are stored and found', async () => {
  const as = await createCoach()
  // Random, because the index compresses repetition.
  const letters = (count: number, seed: number) =>
    Array.from({ length: count }, (_, index) =>
      String.fromCodePoint(0xac00 + (((index + seed) ** 3 * 7919 + index * 104_729) % 11_172)),
    ).join('')
  const name = letters(255, 1)
  const { status } = await app.call('POST', '/api/clients', {
    as,
    body: { name, email: `${letters(64, 2)}@${letters(185, 3)}.kr` },
  })
  expect(status).toBe(201)
  const { body: found } = await app.call('GET', `/api/search?q=${encodeURIComponent(name.slice(-3))}`, { as })
  expect(found.map(({ title }: { title: string }) => title)).toEqual([name])
})
