import { dayMs } from '#app/lib/time.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { deleteExpired, sendInvitationEmail } from '#tenants/accounts/jobs.ts'
import { sendSecurityEmail } from '#tenants/auth/security-email.ts'
import { listOutbox } from '#tenants/mail.ts'
import { getSecondFactor } from '#tenants/auth/second-factor.ts'
import { Account, AuthenticatorApp, RecoveryCode, SecurityEvent } from '#tenants/schema.ts'
import { changePlan, turnOffSecondFactor } from '#modules/admin/services/coaches.ts'
import { findCoach, listCoaches, type CoachesQuery } from '#modules/admin/queries/coaches.ts'
import { withTenant, type TenantTransaction } from '#tenants/platform.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createClient, createCoach, createSession, contextFor, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently, type CallResult } from '#tests/support/test-app.ts'
import { extractLink } from '#tests/support/mail-server.ts'

const app = createTestApp()
let admin: Coach
beforeAll(async () => {
  admin = await createCoach({ plan: 'premium', isAdmin: true, email: 'root@example.com' })
})

/** Also for a coach who was removed. */
const runInTenant = <T>({ id }: Coach, work: (tx: TenantTransaction) => Promise<T>): Promise<T> =>
  withTenant(app.platform, id, work)
const stats = async (): Promise<CallResult['body']> => (await app.call('GET', '/api/admin/stats', { as: admin })).body
const coaches = async (): Promise<{ id: number; email: string; subscriptionStatus: string; createdAt: string }[]> =>
  (await app.call('GET', '/api/admin/coaches', { as: admin })).body
const add = (body: object, headers: Record<string, string> = {}): Promise<CallResult> =>
  app.call('POST', '/api/admin/coaches', { as: admin, body, headers })
const put = (id: number | string, body: object): Promise<CallResult> =>
  app.call('PUT', `/api/admin/coaches/${id}/subscription`, { as: admin, body })
const remove = (id: number | string): Promise<CallResult> =>
  app.call('DELETE', `/api/admin/coaches/${id}`, { as: admin })

const adminCalls: [method: string, path: string][] = [
  ['GET', '/api/admin/stats'],
  ['GET', '/api/admin/coaches'],
  ['GET', '/api/admin/audit-log'],
  ['POST', '/api/admin/coaches'],
  ['PUT', '/api/admin/coaches/1/subscription'],
  ['POST', '/api/admin/coaches/1/sign-out'],
  ['POST', '/api/admin/coaches/1/invitation'],
  ['POST', '/api/admin/coaches/1/restore'],
  ['DELETE', '/api/admin/coaches/1'],
]

describe('permissions', () => {
  test.each(adminCalls)(
    '%s %s is 401 signed out and 403 without permission, before the body or the record is checked',
    async (method, path) => {
      const coach = await createCoach()
      expect((await app.call(method, path)).status).toBe(401)
      const refused = await app.call(method, path, {
        as: coach,
        ...(method === 'GET' ? {} : { raw: '{', headers: { 'content-type': 'text/plain', 'content-length': '1' } }),
      })
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
      expect((await app.call(method, path.replace('1', 'abc'), { as: coach })).status).toBe(403)
    },
  )

  test('no request can set the administrator flag', async () => {
    const coach = await createCoach()
    for (const [method, path] of [
      ['PUT', '/api/auth/profile'],
      ['PUT', '/api/branding'],
    ] as const)
      await app.call(method, path, { as: coach, body: { isAdmin: true, is_admin: true, role: 'admin' } })
    const { body } = await app.call('POST', '/api/register', {
      body: { email: 'sneaky@example.com', password: 'long enough', firstName: 'S', lastName: 'N', isAdmin: true },
    })
    expect(body.isAdmin).toBe(false)
    expect((await app.call('GET', '/api/admin/stats', { as: coach })).status).toBe(403)
  })
})

