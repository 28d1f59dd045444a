import { expect, test } from 'vitest'
import { readForm } from './form-submission.ts'

const sent = (fields: [string, string][]) =>
  new Request('http://localhost/notes', { method: 'POST', body: new URLSearchParams(fields) })

test('reads the first field of each name, with CR LF as LF', async () => {
  const form = await readForm(
    sent([
      ['name', 'Ada'],
      ['name', 'Grace'],
      ['notes', 'one\r\ntwo'],
    ]),
  )
  expect([...form]).toEqual([
    ['name', 'Ada'],
    ['notes', 'one\ntwo'],
  ])
})

test('a body that is not a form is a 400', async () => {
  const request = new Request('http://localhost/notes', {
    method: 'POST',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
  })
  await expect(readForm(request)).rejects.toMatchObject({ init: { status: 400 } })
})
