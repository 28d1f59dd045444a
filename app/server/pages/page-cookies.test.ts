import { expect, test } from 'vitest'
import type { ToastMessage } from '#app/lib/flash.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import { deriveSigningKeys } from '#tenants/auth/signing-keys.ts'
import { createPageCookies } from './page-cookies.ts'

const clock = { now: new Date('2026-03-10T14:00:00Z') }

/** The cookies of a request that sends the name and value of `setCookie`. */
function pageCookies(setCookie = '', { origin = 'http://localhost', tenant = 0, key = 'the key of a test' } = {}) {
  const request = new Request(origin, { headers: { cookie: `theme=dark; ${setCookie.split(';')[0]}` } })
  return createPageCookies(request, {
    platform: { config: { origin }, signingKeys: deriveSigningKeys([key]), now: () => clock.now },
    tenant: tenant ? { id: tenant } : null,
  } as unknown as RequestContext)
}

const toast: ToastMessage = {
  tone: 'success',
  title: 'Success',
  text: 'Client deleted successfully!; path=/ "ok" ü',
  action: { label: 'Undo', to: '/clients/7/restore', fields: { id: '7' } },
  link: { label: 'View client', to: '/clients/7#notes', newTab: true },
}

test('a toast survives the cookie', () => {
  const cookie = pageCookies().toast(toast)
  expect(cookie).toMatch(/^toast=[\w.-]+; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax$/)
  expect(pageCookies(cookie).readToast()).toEqual(toast)
})

test('a toast is shown on the host that it was made for only, and for a short time', () => {
  const cookie = pageCookies('', { tenant: 1 }).toast(toast)
  expect(pageCookies(cookie, { tenant: 1 }).readToast()).toEqual(toast)
  expect(pageCookies(cookie, { tenant: 2 }).readToast()).toBeNull()
  expect(pageCookies(cookie).readToast()).toBeNull()
  const made = clock.now
  clock.now = new Date(made.getTime() + 10 * 60_000)
  expect(pageCookies(cookie, { tenant: 1 }).readToast()).toBeNull()
  clock.now = made
})

test('a toast that this product has not signed is not shown', () => {
  const [, signed] = /^toast=([^;]+)/.exec(pageCookies().toast(toast))!
  const forged = Buffer.from(JSON.stringify({ message: toast, expiresAt: 9e15 })).toString('base64url')
  for (const value of [
    encodeURIComponent(JSON.stringify(toast)),
    forged,
    `${forged}.`,
    `${forged}.${signed!.split('.')[1]}`,
    pageCookies('', { key: 'another secret key' }).toast(toast).slice('toast='.length),
    '%',
    'null',
    '',
  ])
    expect(pageCookies(`toast=${value}`).readToast(), value).toBeNull()
})

test.each(['//evil.test', '/\\evil.test', '/\t/evil.test', 'https://evil.test', 'javascript:alert(1)'])(
  'a toast does not lead to %s',
  (to) => {
    const cookie = pageCookies().toast({ ...toast, link: { label: 'x', to }, action: { label: 'x', to } })
    const { link: _link, action: _action, ...rest } = toast
    expect(pageCookies(cookie).readToast()).toEqual(rest)
  },
)

test('an unknown theme falls back to the system theme', () => {
  expect(pageCookies().readTheme()).toBe('dark')
  expect(pageCookies('', { origin: 'https://attune.example' }).readTheme()).toBe('system')
  expect(pageCookies().theme('system')).toBe('theme=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
})

test('over TLS every cookie belongs to its host alone', () => {
  const origin = 'https://attune.example'
  const { session, toast: setToast, theme } = pageCookies('', { origin })
  for (const cookie of [session('a'), session(null), setToast(toast), setToast(null), theme('dark'), theme('system')])
    expect(cookie).toMatch(/^__Host-\w+=[\w.-]*; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  expect(pageCookies(setToast(toast), { origin }).readToast()).toEqual(toast)
  // The name without the prefix, which another subdomain could set, doesn't count.
  expect(pageCookies(setToast(toast).replace('__Host-', ''), { origin }).readToast()).toBeNull()
})
