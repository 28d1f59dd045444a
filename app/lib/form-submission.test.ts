import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { emptyAsNull, requiredLine, multiLine } from './zod-types.ts'
import { submit } from './form-submission.ts'

const Note = z.object({
  name: requiredLine('Name is required'),
  goals: emptyAsNull(multiLine()),
  progress: z.number().int().max(100).optional(),
})

const sent = (fields: Record<string, string>, path = '/notes?tab=a') =>
  new Request(`http://localhost${path}`, { method: 'POST', body: new URLSearchParams(fields) })

async function answerTo(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (thrown) {
    return thrown
  }
}

test('a valid form runs its action and reloads the page with a toast', async () => {
  let got: unknown
  const answer = await answerTo(() =>
    submit(sent({ name: ' Ada ', goals: '', progress: '50' }), Note, async (input) => void (got = input), {
      toast: 'Saved.',
    }),
  )
  expect(got).toEqual({ name: 'Ada', goals: null, progress: 50 })
  expect(answer).toBeInstanceOf(Response)
  const { status, headers } = answer as Response
  expect([status, headers.get('Location')]).toEqual([302, '/notes?tab=a'])
  expect(decodeURIComponent(headers.get('Set-Cookie') ?? '')).toContain('"title":"Success","text":"Saved."')
})

test('an invalid form returns field errors and the submitted values', async () => {
  const answer = await submit(sent({ name: ' ', goals: 'Home by six', progress: '500' }), Note, async () => {
    throw new Error('not reached')
  })
  expect(answer.init?.status).toBe(422)
  expect(answer.data.result.error).toMatchObject({ name: ['Name is required'], progress: [expect.any(String)] })
  expect(answer.data.result.initialValue).toMatchObject({ goals: 'Home by six', progress: '500' })
})

test('an error with a field becomes a field error, any other a toast', async () => {
  const taken = await submit(sent({ name: 'Ada' }), Note, () =>
    Promise.reject(new AppError('conflict', 'Taken', { field: 'name' })),
  )
  expect([taken.init?.status, taken.data.result.error?.name, taken.data.toast]).toEqual([409, ['Taken'], undefined])
  const limit = await submit(sent({ name: 'Ada' }), Note, () => Promise.reject(new AppError('plan_limit', 'Full')), {
    failed: 'Not added',
  })
  expect([limit.init?.status, limit.data.result.error?.['']]).toEqual([403, ['Full']])
  expect(limit.data.toast).toEqual({ tone: 'error', title: 'Not added', text: 'Full' })
})

test('a password is never sent back to the browser', async () => {
  const Secret = z.object({ password: z.string().min(6) })
  const answer = await submit(sent({ password: 'short' }), Secret, async () => null)
  expect(JSON.stringify(answer.data)).not.toContain('short')
})

test('an unexpected error is rethrown', async () => {
  await expect(submit(sent({ name: 'Ada' }), Note, () => Promise.reject(new TypeError('broken')))).rejects.toThrow(
    'broken',
  )
})

test('a body that is not a form is a 400', async () => {
  const request = new Request('http://localhost/notes', {
    method: 'POST',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
  })
  expect(await answerTo(() => submit(request, Note, async () => null))).toMatchObject({ init: { status: 400 } })
})

test.each<[string, [string, string][]]>([
  [
    'a list without end',
    [
      ['x[4294967294]', '1'],
      ['name[9999999]', '1'],
    ],
  ],
  [
    'an order to conform',
    [
      ['__intent__', '{"type":"insert","payload":{"name":"q[3000000]","index":0}}'],
      ['__state__', 'x'],
    ],
  ],
  ['an order that is none', [['__intent__', 'x']]],
  [
    'a name of many parts',
    [
      [`a${'.b'.repeat(100_000)}`, '1'],
      [`a${'[0]'.repeat(5000)}`, '1'],
    ],
  ],
  ['one name a hundred thousand times', Array.from({ length: 100_000 }, () => ['name', 'Ada'] as [string, string])],
  ['a hundred thousand names', Array.from({ length: 100_000 }, (_, at) => [`n${at}`, ''] as [string, string])],
])('%s is not a field: it is ignored cheaply and not sent back', async (_what, fields) => {
  const request = new Request('http://localhost/notes', {
    method: 'POST',
    body: new URLSearchParams([['progress', '500'], ...fields]),
  })
  const began = performance.now()
  const answer = await submit(request, Note, async () => {
    throw new Error('not reached')
  })
  expect(performance.now() - began).toBeLessThan(2000)
  expect(answer.data.result.error).toMatchObject({ progress: [expect.any(String)] })
  expect(JSON.stringify(answer.data).length).toBeLessThan(50_000)
})
