import { hash } from '@node-rs/argon2'
import { dayMs } from '#app/lib/time.ts'
import { describe, expect, test } from 'vitest'
import { UserOut } from '#tenants/accounts/accounts.ts'
import { setPassword } from '#tenants/accounts/protected-columns.ts'
import { findCredentials } from '#tenants/auth/sign-in.ts'
import { contextFor, createCoach, createSession, inTenant } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'

const app = createTestApp()
const ada = { email: 'ada@example.com', password: 'secret words', firstName: 'Ada', lastName: 'Lovelace' }
const sessionCookie = (headers: Headers): string => headers.get('set-cookie')!.split(';')[0]!

describe('registering', () => {
  test('returns 201 with exactly the user record and signs in', async () => {
    const { status, body, headers } = await app.call('POST', '/api/register', {
      body: { ...ada, isAdmin: true, id: 7 },
    })

    expect(status).toBe(201)
    expect(UserOut.strict().parse(body)).toMatchObject({
      email: 'ada@example.com',
      isAdmin: false,
      subscriptionStatus: 'free',
      timezone: 'America/New_York',
      primaryColor: '#6366f1',
      role: 'coach',
    })
    const me = await app.call('GET', '/api/user', { headers: { cookie: sessionCookie(headers) } })
    expect(me.body).toEqual(body)
    expect(headers.get('set-cookie')).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
  })

  test('rejects a taken email address in any letter case', async () => {
    const { status, body } = await app.call('POST', '/api/register', { body: { ...ada, email: 'ADA@example.com' } })

    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'conflict', message: 'An account with this email already exists' })
  })

  test('fifty concurrent calls with one email address create one account', async () => {
    const answers = await concurrently(50, () =>
      app.call('POST', '/api/register', { body: { ...ada, email: 'once@example.com' } }),
    )

    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
  })

  test.each([
    ['no names', { email: 'a@example.com', password: 'secret words' }, ['firstName', 'lastName']],
    ['a short password', { ...ada, password: '12345' }, ['password']],
    ['a broken address', { ...ada, email: 'ada' }, ['email']],
    ['NUL in a name', { ...ada, firstName: 'A\u0000' }, ['firstName']],
    ['a lone surrogate', { ...ada, lastName: '\ud800' }, ['lastName']],
    ['blanks', { ...ada, firstName: '   ' }, ['firstName']],
    ['a password of blanks', { ...ada, password: '      ' }, ['password']],
    ['a long address', { ...ada, email: `${'a'.repeat(250)}@example.com` }, ['email']],
    ['a number for a name', { ...ada, firstName: 5 }, ['firstName']],
  ])('rejects %s with 422 at the field', async (_what, input, paths) => {
    const { status, body } = await app.call('POST', '/api/register', { body: input })

    expect(status).toBe(422)
    expect(body.code).toBe('validation_failed')
    expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual(paths)
  })
})

