import { describe, expect, test } from 'vitest'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { inTenant } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import { aCoach, aHouse, atOnce, type Called, type Coach } from '#tests/support/test-app.ts'

const house = aHouse()

const add = (as: Coach, at: number, headers: Record<string, string> = {}): Promise<Called> =>
  house.call('POST', '/api/clients', { as, body: { name: `Person ${at}`, email: `person${at}@example.com` }, headers })
const clientsOf = async (as: Coach): Promise<{ id: number }[]> => (await house.call('GET', '/api/clients', { as })).body
const changePlan = (coach: Coach, plan: PlanName): Promise<unknown> =>
  inTenant(house.platform, coach.id, ({ em }) => em.nativeUpdate(Account, { id: coach.id }, { plan }))

/** How many of the calls got which status. */
async function tally(calls: Promise<PromiseSettledResult<Called>[]>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const call of await calls) {
    const status = call.status === 'fulfilled' ? call.value.status : 0
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe('fifty at once', () => {
  test.each<[PlanName, Record<number, number>]>([
    ['free', { 201: 1, 403: 49 }],
    ['pro', { 201: 10, 403: 40 }],
    ['premium', { 201: 50 }],
  ])('on %s get exactly the places that there are', async (plan, expected) => {
    const coach = await aCoach(house, { plan })
    expect(await tally(atOnce(50, (at) => add(coach, at)))).toEqual(expected)
    expect(await clientsOf(coach)).toHaveLength(expected[201]!)
    const activities = await house.call('GET', '/api/activities?limit=100', { as: coach })
    expect(activities.body).toHaveLength(expected[201]!)
  })

  test.each<[PlanName, number]>([
    ['free', 1],
    ['pro', 10],
  ])('out of the archive on %s get exactly the places that there are', async (plan, places) => {
    const coach = await aCoach(house, { plan: 'premium' })
    await atOnce(50, (at) => add(coach, at))
    const ids = (await clientsOf(coach)).map(({ id }) => id)
    for (const id of ids)
      expect((await house.call('POST', `/api/clients/${id}/archive`, { as: coach })).status).toBe(200)
    await changePlan(coach, plan)
    expect(
      await tally(atOnce(50, (at) => house.call('POST', `/api/clients/${ids[at]}/unarchive`, { as: coach }))),
    ).toEqual({ 200: places, 403: 50 - places })
    expect(await clientsOf(coach)).toHaveLength(places)
  })

  test.each<[PlanName, number]>([
    ['free', 1],
    ['pro', 10],
  ])('out of the trash on %s get exactly the places that there are', async (plan, places) => {
    const coach = await aCoach(house, { plan: 'premium' })
    await atOnce(50, (at) => add(coach, at))
    const ids = (await clientsOf(coach)).map(({ id }) => id)
    for (const id of ids) expect((await house.call('DELETE', `/api/clients/${id}`, { as: coach })).status).toBe(204)
    await changePlan(coach, plan)
    expect(
      await tally(atOnce(50, (at) => house.call('POST', `/api/clients/${ids[at]}/restore`, { as: coach }))),
    ).toEqual({ 200: places, 403: 50 - places })
    expect(await clientsOf(coach)).toHaveLength(places)
  })

  test('by every way in at the same moment share the places', async () => {
    const coach = await aCoach(house, { plan: 'premium' })
    await atOnce(40, (at) => add(coach, at))
    const ids = (await clientsOf(coach)).map(({ id }) => id)
    for (const [at, id] of ids.entries())
      await house.call(at % 2 ? 'POST' : 'DELETE', `/api/clients/${id}${at % 2 ? '/archive' : ''}`, { as: coach })
    await changePlan(coach, 'pro')
    const counts = await tally(
      atOnce(50, (at) => {
        if (at >= ids.length) return add(coach, 100 + at)
        return house.call('POST', `/api/clients/${ids[at]}/${at % 2 ? 'unarchive' : 'restore'}`, { as: coach })
      }),
    )
    expect((counts[200] ?? 0) + (counts[201] ?? 0)).toBe(10)
    expect(counts[403]).toBe(40)
    expect(await clientsOf(coach)).toHaveLength(10)
  })

  test('of two coaches do not take each other’s', async () => {
    const coaches = [await aCoach(house, { plan: 'pro' }), await aCoach(house, { plan: 'pro' })]
    expect(await tally(atOnce(50, (at) => add(coaches[at % 2]!, at)))).toEqual({ 201: 20, 403: 30 })
  })

  test('with one retry key add one client', async () => {
    const coach = await aCoach(house, { plan: 'pro' })
    const answers = await atOnce(50, () => add(coach, 1, { 'idempotency-key': 'once' }))
    expect(
      new Set(
        answers.map((answer) =>
          answer.status === 'fulfilled' ? `${answer.value.status} ${answer.value.text}` : 'failed',
        ),
      ).size,
    ).toBe(1)
    expect(await clientsOf(coach)).toHaveLength(1)
  })

  test('deleting one client delete it once, and archiving it fifty times archives it', async () => {
    const coach = await aCoach(house)
    const [{ body: gone }, { body: put }] = [await add(coach, 1), await add(coach, 2)]
    expect(await tally(atOnce(50, () => house.call('DELETE', `/api/clients/${gone.id}`, { as: coach })))).toEqual({
      204: 1,
      404: 49,
    })
    expect(await tally(atOnce(50, () => house.call('POST', `/api/clients/${put.id}/archive`, { as: coach })))).toEqual({
      200: 50,
    })
  })

  test('starting the trial start it once', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    expect(await tally(atOnce(50, () => house.call('POST', '/api/subscription/trial', { as: coach })))).toEqual({
      200: 1,
      409: 49,
    })
  })
})

