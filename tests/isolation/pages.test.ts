import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { serveBuild, type Built, type Page } from '#tests/support/built-app.ts'
import { nasty } from '#tests/support/malicious-inputs.ts'
import { aHouse, type Coach } from '#tests/support/test-app.ts'
import { canary, everythingOf, twoPractices, type Practices } from '#tests/support/two-tenants.ts'

// The built product over HTTP: every route of the build, as HTML and as `.data`, with one coach's session and another's ids.
// Routes, the names in their addresses and the fields of their forms are read from the build and the sources.

const house = aHouse()
let built: Built
let practices: Practices

beforeAll(async () => {
  // The built server has the real clock.
  house.clock.now = new Date()
  practices = await twoPractices(house)
  built = await serveBuild(house.appUrl)
}, 120_000)
afterAll(() => built?.close())

const root = path.resolve(import.meta.dirname, '../..')
const sources = globSync('{app,modules}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n')
const namesIn = (pattern: RegExp): string[] => [...new Set([...sources.matchAll(pattern)].map(([, name]) => name!))]

/** What screens read behind the question mark, what their forms send, and what those call their deeds. */
const inAddresses = namesIn(/\.get\('([\w.]+)'\)/g)
const inForms = [...new Set([...inAddresses, ...namesIn(/\bname="([\w.]+)"/g), ...namesIn(/\bfields\.(\w+)\b/g), 'id'])]
const deeds = [
  ...new Set([
    ...namesIn(/intent" value="(\w+)"/g),
    ...namesIn(/case '(\w+)':/g),
    ...namesIn(/intent(?:'\))? === '(\w+)'/g),
    ...namesIn(/intent: '(\w+)'/g),
    '',
  ]),
]

/** The pages that modules make for anybody. */
const publicPages = modules.flatMap(({ routes = [] }) =>
  routes.filter(({ layout }) => layout === 'public').map(({ path: at }) => `/${at}`),
)

const absent = 8_999_999_999_999
const oneOfEach = (): number[] => [...practices.ids.values()].flatMap((ids) => ids.slice(0, 1))
const withIds = (route: string, id: number | string): string =>
  route.replaceAll(/:\w+\??/g, String(id)).replace('*', String(id))
const dataOf = (target: string): string => (target === '/' ? '/_root.data' : `${target}.data`)
const hostOf = (coach: Coach): string => `${coach.subdomain}.localhost:${built.port}`

/** No text of the other practice, no failure, no inside. What a page says about its own address is not the practice's. */
function expectNothingOf(page: Page, allowed: string[] = []): void {
  expect(page.status).toBeLessThan(500)
  const all = `${page.text}\n${JSON.stringify(page.headers)}`
  const seen = [...new Set(all.match(new RegExp(`${canary}\\.\\w+`, 'g')))].filter((mark) => !allowed.includes(mark))
  expect(seen).toEqual([])
  expect(all).not.toMatch(/bea@example\.com/)
  expect(page.status < 400 || !/\n\s+at |node_modules|violates|relation "/.test(page.text)).toBe(true)
}

/** What a page says, without what differs between any two answers and without the id that was asked for. */
function said({ status, text }: Page, id: number): unknown {
  return {
    status,
    text: text
      .replaceAll(String(id), '#')
      .replaceAll(
        /nonce="[^"]*"|nonce\\?":\\?"[^"\\]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        '',
      ),
  }
}

test('the marks of the other practice would be seen, and the routes are those of the build', async () => {
  const own = await built.ask('/dashboard', { cookie: practices.bea.cookie })
  expect([own.status, own.text.includes(canary)]).toEqual([200, true])
  expect(built.routes.length).toBeGreaterThan(10)
  expect(inAddresses).toContain('q')
})

describe('with another practice’s ids', () => {
  test('a page or download answers as for an id that nothing has, as HTML and as .data', async () => {
    for (const { path: route } of built.routes.filter((each) => each.path.includes(':'))) {
      for (const target of [(id: number) => withIds(route, id), (id: number) => dataOf(withIds(route, id))]) {
        const nobodys = await built.ask(target(absent), { cookie: practices.ada.cookie })
        for (const id of oneOfEach()) {
          const page = await built.ask(target(id), { cookie: practices.ada.cookie })
          expectNothingOf(page)
          expect([target(id), said(page, id)]).toEqual([target(id), said(nobodys, absent)])
        }
      }
    }
  }, 120_000)

  test('every page shows nothing of them, whatever its address carries, on any host', async () => {
    const { ada, bea } = practices
    const [first, ...others] = oneOfEach()
    for (const { id: routeId, path: route } of built.routes) {
      const plain = withIds(route, first!)
      const everything = new URLSearchParams(
        inAddresses.map((name, at) => [name, String(at % 2 ? first : (others[at % others.length] ?? first))]),
      )
      const targets = [
        plain,
        `${plain}?${everything}`,
        `${plain}?q=${canary}`,
        dataOf(plain),
        `${dataOf(plain)}?${everything}`,
        `${dataOf(plain)}?q=${canary}&_routes=${encodeURIComponent(routeId)}`,
        `${plain}?_data=${encodeURIComponent(routeId)}`,
      ]
      for (const target of targets) {
        expectNothingOf(await built.ask(target, { cookie: ada.cookie }))
        expectNothingOf(await built.ask(target, { cookie: ada.cookie, host: hostOf(ada) }))
        // There Ada is a visitor: the public page tells who lives there, and no more.
        expectNothingOf(await built.ask(target, { cookie: ada.cookie, host: hostOf(bea) }), [`${canary}.account`])
        expectNothingOf(await built.ask(target))
      }
    }
  }, 240_000)

  test('every form changes nothing of them', async () => {
    const before = await everythingOf(house, practices.bea.id)
    const ids = oneOfEach()
    for (const { path: route } of built.routes.filter(({ acts, path: at }) => acts && at !== '/logout')) {
      // Signing in takes its time on purpose, and holds no ids.
      for (const id of route.startsWith('/auth') ? ids.slice(0, 1) : ids) {
        for (const intent of deeds) {
          const form = { ...Object.fromEntries(inForms.map((name) => [name, String(id)])), intent }
          expectNothingOf(await built.ask(withIds(route, id), { cookie: practices.ada.cookie, form }))
        }
        expectNothingOf(
          await built.ask(dataOf(withIds(route, id)), {
            cookie: practices.ada.cookie,
            form: Object.fromEntries(inForms.map((name) => [name, String(id)])),
          }),
        )
      }
    }
    expect(await everythingOf(house, practices.bea.id)).toBe(before)
  }, 240_000)
})

describe('signed out', () => {
  test('every page of the practice leads to the sign-in, and no loader answers before it', async () => {
    const open = new Set(['/', '/auth', '/auth/forgot', '/auth/reset', '/logout', '/theme', '/*', ...publicPages])
    for (const { id, path: route } of built.routes.filter((each) => !open.has(each.path))) {
      const plain = withIds(route, 1)
      for (const cookie of ['', `session=${'A'.repeat(43)}`]) {
        const page = await built.ask(plain, { cookie })
        expect([plain, page.status]).toEqual([plain, 302])
        expect(page.headers.location).toMatch(/^\/auth/)
        const data = await built.ask(`${dataOf(plain)}?_routes=${encodeURIComponent(id)}`, { cookie })
        expect([plain, /\/auth/.test(data.text + String(data.headers.location)), data.text.includes(canary)]).toEqual([
          plain,
          true,
          false,
        ])
      }
    }
  }, 120_000)
})

describe('addresses, forms and headers that nobody means well with', () => {
  test('no page of any route answers with a failure', async () => {
    // Longer ones are the parser's business, not a page's.
    const values = nasty.filter((text) => text.length < 100)
    for (const { path: route } of built.routes.filter(({ path: at }) => at !== '/logout')) {
      const query = (value: string): string =>
        new URLSearchParams(inAddresses.map((name) => [name, value.toWellFormed()])).toString()
      for (const [at, value] of values.entries()) {
        // Each value at some routes, each route with some values: all of them take minutes.
        if ((at + route.length) % 4) continue
        const target = `${withIds(route, encodeURIComponent(value.toWellFormed()) || 'x')}?${query(value)}`
        for (const asked of [target, target.replace('?', '.data?')]) {
          const page = await built.ask(asked.replaceAll(' ', '%20'), { cookie: practices.ada.cookie })
          expect([asked, page.status < 500]).toEqual([asked, true])
          expectNothingOf(page)
        }
      }
    }
  }, 240_000)

  test('no form of any route answers with a failure, whatever it is sent', async () => {
    const coach = practices.ada
    for (const { path: route } of built.routes.filter(({ acts, path: at }) => acts && at !== '/logout')) {
      const target = withIds(route, practices.ids.get('client')?.[0] ?? 1)
      for (const [at, value] of nasty.entries()) {
        if ((at + route.length) % 3) continue
        const form = {
          ...Object.fromEntries(inForms.map((name) => [name, value.toWellFormed()])),
          intent: deeds[at % deeds.length]!,
        }
        const page = await built.ask(target, { cookie: coach.cookie, form })
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
        const page = await built.ask(target, { cookie: coach.cookie, form: { a: 'b' }, headers })
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
        const page = await built.ask(target, { cookie: coach.cookie, form: { [name]: '1', intent: deeds[0]! } })
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
          (await built.ask(target, { cookie: coach.cookie, form: { intent: 'add' }, headers })).status,
        ]).toEqual([target, 403])
        expect([
          target,
          (await built.ask(dataOf(target), { cookie: coach.cookie, form: { intent: 'add' }, headers })).status,
        ]).toEqual([target, 403])
      }
    }
  }, 240_000)

  test('signing in leads nowhere but into the product', async () => {
    const password = 'long enough'
    await house.call('POST', '/api/register', {
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
      const signedIn = await built.ask(target, { form: { intent: 'login', email: 'next@example.com', password, next } })
      const themed = await built.ask('/theme', { form: { theme: 'dark', back: next } })
      expect([next, signedIn.status]).toEqual([next, 302])
      for (const { headers } of [signedIn, themed]) {
        const arrived = new URL(headers.location ?? '', `http://localhost:${built.port}/auth`)
        expect([next, arrived.host]).toEqual([next, `localhost:${built.port}`])
        expect([next, /^[/\\]{2}/.test(headers.location ?? '')]).toEqual([next, false])
      }
    }
  }, 60_000)
})
