import { Writable } from 'node:stream'
import type { AppLoadContext } from '@remix-run/node'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startWorkers } from '#app/server/process/jobs.ts'
import { runtime, createLogger } from '#app/server/process/runtime.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { search } from '#modules/core/search.ts'
import { testConfig } from '#tests/support/config.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createCoach, inTenant, contextFor, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// Database errors: what a page shows and what the log keeps.

const app = createTestApp()

/** Captures the log lines at `level` or above. */
function captureLog() {
  const lines: string[] = []
  const destination = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) })
  return { lines, log: createLogger(testConfig({ LOG_LEVEL: 'info' }), destination) }
}

/** The failure of a form whose action runs `work`. */
async function getFailure(coach: Coach, work: (ctx: WriteCtx) => Promise<unknown>) {
  const { lines, log } = captureLog()
  const ctx = await contextFor(coach)
  const action = formActions(
    { save: { done: null, failed: 'Failed to save.' } },
    { save: { schema: z.object({}), run: work } },
    { home: '/' },
  )
  const body = new URLSearchParams({ intent: 'save' })
  const response = await action({
    request: new Request('http://localhost/', { method: 'POST', body }),
    params: {},
    context: { coach: () => ctx, write: ctx.write, log } as unknown as AppLoadContext,
  })
  if (response instanceof Response) return { lines }
  const { result, error } = response.data
  return { code: error?.code, status: response.init?.status, message: result.error?.['']?.[0], lines }
}

const secretText = 'a secret that a client told'
const client = (ctx: WriteCtx, values: Record<string, unknown> = {}) => {
  const row = {
    coach_id: ctx.coachId,
    name: 'Cleo',
    email: 'cleo@example.com',
    created_at: ctx.now(),
    updated_at: ctx.now(),
    ...values,
  }
  const names = Object.keys(row)
  return ctx.em.execute(
    `insert into client (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) returning id`,
    Object.values(row),
  )
}

test('a record erased between check and write is a 404, on a page and in the API', async () => {
  const coach = await createCoach()
  const erased = await getFailure(coach, (ctx) =>
    ctx.em.execute(
      'insert into client_interaction (coach_id, client_id, name, interaction_date, created_at, updated_at) values (?, ?, ?, now(), now(), now())',
      [ctx.coachId, 999_999, secretText],
    ),
  )
  expect([erased.status, erased.code, erased.message]).toEqual([
    404,
    'not_found',
    'Something that this refers to was not found.',
  ])
})

test('of two deadlocked transactions one gets a conflict error', async () => {
  const coach = await createCoach()
  const ids = await inTenant(coach, async (ctx) =>
    [...(await client(ctx)), ...(await client(ctx, { email: 'dan@example.com' }))].map(({ id }) => Number(id)),
  )
  const held: number[] = []
  const both = [ids, ids.toReversed()].map((order) =>
    getFailure(coach, async (ctx) => {
      for (const id of order) {
        await ctx.em.execute('select 1 from client where coach_id = ? and id = ? for update', [ctx.coachId, id])
        held.push(id)
        await vi.waitUntil(() => held.length >= 2, { timeout: 5_000 })
      }
    }),
  )
  const failures = (await Promise.all(both))
    .map(({ status, message }) => [status, message])
    .filter(([status]) => status)
  expect(failures).toEqual([[409, 'This was changed by someone else at the same time. Please try again.']])
})

test('a value that violates a constraint is a validation error, and the log names the constraint without the row', async () => {
  const coach = await createCoach()
  const { status, lines } = await getFailure(coach, (ctx) => client(ctx, { notes: secretText, progress: 999 }))
  expect(status).toBe(422)
  const line = lines.join('')
  expect(line).toContain('"code":"23514"')
  expect(line).toContain('"table":"client"')
  expect(line).toMatch(/"constraint":"client_progress\w*"/)
  expect(line).toContain('    at ')
  expect(line).not.toContain(secretText)
  expect(line).not.toContain('cleo@example.com')
})

