import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { serveBuild, type BuiltApp, type PageResponse } from '#tests/support/built-app.ts'
import { maliciousTexts } from '#tests/support/malicious-inputs.ts'
import type { Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { isTestedRoute } from '#tests/support/tested-modules.ts'
import { leakMarker, tenantFingerprint, createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'

// The built product over HTTP: every route of the build, as HTML and as `.data`, with one coach's session and another's
// ids. Routes, the names in their addresses and the fields of their forms are read from the build and the sources.

const app = createTestApp()
let built: BuiltApp
let tenants: TwoTenants

beforeAll(async () => {
  // The built server has the real clock.
  app.clock.now = new Date()
  tenants = await createTwoTenants(app)
  built = await serveBuild(app.appUrl)
}, 120_000)
afterAll(() => built?.close())

const root = path.resolve(import.meta.dirname, '../..')
const sources = globSync('{app,modules}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n')
const matchNames = (pattern: RegExp): string[] => [...new Set([...sources.matchAll(pattern)].map(([, name]) => name!))]

// The search params that pages read, and the fields and intents that forms send.
const urlParameters = matchNames(/\.get\('([\w.]+)'\)/g)
const formFields = [
  ...new Set([...urlParameters, ...matchNames(/\bname="([\w.]+)"/g), ...matchNames(/\bfields\.(\w+)\b/g), 'id']),
]
const formIntents = [
  ...new Set([
    ...matchNames(/intent" value="([\w-]+)"/g),
    ...matchNames(/case '([\w-]+)':/g),
    ...matchNames(/intent(?:'\))? === '([\w-]+)'/g),
    ...matchNames(/intent: '([\w-]+)'/g),
    ...matchNames(/([\w-]+)'?: \{\s*done:/g),
    '',
  ]),
]

const moduleRoutes = modules.flatMap(({ routes = [] }) => routes)
/** The pages of the shell for visitors, those behind emailed links, and the public pages of modules. */
const publicPages = [
  '/auth/email-change',
  '/auth/verify',
  '/demo',
  '/onboarding',
  ...moduleRoutes.filter(({ layout }) => layout === 'public').map(({ path: at }) => `/${at}`),
]
/** Files for anyone who has the secret address. */
const secretFiles = moduleRoutes
  .filter(({ layout, path: at }) => layout === 'resource' && at.includes(':token'))
  .map(({ path: at }) => `/${at}`)

/** Signed by another service: they have no session and no form. */
const webhooks = moduleRoutes
  .filter(({ layout, path: at }) => layout === 'resource' && /\/webhooks(\/|$)/.test(at))
  .map(({ path: at }) => `/${at}`)

// Clients in the portal have tests of their own.
const testedRoutes = () => built.routes.filter(({ id, path: at }) => isTestedRoute(id) && !/^\/portal(\/|$)/.test(at))
const missingId = 8_999_999_999_999
const fillIds = (route: string, id: number | string): string =>
  route.replaceAll(/:\w+\??/g, String(id)).replace('*', String(id))
const dataPath = (target: string): string => (target === '/' ? '/_root.data' : `${target}.data`)
const hostFor = (coach: Coach): string => `${coach.subdomain}.localhost:${built.port}`

/** Fails on a text of the other practice, on a 5xx and on internals in an error. */
function expectNoLeak(page: PageResponse, allowed: string[] = []): void {
  expect(page.status).toBeLessThan(500)
  const all = `${page.text}\n${JSON.stringify(page.headers)}`
  const seen = [...new Set(all.match(new RegExp(`${leakMarker}\\.\\w+`, 'g')))].filter(
    (mark) => !allowed.includes(mark),
  )
  expect(seen).toEqual([])
  expect(all).not.toMatch(/bea@example\.com/)
  expect(page.status < 400 || !/\n\s+at |node_modules|violates|relation "/.test(page.text)).toBe(true)
}

/** The page without the requested id and the values that differ between any two responses. */
function comparable({ status, text, headers }: PageResponse, id: number): unknown {
  return {
    status,
    location: headers.location?.replaceAll(String(id), '#'),
    text: text
      .replaceAll(String(id), '#')
      .replaceAll(
        /nonce="[^"]*"|nonce\\?":\\?"[^"\\]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        '',
      ),
  }
}

test('the leak marker is detectable, and the routes are those of the build', async () => {
  const own = await built.request('/dashboard', { cookie: tenants.bea.cookie })
  expect([own.status, own.text.includes(leakMarker)]).toEqual([200, true])
  expect(built.routes.length).toBeGreaterThan(10)
  expect(urlParameters).toContain('q')
})

describe('with another practice’s ids', () => {
  test('a page or download responds as for a missing id, as HTML and as .data', async () => {
    for (const { path: route } of testedRoutes().filter((each) => each.path.includes(':'))) {
      for (const target of [(id: number) => fillIds(route, id), (id: number) => dataPath(fillIds(route, id))]) {
        const missing = await built.request(target(missingId), { cookie: tenants.ada.cookie })
        for (const id of tenants.sampleIds) {
          const page = await built.request(target(id), { cookie: tenants.ada.cookie })
          expectNoLeak(page)
          expect([target(id), comparable(page, id)]).toEqual([target(id), comparable(missing, missingId)])
        }
      }
    }
  }, 480_000)

  test('no page shows anything of them, whatever its URL, on any host', async () => {
    const { ada, bea } = tenants
    const [first, ...others] = tenants.sampleIds
    for (const { id: routeId, path: route } of testedRoutes()) {
      const plain = fillIds(route, first!)
      const everything = new URLSearchParams(
        urlParameters.map((name, index) => [
          name,
          String(index % 2 ? first : (others[index % others.length] ?? first)),
        ]),
      )
      const targets = [
        plain,
        `${plain}?${everything}`,
        `${plain}?q=${leakMarker}`,
        dataPath(plain),
        `${dataPath(plain)}?${everything}`,
        `${dataPath(plain)}?q=${leakMarker}&_routes=${encodeURIComponent(routeId)}`,
        `${plain}?_data=${encodeURIComponent(routeId)}`,
      ]
      for (const target of targets) {
        expectNoLeak(await built.request(target, { cookie: ada.cookie }))
        expectNoLeak(await built.request(target, { cookie: ada.cookie, host: hostFor(ada) }))
        // On Bea's host Ada is a visitor, who sees the public page with its testimonials and what can be booked and bought.
        const shown = ['account', 'appointment_type', 'product', 'testimonial']
        const forVisitors = shown.map((table) => `${leakMarker}.${table}`)
        expectNoLeak(await built.request(target, { cookie: ada.cookie, host: hostFor(bea) }), forVisitors)
        expectNoLeak(await built.request(target))
      }
    }
  }, 480_000)

  test('no form changes anything of them', async () => {
    const before = await tenantFingerprint(app, tenants.bea.id)
    const ids = tenants.sampleIds
    let accepted = 0
    const routes = testedRoutes().filter(({ acts, path: at }) => acts && !['/logout', ...webhooks].includes(at))
    for (const { path: route, page: hasPage } of routes) {
      // Sign-in hashes passwords slowly on purpose, and has no ids; secret addresses have none either.
      const sent = route.startsWith('/auth') || secretFiles.includes(route) ? ids.slice(0, 1) : ids
      const values = (id: number) => Object.fromEntries(formFields.map((name) => [name, String(id)]))
      const send = async (target: string, id: number, intent: string): Promise<PageResponse> => {
        const page = await built.request(target, { cookie: tenants.ada.cookie, form: { ...values(id), intent } })
        expectNoLeak(page)
        return page
      }
      const [first, ...others] = sent
      const answers = new Map<string, PageResponse>()
      const [html, data] = [(id: number) => fillIds(route, id), (id: number) => dataPath(fillIds(route, id))]
      const plain = hasPage ? data : html
      for (const intent of formIntents) answers.set(intent, await send(plain(first!), first!, intent))
      const isAlike = new Set([...answers.values()].map((page) => JSON.stringify(comparable(page, first!)))).size === 1
      // One without an id in its address that responds to all intents alike, such as an upload, reads none.
      const intents = isAlike && !route.includes(':') ? formIntents.slice(0, 1) : formIntents
      for (const intent of intents) {
        const { status, text } = answers.get(intent)!
        // The route has no such form, whatever the id.
        if (status === 400 && text.includes('Unknown form.')) continue
        accepted += sent.length
        // Drawn for the first alone: the pages' loaders have tests above.
        if (hasPage) await send(html(first!), first!, intent)
        for (const id of others) await send(plain(id), id, intent)
      }
      for (const id of sent)
        expectNoLeak(
          await built.request(dataPath(fillIds(route, id)), { cookie: tenants.ada.cookie, form: values(id) }),
        )
    }
    // A single module may have one form, or none.
    if (routes.length) expect(accepted).toBeGreaterThanOrEqual(ids.length)
    expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
  }, 480_000)
})

describe('signed out', () => {
  test('every page of a practice redirects to the sign-in page, and no loader responds', async () => {
    const open = new Set([
      '/',
      '/auth',
      '/auth/forgot',
      '/auth/passkey',
      '/auth/reset',
      '/logout',
      '/robots.txt',
      '/sitemap.xml',
      '/theme',
      '/*',
      ...publicPages,
      ...secretFiles,
      ...webhooks,
    ])
    for (const { id, path: route } of testedRoutes().filter((each) => !open.has(each.path))) {
      const plain = fillIds(route, 1)
      for (const cookie of ['', `session=${'A'.repeat(43)}`]) {
        const page = await built.request(plain, { cookie })
        expect([plain, page.status]).toEqual([plain, 302])
        expect(page.headers.location).toMatch(/^\/auth/)
        const data = await built.request(`${dataPath(plain)}?_routes=${encodeURIComponent(id)}`, { cookie })
        expect([
          plain,
          /\/auth/.test(data.text + String(data.headers.location)),
          data.text.includes(leakMarker),
        ]).toEqual([plain, true, false])
      }
    }
  }, 120_000)

  test('a file with a secret address is not found without the secret', async () => {
    for (const { path: route } of testedRoutes().filter((each) => secretFiles.includes(each.path))) {
      const file = await built.request(fillIds(route, 1))
      expect([route, file.status, file.text.includes(leakMarker)]).toEqual([route, 404, false])
    }
  })
})

describe('malicious URLs, forms and headers', () => {
  test('no page of any route fails', async () => {
    // The HTTP parser rejects longer ones.
    const values = maliciousTexts.filter((text) => text.length < 100)
    for (const { path: route } of testedRoutes().filter(({ path: at }) => at !== '/logout')) {
      const query = (value: string): string =>
        new URLSearchParams(urlParameters.map((name) => [name, value.toWellFormed()])).toString()
      for (const [at, value] of values.entries()) {
        // Each value at some routes, each route with some values: all combinations take minutes.
        if ((at + route.length) % 4) continue
        const target = `${fillIds(route, encodeURIComponent(value.toWellFormed()) || 'x')}?${query(value)}`
        for (const url of [target, target.replace('?', '.data?')]) {
          const page = await built.request(url.replaceAll(' ', '%20'), { cookie: tenants.ada.cookie })
          expect([url, page.status < 500]).toEqual([url, true])
          expectNoLeak(page)
        }
      }
    }
  }, 480_000)

  test('no form of any route fails, whatever it is sent', async () => {
    const coach = tenants.ada
    for (const { path: route } of testedRoutes().filter(({ acts, path: at }) => acts && at !== '/logout')) {
      const target = fillIds(route, tenants.ids.get('client')?.[0] ?? 1)
      for (const [at, value] of maliciousTexts.entries()) {
        if ((at + route.length) % 3) continue
        const form = {
          ...Object.fromEntries(formFields.map((name) => [name, value.toWellFormed()])),
          intent: formIntents[at % formIntents.length]!,
        }
        const page = await built.request(target, { cookie: coach.cookie, form })
        expect([target, form.intent, value.slice(0, 20), page.status < 500]).toEqual([
          target,
          form.intent,
          value.slice(0, 20),
          true,
        ])
      }
      for (const headers of [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/json' },
        { 'content-type': 'multipart/form-data' },
        { 'content-type': 'multipart/form-data; boundary=x' },
        { 'content-type': '' },
        { 'content-type': 'x'.repeat(2000) },
      ]) {
        const page = await built.request(target, { cookie: coach.cookie, form: { a: 'b' }, headers })
        expect([target, headers, page.status < 500]).toEqual([target, headers, true])
      }
      for (const name of [
        '__intent__',
        'x[4294967294]',
        'name[3000000]',
        `a${'.b'.repeat(10_000)}`,
        '__proto__',
        'constructor',
      ]) {
        const page = await built.request(target, {
          cookie: coach.cookie,
          form: { [name]: '1', intent: formIntents[0]! },
        })
        expect([target, name.slice(0, 20), page.status < 500, page.ms < 2000]).toEqual([
          target,
          name.slice(0, 20),
          true,
          true,
        ])
      }
      const foreign: Record<string, string>[] = [
        { origin: 'http://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ]
      for (const headers of foreign) {
        expect([
          target,
          (await built.request(target, { cookie: coach.cookie, form: { intent: 'add' }, headers })).status,
        ]).toEqual([target, 403])
        expect([
          target,
          (await built.request(dataPath(target), { cookie: coach.cookie, form: { intent: 'add' }, headers })).status,
        ]).toEqual([target, 403])
      }
    }
  }, 480_000)

  test('signing in redirects only within the product', async () => {
    const password = 'long enough'
    await app.call('POST', '/api/register', {
      body: { email: 'next@example.com', password, firstName: 'N', lastName: 'T' },
    })
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      'javascript:alert(1)',
      '/%2f/evil.example',
      '//evil.example/%2e%2e',
      'http:evil.example',
      '/.//evil.example',
      '/dashboard/..//evil.example',
      '@evil.example',
      '',
    ]) {
      const target = `/auth?next=${encodeURIComponent(next)}`
      const signedIn = await built.request(target, {
        form: { intent: 'login', email: 'next@example.com', password, next },
      })
      const themed = await built.request('/theme', { form: { theme: 'dark', back: next } })
      expect([next, signedIn.status]).toEqual([next, 302])
      for (const { headers } of [signedIn, themed]) {
        const arrived = new URL(headers.location ?? '', `http://localhost:${built.port}/auth`)
        expect([next, arrived.host]).toEqual([next, `localhost:${built.port}`])
        expect([next, /^[/\\]{2}/.test(headers.location ?? '')]).toEqual([next, false])
      }
    }
  }, 60_000)
})