describe('the figures', () => {
  test('have exactly their fields, and count what exists', async () => {
    const before = await stats()
    expect(Object.keys(before).toSorted()).toEqual([
      'activeCoaches',
      'monthlyRevenue',
      'subscriptionBreakdown',
      'totalClients',
      'totalCoaches',
    ])
    expect(Object.keys(before.subscriptionBreakdown).toSorted()).toEqual(['free', 'premium', 'pro'])

    const [free, pro, premium, trial, removed] = [
      await createCoach({ plan: 'free' }),
      await createCoach({ plan: 'pro' }),
      await createCoach({ plan: 'premium' }),
      await createCoach({ plan: 'free' }),
      await createCoach({ plan: 'premium' }),
    ]
    await app.call('POST', '/api/subscription/trial', { as: trial })
    for (const coach of [free, pro, premium, removed])
      await app.call('POST', '/api/clients', { as: coach, body: { name: 'C', email: 'c@example.com' } })
    const { body: archived } = await app.call('POST', '/api/clients', {
      as: premium,
      body: { name: 'A', email: 'a@example.com' },
    })
    await app.call('POST', `/api/clients/${archived.id}/archive`, { as: premium })
    await remove(removed.id)

    const after = await stats()
    expect(after.totalCoaches - before.totalCoaches).toBe(4)
    expect(after.totalClients - before.totalClients).toBe(3)
    // Pro and Premium pay; the trial and the removed coach do not.
    expect(after.monthlyRevenue - before.monthlyRevenue).toBe(2900 + 5900)
    expect({
      free: after.subscriptionBreakdown.free - before.subscriptionBreakdown.free,
      pro: after.subscriptionBreakdown.pro - before.subscriptionBreakdown.pro,
      premium: after.subscriptionBreakdown.premium - before.subscriptionBreakdown.premium,
    }).toEqual({ free: 1, pro: 2, premium: 1 })
  })

  test('are one snapshot: a plan change moves a coach from one plan to another', async () => {
    const coach = await createCoach({ plan: 'free' })
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
    const [first, second] = [await createCoach(), await createCoach()]
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

  test('are paginated on request, each once, while others are added and removed', async () => {
    for (let index = 0; index < 5; index++) await createCoach()
    const whole = (await coaches()).map(({ id }) => id)
    const seen: number[] = []
    let next: string | undefined = '/api/admin/coaches?limit=2'
    for (let index = 0; next; index++) {
      const page: CallResult = await app.call('GET', next, { as: admin })
      expect([page.status, page.body.length <= 2]).toEqual([200, true])
      seen.push(...page.body.map(({ id }: { id: number }) => id))
      next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      // A new coach is before the first page; a removed one leaves no gap.
      if (index === 0) await createCoach()
      if (index === 1) await remove(seen[0]!)
    }
    expect(seen).toEqual(whole)
    for (const query of ['limit=0', 'limit=501', 'cursor=forged'])
      expect((await app.call('GET', `/api/admin/coaches?${query}`, { as: admin })).status).toBe(422)
  })

  test('are found by name, email, business and plan, with their total', async () => {
    const ctx = await contextFor(admin)
    const made = [
      await createCoach({ plan: 'pro', email: 'zoe-one@example.com' }),
      await createCoach({ plan: 'free', email: 'zoe-two@example.com' }),
    ]
    await app.call('PUT', '/api/auth/profile', { as: made[0]!, body: { businessName: 'Zoë’s Läufe 100%' } })
    const ids = async (wanted: CoachesQuery) => (await listCoaches(ctx, wanted)).map(({ id }) => id)

    expect(await ids({ q: 'zoe-' })).toEqual([made[1]!.id, made[0]!.id])
    expect(await ids({ q: 'LAUFE 100%' })).toEqual([made[0]!.id])
    expect(await ids({ q: 'zoe-', plan: 'free' })).toEqual([made[1]!.id])
    expect(await ids({ q: '_%' })).toEqual([])
    expect(await listCoaches(ctx, { q: 'zoe-', rows: 1, skip: 1 })).toMatchObject([{ id: made[0]!.id, total: 2 }])
  })

  test('are added with an invitation to set their first password', async () => {
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
    // Nobody can sign in before accepting the invitation.
    for (const password of ['', 'null', 'undefined', 'password'])
      expect(
        (await app.call('POST', '/api/login', { body: { email: 'new.coach@example.com', password } })).status,
      ).toBeGreaterThanOrEqual(401)

    await sendInvitationEmail(app.platform, { coachId: body.id, email: body.email })
    const [mail] = await listOutbox(app.platform.config, 1)
    const token = extractLink(mail!.text).searchParams.get('token')
    const reset = () => app.call('POST', '/api/auth/reset-password', { body: { token, password: 'my first one' } })
    expect([(await reset()).status, (await reset()).status]).toEqual([204, 422])
    const signedIn = await app.call('POST', '/api/login', {
      body: { email: 'new.coach@example.com', password: 'my first one' },
    })
    expect([signedIn.status, signedIn.body.isAdmin]).toEqual([200, false])
  })

  test('the invitation lasts a week', async () => {
    const { body } = await add({ email: 'late@example.com' })
    await sendInvitationEmail(app.platform, { coachId: body.id, email: body.email })
    const mail = (await listOutbox(app.platform.config)).find(({ to }) => to === 'late@example.com')
    const { now } = app.clock
    app.clock.now = new Date(now.getTime() + 7 * dayMs + 1000)
    expect(
      (
        await app.call('POST', '/api/auth/reset-password', {
          body: { token: extractLink(mail!.text).searchParams.get('token'), password: 'my first one' },
        })
      ).status,
    ).toBe(422)
    // The administrator's session would have ended, too.
    app.clock.now = now
  })

  test.each([
    [{}],
    [{ email: '' }],
    [{ email: 'no address' }],
    [{ email: 5 }],
    [{ email: null }],
    [{ email: 'a\u0000@example.com' }],
    [{ email: `${'a'.repeat(250)}@example.com` }],
  ])('are not added with an invalid email address: %j', async (body) => {
    const answer = await add(body)
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, 'email'])
  })

  test('are not added twice, in any letter case, nor by twenty concurrent calls', async () => {
    const taken = await createCoach()
    const answer = await add({ email: taken.email.toUpperCase() })
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    const statuses = (await concurrently(20, () => add({ email: 'race@example.com' }))).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('with different email addresses are added by thirty concurrent calls', async () => {
    const statuses = (
      await concurrently(30, (index) =>
        add({ email: `crowd${index}@example.com` }, { 'idempotency-key': `crowd ${index}` }),
      )
    ).map((each) => (each.status === 'fulfilled' ? each.value.status : 0))
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 201))
  })
})