describe('signing in', () => {
  test('returns the user and a new session', async () => {
    const first = await app.call('POST', '/api/login', { body: ada })
    const second = await app.call('POST', '/api/login', {
      body: { ...ada, email: 'Ada@Example.com' },
      headers: { cookie: sessionCookie(first.headers) },
    })

    expect(first.status).toBe(200)
    expect(sessionCookie(second.headers)).not.toBe(sessionCookie(first.headers))
    const old = await app.call('GET', '/api/user', { headers: { cookie: sessionCookie(first.headers) } })
    expect(old.status).toBe(401)
  })

  test('returns the same error for a wrong password and an unknown email address', async () => {
    const wrong = await app.call('POST', '/api/login', { body: { email: ada.email, password: 'wrong' } })
    const unknown = await app.call('POST', '/api/login', { body: { email: 'nobody@example.com', password: 'wrong' } })

    expect(wrong.status).toBe(401)
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    expect(wrong.body.message).toBe('Invalid email or password')
  })

  test('replaces a hash that is easier to attack than a new one', async () => {
    const coach = await createCoach()
    const passwordHash = await hash('an older password', { memoryCost: 4096, timeCost: 1 })
    await inTenant(coach, (tx) => setPassword(tx, passwordHash, app.clock.now))
    const signIn = async (password: string) =>
      (await app.call('POST', '/api/login', { body: { email: coach.email, password } })).status
    const stored = async () => (await findCredentials(app.platform, coach.email))!.passwordHash

    expect(await signIn('a wrong password')).toBe(401)
    expect(await stored()).toBe(passwordHash)
    expect(await signIn('an older password')).toBe(200)
    const replaced = await stored()
    expect(replaced).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await signIn('an older password')).toBe(200)
    expect(await stored()).toBe(replaced)
  })

  test('allows ten wrong passwords per account and IP address, even concurrently, and keeps the owner signed in', async () => {
    const { headers } = await app.call('POST', '/api/register', { body: { ...ada, email: 'tried@example.com' } })
    const answers = await concurrently(50, () =>
      app.call('POST', '/api/login', { body: { email: 'tried@example.com', password: 'wrong' } }),
    )

    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true)
    const last = await app.call('POST', '/api/login', {
      body: { email: 'tried@example.com', password: ada.password },
    })
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    const owner = await app.call('GET', '/api/user', { headers: { cookie: sessionCookie(headers) } })
    expect(owner.status).toBe(200)

    app.clock.now = new Date(app.clock.now.getTime() + 16 * 60_000)
    const later = await app.call('POST', '/api/login', {
      body: { email: 'tried@example.com', password: ada.password },
    })
    expect(later.status).toBe(200)
  })
})

describe('signing out', () => {
  test('ends the session on the server', async () => {
    const coach = await createCoach()
    const { status, text } = await app.call('POST', '/api/logout', { as: coach })

    expect([status, text]).toEqual([204, ''])
    expect((await app.call('GET', '/api/user', { as: coach })).status).toBe(401)
  })

  test('is 204 without a session', async () => {
    expect((await app.call('POST', '/api/logout')).status).toBe(204)
  })
})