describe('over the limit', () => {
  test('what is there stays readable and can be edited, archived and deleted, but nothing comes in', async () => {
    const coach = await aCoach(house, { plan: 'premium' })
    await atOnce(12, (at) => add(coach, at))
    await changePlan(coach, 'pro')
    const [first, second, third] = await clientsOf(coach)
    expect(await clientsOf(coach)).toHaveLength(12)
    expect(
      (await house.call('PATCH', `/api/clients/${first!.id}`, { as: coach, body: { name: 'Still mine' } })).status,
    ).toBe(200)
    const refused = await add(coach, 99)
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit'])
    await house.call('POST', `/api/clients/${second!.id}/archive`, { as: coach })
    expect((await house.call('POST', `/api/clients/${second!.id}/unarchive`, { as: coach })).body.code).toBe(
      'plan_limit',
    )
    await house.call('DELETE', `/api/clients/${third!.id}`, { as: coach })
    expect((await house.call('POST', `/api/clients/${third!.id}/restore`, { as: coach })).body.code).toBe('plan_limit')
    expect(await clientsOf(coach)).toHaveLength(10)
  })

  test('the trial counts as Pro, and ends as free', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    await house.call('POST', '/api/subscription/trial', { as: coach })
    expect(await tally(atOnce(50, (at) => add(coach, at)))).toEqual({ 201: 10, 403: 40 })
    house.clock.now = new Date(house.clock.now.getTime() + 15 * 86_400_000)
    expect(await clientsOf(coach)).toHaveLength(10)
    for (const { id } of (await clientsOf(coach)).slice(1))
      await house.call('POST', `/api/clients/${id}/archive`, { as: coach })
    expect((await add(coach, 99)).body.code).toBe('plan_limit')
  })

  test('what is refused as invalid, or for its product, is told before the plan', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    await add(coach, 1)
    expect((await house.call('POST', '/api/clients', { as: coach, body: { name: '' } })).status).toBe(422)
    expect(
      (
        await house.call('POST', '/api/clients', {
          as: coach,
          body: { name: 'A', email: 'a@example.com', productId: 123 },
        })
      ).status,
    ).toBe(404)
    expect((await add(coach, 2)).status).toBe(403)
  })
})
