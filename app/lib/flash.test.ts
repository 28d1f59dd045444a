import { expect, test } from 'vitest'
import { flash, readFlash, readTheme, type ToastMessage } from './flash.ts'

const asked = (cookie: string) => new Request('http://localhost/', { headers: { cookie } })

test('a toast with Undo survives the cookie', () => {
  const toast: ToastMessage = {
    tone: 'success',
    title: 'Success',
    text: 'Client deleted successfully!; path=/ "ok" ü',
    action: { label: 'Undo', to: '/clients/7/restore', fields: { id: '7' } },
  }
  expect(readFlash(asked(`sid=1; ${flash(toast).split(';')[0]}`))).toEqual(toast)
})

test('a toast with a link survives the cookie, unless the link leads to another host', () => {
  const toast: ToastMessage = { tone: 'success', title: 'Success', link: { label: 'View client', to: '/clients/7' } }
  expect(readFlash(asked(flash(toast).split(';')[0]!))).toEqual(toast)
  expect(
    readFlash(asked(flash({ ...toast, link: { label: 'x', to: '//evil.example' } }).split(';')[0]!))?.link,
  ).toBeUndefined()
})

test.each(['toast=%', 'toast=%7B', 'toast=null', 'toast=%5B%5D', 'toast=7', 'toast=', 'theme=dark', ''])(
  '%s is not a toast',
  (cookie) => {
    expect(readFlash(asked(cookie))).toBeNull()
  },
)

test('an action on another host is dropped', () => {
  const cookie = `toast=${encodeURIComponent(JSON.stringify({ title: 'x', action: { label: 'y', to: '//evil.example' } }))}`
  expect(readFlash(asked(cookie))?.action).toBeUndefined()
})

test('an unknown theme falls back to the system theme', () => {
  expect(readTheme(asked('theme=dark'))).toBe('dark')
  expect(readTheme(asked('theme=pink'))).toBe('system')
})
