import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveBuild, type Built } from '#tests/support/built-app.ts'
import { aHouse } from '#tests/support/test-app.ts'

const house = aHouse()
let built: Built

beforeAll(async () => {
  built = await serveBuild(house.appUrl)
}, 120_000)
afterAll(() => built?.close())

test('a form sent without a session leads to the sign-in, and back to a page of this host only', async () => {
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
    const { status, headers } = await built.ask('/clients', {
      form: { intent: 'add', name: 'Nobody' },
      headers: referer === undefined ? {} : { referer },
    })
    expect([status, headers.location], String(referer)).toEqual([302, location])
    expect(headers['set-cookie']?.join()).toContain(encodeURIComponent('You are signed out'))
  }
})

test('sent by scripts, it is answered where it stands', async () => {
  const { status, headers, text } = await built.ask('/clients.data', { form: { intent: 'add', name: 'Nobody' } })
  expect([status, headers.location, headers['set-cookie']]).toEqual([401, undefined, undefined])
  expect(text).toContain('You are signed out')
})