describe('an invitation', () => {
  const resend = (id: number) => app.call('POST', `/api/admin/coaches/${id}/invitation`, { as: admin })
  const send = (id: number, email: string) => sendInvitationEmail(app.platform, { coachId: id, email })
  const linksTo = async (email: string) =>
    (await listOutbox(app.platform.config)).filter(({ to }) => to === email).map(({ text }) => extractLink(text))
  const accept = (link: URL) =>
    app.call('POST', '/api/auth/reset-password', {
      body: { token: link.searchParams.get('token'), password: 'my first one' },
    })

  test('is sent again until it is accepted, and each of its links works until then', async () => {
    const { body: coach } = await add({ email: 'again@example.com' })
    await send(coach.id, coach.email)
    expect((await resend(coach.id)).status).toBe(204)
    await send(coach.id, coach.email)
    const [second, first] = await linksTo(coach.email)
    expect((await listCoaches(await contextFor(admin), { id: coach.id }))[0]).toMatchObject({ invited: true })

    expect((await accept(first!)).status).toBe(204)
    expect((await accept(second!)).status).toBe(422)
    expect((await listCoaches(await contextFor(admin), { id: coach.id }))[0]).toMatchObject({ invited: false })
    const refused = await resend(coach.id)
    expect([refused.status, refused.body.message]).toEqual([409, 'This coach has already accepted the invitation'])
    // A job that was late.
    await send(coach.id, coach.email)
    expect(await linksTo(coach.email)).toHaveLength(2)
  })

  test('leaves the account unverified until it is accepted', async () => {
    const { body: coach } = await add({ email: 'unverified@example.com' })
    const verifiedAt = async () =>
      (await inTenant({ ...coach, platform: app.platform }, ({ em }) => em.findOneOrFail(Account, { id: coach.id })))
        .emailVerifiedAt
    expect(await verifiedAt()).toBeNull()
    await send(coach.id, coach.email)
    await accept((await linksTo(coach.email))[0]!)
    expect(await verifiedAt()).toEqual(app.clock.now)
  })

  test('is sent to one address at most 20 times an hour', async () => {
    const { body: coach } = await add({ email: 'often@example.com' })
    for (let count = 0; count < 20; count++) expect((await resend(coach.id)).status).toBe(204)
    expect((await resend(coach.id)).status).toBe(429)
  })

  test('is not sent to a coach who was removed', async () => {
    const { body: coach } = await add({ email: 'gone@example.com' })
    await remove(coach.id)
    await send(coach.id, coach.email)
    expect(await linksTo(coach.email)).toEqual([])
    expect((await resend(coach.id)).status).toBe(404)
  })
})

