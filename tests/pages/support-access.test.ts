import { afterAll, beforeAll, expect, test } from 'vitest'
import { privateRoutes } from '#modules/registry.ts'
import { allowSupport } from '#modules/admin/services/support-grants.ts'
import { startSupportVisit } from '#modules/admin/services/support-visits.ts'
import { hashToken } from '#tenants/auth/signing-keys.ts'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { readSetToast } from '#tests/support/toast-cookie.ts'
import { createTwoTenants, tenantFingerprint, type TwoTenants } from '#tests/support/two-tenants.ts'

// Every page and every form of the build, on the visit of an administrator.

const app = createTestApp()
let built: BuiltApp
let tenants: TwoTenants
let admin: Coach
let cookie: string

beforeAll(async () => {
  tenants = await createTwoTenants(app)
  admin = await createCoach({ isAdmin: true })
  built = await serveBuild(app.appUrl, { now: () => app.clock.now })
  await inTenant(tenants.bea, (ctx) =>
    allowSupport(ctx, { hours: '24', reason: 'Look at all pages.' }, { address: '127.0.0.1', userAgent: null }),
  )
  const sessionHash = hashToken(admin.cookie.split('=')[1]!)
  const visit = await inTenant(admin, (ctx) => startSupportVisit(ctx, tenants.bea.id, sessionHash))
  cookie = `${admin.cookie}; support=${visit}`
}, 120_000)
afterAll(() => built?.close())

const fillIds = (route: string): string => route.replaceAll(/:\w+\??/g, String(tenants.sampleIds[0])).replace('*', 'x')
const dataPath = (target: string): string => (target === '/' ? '/_root.data' : `${target}.data`)
const listRoutes = () => built.routes.filter(({ path }) => !/^\/portal(\/|$)/.test(path))

/** Addresses at which anyone who has them acts as a client. */
const signedLinks = /\/(contract|form|sale|subscribe|invoice|shared|summary|booking|book\/for)\/[\w-]+\.[\w-]{20,}/g

test('every page can be read, but those for the coach alone', async () => {
  const withoutLog = async () =>
    (await tenantFingerprint(app, tenants.bea.id)).split('\n').filter((line) => !line.startsWith('security_event '))
  const targets = listRoutes().flatMap(({ id, path }) =>
    [fillIds(path), dataPath(fillIds(path))].map((target) => ({ id, target })),
  )
  // The coach's own pages may refresh what Stripe says.
  const theirs = new Map<string, number>()
  for (const { target } of targets)
    theirs.set(target, (await built.request(target, { cookie: tenants.bea.cookie })).status)
  const before = await withoutLog()
  const refused: string[] = []
  for (const { id, target } of targets) {
    const ours = await built.request(target, { cookie })
    if (ours.status === 403 && theirs.get(target) !== 403) refused.push(id)
    else expect([target, ours.status]).toEqual([target, theirs.get(target)])
    expect([target, ours.text.match(signedLinks)]).toEqual([target, null])
    const isPage = ours.status === 200 && ours.headers['content-type']?.startsWith('text/html')
    if (isPage) expect([target, ours.text.includes('as support, until')]).toEqual([target, true])
  }
  expect([...new Set(refused)].toSorted()).toEqual([...privateRoutes].toSorted())
  expect(await withoutLog()).toEqual(before)
}, 240_000)

test('no spelling of its address opens a private page', async () => {
  for (const target of [
    '/security',
    '/Security',
    '/%73ecurity',
    '/security/',
    '/security.data',
    '/security.data?_routes=routes%2Fsecurity',
    '/security?_data=routes%2Fsecurity',
    '/settings/API-keys',
  ]) {
    const { status, text } = await built.request(target, { cookie })
    expect([target, status, text.includes('Recovery codes')]).toEqual([target, 403, false])
  }
})

test('no form changes anything, with scripts and without', async () => {
  const before = await tenantFingerprint(app, tenants.bea.id)
  const own = await tenantFingerprint(app, admin.id)
  for (const { path, acts } of listRoutes()) {
    if (path === '/admin/support/leave') continue
    for (const target of acts ? [fillIds(path), dataPath(fillIds(path))] : [fillIds(path)]) {
      const { status, text } = await built.request(target, { cookie, form: { intent: 'save', id: '1' } })
      expect([target, status]).toEqual([target, 403])
      expect(text).toContain('Support access is read-only')
    }
  }
  expect((await built.request('/handover', { cookie, form: {} })).status).toBe(403)
  expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
  expect(await tenantFingerprint(app, admin.id)).toBe(own)
}, 120_000)

test('after its end, a page leads back, and a form that was open changes nothing in the administrator’s own account', async () => {
  const now = app.clock.now
  app.clock.now = new Date(now.getTime() + 24 * 3_600_000)
  try {
    // But for the time at which the session was last seen.
    const readOwn = async () =>
      (await tenantFingerprint(app, admin.id)).split('\n').filter((line) => !line.startsWith('session '))
    const own = await readOwn()
    for (const target of ['/clients', '/clients.data'])
      await built.request(target, { cookie, form: { intent: 'add', name: 'Mara', email: 'mara@example.com' } })
    const sent = await built.request('/clients.data', { cookie, form: { intent: 'add' } })
    expect([sent.status, sent.text.includes('Support access has ended')]).toEqual([403, true])
    expect(await readOwn()).toEqual(own)
    // A page that is only prefetched leaves the visit to the document.
    const prefetched = await built.request('/clients.data', { cookie })
    expect(prefetched.headers['set-cookie']?.join() ?? '').not.toContain('support=')
    const { status, headers } = await built.request('/clients', { cookie })
    expect([status, headers.location, headers['x-remix-reload-document']]).toEqual([302, '/admin', 'true'])
    expect(headers['set-cookie']!.join()).toContain('support=; Path=/; Max-Age=0')
    expect(readSetToast(headers['set-cookie']!)?.title).toBe('Support access has ended')
  } finally {
    app.clock.now = now
  }
})
