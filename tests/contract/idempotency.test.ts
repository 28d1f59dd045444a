import { describe, expect, test } from 'vitest'
import { aCoach, aHouse, atOnce, type Called, type Coach } from '#tests/support/test-app.ts'

const house = aHouse()
const mara = { name: 'Mara', email: 'mara@example.com' }
const hour = 3_600_000

const add = (as: Coach, key: string | null, body: object = mara, path = '/api/clients'): Promise<Called> =>
  house.call('POST', path, { as, body, headers: key === null ? {} : { 'idempotency-key': key } })
const count = async (as: Coach): Promise<number> => (await house.call('GET', '/api/clients', { as })).body.length

describe('a POST with an Idempotency-Key', () => {
  test('that is sent again gets the first answer again, and does nothing more', async () => {
    const coach = await aCoach(house)
    const first = await add(coach, 'a')
    await house.call('PATCH', `/api/clients/${first.body.id}`, { as: coach, body: { name: 'Renamed' } })
    const second = await add(coach, 'a')
    expect([second.status, second.text, second.headers.get('content-type')]).toEqual([
      201,
      first.text,
      first.headers.get('content-type'),
    ])
    expect(await count(coach)).toBe(1)
  })

  test('that is sent fifty times at once is done once', async () => {
    const coach = await aCoach(house)
    const answers = await atOnce(50, () => add(coach, 'at once'))
    expect(new Set(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.text : 'failed'))).size).toBe(
      1,
    )
    expect(await count(coach)).toBe(1)
  })

  test('that is sent again with another body is a 422, and the first stays', async () => {
    const coach = await aCoach(house)
    const first = await add(coach, 'b')
    const other = await add(coach, 'b', { ...mara, name: 'Nils' })
    expect([other.status, other.body.code]).toEqual([422, 'validation_failed'])
    expect((await add(coach, 'b')).text).toBe(first.text)
    expect(await count(coach)).toBe(1)
  })

  test('that is sent again to another address is a 422', async () => {
    const coach = await aCoach(house)
    const { body } = await add(coach, 'c')
    expect((await add(coach, 'c', mara, `/api/clients/${body.id}/archive`)).status).toBe(422)
  })

  test('of another coach is another request', async () => {
    const [ada, bea] = [await aCoach(house), await aCoach(house)]
    const [first, second] = [await add(ada, 'd'), await add(bea, 'd')]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
  })

  test('that was refused can be corrected and sent again with the same key', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    expect((await add(coach, 'e', { name: 'Mara' })).status).toBe(422)
    const added = await add(coach, 'e')
    expect(added.status).toBe(201)
    expect((await add(coach, 'f', { ...mara, name: 'Second' })).status).toBe(403)
    await house.call('DELETE', `/api/clients/${added.body.id}`, { as: coach })
    expect((await add(coach, 'f', { ...mara, name: 'Second' })).status).toBe(201)
  })

  test('is remembered for 24 hours', async () => {
    const coach = await aCoach(house)
    const first = await add(coach, 'g')
    house.clock.now = new Date(house.clock.now.getTime() + 24 * hour - 1000)
    expect((await add(coach, 'g')).text).toBe(first.text)
    house.clock.now = new Date(house.clock.now.getTime() + 2000)
    const fresh = await add(coach, 'g', { ...mara, name: 'Nils' })
    expect([fresh.status, fresh.body.name]).toEqual([201, 'Nils'])
    expect(await count(coach)).toBe(2)
  })

  test('that has run out, sent fifty times at once, is done once', async () => {
    const coach = await aCoach(house)
    await add(coach, 'h')
    house.clock.now = new Date(house.clock.now.getTime() + 25 * hour)
    await atOnce(50, () => add(coach, 'h'))
    expect(await count(coach)).toBe(2)
  })

  test.each(['a'.repeat(255), 'ключ', '😀', ' a b ', "'; drop table retry; --", '__proto__', '%00'])(
    'may be called %j',
    async (key) => {
      const coach = await aCoach(house)
      const sent = Buffer.from(key).toString('latin1')
      const [first, second] = [await add(coach, sent), await add(coach, sent)]
      expect([first.status, second.text]).toEqual([201, first.text])
      expect(await count(coach)).toBe(1)
    },
  )

  test.each(['', 'a'.repeat(256)])('of no or too many letters is a 422', async (key) => {
    expect((await add(await aCoach(house), key)).status).toBe(422)
  })

  test('works where nothing is created too', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    const trial = () =>
      house.call('POST', '/api/subscription/trial', { as: coach, headers: { 'idempotency-key': 'trial' } })
    const [first, second] = [await trial(), await trial()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })
})

test('other methods take no notice of the key', async () => {
  const coach = await aCoach(house)
  const { body } = await add(coach, null)
  const edit = (name: string) =>
    house.call('PATCH', `/api/clients/${body.id}`, {
      as: coach,
      body: { name },
      headers: { 'idempotency-key': 'same' },
    })
  expect([(await edit('One')).body.name, (await edit('Two')).body.name]).toEqual(['One', 'Two'])
  const remove = () =>
    house.call('DELETE', `/api/clients/${body.id}`, { as: coach, headers: { 'idempotency-key': 'same' } })
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
  expect((await house.call('GET', '/api/clients', { as: coach, headers: { 'idempotency-key': 'same' } })).status).toBe(
    200,
  )
})
