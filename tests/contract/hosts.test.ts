import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { statementChannel, type Statement } from '#db/pg-pipeline.ts'
import { updateBranding } from '#tenants/accounts/accounts.ts'
import { createHandoverToken } from '#tenants/auth/one-time-tokens.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp, type CallResult, type TestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const password = 'the secret of a test'
const hostFor = (subdomain: string): string => `${subdomain}.localhost:3000`
const sessionCookie = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''
const withoutRequestId = ({ status, text }: CallResult): unknown => ({
  status,
  text: text.replace(/"requestId":"[^"]*"/, ''),
})

/** Registers a coach through the API, with a password. */
async function registerCoach(name: string, at: TestApp = app): Promise<Coach> {
  const email = `${name}@example.com`
  const { body, headers } = await at.call('POST', '/api/register', {
    body: { email, password, firstName: name, lastName: 'Tester' },
  })
  const coach: Coach = {
    id: body.id,
    email,
    cookie: sessionCookie(headers),
    subdomain: `${name}-practice`,
    platform: at.platform,
    ownerUrl: at.ownerUrl,
  }
  await at.call('PUT', '/api/branding', { as: coach, body: { subdomain: coach.subdomain } })
  return coach
}

describe('the platform host', () => {
  test.each(['localhost:3000', 'localhost', '127.0.0.1:3000', 'LOCALHOST:4000', 'localhost.'])(
    '%s serves any coach',
    async (host) => {
      for (const coach of [await createCoach(), await createCoach()]) {
        expect((await app.call('GET', '/api/user', { as: coach, headers: { host } })).body.id).toBe(coach.id)
      }
    },
  )

  test('an unknown host is a plain 421, as a page and as JSON', async () => {
    for (const host of ['evil.example', 'nobody.localhost:3000', 'a.b.localhost:3000', 'www.localhost:3000']) {
      const call = await app.call('GET', '/api/user', { headers: { host } })
      expect([call.status, call.body.code]).toEqual([421, 'unknown_host'])
      const page = await app.call('GET', '/', { headers: { host } })
      expect(page.status).toBe(421)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('Page not found')
      expect(page.text).not.toMatch(/<script|<link/)
    }
  })

  test('health answers on every host', async () => {
    for (const host of ['evil.example', 'nobody.localhost', 'localhost']) {
      expect((await app.call('GET', '/healthz', { headers: { host } })).status).toBe(200)
      expect((await app.call('GET', '/readyz', { headers: { host } })).status).toBe(200)
    }
  })
})

