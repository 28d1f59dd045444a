import { beforeAll, describe, expect, test } from 'vitest'
import { ensureAdmin } from '#tenants/accounts/admin-account.ts'
import { mailInvitation } from '#tenants/accounts/jobs.ts'
import { outbox } from '#tenants/mail.ts'
import { kernel } from '#app/server/process/runtime.ts'
import { testConfig } from '#tests/support/config.ts'
import { coachesOf, type CoachesWanted } from '#modules/admin/services/coaches.ts'
import { aCoach, aHouse, atOnce, ctxFor, type Called, type Coach } from '#tests/support/test-app.ts'
import { linkIn } from '#tests/support/mail-server.ts'

const house = aHouse()
let admin: Coach
beforeAll(async () => {
  admin = await aCoach(house, { plan: 'premium', isAdmin: true, email: 'root@example.com' })
})

const stats = async (): Promise<Called['body']> => (await house.call('GET', '/api/admin/stats', { as: admin })).body
const coaches = async (): Promise<{ id: number; email: string; subscriptionStatus: string; createdAt: string }[]> =>
  (await house.call('GET', '/api/admin/coaches', { as: admin })).body
const add = (body: object, headers: Record<string, string> = {}): Promise<Called> =>
  house.call('POST', '/api/admin/coaches', { as: admin, body, headers })
const put = (id: number | string, body: object): Promise<Called> =>
  house.call('PUT', `/api/admin/coaches/${id}/subscription`, { as: admin, body })
const remove = (id: number | string): Promise<Called> => house.call('DELETE', `/api/admin/coaches/${id}`, { as: admin })

const everyCall: [method: string, path: string][] = [
  ['GET', '/api/admin/stats'],
  ['GET', '/api/admin/coaches'],
  ['POST', '/api/admin/coaches'],
  ['PUT', '/api/admin/coaches/1/subscription'],
  ['DELETE', '/api/admin/coaches/1'],
]

describe('who may', () => {
  test.each(everyCall)(
    '%s %s is 401 signed out and 403 without the right, before anything about the body or the record',
    async (method, path) => {
      const coach = await aCoach(house)
      expect((await house.call(method, path)).status).toBe(401)
      const refused = await house.call(method, path, {
        as: coach,
        ...(method === 'GET' ? {} : { raw: '{', headers: { 'content-type': 'text/plain', 'content-length': '1' } }),
      })
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
      expect((await house.call(method, path.replace('1', 'abc'), { as: coach })).status).toBe(403)
    },
  )

  test('nobody becomes an administrator by writing it', async () => {
    const coach = await aCoach(house)
    for (const [method, path] of [
      ['PUT', '/api/auth/profile'],
      ['PUT', '/api/branding'],
    ] as const)
      await house.call(method, path, { as: coach, body: { isAdmin: true, is_admin: true, role: 'admin' } })
    const { body } = await house.call('POST', '/api/register', {
      body: { email: 'sneaky@example.com', password: 'long enough', firstName: 'S', lastName: 'N', isAdmin: true },
    })
    expect(body.isAdmin).toBe(false)
    expect((await house.call('GET', '/api/admin/stats', { as: coach })).status).toBe(403)
  })

  test('ADMIN_EMAIL makes an account or promotes one, at any start, and keeps its password', async () => {
    const env = { ADMIN_EMAIL: 'Boss@Example.com', ADMIN_PASSWORD: 'the boss is in' }
    const platform = await kernel.open({ appUrl: house.appUrl, config: testConfig(env), now: () => house.clock.now })
    try {
      await ensureAdmin(platform)
      await ensureAdmin(platform)
      const first = await house.call('POST', '/api/login', {
        body: { email: 'boss@example.com', password: 'the boss is in' },
      })
      expect([first.status, first.body.isAdmin]).toEqual([200, true])

      await house.call('POST', '/api/register', {
        body: { email: 'promoted@example.com', password: 'my own one', firstName: 'P', lastName: 'R' },
      })
      await ensureAdmin({ ...platform, config: testConfig({ ...env, ADMIN_EMAIL: 'promoted@example.com' }) })
      const second = await house.call('POST', '/api/login', {
        body: { email: 'promoted@example.com', password: 'my own one' },
      })
      expect([second.status, second.body.isAdmin]).toEqual([200, true])
    } finally {
      await platform.close()
    }
  })
})

