import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { requireFile } from '#app/lib/upload.server.ts'
import { emptyAsNull, multiLine, requiredLine } from '#app/lib/zod-types.ts'
import { ById, formActions, publicFormActions, success } from './form-actions.server.ts'

const Note = z.object({
  name: requiredLine('Name is required'),
  goals: emptyAsNull(multiLine()),
  progress: z.number().int().max(100).optional(),
  password: z.string().optional(),
})
const messages = {
  add: { done: 'Note added', failed: 'Failed to add the note.' },
  login: { done: null, failed: { title: 'Login failed', text: 'Please try again.' } },
  delete: { done: 'Note deleted', failed: 'Failed to delete the note.' },
}
const error = vi.fn<(bindings: object, message: string) => void>()
const context = {
  coach: () => undefined,
  write: (work: (ctx: object) => unknown) => work({}),
  cookies: { toast: (message: object) => JSON.stringify(message) },
  log: { error },
}

type FormBody = Record<string, string> | [string, string][] | FormData

/** Submits a form to an action with these handlers. Returns its response, or what it throws. */
function submit(fields: FormBody, run: (input: unknown) => Promise<unknown>, more: object = {}, options: object = {}) {
  const action = formActions(
    messages,
    {
      add: { schema: Note, run: (_, input) => run(input), ...more },
      login: { schema: Note, run: (_, input) => run(input), ...more },
      delete: { schema: ById, run: (_, input) => run(input), undo: 'add', ...more },
    },
    { home: '/notes', ...options },
  )
  return send(action, fields)
}

async function send(action: (args: ActionFunctionArgs) => Promise<unknown>, fields: FormBody) {
  const request = new Request('http://localhost/notes', {
    method: 'POST',
    body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    headers: { referer: 'http://localhost/notes?dialog=add&page=2' },
  })
  const args = { request, params: {}, context: context as unknown as AppLoadContext } as ActionFunctionArgs
  return (await action(args).catch((thrown: unknown) => thrown)) as {
    data: { result: { error: object; initialValue: object }; toast?: object; error?: object }
    init: { status: number }
    headers: Headers
  }
}

const readRedirect = ({ headers }: { headers: Headers }) => [headers.get('Location'), headers.get('Set-Cookie') ?? '']

test('success returns to the page of the form, without its dialog, and shows a toast', async () => {
  const run = vi.fn<(input: unknown) => Promise<null>>(async () => null)
  const [location, cookie] = readRedirect(await submit({ intent: 'add', name: ' Ada ' }, run))
  expect(run).toHaveBeenCalledWith({ name: 'Ada', goals: null })
  expect(location).toBe('/notes?page=2')
  expect(cookie).toContain('"title":"Success","text":"Note added"')
})

test("without a referer success returns to the form's own URL, or to `home`", async () => {
  const request = (url: string) =>
    new Request(`http://localhost${url}`, { method: 'POST', body: new URLSearchParams({ intent: 'add', name: 'Ada' }) })
  const run = async (home: object, url: string) => {
    const action = formActions(
      { add: messages.add },
      { add: { schema: Note, run: async () => null } },
      { ...home, dialog: ['edit'] },
    )
    const args = { request: request(url), params: {}, context: context as unknown as AppLoadContext }
    return ((await action(args as ActionFunctionArgs)) as Response).headers.get('Location')
  }
  expect(await run({}, '/notes/7.data?edit&page=2&_routes=note')).toBe('/notes/7?page=2')
  expect(await run({ home: '/notes' }, '/notes/7')).toBe('/notes')
})

test('input is parsed by the schema; an empty text clears a value', async () => {
  const run = vi.fn<(input: unknown) => Promise<null>>(async () => null)
  await submit({ intent: 'add', name: ' Ada ', goals: '', progress: '50' }, run)
  expect(run).toHaveBeenCalledWith({ name: 'Ada', goals: null, progress: 50 })
})

test('a result can set the redirect, the toast and cookies', async () => {
  const link = { label: 'View note', to: '/notes/7' }
  const [location, cookie] = readRedirect(
    await submit({ intent: 'add', name: 'Ada' }, async () =>
      success({ to: '/notes/7', toast: { link }, cookies: ['a=1'] }),
    ),
  )
  expect(location).toBe('/notes/7')
  expect(cookie).toContain(JSON.stringify(link))
  expect(cookie).toContain('a=1')
  const withoutToast = await submit({ intent: 'login', name: 'Ada' }, async () => null)
  expect(readRedirect(withoutToast)).toEqual(['/notes?page=2', ''])
})

