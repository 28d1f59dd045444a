import { describe, expect, test } from 'vitest'
import { saveBranding } from '#tenants/accounts/accounts.ts'
import { handOver } from '#tenants/auth/sign-in.ts'
import { aCoach, aHouse, asCoach, type Called, type Coach, type House } from '#tests/support/test-app.ts'

const house = aHouse()
const password = 'the secret of a test'
const hostOf = (subdomain: string): string => `${subdomain}.localhost:3000`
const cookieOf = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''
const said = ({ status, text }: Called): unknown => ({ status, text: text.replace(/"requestId":"[^"]*"/, '') })

/** A coach who came through the front door, and so has a password. */
async function registered(name: string, at: House = house): Promise<Coach> {
  const email = `${name}@example.com`
  const { body, headers } = await at.call('POST', '/api/register', {
    body: { email, password, firstName: name, lastName: 'Tester' },
  })
  const coach: Coach = { id: body.id, email, cookie: cookieOf(headers), subdomain: `${name}-practice`, house: at }
  await at.call('PUT', '/api/branding', { as: coach, body: { subdomain: coach.subdomain } })
  return coach
}

describe('the platform host', () => {
  test.each(['localhost:3000', 'localhost', '127.0.0.1:3000', 'LOCALHOST:4000', 'localhost.'])(
    '%s serves any coach',
    async (host) => {
      for (const coach of [await aCoach(house), await aCoach(house)]) {
        expect((await house.call('GET', '/api/user', { as: coach, headers: { host } })).body.id).toBe(coach.id)
      }
    },
  )

  test('an unknown host is a plain 421, as a page and as JSON', async () => {
    for (const host of ['evil.example', 'nobody.localhost:3000', 'a.b.localhost:3000', 'www.localhost:3000']) {
      const call = await house.call('GET', '/api/user', { headers: { host } })
      expect([call.status, call.body.code]).toEqual([421, 'unknown_host'])
      const page = await house.call('GET', '/', { headers: { host } })
      expect(page.status).toBe(421)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('Nothing lives at this address')
      expect(page.text).not.toMatch(/<script|<link/)
    }
  })

  test('health answers on every host', async () => {
    for (const host of ['evil.example', 'nobody.localhost', 'localhost']) {
      expect((await house.call('GET', '/healthz', { headers: { host } })).status).toBe(200)
      expect((await house.call('GET', '/readyz', { headers: { host } })).status).toBe(200)
    }
  })
})

describe("a coach's own host", () => {
  test('serves that coach alone: the session of another is none there', async () => {
    const [ada, bea] = [await aCoach(house, { subdomain: 'alone-a' }), await aCoach(house, { subdomain: 'alone-b' })]
    expect((await house.call('GET', '/api/user', { as: ada, host: hostOf('alone-a') })).body.id).toBe(ada.id)
    const foreign = await house.call('GET', '/api/user', { as: bea, host: hostOf('alone-a') })
    const nobody = await house.call('GET', '/api/user', { host: hostOf('alone-a') })
    expect(foreign.status).toBe(401)
    expect(said(foreign)).toEqual(said(nobody))
    // Their session lives on where it belongs.
    expect((await house.call('GET', '/api/user', { as: bea })).status).toBe(200)
  })

  test('signs in its coach, and another one with the right password as little as with a wrong one', async () => {
    const [ada, bea] = [await registered('signs-a'), await registered('signs-b')]
    const at = { host: hostOf(ada.subdomain!) }
    const own = await house.call('POST', '/api/login', { ...at, body: { email: ada.email, password } })
    expect([own.status, own.body.id]).toEqual([200, ada.id])
    const foreign = await house.call('POST', '/api/login', { ...at, body: { email: bea.email, password } })
    const wrong = await house.call('POST', '/api/login', { ...at, body: { email: bea.email, password: 'wrong' } })
    const unknown = await house.call('POST', '/api/login', { ...at, body: { email: 'nobody@example.com', password } })
    expect([foreign.status, foreign.body.message]).toEqual([401, 'Invalid email or password'])
    expect(said(foreign)).toEqual(said(wrong))
    expect(said(foreign)).toEqual(said(unknown))
    expect(foreign.headers.get('set-cookie')).toBeNull()
  })

  test('takes no registration and has no administration', async () => {
    const admin = await aCoach(house, { subdomain: 'the-admin', isAdmin: true })
    const at = { host: hostOf('the-admin') }
    for (const body of [{ email: 'new@example.com', password, firstName: 'N', lastName: 'N' }, {}])
      expect((await house.call('POST', '/api/register', { ...at, body })).status).toBe(404)
    expect((await house.call('GET', '/api/register', at)).status).toBe(404)
    for (const [method, path] of [
      ['GET', '/api/admin/stats'],
      ['GET', '/api/admin/coaches'],
      ['POST', '/api/admin/coaches'],
      ['PUT', '/api/admin/coaches/1/subscription'],
      ['DELETE', '/api/admin/coaches/1'],
    ] as const) {
      expect([method, path, (await house.call(method, path, { ...at, as: admin })).status]).toEqual([method, path, 404])
    }
    expect((await house.call('GET', '/api/admin/stats', { as: admin })).status).toBe(200)
  })

  test('moves at once when it is renamed: the old name is a 421, and free for another', async () => {
    const [ada, bea] = [await aCoach(house, { subdomain: 'old-name' }), await aCoach(house)]
    expect((await house.call('GET', '/api/user', { as: ada, host: hostOf('old-name') })).status).toBe(200)
    await house.call('PUT', '/api/branding', { as: ada, host: hostOf('old-name'), body: { subdomain: 'new-name' } })
    expect((await house.call('GET', '/api/user', { as: ada, host: hostOf('new-name') })).status).toBe(200)
    expect((await house.call('GET', '/api/user', { as: ada, host: hostOf('old-name') })).status).toBe(421)
    await house.call('PUT', '/api/branding', { as: bea, body: { subdomain: 'old-name' } })
    expect((await house.call('GET', '/api/user', { as: bea, host: hostOf('old-name') })).body.id).toBe(bea.id)
    expect((await house.call('GET', '/api/user', { as: ada, host: hostOf('old-name') })).status).toBe(401)
    await house.call('PUT', '/api/branding', { as: bea, body: { subdomain: null } })
    expect((await house.call('GET', '/api/user', { as: bea, host: hostOf('old-name') })).status).toBe(421)
  })

  test('writes come from the host itself, not from the platform or another coach', async () => {
    const ada = await aCoach(house, { subdomain: 'writes-here' })
    const write = (origin: string) =>
      house.call('PUT', '/api/branding', { as: ada, host: hostOf('writes-here'), body: {}, headers: { origin } })
    expect((await write('http://writes-here.localhost:3000')).status).toBe(200)
    for (const origin of [
      'http://localhost:3000',
      'http://other.localhost:3000',
      'http://writes-here.localhost',
      'http://evil.example',
    ])
      expect([origin, (await write(origin)).status]).toEqual([origin, 403])
  })
})

describe('the way from the platform to the own host', () => {
  const start = (coach: Coach, headers: Record<string, string> = {}) =>
    house.call('POST', '/handover', { as: coach, headers })
  const arrive = (location: string, host = new URL(location).host) => {
    const { pathname, search } = new URL(location)
    return house.call('GET', `${pathname}${search}`, { host })
  }

  test('signs in there, once, with a session and a cookie of its own', async () => {
    const ada = await aCoach(house, { subdomain: 'handed-over' })
    const left = await start(ada)
    const location = left.headers.get('location')!
    expect([left.status, new URL(location).origin]).toEqual([303, 'http://handed-over.localhost:3000'])
    const there = await arrive(location)
    expect([there.status, there.headers.get('location')]).toEqual([302, '/dashboard'])
    expect(there.headers.get('set-cookie')).toMatch(
      /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    const cookie = cookieOf(there.headers)
    expect(cookie).not.toBe(ada.cookie)
    expect((await house.call('GET', '/api/user', { headers: { cookie }, host: hostOf('handed-over') })).body.id).toBe(
      ada.id,
    )
    const again = await arrive(location)
    expect([again.headers.get('location'), again.headers.get('set-cookie')]).toEqual(['/auth', null])
  })

  test('fifty at once with one token make one session', async () => {
    const ada = await aCoach(house, { subdomain: 'raced-over' })
    const location = (await start(ada)).headers.get('location')!
    const answers = await Promise.all(Array.from({ length: 50 }, () => arrive(location)))
    expect(answers.filter(({ headers }) => headers.get('set-cookie')).length).toBe(1)
    expect(answers.every(({ status }) => status === 302)).toBe(true)
  })

  test('lasts 60 seconds', async () => {
    const ada = await aCoach(house, { subdomain: 'in-a-hurry' })
    const [early, late] = [(await start(ada)).headers.get('location')!, (await start(ada)).headers.get('location')!]
    house.clock.now = new Date(house.clock.now.getTime() + 59_000)
    expect((await arrive(early)).headers.get('location')).toBe('/dashboard')
    house.clock.now = new Date(house.clock.now.getTime() + 2_000)
    expect((await arrive(late)).headers.get('location')).toBe('/auth')
  })

  test('leads nowhere but there, and a wrong door does not use it up', async () => {
    const ada = await aCoach(house, { subdomain: 'this-door' })
    await aCoach(house, { subdomain: 'other-door' })
    const location = (await start(ada)).headers.get('location')!
    for (const host of ['localhost:3000', hostOf('other-door')]) {
      const wrong = await arrive(location, host)
      expect([wrong.headers.get('location'), wrong.headers.get('set-cookie')]).toEqual(['/auth', null])
    }
    expect((await arrive(location)).headers.get('location')).toBe('/dashboard')
  })

  test('is not begun by another site, by nobody, or without a host of one’s own', async () => {
    const [ada, plain] = [await aCoach(house, { subdomain: 'no-strangers' }), await aCoach(house)]
    expect((await start(ada, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await start(ada, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await house.call('POST', '/handover')).headers.get('location')).toBe('/auth')
    expect((await start(plain)).headers.get('location')).toBe('/branding')
  })

  test('takes no other kind of token, and no nonsense', async () => {
    const ada = await aCoach(house, { subdomain: 'one-kind' })
    const token = await handOver(house.platform, ada.id)
    expect((await house.call('POST', '/api/auth/reset-password', { body: { token, password } })).status).toBe(422)
    for (const nonsense of [
      '',
      'x',
      '%00',
      'a'.repeat(5000),
      '../..',
      token.slice(0, -1),
      `${token}x`,
      ada.cookie.slice('session='.length),
    ]) {
      const answer = await house.call('GET', `/handover?token=${encodeURIComponent(nonsense)}`, {
        host: hostOf('one-kind'),
      })
      expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([
        302,
        '/auth',
        null,
      ])
    }
    expect((await arrive(`http://${hostOf('one-kind')}/handover?token=${token}`)).headers.get('location')).toBe(
      '/dashboard',
    )
  })
})

describe('the address that is counted', () => {
  const wrong = (at: House, email: string, forwarded?: string) =>
    at.call('POST', '/api/login', {
      body: { email, password: 'wrong' },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })

  test('is the socket’s: what a client writes into X-Forwarded-For changes nothing', async () => {
    const statuses = []
    for (let at = 0; at < 11; at += 1) statuses.push((await wrong(house, 'spoofed@example.com', `10.0.0.${at}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  describe('behind one trusted proxy', () => {
    const proxied = aHouse({ TRUST_PROXY: '1' })

    test('is what that proxy wrote, whatever the client wrote before it', async () => {
      const statuses = []
      for (let at = 0; at < 11; at += 1)
        statuses.push((await wrong(proxied, 'tried@example.com', `1.2.3.${at}, 203.0.113.9`)).status)
      expect(statuses.at(-1)).toBe(429)
      expect((await wrong(proxied, 'tried@example.com', '203.0.113.10')).status).toBe(401)
      expect((await wrong(proxied, 'tried@example.com', '1.2.3.1,203.0.113.9')).status).toBe(429)
    })

    test('a hundred failures from one address, for any accounts, are enough', async () => {
      const statuses = await Promise.all(
        Array.from({ length: 130 }, (_none, at) =>
          wrong(proxied, `many${at}@example.com`, '198.51.100.7').then(({ status }) => status),
        ),
      )
      expect(statuses.filter((status) => status === 401).length).toBe(100)
      expect(statuses.filter((status) => status === 429).length).toBe(30)
    }, 60_000)
  })
})

describe('cookies', () => {
  const secure = aHouse({ APP_ORIGIN: 'https://attune.example' })

  test('are for the one host that set them, and for TLS where there is TLS', async () => {
    const { headers } = await secure.call('POST', '/api/register', {
      host: 'attune.example',
      body: { email: 'tls@example.com', password, firstName: 'T', lastName: 'L' },
    })
    expect(headers.get('set-cookie')).toMatch(
      /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    const gone = await secure.call('POST', '/api/logout', {
      host: 'attune.example',
      headers: { cookie: cookieOf(headers) },
    })
    expect(gone.headers.get('set-cookie')).toMatch(/^session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/)
  })

  test('the way to the own host follows the configured origin, not the request', async () => {
    const coach = await aCoach(secure)
    await asCoach(coach, (ctx) => saveBranding(ctx, { subdomain: 'configured' }))
    const { headers } = await secure.call('POST', '/handover', {
      as: coach,
      host: 'localhost:3000',
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    })
    expect(headers.get('location')).toMatch(/^https:\/\/configured\.attune\.example\/handover\?token=/)
  })
})
