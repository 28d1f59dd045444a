import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { createCoach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { readSetToast } from '#tests/support/toast-cookie.ts'

const app = createTestApp()
let built: BuiltApp

beforeAll(async () => {
  built = await serveBuild(app.appUrl, { now: () => app.clock.now })
}, 120_000)
afterAll(() => built?.close())

test('a form sent without a session redirects to the sign-in page, and back to this host only', async () => {
  const own = `http://localhost:${built.port}/clients?view=list`
  for (const [referer, location] of [
    [own, `/auth?next=${encodeURIComponent('/clients?view=list')}`],
    [`http://localhost:${built.port}/`, '/auth'],
    ['https://elsewhere.example/clients', '/auth'],
    [`http://localhost.elsewhere.example:${built.port}/clients`, '/auth'],
    [`//localhost:${built.port}/clients`, '/auth'],
    ['%%%', '/auth'],
    [undefined, '/auth'],
  ] as const) {
    const { status, headers } = await built.request('/clients', {
      form: { intent: 'add', name: 'Nobody' },
      headers: referer === undefined ? {} : { referer },
    })
    expect([status, headers.location], String(referer)).toEqual([302, location])
    expect(readSetToast(headers['set-cookie'] ?? [])?.title).toBe('You are signed out')
  }
})

test('sent by JavaScript, it returns an error without a redirect', async () => {
  const { status, headers, text } = await built.request('/clients.data', { form: { intent: 'add', name: 'Nobody' } })
  expect([status, headers.location, headers['set-cookie']]).toEqual([401, undefined, undefined])
  expect(text).toContain('You are signed out')
})

test('a page forbids framing and device access, and allows only scripts with its nonce', async () => {
  const { headers } = await built.request('/auth')
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\)/)
  // 16 random bytes.
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-[\w-]{22}'/)
})

test('pages, their data, files and redirects forbid framing and name their character set', async () => {
  const [script] = /\/assets\/[\w.-]+\.js/.exec((await built.request('/auth')).text)!
  for (const target of [
    '/auth',
    '/auth.data',
    '/dashboard',
    '/dashboard.data',
    '/nowhere',
    script,
    '/assets/none.js',
  ]) {
    const { headers } = await built.request(target)
    expect(headers['content-security-policy'], target).toMatch(/base-uri 'none'.*frame-ancestors 'none'/)
    if (headers['content-type']) expect(headers['content-type'], target).toMatch(/; charset=utf-8$/)
  }
  await createCoach({ subdomain: 'has-files' })
  const statusOn = async (host: string) => (await built.request(script, { host })).status
  expect([await statusOn('localhost'), await statusOn('has-files.localhost')]).toEqual([200, 200])
  expect([await statusOn('evil.example'), await statusOn('nobody.localhost')]).toEqual([421, 421])
})

test('an account is closed at the platform alone, and leads every page to the one that reopens it', async () => {
  const coach = await createCoach({ subdomain: 'closing', password: 'correct horse' })
  const form = { intent: 'close-account', currentPassword: 'correct horse' }
  const { cookie } = coach
  const refused = await built.request('/settings/account.data', { host: 'closing.localhost', cookie, form })
  expect(refused.text).toContain(`Close your account at http://localhost:${built.port}.`)
  const closed = await built.request('/settings/account', { cookie, form })
  expect(closed.headers.location).toBe('/closed')
  for (const page of ['/', '/auth', '/dashboard', '/settings/export', '/clients'])
    expect((await built.request(page, { cookie })).headers.location, page).toBe('/closed')
  expect((await built.request('/closed', { cookie })).text).toContain('Your account closes on')
  // The file asks the closed account: there is none yet.
  expect((await built.request('/settings/export/download', { cookie })).status).toBe(404)
  expect((await built.request('/closed')).headers.location).toBe('/auth')
  const reopened = await built.request('/closed', { cookie, form: { intent: 'reopen' } })
  expect(reopened.headers.location).toBe('/dashboard')
  expect((await built.request('/closed', { cookie })).headers.location).toBe('/dashboard')
})