test('invalid input is kept, except passwords, with an error at the field', async () => {
  const input = { name: '', goals: 'Home by six', progress: '500' }
  const response = await submit({ intent: 'add', ...input, password: 'secret' }, async () => null)
  expect(response.init.status).toBe(422)
  expect(response.data.result.error).toEqual({ name: ['Name is required'], progress: [expect.any(String)] })
  expect(response.data.result.initialValue).toMatchObject({ goals: 'Home by six', progress: '500' })
  expect(JSON.stringify(response.data)).not.toContain('secret')
  expect(response.data.toast).toBeUndefined()
})

const hostileFields: [string, [string, string][]][] = [
  [
    'a list without end',
    [
      ['x[4294967294]', '1'],
      ['name[9999999]', '1'],
    ],
  ],
  [
    'a command for conform',
    [
      ['__intent__', '{"type":"insert","payload":{"name":"q[3000000]","index":0}}'],
      ['__state__', 'x'],
    ],
  ],
  ['an invalid command', [['__intent__', 'x']]],
  [
    'a name of many parts',
    [
      [`a${'.b'.repeat(100_000)}`, '1'],
      [`a${'[0]'.repeat(5000)}`, '1'],
    ],
  ],
  ['one name a hundred thousand times', Array.from({ length: 100_000 }, () => ['name', ''])],
  ['a hundred thousand names', Array.from({ length: 100_000 }, (_, index) => [`n${index}`, ''])],
]

test.each(hostileFields)('%s is not a field: it is ignored cheaply and not sent back', async (_what, fields) => {
  const run = vi.fn<() => Promise<null>>()
  const started = performance.now()
  const response = await submit([['intent', 'add'], ['name', ''], ...fields], run)
  expect(performance.now() - started).toBeLessThan(2000)
  expect(run).not.toHaveBeenCalled()
  expect(response.data.result.error).toEqual({ name: ['Name is required'] })
  expect(JSON.stringify(response.data).length).toBeLessThan(50_000)
})

test("a field for which the user chose the other tab's version is left out of the change", async () => {
  const run = vi.fn<(input: unknown) => Promise<null>>(async () => null)
  const Edit = z.object({ id: z.string(), name: z.string().optional(), goals: z.string().optional() })
  const form = { intent: 'add', id: '7', name: 'Ada', goals: 'Write', 'take-name': 'theirs', 'take-goals': 'mine' }
  await submit({ ...form, 'take-id': 'theirs' }, run, { schema: Edit })
  expect(run).toHaveBeenCalledWith({ id: '7', goals: 'Write' })
})

test('an error is shown at the field that it names, or else above the form with a toast', async () => {
  const taken = await submit({ intent: 'add', name: 'Ada' }, async () => {
    throw new AppError('conflict', 'Taken', { field: 'name', subject: 'note' })
  })
  expect(taken.data).toMatchObject({
    result: { error: { name: ['Taken'] }, initialValue: { name: 'Ada' } },
    error: { code: 'conflict', subject: 'note' },
  })
  expect(taken.data.toast).toBeUndefined()
  const full = await submit({ intent: 'add', name: 'Ada' }, async () => {
    throw new AppError('plan_limit', 'Full')
  })
  expect([full.init.status, full.data.result.error]).toEqual([403, { '': ['Full'] }])
  expect(full.data.toast).toEqual({ tone: 'error', title: 'Error', text: 'Full' })
})

test('onError moves an error to a field, adds a link, or redirects', async () => {
  const run = async () => {
    throw new AppError('not_found', 'Stage not found')
  }
  const atField = await submit({ intent: 'add', name: 'Ada' }, run, {
    onError: () => ({ field: 'name', message: 'Choose another.' }),
  })
  expect(atField.data.result.error).toEqual({ name: ['Choose another.'] })
  const link = { label: 'Upgrade', to: '/upgrade' }
  const redirected = await submit({ intent: 'add', name: 'Ada' }, run, { onError: () => ({ to: '/notes/7', link }) })
  expect(readRedirect(redirected)[0]).toBe('/notes/7')
  expect(readRedirect(redirected)[1]).toContain(JSON.stringify(link))
})

