import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { createCoach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { readSetToast } from '#tests/support/toast-cookie.ts'

const app = createTestApp()
let built: BuiltApp

beforeAll(async () => {
  built = await serveBuild(app.appUrl)
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
