import { describe, expect, test } from 'vitest'
import { createHandoverToken } from '#tenants/auth/one-time-tokens.ts'
import { saveImage } from '#tenants/accounts/images.ts'
import { createCoach, inTenant } from '#tests/support/factories.ts'
import { png } from '#tests/support/images.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

const site = 'https://coach.test'
const host = 'coach.test'

/** One response of each kind. Their Content-Security-Policy is expected to contain `policy`. */
async function eachKind(app: TestApp, at: string): Promise<[what: string, headers: Headers, policy: string][]> {
  const coach = await createCoach({ app, subdomain: 'every-kind' })
  const logo = await inTenant(coach, (ctx) => saveImage(ctx, 'logo', png(2, 2)))
  const none = "default-src 'none'"
  const ask = async (path: string, options: Parameters<TestApp['call']>[2] = {}) =>
    (await app.call('GET', path, { host: at, ...options })).headers
  return [
    ['JSON', await ask('/api/user', { as: coach }), none],
    ['an API error', await ask('/api/user'), none],
    ['the OpenAPI document', await ask('/api/openapi.json'), none],
    ['health', await ask('/healthz'), none],
    ['a missing page', await ask('/nothing'), none],
    ['an unknown host', await ask('/', { host: 'evil.example' }), none],
    ['an upload', await ask(logo, { as: coach }), 'sandbox'],
    ['a missing upload', await ask('/uploads/x'), none],
    ['a redirect', (await app.call('POST', '/handover', { host: `every-kind.${at}` })).headers, none],
    ['the way to the own host', (await app.call('POST', '/handover', { host: at, as: coach })).headers, none],
  ]
}

describe('on an https origin', () => {
  const app = createTestApp({ APP_ORIGIN: site, SMTP_URL: 'smtp://mail.test' })

  test('every response forbids framing, base URLs and device access, demands TLS and names its character set', async () => {
    for (const [what, headers, policy] of await eachKind(app, host)) {
      expect(Object.fromEntries(headers), what).toMatchObject({
        // Nothing below a host that isn't ours is ours either.
        'strict-transport-security': `max-age=31536000${what === 'an unknown host' ? '' : '; includeSubDomains'}`,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\)/),
      })
      const directives = headers.get('content-security-policy')!.split('; ')
      expect(directives, what).toContain("base-uri 'none'")
      expect(directives, what).toContain("frame-ancestors 'none'")
      expect(directives, what).toContain(policy)
      const type = headers.get('content-type')
      if (type && type !== 'image/png') expect(type, what).toMatch(/; ?charset=utf-8$/i)
    }
  })
})

describe.each(['0', '1'])('on an https origin with TRUST_PROXY=%s', (proxies) => {
  const app = createTestApp({ APP_ORIGIN: site, SMTP_URL: 'smtp://mail.test', TRUST_PROXY: proxies })

  test("a write from a site without TLS is refused, whatever the proxy's headers say", async () => {
    const coach = await createCoach({ app })
    for (const forwarded of ['http', 'https']) {
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': forwarded }
      const write = async (origin: string) =>
        (await app.call('PUT', '/api/branding', { as: coach, host, body: {}, headers: { ...headers, origin } })).status
      expect(await write(site)).toBe(200)
      expect(await write('http://coach.test')).toBe(403)
      expect(await write('https://coach.test:444')).toBe(403)
    }
  })
})

describe('on a local origin', () => {
  const app = createTestApp()

  test('there is no HSTS, and the outbox forbids framing too', async () => {
    const { headers } = await app.call('GET', '/dev/outbox')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('content-security-policy')).toMatch(/base-uri 'none'.*frame-ancestors 'none'/)
  })

  test('an upload answers on the hosts of the product only', async () => {
    const coach = await createCoach({ app, subdomain: 'has-a-logo' })
    const logo = await inTenant(coach, (ctx) => saveImage(ctx, 'logo', png(2, 2)))
    const statusOn = async (at: string) => (await app.call('GET', logo, { host: at })).status
    expect([await statusOn('localhost:3000'), await statusOn('has-a-logo.localhost:3000')]).toEqual([200, 200])
    expect([await statusOn('evil.example'), await statusOn('nobody.localhost:3000')]).toEqual([421, 421])
  })

  test('the token of a hand-over works in the body of a POST only, not in a URL', async () => {
    const coach = await createCoach({ app, subdomain: 'only-asked' })
    const query = `token=${await createHandoverToken(app.platform, coach.id, 'only-asked')}`
    const at = { host: 'only-asked.localhost:3000' }
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await app.call(method, `/handover?${query}`, at)
      expect([status, headers.get('allow'), headers.get('set-cookie')]).toEqual([405, 'POST', null])
    }
    const inUrl = await app.call('POST', `/handover?${query}`, at)
    expect([inUrl.headers.get('location'), inUrl.headers.get('set-cookie')]).toEqual(['/auth', null])
    const form = { raw: query, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const used = await app.call('POST', '/handover', { ...at, ...form })
    expect([used.headers.get('location'), used.headers.get('set-cookie')]).toEqual([
      '/dashboard',
      expect.stringMatching(/^session=/),
    ])
  })
})