describe("a coach's own host", () => {
  test("serves only that coach: another coach's session is not valid there", async () => {
    const [ada, bea] = [await createCoach({ subdomain: 'alone-a' }), await createCoach({ subdomain: 'alone-b' })]
    expect((await app.call('GET', '/api/user', { as: ada, host: hostFor('alone-a') })).body.id).toBe(ada.id)
    const foreign = await app.call('GET', '/api/user', { as: bea, host: hostFor('alone-a') })
    const nobody = await app.call('GET', '/api/user', { host: hostFor('alone-a') })
    expect(foreign.status).toBe(401)
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(nobody))
    // Their session stays valid on their own host.
    expect((await app.call('GET', '/api/user', { as: bea })).status).toBe(200)
  })

  test('signs in its coach, and rejects others like a wrong password', async () => {
    const [ada, bea] = [await registerCoach('signs-a'), await registerCoach('signs-b')]
    const at = { host: hostFor(ada.subdomain!) }
    const own = await app.call('POST', '/api/login', { ...at, body: { email: ada.email, password } })
    expect([own.status, own.body.id]).toEqual([200, ada.id])
    const foreign = await app.call('POST', '/api/login', { ...at, body: { email: bea.email, password } })
    const wrong = await app.call('POST', '/api/login', { ...at, body: { email: bea.email, password: 'wrong' } })
    const unknown = await app.call('POST', '/api/login', { ...at, body: { email: 'nobody@example.com', password } })
    expect([foreign.status, foreign.body.message]).toEqual([401, 'Invalid email or password'])
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(wrong))
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
    expect(foreign.headers.get('set-cookie')).toBeNull()
  })

  test('has no registration and no administration', async () => {
    const admin = await createCoach({ subdomain: 'the-admin', isAdmin: true })
    const at = { host: hostFor('the-admin') }
    for (const body of [{ email: 'new@example.com', password, firstName: 'N', lastName: 'N' }, {}])
      expect((await app.call('POST', '/api/register', { ...at, body })).status).toBe(404)
    expect((await app.call('GET', '/api/register', at)).status).toBe(404)
    for (const [method, path] of [
      ['GET', '/api/admin/stats'],
      ['GET', '/api/admin/coaches'],
      ['POST', '/api/admin/coaches'],
      ['PUT', '/api/admin/coaches/1/subscription'],
      ['DELETE', '/api/admin/coaches/1'],
    ] as const) {
      expect([method, path, (await app.call(method, path, { ...at, as: admin })).status]).toEqual([method, path, 404])
    }
    expect((await app.call('GET', '/api/admin/stats', { as: admin })).status).toBe(200)
  })

  test('moves at once when renamed: the old name is a 421', async () => {
    const ada = await createCoach({ subdomain: 'old-name' })
    expect((await app.call('GET', '/api/user', { as: ada, host: hostFor('old-name') })).status).toBe(200)
    await app.call('PUT', '/api/branding', { as: ada, host: hostFor('old-name'), body: { subdomain: 'new-name' } })
    expect((await app.call('GET', '/api/user', { as: ada, host: hostFor('new-name') })).status).toBe(200)
    expect((await app.call('GET', '/api/user', { as: ada, host: hostFor('old-name') })).status).toBe(421)
    await app.call('PUT', '/api/branding', { as: ada, body: { subdomain: null } })
    expect((await app.call('GET', '/api/user', { as: ada, host: hostFor('new-name') })).status).toBe(421)
  })

  test.each([
    { subdomain: '' },
    { subdomain: 'Ada' },
    { subdomain: '-ada' },
    { subdomain: 'admin' },
    { logoUrl: 'http://example.com/logo.png' },
    { logoUrl: 'https://user:password@example.com/logo.png' },
  ])('is not changed by %j', async (body) => {
    const coach = await createCoach()
    expect((await app.call('PUT', '/api/branding', { as: coach, body })).status).toBe(422)
    const { body: user } = await app.call('GET', '/api/user', { as: coach })
    expect([user.subdomain, user.logoUrl]).toEqual([null, null])
  })

  test('accepts writes only from itself, not from the platform or another coach', async () => {
    const ada = await createCoach({ subdomain: 'writes-here' })
    const write = (origin: string) =>
      app.call('PUT', '/api/branding', { as: ada, host: hostFor('writes-here'), body: {}, headers: { origin } })
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

describe('the handoff from the platform to the own host', () => {
  const start = (coach: Coach, headers: Record<string, string> = {}) =>
    app.call('POST', '/handover', { as: coach, headers })
  const submit = (host: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    app.call('POST', '/handover', {
      host,
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  const readForm = ({ text }: CallResult) => {
    const [, origin = ''] = /<form method="post" action="([^"]+)\/handover">/.exec(text) ?? []
    const [, token = ''] = /name="token" value="([\w-]{43})"/.exec(text) ?? []
    return { host: origin.replace('http://', ''), token }
  }
  /** The browser's request: the referrer policy hides the platform's origin. */
  const arrive = ({ host, token }: { host: string; token: string }) =>
    submit(host, { token }, { origin: 'null', 'sec-fetch-site': 'same-site' })

  test('signs in there once, with its own session and cookie', async () => {
    const ada = await createCoach({ subdomain: 'handed-over' })
    const left = await start(ada)
    const form = readForm(left)
    expect([left.status, form.host]).toEqual([200, 'handed-over.localhost:3000'])
    expect(left.headers.get('content-security-policy')).toMatch(
      /form-action http:\/\/handed-over\.localhost:3000; script-src 'nonce-[\w-]{22}'/,
    )
    const there = await arrive(form)
    expect([there.status, there.headers.get('location')]).toEqual([303, '/dashboard'])
    expect(there.headers.get('set-cookie')).toMatch(
      /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    const cookie = sessionCookie(there.headers)
    expect(cookie).not.toBe(ada.cookie)
    expect((await app.call('GET', '/api/user', { headers: { cookie }, host: hostFor('handed-over') })).body.id).toBe(
      ada.id,
    )
    const again = await arrive(form)
    expect([again.headers.get('location'), again.headers.get('set-cookie')]).toEqual(['/auth', null])
  })

  test('ends the session that the browser has there', async () => {
    const ada = await createCoach({ subdomain: 'came-again' })
    const former = sessionCookie((await arrive(readForm(await start(ada)))).headers)
    const { host, token } = readForm(await start(ada))
    const headers = { cookie: former, origin: 'null', 'sec-fetch-site': 'same-site' }
    const next = sessionCookie((await submit(host, { token }, headers)).headers)
    const user = (cookie: string) => app.call('GET', '/api/user', { headers: { cookie }, host })
    expect([(await user(former)).status, (await user(next)).status]).toEqual([401, 200])
  })

  test('fifty concurrent calls with one token create one session', async () => {
    const ada = await createCoach({ subdomain: 'raced-over' })
    const form = readForm(await start(ada))
    const answers = await Promise.all(Array.from({ length: 50 }, () => arrive(form)))
    expect(answers.filter(({ headers }) => headers.get('set-cookie')).length).toBe(1)
    expect(answers.every(({ status }) => status === 303)).toBe(true)
  })

  test('lasts 60 seconds', async () => {
    const ada = await createCoach({ subdomain: 'in-a-hurry' })
    const [early, late] = [readForm(await start(ada)), readForm(await start(ada))]
    app.clock.now = new Date(app.clock.now.getTime() + 59_000)
    expect((await arrive(early)).headers.get('location')).toBe('/dashboard')
    app.clock.now = new Date(app.clock.now.getTime() + 2_000)
    expect((await arrive(late)).headers.get('location')).toBe('/auth')
  })

  test('is valid on that host only, and not used up by another', async () => {
    const ada = await createCoach({ subdomain: 'this-door' })
    await createCoach({ subdomain: 'other-door' })
    const form = readForm(await start(ada))
    const elsewhere = await arrive({ ...form, host: hostFor('other-door') })
    expect([elsewhere.headers.get('location'), elsewhere.headers.get('set-cookie')]).toEqual(['/auth', null])
    expect((await arrive({ ...form, host: 'localhost:3000' })).status).toBe(403)
    expect((await arrive(form)).headers.get('location')).toBe('/dashboard')
  })

  test('cannot be started by another site, signed out, or without an own host', async () => {
    const [ada, plain] = [await createCoach({ subdomain: 'no-strangers' }), await createCoach()]
    expect((await start(ada, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await start(ada, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await app.call('POST', '/handover')).headers.get('location')).toBe('/auth')
    expect((await start(plain)).headers.get('location')).toBe('/branding')
  })

  test('rejects other kinds of tokens and invalid ones', async () => {
    const ada = await createCoach({ subdomain: 'one-kind' })
    const token = await createHandoverToken(app.platform, ada.id, 'one-kind')
    expect((await app.call('POST', '/api/auth/reset-password', { body: { token, password } })).status).toBe(422)
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
      const answer = await submit(hostFor('one-kind'), { token: nonsense })
      const tooLarge = nonsense.length > 1024
      expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual(
        tooLarge ? [413, null, null] : [303, '/auth', null],
      )
    }
    const noForm = { host: hostFor('one-kind'), raw: '{', headers: { 'content-type': 'text/plain' } }
    expect((await app.call('POST', '/handover', noForm)).headers.get('location')).toBe('/auth')
    expect((await arrive({ host: hostFor('one-kind'), token })).headers.get('location')).toBe('/dashboard')
  })
})

describe('the IP address for rate limits', () => {
  const wrong = (at: TestApp, email: string, forwarded?: string) =>
    at.call('POST', '/api/login', {
      body: { email, password: 'wrong' },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })

  test("is the socket's: a client's X-Forwarded-For is ignored", async () => {
    const statuses = []
    for (let index = 0; index < 11; index += 1)
      statuses.push((await wrong(app, 'spoofed@example.com', `10.0.0.${index}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  describe('behind one trusted proxy', () => {
    const proxied = createTestApp({ TRUST_PROXY: '1' })

    test('is the one that the proxy added, whatever the client sent', async () => {
      const statuses = []
      for (let index = 0; index < 11; index += 1)
        statuses.push((await wrong(proxied, 'tried@example.com', `1.2.3.${index}, 203.0.113.9`)).status)
      expect(statuses.at(-1)).toBe(429)
      expect((await wrong(proxied, 'tried@example.com', '203.0.113.10')).status).toBe(401)
      expect((await wrong(proxied, 'tried@example.com', '1.2.3.1,203.0.113.9')).status).toBe(429)
    })

    test.each([
      ['203.0.113.11', (port: number) => `203.0.113.11:${port}`],
      ['2001:db8::11', (port: number) => `[2001:db8::11]:${port}`],
    ])('is %s without the port that some proxies add', async (address, withPort) => {
      const email = `${crypto.randomUUID()}@example.com`
      for (let port = 4_000; port < 4_010; port += 1)
        expect((await wrong(proxied, email, withPort(port))).status).toBe(401)
      expect((await wrong(proxied, email, withPort(5_000))).status).toBe(429)
      expect((await wrong(proxied, email, address)).status).toBe(429)
    })

    test('a hundred failures from one IP address lock it for all accounts', async () => {
      const statuses = await Promise.all(
        Array.from({ length: 130 }, (_none, index) =>
          wrong(proxied, `many${index}@example.com`, '198.51.100.7').then(({ status }) => status),
        ),
      )
      expect(statuses.filter((status) => status === 401).length).toBe(100)
      expect(statuses.filter((status) => status === 429).length).toBe(30)
    }, 60_000)
  })
})

describe('cookies', () => {
  const secure = createTestApp({ APP_ORIGIN: 'https://attune.example' })

  test('are for the host that set them only, and secure with TLS', async () => {
    const { headers } = await secure.call('POST', '/api/register', {
      host: 'attune.example',
      body: { email: 'tls@example.com', password, firstName: 'T', lastName: 'L' },
    })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    const response = await secure.call('POST', '/api/logout', {
      host: 'attune.example',
      headers: { cookie: sessionCookie(headers) },
    })
    expect(response.headers.get('set-cookie')).toBe(
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    )
  })

  test("belong to one host: without the prefix, or on another coach's host, no session is found", async () => {
    const [ada, bea] = [
      await createCoach({ app: secure, subdomain: 'tls-ada' }),
      await createCoach({ app: secure, subdomain: 'tls-bea' }),
    ]
    const getStatus = async (cookie: string, host: string) =>
      (await secure.call('GET', '/api/user', { host, headers: { cookie } })).status
    expect(ada.cookie).toMatch(/^__Host-session=/)
    expect(await getStatus(ada.cookie, 'tls-ada.attune.example')).toBe(200)
    expect(await getStatus(bea.cookie, 'tls-ada.attune.example')).toBe(401)
    expect(await getStatus(ada.cookie.replace('__Host-', ''), 'tls-ada.attune.example')).toBe(401)
  })

  test("the handoff uses the configured origin, not the request's", async () => {
    const coach = await createCoach({ app: secure })
    await inTenant(coach, (ctx) => updateBranding(ctx, { subdomain: 'configured' }))
    const { text } = await secure.call('POST', '/handover', {
      as: coach,
      host: 'localhost:3000',
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    })
    expect(text).toContain('action="https://configured.attune.example/handover"')
  })
})

test("files on a coach's host cost one look-up a minute, and none after a page", async () => {
  await createCoach({ subdomain: 'first-files', app })
  await createCoach({ subdomain: 'page-first', app })
  const assets = mkdtempSync(path.join(tmpdir(), 'practice-assets-'))
  mkdirSync(path.join(assets, 'assets'))
  writeFileSync(path.join(assets, 'assets/a.js'), '')
  const http = createApp({ platform: app.platform, api: createAppApi(), assets, ready: async () => true })
  const get = async (host: string, pathname: string) =>
    (await http.fetch(new Request(`http://${host}${pathname}`, { headers: { host } }), {} as never)).status
  const lookUps: string[] = []
  const record = (statement: unknown) =>
    void lookUps.push(...((statement as Statement).name === 'viewer' ? ['viewer'] : []))
  statementChannel.subscribe(record)
  onTestFinished(() => void statementChannel.unsubscribe(record))
  const count = async (host: string, pathname: string) => {
    lookUps.length = 0
    const status = await get(host, pathname)
    return [status, lookUps.length]
  }
  expect(await count('first-files.localhost:3000', '/assets/a.js')).toEqual([200, 1])
  expect(await count('first-files.localhost:3000', '/assets/a.js')).toEqual([200, 0])
  expect(await count('page-first.localhost:3000', '/api/user')).toEqual([401, 1])
  expect(await count('page-first.localhost:3000', '/assets/a.js')).toEqual([200, 0])
  expect(await count('nobody-here.localhost:3000', '/assets/a.js')).toEqual([421, 1])
  expect(await count('nobody-here.localhost:3000', '/assets/a.js')).toEqual([421, 1])
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  expect(await count('first-files.localhost:3000', '/assets/a.js')).toEqual([200, 1])
})