describe('the account', () => {
  test('updates the given fields, and nothing for {}', async () => {
    const coach = await createCoach()
    const before = await app.call('GET', '/api/auth/user', { as: coach })
    const nothing = await app.call('PUT', '/api/auth/profile', { as: coach, body: {} })
    const changed = await app.call('PUT', '/api/auth/profile', {
      as: coach,
      body: { businessName: '  Still Water ', timezone: 'Europe/Berlin', role: 'boss' },
    })

    expect(nothing.body).toEqual(before.body)
    expect(changed.body).toMatchObject({
      businessName: 'Still Water',
      timezone: 'Europe/Berlin',
      role: 'coach',
      bio: null,
    })
  })

  test('keeps week start and time format, which the answer does not have', async () => {
    const coach = await createCoach()
    const before = (await app.call('GET', '/api/user', { as: coach })).body
    const body = { weekStart: 'saturday', timeFormat: '24h' }
    const answer = await app.call('PUT', '/api/auth/profile', { as: coach, body })
    expect(answer.body).toEqual({ ...before, updatedAt: answer.body.updatedAt })
    expect((await contextFor(coach)).account).toMatchObject(body)
  })

  test.each([
    ['/api/auth/profile', { businessName: '' }, 'businessName'],
    ['/api/auth/profile', { weekStart: 'tuesday' }, 'weekStart'],
    ['/api/auth/profile', { timeFormat: '' }, 'timeFormat'],
    ['/api/auth/profile', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['/api/auth/profile', { timezone: null }, 'timezone'],
    ['/api/branding', { primaryColor: 'red' }, 'primaryColor'],
    ['/api/branding', { subdomain: 'Ada' }, 'subdomain'],
    ['/api/branding', { subdomain: 'ab' }, 'subdomain'],
    ['/api/branding', { subdomain: '-abc' }, 'subdomain'],
    ['/api/branding', { subdomain: 'www' }, 'subdomain'],
    ['/api/branding', { logoUrl: 'http://example.com/a.png' }, 'logoUrl'],
    ['/api/branding', { logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
  ])('%s rejects %j', async (path, body, field) => {
    const coach = await createCoach()
    const answer = await app.call('PUT', path, { as: coach, body })

    expect(answer.status).toBe(422)
    expect(answer.body.issues[0].path).toBe(field)
  })

  test('one subdomain goes to one of fifty concurrent coaches', async () => {
    const coaches = await Promise.all(Array.from({ length: 10 }, () => createCoach()))
    const answers = await concurrently(50, (index) =>
      app.call('PUT', '/api/branding', { as: coaches[index % 10]!, body: { subdomain: 'wanted' } }),
    )

    const winners = new Set(
      answers.flatMap((answer) =>
        answer.status === 'fulfilled' && answer.value.status === 200 ? [answer.value.body.id] : [],
      ),
    )
    expect(winners.size).toBe(1)
  })

  test('starts the Pro trial once, for 14 days', async () => {
    const coach = await createCoach({ plan: 'free' })
    const started = await app.call('POST', '/api/subscription/trial', { as: coach })
    const again = await app.call('POST', '/api/subscription/trial', { as: coach })

    expect([started.status, started.body.subscriptionStatus]).toEqual([200, 'pro'])
    expect(again.status).toBe(409)
    app.clock.now = new Date(app.clock.now.getTime() + 14 * dayMs + 1000)
    const later = { cookie: `session=${await createSession(coach)}` }
    expect((await app.call('GET', '/api/user', { as: later })).body.subscriptionStatus).toBe('free')
  })
})

describe('every request', () => {
  test('checks the host, the origin, the session, the route, the media type, the size and the JSON in this order', async () => {
    const coach = await createCoach()
    const status = async (options: Parameters<typeof app.call>[2], method = 'PUT', path = '/api/branding') =>
      (await app.call(method, path, options)).status

    expect(await status({ host: 'evil.example', headers: { origin: 'http://evil.example' } })).toBe(421)
    expect(await status({ headers: { origin: 'http://evil.example' } })).toBe(403)
    expect(await status({ headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
    expect(await status({ headers: { origin: 'null' } })).toBe(403)
    expect(await status({}, 'PUT', '/api/nothing')).toBe(401)
    expect(await status({ as: coach }, 'PUT', '/api/nothing')).toBe(404)
    expect(await status({ as: coach }, 'DELETE')).toBe(405)
    expect(await status({ as: coach, raw: 'a=1', headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(
      await status({ as: coach, raw: `"${'a'.repeat(1024 * 1024)}"`, headers: { 'content-type': 'application/json' } }),
    ).toBe(413)
    expect(await status({ as: coach, raw: '{', headers: { 'content-type': 'application/json' } })).toBe(400)
    expect(await status({ as: coach, raw: '[]', headers: { 'content-type': 'application/json' } })).toBe(400)
    expect(await status({ as: coach, body: {}, headers: { origin: 'http://localhost:3000' } })).toBe(200)
  })

  test('405 carries Allow', async () => {
    const coach = await createCoach()
    expect((await app.call('DELETE', '/api/branding', { as: coach })).headers.get('allow')).toBe('PUT')
  })

  test('errors carry the request id of the header, and responses are not cached', async () => {
    const { body, headers } = await app.call('GET', '/api/user')

    expect(body).toEqual({ message: 'Please sign in.', code: 'unauthorized', requestId: headers.get('x-request-id') })
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is described at /api/openapi.json without a session', async () => {
    const { status, body } = await app.call('GET', '/api/openapi.json')

    expect(status).toBe(200)
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths)).toContain('/api/auth/reset-password')
  })
})
