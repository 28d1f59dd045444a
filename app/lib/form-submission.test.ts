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

test('reads all values of a list, each once, and no more than a form has', async () => {
  const getLists = (intent: string) => (intent === 'tag' ? ['ids'] : [])
  const fields: [string, string][] = [
    ['ids', '1'],
    ['name', 'Ada'],
    ['ids', '2'],
    ['name', 'Grace'],
    ['ids', '1'],
  ]
  const read = async (more: [string, string][]) => [...(await readForm(sent([...fields, ...more]), getLists))]
  expect(await read([['intent', 'tag']])).toEqual([
    ['ids', '1'],
    ['ids', '2'],
    ['name', 'Ada'],
    ['intent', 'tag'],
  ])
  expect(await read([['intent', 'rename']])).toEqual([
    ['ids', '1'],
    ['name', 'Ada'],
    ['intent', 'rename'],
  ])
  const many = Array.from({ length: 5_000 }, (_, id): [string, string] => ['ids', String(id)])
  expect(await readForm(sent([['intent', 'tag'], ...many]), getLists).then((form) => form.getAll('ids'))).toHaveLength(
    3_999,
  )
})

test('a body that is not a form is a 400', async () => {
  const request = new Request('http://localhost/notes', {
    method: 'POST',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
  })
  await expect(readForm(request)).rejects.toMatchObject({ init: { status: 400 } })
})