describe('a removed coach', () => {
  const restore = (id: number) => app.call('POST', `/api/admin/coaches/${id}/restore`, { as: admin })

  test('is taken back with everything, gets an email, and signs in as before', async () => {
    const coach = await createCoach({ plan: 'pro', password: 'long enough' })
    await createClient({ coach, name: 'Grace Hopper' })
    await remove(coach.id)
    expect((await app.call('GET', '/api/admin/coaches?state=removed&limit=1', { as: admin })).body).toMatchObject([
      { id: coach.id },
    ])
    expect(await restore(coach.id)).toMatchObject({ status: 200, body: { id: coach.id, subscriptionStatus: 'pro' } })
    expect((await coaches()).some(({ id }) => id === coach.id)).toBe(true)
    const signIn = await app.call('POST', '/api/login', { body: { email: coach.email, password: 'long enough' } })
    expect(signIn.status).toBe(200)
    const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!
    const clients = await app.call('GET', '/api/clients', { headers: { cookie } })
    expect(clients.body).toMatchObject([{ name: 'Grace Hopper' }])
    // Sessions of before the removal have ended.
    expect((await app.call('GET', '/api/user', { as: coach })).status).toBe(401)

    const { body: log } = await app.call('GET', '/api/admin/audit-log?limit=1', { as: admin })
    expect(log).toMatchObject([{ action: 'coach_restored', targetId: coach.id, after: { plan: 'pro' } }])
    const [event] = await inTenant(coach, ({ em }) =>
      em.find(SecurityEvent, { coachId: coach.id, kind: 'restored_by_administrator' }),
    )
    await sendSecurityEmail(app.platform, { coachId: coach.id, eventId: event!.id })
    const emails = (await listOutbox(app.platform.config)).filter(({ to }) => to === coach.email)
    expect(emails.map(({ subject }) => subject)).toEqual(['Your account was restored'])
  })

  test('is taken back once by fifty administrators at once', async () => {
    const coach = await createCoach()
    await remove(coach.id)
    const statuses = (await concurrently(50, () => restore(coach.id))).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 404)])
  })

  test('is not taken back after 30 days, nor one who was not removed', async () => {
    const [coach, present] = [await createCoach(), await createCoach()]
    expect((await restore(present.id)).status).toBe(404)
    await remove(coach.id)
    const { now } = app.clock
    app.clock.now = new Date(now.getTime() + 30 * dayMs)
    admin = { ...admin, cookie: `session=${await createSession(admin)}` }
    expect((await restore(coach.id)).status).toBe(404)
    app.clock.now = now
  })

  test('who is taken back while the data is erased keeps it', async () => {
    const coach = await createCoach()
    await remove(coach.id)
    const { now } = app.clock
    app.clock.now = new Date(now.getTime() + 31 * dayMs)
    await runInTenant(coach, ({ em }) => em.nativeUpdate(Account, { id: coach.id }, { removedAt: now }))
    // The job has read the list of removed coaches when the administrator takes one back.
    const { readPool } = app.platform
    const lateList = {
      ...app.platform,
      readPool: {
        ...readPool,
        queryGlobal: async (query: { name?: string; text: string }) => {
          const rows = await readPool.queryGlobal(query)
          if (query.name === 'coach.list')
            await runInTenant(coach, ({ em }) => em.nativeUpdate(Account, { id: coach.id }, { removedAt: null }))
          return rows
        },
      },
    } as typeof app.platform
    await deleteExpired(lateList, runtime.entities)
    app.clock.now = now
    expect(await runInTenant(coach, ({ em }) => em.count(Account, { id: coach.id }))).toBe(1)
  })
})

test('the list of coaches is filtered by state', async () => {
  const marked = (name: string) => ({ email: `state-${name}@example.com`, firstName: 'Statefilter' })
  const trial = await createCoach({ ...marked('trial'), plan: 'free' })
  await app.call('POST', '/api/subscription/trial', { as: trial })
  const failing = await createCoach({ ...marked('failing'), plan: 'pro' })
  await asOwner(app.ownerUrl, (db) =>
    db.query(`select set_config('app.coach_id', '${failing.id}', false);
      update account set payment_failed_at = '2026-03-09' where id = ${failing.id}`),
  )
  const { body: invited } = await add(marked('invited'))
  const gone = await createCoach({ ...marked('gone') })
  await remove(gone.id)
  const ctx = await contextFor(admin)
  const found = async (state: CoachesQuery['state']) =>
    (await listCoaches(ctx, { q: 'statefilter', state })).map(({ id }) => id)
  expect(await found('trial')).toEqual([trial.id])
  expect(await found('payment-failed')).toEqual([failing.id])
  expect(await found('invited')).toEqual([invited.id])
  expect(await found('removed')).toEqual([gone.id])
  expect(await found(null)).toEqual([invited.id, failing.id, trial.id])
})