describe('the figures', () => {
  test('have exactly their fields, and count what is there', async () => {
    const before = await stats()
    expect(Object.keys(before).toSorted()).toEqual([
      'activeCoaches',
      'monthlyRevenue',
      'subscriptionBreakdown',
      'totalClients',
      'totalCoaches',
    ])
    expect(Object.keys(before.subscriptionBreakdown).toSorted()).toEqual(['free', 'premium', 'pro'])

    const [free, pro, premium, trial, gone] = [
      await aCoach(house, { plan: 'free' }),
      await aCoach(house, { plan: 'pro' }),
      await aCoach(house, { plan: 'premium' }),
      await aCoach(house, { plan: 'free' }),
      await aCoach(house, { plan: 'premium' }),
    ]
    await house.call('POST', '/api/subscription/trial', { as: trial })
    for (const coach of [free, pro, premium, gone])
      await house.call('POST', '/api/clients', { as: coach, body: { name: 'C', email: 'c@example.com' } })
    const { body: archived } = await house.call('POST', '/api/clients', {
      as: premium,
      body: { name: 'A', email: 'a@example.com' },
    })
    await house.call('POST', `/api/clients/${archived.id}/archive`, { as: premium })
    await remove(gone.id)

    const after = await stats()
    expect(after.totalCoaches - before.totalCoaches).toBe(4)
    expect(after.totalClients - before.totalClients).toBe(3)
    // Pro and premium pay; the trial and the removed one do not.
    expect(after.monthlyRevenue - before.monthlyRevenue).toBe(2900 + 5900)
    expect({
      free: after.subscriptionBreakdown.free - before.subscriptionBreakdown.free,
      pro: after.subscriptionBreakdown.pro - before.subscriptionBreakdown.pro,
      premium: after.subscriptionBreakdown.premium - before.subscriptionBreakdown.premium,
    }).toEqual({ free: 1, pro: 2, premium: 1 })
  })

  test('are one moment: what a plan change adds to one plan it takes from another', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    const before = await stats()
    await put(coach.id, { status: 'premium' })
    const after = await stats()
    expect([
      after.subscriptionBreakdown.free - before.subscriptionBreakdown.free,
      after.subscriptionBreakdown.premium - before.subscriptionBreakdown.premium,
      after.monthlyRevenue - before.monthlyRevenue,
      after.totalCoaches - before.totalCoaches,
    ]).toEqual([-1, 1, 5900, 0])
  })
})

