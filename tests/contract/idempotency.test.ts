import { describe, expect, test } from 'vitest'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently, type CallResult } from '#tests/support/test-app.ts'

const app = createTestApp()
const newClient = { name: 'Mara', email: 'mara@example.com' }
const hour = 3_600_000

const add = (as: Coach, key: string | null, body: object = newClient, path = '/api/clients'): Promise<CallResult> =>
  app.call('POST', path, { as, body, headers: key === null ? {} : { 'idempotency-key': key } })
const count = async (as: Coach): Promise<number> => (await app.call('GET', '/api/clients', { as })).body.length

describe('a POST with an Idempotency-Key', () => {
  test('that is repeated gets the first response again and does nothing more', async () => {
    const coach = await createCoach()
    const first = await add(coach, 'a')
    await app.call('PATCH', `/api/clients/${first.body.id}`, { as: coach, body: { name: 'Renamed' } })
    const second = await add(coach, 'a')
    expect([second.status, second.text, second.headers.get('content-type')]).toEqual([
      201,
      first.text,
      first.headers.get('content-type'),
    ])
    expect(await count(coach)).toBe(1)
  })

  test('that is sent fifty times concurrently is done once', async () => {
    const coach = await createCoach()
    const answers = await concurrently(50, () => add(coach, 'at once'))
    expect(new Set(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.text : 'failed'))).size).toBe(
      1,
    )
    expect(await count(coach)).toBe(1)
  })

  test('that is repeated with another body is a 422, and the first result is kept', async () => {
    const coach = await createCoach()
    const first = await add(coach, 'b')
    const other = await add(coach, 'b', { ...newClient, name: 'Nils' })
    expect([other.status, other.body.code]).toEqual([422, 'validation_failed'])
    expect((await add(coach, 'b')).text).toBe(first.text)
    expect(await count(coach)).toBe(1)
  })

  test('that is repeated at another URL is a 422', async () => {
    const coach = await createCoach()
    const { body } = await add(coach, 'c')
    expect((await add(coach, 'c', newClient, `/api/clients/${body.id}/archive`)).status).toBe(422)
  })

  test('of another coach is another request', async () => {
    const [ada, bea] = [await createCoach(), await createCoach()]
    const [first, second] = [await add(ada, 'd'), await add(bea, 'd')]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
  })

  test('that was rejected can be corrected and sent again with the same key', async () => {
    const coach = await createCoach({ plan: 'free' })
    expect((await add(coach, 'e', { name: 'Mara' })).status).toBe(422)
    const added = await add(coach, 'e')
    expect(added.status).toBe(201)
    expect((await add(coach, 'f', { ...newClient, name: 'Second' })).status).toBe(403)
    await app.call('DELETE', `/api/clients/${added.body.id}`, { as: coach })
    expect((await add(coach, 'f', { ...newClient, name: 'Second' })).status).toBe(201)
  })

  test('is remembered for 24 hours', async () => {
    const coach = await createCoach()
    const first = await add(coach, 'g')
    app.clock.now = new Date(app.clock.now.getTime() + 24 * hour - 1000)
    expect((await add(coach, 'g')).text).toBe(first.text)
    app.clock.now = new Date(app.clock.now.getTime() + 2000)
    const fresh = await add(coach, 'g', { ...newClient, name: 'Nils' })
    expect([fresh.status, fresh.body.name]).toEqual([201, 'Nils'])
    expect(await count(coach)).toBe(2)
  })

  test('that has expired, sent fifty times concurrently, is done once', async () => {
    const coach = await createCoach()
    await add(coach, 'h')
    app.clock.now = new Date(app.clock.now.getTime() + 25 * hour)
    await concurrently(50, () => add(coach, 'h'))
    expect(await count(coach)).toBe(2)
  })

  test.each(['a'.repeat(255), 'ключ', '😀', ' a b ', "'; drop table idempotency_key; --", '__proto__', '%00'])(
    'can be %j',
    async (key) => {
      const coach = await createCoach()
      const sent = Buffer.from(key).toString('latin1')
      const [first, second] = [await add(coach, sent), await add(coach, sent)]
      expect([first.status, second.text]).toEqual([201, first.text])
      expect(await count(coach)).toBe(1)
    },
  )

  test.each(['', 'a'.repeat(256)])('that is empty or too long is a 422', async (key) => {
    expect((await add(await createCoach(), key)).status).toBe(422)
  })

  test('works for calls that create nothing', async () => {
    const coach = await createCoach({ plan: 'free' })
    const trial = () =>
      app.call('POST', '/api/subscription/trial', { as: coach, headers: { 'idempotency-key': 'trial' } })
    const [first, second] = [await trial(), await trial()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})

test('other methods ignore the key', async () => {
  const coach = await createCoach()
  const { body } = await add(coach, null)
  const edit = (name: string) =>
    app.call('PATCH', `/api/clients/${body.id}`, {
      as: coach,
      body: { name },
      headers: { 'idempotency-key': 'same' },
    })
  expect([(await edit('One')).body.name, (await edit('Two')).body.name]).toEqual(['One', 'Two'])
  const remove = () =>
    app.call('DELETE', `/api/clients/${body.id}`, { as: coach, headers: { 'idempotency-key': 'same' } })
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
  expect((await app.call('GET', '/api/clients', { as: coach, headers: { 'idempotency-key': 'same' } })).status).toBe(
    200,
  )
})