test('of fifty administrators who change the plan that they saw, one succeeds and the others are warned', async () => {
  const coach = await createCoach({ plan: 'free' })
  const results = await concurrently(50, (index) =>
    inTenant(admin, (ctx) => changePlan(ctx, coach.id, index % 2 ? 'pro' : 'premium', 'free')),
  )
  const refusals = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refusals).toHaveLength(49)
  for (const refusal of refusals)
    expect([refusal.code, refusal.message]).toEqual([
      'conflict',
      expect.stringMatching(/^This coach is on (Pro|Premium) by now/),
    ])
})

describe('a plan', () => {
  test('is changed in any direction at once, and ends a trial', async () => {
    const coach = await createCoach({ plan: 'free' })
    await app.call('POST', '/api/subscription/trial', { as: coach })
    for (const status of ['premium', 'pro', 'free', 'premium', 'free'] as const) {
      const { status: code, body } = await put(coach.id, { status })
      expect([code, body.id, body.subscriptionStatus]).toEqual([200, coach.id, status])
      expect((await app.call('GET', '/api/user', { as: coach })).body.subscriptionStatus).toBe(status)
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
    const coach = await createCoach({ plan: 'pro' })
    expect((await put(coach.id, body)).status).toBe(422)
    expect((await app.call('GET', '/api/user', { as: coach })).body.subscriptionStatus).toBe('pro')
  })

  test.each(['8999999999999', '0', '-1', 'abc', '1.5', '%00', '9223372036854775808'])(
    'of coach %s is a 404 before the body is checked',
    async (id) => {
      for (const answer of [await put(id, { status: 'gold' }), await remove(id)])
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    },
  )

  test('is changed by thirty concurrent calls without a deadlock', async () => {
    const coach = await createCoach()
    const statuses = (await concurrently(30, (index) => put(coach.id, { status: index % 2 ? 'pro' : 'premium' }))).map(
      (each) => (each.status === 'fulfilled' ? each.value.status : 0),
    )
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 200))
  })
})