test("an unexpected error shows the form's failure message, and the log has no form values", async () => {
  const coach = await createCoach()
  const failures = [
    (ctx: WriteCtx) => ctx.em.execute('select ?::int', [secretText]),
    async () => JSON.parse(secretText),
    async () => {
      throw new Error('outer', { cause: new SyntaxError(`${secretText} is no JSON`) })
    },
    async () => {
      throw new AggregateError([new SyntaxError(`${secretText} is no JSON`)], secretText)
    },
  ]
  for (const work of failures) {
    const { status, message, lines } = await getFailure(coach, work)
    expect([status, message]).toEqual([500, 'Failed to save.'])
    expect(lines.join('')).not.toContain(secretText)
    expect(lines.join('')).toContain('a form could not be saved')
  }
  // An AggregateError, as of a job over several practices, is mapped by its first error.
  const { lines } = await getFailure(coach, failures.at(-1)!)
  expect(lines.join('')).toContain('"cause":{"type":"SyntaxError"')
})

test('a failing job and queue are logged, without client data in the log or the queue', async () => {
  const { lines, log } = captureLog()
  const worker = await runtime.open({ appUrl: app.appUrl, config: testConfig({ ROLE: 'worker' }), log })
  try {
    // The queue reports a copy of the database's error that is not an Error.
    const reported = {
      name: 'error',
      code: '22P02',
      message: `invalid input: "${secretText}"`,
      detail: secretText,
      stack: `error: ${secretText}\n    at parse (file.ts:1:2)`,
    }
    worker.boss.emit('error', reported)
    worker.boss.emit('error', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    // A mail server quotes the address that it refuses.
    const response = `550 <${secretText}> is unknown`
    worker.boss.emit('error', Object.assign(new Error(response), { code: 'EENVELOPE', responseCode: 550, response }))
    expect(lines.join('')).toContain('"code":"EENVELOPE"')
    expect(lines.join('')).toContain('"code":"22P02"')
    expect(lines.join('')).toContain('connect ECONNREFUSED')

    // Without the queue's table the database's error quotes the statement.
    await asOwner(app.ownerUrl, (db) => db.query('alter table account rename to account_elsewhere'))
    await startWorkers(worker)
    await worker.boss.send('mail.reset', { email: secretText })
    await vi.waitUntil(() => lines.join('').includes('job failed'), { timeout: 20_000 })
    const kept = () =>
      asOwner(
        app.ownerUrl,
        async (db) =>
          (
            await db.query<{ output: string }>(
              `select output::text as output from pgboss.job where data->>'email' = $1 and output is not null`,
              [secretText],
            )
          ).rows,
      )
    await vi.waitUntil(async () => (await kept()).length > 0, { timeout: 20_000 })
    expect((await kept())[0]!.output).toContain('The job failed.')
    expect([(await kept())[0]!.output, ...lines].join('')).not.toContain(secretText)
  } finally {
    await asOwner(app.ownerUrl, (db) => db.query('alter table if exists account_elsewhere rename to account'))
    await worker.close()
  }
})

test('a search with a failing provider returns an error instead of partial results', async () => {
  const coach = await createCoach()
  await inTenant(coach, (ctx) => client(ctx))
  const found = async () => {
    const { status, body } = await app.call('GET', '/api/search?q=cleo', { as: coach })
    return { status, body, page: await search(await contextFor(coach), 'cleo') }
  }
  expect(await found()).toMatchObject({
    status: 200,
    body: [{ title: 'Cleo' }],
    page: { failed: false, results: [{ title: 'Cleo' }] },
  })
  // One of several providers fails; clients can still be read.
  await asOwner(app.ownerUrl, (db) => db.query('alter table prospect rename to prospect_elsewhere'))
  expect(await found()).toMatchObject({
    status: 503,
    body: { code: 'unavailable' },
    page: { failed: true, results: [] },
  })
  await asOwner(app.ownerUrl, (db) => db.query('alter table prospect_elsewhere rename to prospect'))
  expect(await found()).toMatchObject({ status: 200, page: { failed: false } })
})