describe('coaches', () => {
  test('are listed newest first, with exactly their fields', async () => {
    const [first, second] = [await aCoach(house), await aCoach(house)]
    const list = await coaches()
    expect(list.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
    for (const coach of list)
      expect(Object.keys(coach)).toEqual([
        'id',
        'email',
        'firstName',
        'lastName',
        'businessName',
        'subscriptionStatus',
        'createdAt',
      ])
    expect(list[0]!.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('come page by page on request, each once, also while others come and go', async () => {
    for (let at = 0; at < 5; at++) await aCoach(house)
    const whole = (await coaches()).map(({ id }) => id)
    const seen: number[] = []
    let next: string | undefined = '/api/admin/coaches?limit=2'
    for (let at = 0; next; at++) {
      const page: Called = await house.call('GET', next, { as: admin })
      expect([page.status, page.body.length <= 2]).toEqual([200, true])
      seen.push(...page.body.map(({ id }: { id: number }) => id))
      next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      // Whoever comes in stands before the first page; whoever goes leaves no gap.
      if (at === 0) await aCoach(house)
      if (at === 1) await remove(seen[0]!)
    }
    expect(seen).toEqual(whole)
    for (const query of ['limit=0', 'limit=501', 'cursor=forged'])
      expect((await house.call('GET', `/api/admin/coaches?${query}`, { as: admin })).status).toBe(422)
  })

  test('are found by name, address and business, by plan, and as one of how many', async () => {
    const ctx = await ctxFor(admin)
    const made = [
      await aCoach(house, { plan: 'pro', email: 'zoe-one@example.com' }),
      await aCoach(house, { plan: 'free', email: 'zoe-two@example.com' }),
    ]
    await house.call('PUT', '/api/auth/profile', { as: made[0]!, body: { businessName: 'Zoë’s Läufe 100%' } })
    const ids = async (wanted: CoachesWanted) => (await coachesOf(ctx, wanted)).map(({ id }) => id)

    expect(await ids({ q: 'zoe-' })).toEqual([made[1]!.id, made[0]!.id])
    expect(await ids({ q: 'LAUFE 100%' })).toEqual([made[0]!.id])
    expect(await ids({ q: 'zoe-', plan: 'free' })).toEqual([made[1]!.id])
    expect(await ids({ q: '_%' })).toEqual([])
    expect(await coachesOf(ctx, { q: 'zoe-', rows: 1, skip: 1 })).toMatchObject([{ id: made[0]!.id, found: 2 }])
  })

  test('are added with an invitation that sets their first password', async () => {
    const { status, body } = await add({
      email: '  New.Coach@Example.com ',
      firstName: 'New',
      isAdmin: true,
      id: 5,
      subscriptionStatus: 'pro',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ email: 'New.Coach@Example.com', firstName: 'New', businessName: null })
    expect(body.id).not.toBe(5)
    // Nobody signs in before the invitation is taken, whatever they try.
    for (const password of ['', 'null', 'undefined', 'password'])
      expect(
        (await house.call('POST', '/api/login', { body: { email: 'new.coach@example.com', password } })).status,
      ).toBeGreaterThanOrEqual(401)

    await mailInvitation(house.platform, { coachId: body.id, email: body.email })
    const [mail] = await outbox(house.platform.config, 1)
    const token = linkIn(mail!.text).searchParams.get('token')
    const reset = () => house.call('POST', '/api/auth/reset-password', { body: { token, password: 'my first one' } })
    expect([(await reset()).status, (await reset()).status]).toEqual([204, 422])
    const signedIn = await house.call('POST', '/api/login', {
      body: { email: 'new.coach@example.com', password: 'my first one' },
    })
    expect([signedIn.status, signedIn.body.isAdmin]).toEqual([200, false])
  })

  test('the invitation lasts a week', async () => {
    const { body } = await add({ email: 'late@example.com' })
    await mailInvitation(house.platform, { coachId: body.id, email: body.email })
    const mail = (await outbox(house.platform.config)).find(({ to }) => to === 'late@example.com')
    house.clock.now = new Date(house.clock.now.getTime() + 7 * 86_400_000 + 1000)
    expect(
      (
        await house.call('POST', '/api/auth/reset-password', {
          body: { token: linkIn(mail!.text).searchParams.get('token'), password: 'my first one' },
        })
      ).status,
    ).toBe(422)
  })

  test.each([
    [{}],
    [{ email: '' }],
    [{ email: 'no address' }],
    [{ email: 5 }],
    [{ email: null }],
    [{ email: 'a\u0000@example.com' }],
    [{ email: `${'a'.repeat(250)}@example.com` }],
  ])('are not added without an address that can be one: %j', async (body) => {
    const answer = await add(body)
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, 'email'])
  })

  test('are not added twice, in any case of letters, nor by twenty at once', async () => {
    const taken = await aCoach(house)
    const answer = await add({ email: taken.email.toUpperCase() })
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    const statuses = (await atOnce(20, () => add({ email: 'race@example.com' }))).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('of different addresses are added by thirty at once', async () => {
    const statuses = (
      await atOnce(30, (at) => add({ email: `crowd${at}@example.com` }, { 'idempotency-key': `crowd ${at}` }))
    ).map((each) => (each.status === 'fulfilled' ? each.value.status : 0))
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 201))
  })
})

describe('a plan', () => {
  test('is changed in any direction, at once, and ends a trial', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    await house.call('POST', '/api/subscription/trial', { as: coach })
    for (const status of ['premium', 'pro', 'free', 'premium', 'free'] as const) {
      const { status: code, body } = await put(coach.id, { status })
      expect([code, body.id, body.subscriptionStatus]).toEqual([200, coach.id, status])
      expect((await house.call('GET', '/api/user', { as: coach })).body.subscriptionStatus).toBe(status)
    }
  })

  test.each([
    [{}],
    [{ status: 'gold' }],
    [{ status: '' }],
    [{ status: null }],
    [{ status: ['pro'] }],
    [{ status: 'Pro' }],
    [{ subscriptionStatus: 'pro' }],
  ])('is not changed to %j', async (body) => {
    const coach = await aCoach(house, { plan: 'pro' })
    expect((await put(coach.id, body)).status).toBe(422)
    expect((await house.call('GET', '/api/user', { as: coach })).body.subscriptionStatus).toBe('pro')
  })

  test.each(['8999999999999', '0', '-1', 'abc', '1.5', '%00', '9223372036854775808'])(
    'of coach %s is a 404, before the body is looked at',
    async (id) => {
      for (const answer of [await put(id, { status: 'gold' }), await remove(id)])
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    },
  )

  test('is changed by thirty at once without standing still', async () => {
    const coach = await aCoach(house)
    const statuses = (await atOnce(30, (at) => put(coach.id, { status: at % 2 ? 'pro' : 'premium' }))).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 200))
  })
})

describe('removing a coach', () => {
  test('ends everything of theirs from that moment, and keeps their data', async () => {
    const { body: user, headers } = await house.call('POST', '/api/register', {
      body: { email: 'leaves@example.com', password: 'long enough', firstName: 'L', lastName: 'V' },
    })
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    await house.call('PUT', '/api/branding', { headers: { cookie }, body: { subdomain: 'leaves-soon' } })
    const done = await remove(user.id)
    expect([done.status, done.text]).toEqual([204, ''])
    expect((await house.call('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
    expect((await house.call('GET', '/api/user', { host: 'leaves-soon.localhost:3000' })).status).toBe(421)
    const [theirs, nobodys] = await Promise.all(
      ['leaves@example.com', 'never-was@example.com'].map((email) =>
        house.call('POST', '/api/login', { body: { email, password: 'long enough' } }),
      ),
    )
    expect([theirs!.status, theirs!.body.message]).toEqual([nobodys!.status, nobodys!.body.message])
    expect((await coaches()).some(({ id }) => id === user.id)).toBe(false)
    for (const answer of [await remove(user.id), await put(user.id, { status: 'pro' })]) expect(answer.status).toBe(404)
  })

  test('is not for oneself', async () => {
    const answer = await remove(admin.id)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect((await house.call('GET', '/api/user', { as: admin })).status).toBe(200)
  })

  test('fifty times at once removes once', async () => {
    const coach = await aCoach(house)
    const statuses = (await atOnce(30, () => remove(coach.id))).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 29 }, () => 404)])
  })
})