describe('signing a coach out', () => {
  const signOut = (id: number) => app.call('POST', `/api/admin/coaches/${id}/sign-out`, { as: admin })

  test('ends all sessions of this coach, with an email and an entry of the audit log', async () => {
    const [coach, other] = [await createCoach({ password: 'long enough' }), await createCoach()]
    const again = await app.call('POST', '/api/login', { body: { email: coach.email, password: 'long enough' } })
    const cookies = [coach.cookie, again.headers.get('set-cookie')!.split(';')[0]!]
    expect((await signOut(coach.id)).status).toBe(204)
    for (const cookie of cookies) expect((await app.call('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
    for (const as of [other, admin]) expect((await app.call('GET', '/api/user', { as })).status).toBe(200)

    const { body: log } = await app.call('GET', '/api/admin/audit-log?limit=1', { as: admin })
    expect(log).toMatchObject([{ action: 'coach_signed_out', targetId: coach.id, before: null, after: null }])
    const [event] = await inTenant(coach, ({ em }) =>
      em.find(SecurityEvent, { coachId: coach.id }, { orderBy: { id: -1 } }),
    )
    expect(event).toMatchObject({ kind: 'signed_out_by_administrator', ipAddress: '' })
    await sendSecurityEmail(app.platform, { coachId: coach.id, eventId: event!.id })
    const email = (await listOutbox(app.platform.config)).find(({ to }) => to === coach.email)
    expect(email!.text).toContain('The administrator signed out all devices of your account and revoked its API keys.')
    expect(email!.text).not.toContain('Address:')
  })

  test('is rejected for oneself, an unknown coach and a removed one', async () => {
    const removed = await createCoach()
    await remove(removed.id)
    for (const [id, status] of [
      [admin.id, 409],
      [999_999_999, 404],
      [removed.id, 404],
    ] as const)
      expect((await signOut(id)).status).toBe(status)
    expect((await app.call('GET', '/api/user', { as: admin })).status).toBe(200)
  })
})

describe('turning off two-step sign-in', () => {
  const turnOff = async (id: number, by = admin) => inTenant(by, (ctx) => turnOffSecondFactor(ctx, id))
  const login = ({ email }: Coach) => app.call('POST', '/api/login', { body: { email, password: 'long enough' } })
  async function createProtectedCoach(): Promise<Coach> {
    const coach = await createCoach({ password: 'long enough' })
    await inTenant(coach, async ({ em }) => {
      const [coachId, now] = [coach.id, app.clock.now]
      em.create(AuthenticatorApp, { coachId, secret: 'lost', createdAt: now, confirmedAt: now })
      em.create(RecoveryCode, { coachId, codeHash: Buffer.from('lost') })
    })
    return coach
  }

  test('lets the coach sign in with the password, with an email and an entry of the audit log', async () => {
    const coach = await createProtectedCoach()
    expect((await login(coach)).body.code).toBe('second_factor_required')
    await turnOff(coach.id)
    expect((await login(coach)).status).toBe(200)
    expect((await app.call('GET', '/api/user', { as: coach })).status).toBe(200)
    expect(await getSecondFactor(await contextFor(coach))).toEqual({ isOn: false, recoveryCodesLeft: 0 })

    const { body: log } = await app.call('GET', '/api/admin/audit-log?limit=1', { as: admin })
    expect(log).toMatchObject([{ actorId: admin.id, action: 'second_factor_removed', targetId: coach.id }])
    const [event] = await inTenant(coach, ({ em }) =>
      em.find(SecurityEvent, { coachId: coach.id, kind: 'authenticator_removed_by_administrator' }),
    )
    await sendSecurityEmail(app.platform, { coachId: coach.id, eventId: event!.id })
    const email = (await listOutbox(app.platform.config)).find(({ to }) => to === coach.email)
    expect(email!.text).toContain('The administrator turned off two-step sign-in for your account.')
  })

  test('is offered for coaches who have it', async () => {
    const [coach, settingUp] = [await createProtectedCoach(), await createCoach()]
    await inTenant(settingUp, async ({ em }) => {
      em.create(AuthenticatorApp, { coachId: settingUp.id, secret: 'not confirmed', createdAt: app.clock.now })
    })
    const hasTwoStep = async ({ id }: Coach) => (await findCoach(await contextFor(admin), id))?.twoStep
    expect([await hasTwoStep(coach), await hasTwoStep(settingUp)]).toEqual([true, false])
  })

  test('is rejected for oneself, an unknown coach, a coach without it, and a coach who is no administrator', async () => {
    const coach = await createProtectedCoach()
    await expect(turnOff(admin.id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(turnOff(999_999_999)).rejects.toMatchObject({ code: 'not_found' })
    await expect(turnOff((await createCoach()).id)).rejects.toThrow('Two-step sign-in is already off for this coach')
    await expect(turnOff(coach.id, await createCoach())).rejects.toMatchObject({ code: 'forbidden' })
    expect((await getSecondFactor(await contextFor(coach))).isOn).toBe(true)
  })
})

describe('removing a coach', () => {
  test('ends all access at once and keeps the data', async () => {
    const { body: user, headers } = await app.call('POST', '/api/register', {
      body: { email: 'leaves@example.com', password: 'long enough', firstName: 'L', lastName: 'V' },
    })
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    await app.call('PUT', '/api/branding', { headers: { cookie }, body: { subdomain: 'leaves-soon' } })
    const done = await remove(user.id)
    expect([done.status, done.text]).toEqual([204, ''])
    expect((await app.call('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
    expect((await app.call('GET', '/api/user', { host: 'leaves-soon.localhost:3000' })).status).toBe(421)
    const [theirs, nobodys] = await Promise.all(
      ['leaves@example.com', 'never-was@example.com'].map((email) =>
        app.call('POST', '/api/login', { body: { email, password: 'long enough' } }),
      ),
    )
    expect([theirs!.status, theirs!.body.message]).toEqual([nobodys!.status, nobodys!.body.message])
    expect((await coaches()).some(({ id }) => id === user.id)).toBe(false)
    for (const answer of [await remove(user.id), await put(user.id, { status: 'pro' })]) expect(answer.status).toBe(404)
  })

  test('is rejected for oneself', async () => {
    const answer = await remove(admin.id)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect((await app.call('GET', '/api/user', { as: admin })).status).toBe(200)
  })

  test('by fifty concurrent calls happens once', async () => {
    const coach = await createCoach()
    const statuses = (await concurrently(30, () => remove(coach.id))).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 29 }, () => 404)])
  })
})