test('an unexpected error is logged and shown as the failure message', async () => {
  const response = await submit({ intent: 'login', name: 'Ada' }, async () => {
    throw new TypeError('broken')
  })
  expect(error).toHaveBeenCalledOnce()
  expect(response.data.toast).toEqual({ tone: 'error', title: 'Login failed', text: 'Please try again.' })
})

test('a button redirects with a toast, on failure too, and offers Undo', async () => {
  const deleted = readRedirect(await submit({ intent: 'delete', id: '7' }, async () => null))[1]
  expect(deleted).toContain('"title":"Note deleted"')
  expect(deleted).toContain('"action":{"label":"Undo","to":"/notes","fields":{"intent":"add","id":"7"}}')
  const failed = await submit({ intent: 'delete', id: '7' }, async () => {
    throw new AppError('not_found', 'Note not found')
  })
  expect(readRedirect(failed)[1]).toContain('"text":"Note not found"')
})

test('authorize runs before the input is validated; its AppError keeps the input', async () => {
  const options = {
    authorize: () => {
      throw new AppError('unauthorized', 'Sign in again.')
    },
  }
  const response = await submit({ intent: 'add', name: '' }, async () => null, {}, options)
  expect([response.init.status, response.data.result.error]).toMatchObject([401, { '': ['Sign in again.'] }])
})

test('public forms run without a coach', async () => {
  const action = publicFormActions(
    { add: { done: 'Sent', failed: 'Not sent' } },
    { add: { schema: Note, run: async (given) => expect(given).toBe(context) } },
    { home: '/' },
  )
  expect(readRedirect(await send(action, { intent: 'add', name: 'Ada' }))[1]).toContain('Sent')
})

test('fields that the schema has as arrays take several values, of all others the first counts', async () => {
  const numbers = z.preprocess((value) => [value ?? []].flat().map(Number), z.array(z.int()).max(7))
  const Chosen = z.object({ name: z.string(), ids: numbers, days: numbers.optional(), tags: z.string().optional() })
  const fields: [string, string][] = ['ids', 'name', 'days', 'tags'].flatMap((name) => [
    [name, '1'],
    [name, '2'],
  ])
  const chosen = { name: '1', ids: [1, 2], days: [1, 2], tags: '1' }
  for (const schema of [Chosen, Chosen.superRefine(() => {}).transform((input) => input)]) {
    const run = vi.fn<(input: unknown) => Promise<null>>(async () => null)
    await submit([...fields, ['intent', 'add']], run, { schema })
    expect(run).toHaveBeenCalledWith(chosen)
  }
})

test('an unknown intent is a bad request', async () => {
  expect(await submit({ intent: 'other' }, async () => null)).toMatchObject({ code: 'bad_request' })
})

test('an uploaded file that is too large is cut off, for requireFile to reject', async () => {
  const limits = {
    maxBytes: 1_000,
    missing: () => new AppError('validation_failed', 'Choose a file.'),
    tooLarge: () => new AppError('too_large', 'Too large'),
  }
  const upload = async (content: File | string) => {
    const form = new FormData()
    form.append('intent', 'add')
    form.append('name', content)
    const run = async (input: unknown) =>
      success({ to: `/${requireFile((input as { name: unknown }).name, limits).size}` })
    return submit(form, run, { schema: z.object({ name: z.unknown() }) }, { maxFileBytes: 1_000 })
  }
  expect(readRedirect(await upload(new File(['a'.repeat(1_000)], 'a.csv')))[0]).toBe('/1000')
  expect((await upload(new File(['a'.repeat(1_001)], 'a.csv'))).data.error).toMatchObject({ code: 'too_large' })
  expect((await upload(new File(['a'.repeat(1_000_000)], 'a.csv'))).data.error).toMatchObject({ code: 'too_large' })
  expect((await upload('no file')).data.result.error).toEqual({ '': ['Choose a file.'] })
})

test('a file is not read before authorize allows the form', async () => {
  const body = new FormData()
  body.append('name', new File(['a'], 'a.csv'))
  const options = {
    maxFileBytes: 1_000,
    authorize: () => {
      throw new AppError('forbidden', 'Not for you.')
    },
  }
  expect(await submit(body, async () => null, {}, options)).toMatchObject({ code: 'forbidden' })
})
