import fc from 'fast-check'
import { z } from 'zod'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAppApi } from '#app/server/process/runtime.ts'
import { insertRows } from '#db/insert-rows.ts'
import { extensions } from '#modules/registry.ts'
import type { Operation } from '#tenants/api/operation.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp, type CallResult, type CallOptions } from '#tests/support/test-app.ts'
import { testedCalls } from '#tests/support/tested-modules.ts'
import {
  fuzzOptions,
  expectSafeResponse,
  expectErrorBody,
  maliciousTexts,
  maliciousText,
  maliciousValue,
} from '#tests/support/malicious-inputs.ts'
import { addRows, getSeededId, reportedTables } from '#tests/support/two-tenants.ts'
import { createSampleBody, listFields } from '#tests/support/request-samples.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '100000', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' })
const operations = createAppApi().operations
let coach: Coach
let clientId: number | null
/** The paths of the test's reads, which change nothing. */
const paths = new Map<Operation, string>()

beforeAll(async () => {
  coach = await createCoach({ isAdmin: true })
})
// A call may have deleted what the next one needs.
beforeEach(async () => {
  paths.clear()
  const signedIn = (await app.call('GET', '/api/user', { as: coach })).status === 200
  if (!signedIn) coach = await createCoach({ isAdmin: true })
  const client = await app.call('POST', '/api/clients', {
    as: coach,
    body: { name: 'Mara', email: 'mara@example.com' },
  })
  clientId = client.body?.id ?? null
})

async function callSafely(operation: Operation, options: CallOptions, query = ''): Promise<CallResult> {
  const path =
    operation.access === 'admin'
      ? operation.path.replaceAll(/\{\w+\}/g, String(coach.id + 1_000_000))
      : (paths.get(operation) ?? (await createPath(operation)))
  if (operation.method === 'get') paths.set(operation, path)
  const began = performance.now()
  const answer = await app.call(operation.method.toUpperCase(), `/api${path}${query}`, { as: coach, ...options })
  // Without the keys of a service, the calls that need it say so.
  const isUnavailable = answer.status === 503 && operation.refusals?.includes(503) && answer.body.code === 'unavailable'
  expectSafeResponse({ ...answer, status: isUnavailable ? 409 : answer.status, ms: performance.now() - began })
  expectErrorBody(answer.status, answer.body)
  return answer
}

const post = async (path: string, body: object) => (await app.call('POST', `/api${path}`, { as: coach, body })).body
const newestId = async (list: string) =>
  (await app.call('GET', `/api${list}?limit=1`, { as: coach })).body[0]?.id as number | undefined

/** The records, other than clients, that paths begin with. */
const parents: Record<string, () => Promise<number>> = {
  '/files/{id}': () => getSeededId('resource', coach),
  '/appointments/{id}': getSession,
  '/programs/{id}': async () => (await newestId('/programs')) ?? addProgram(),
  '/goals/{id}': async () => (await newestId('/goals')) ?? addGoal(),
}

let sessionId: number | undefined

/** Returns one session as long as it isn't deleted: its lists are filled by calls that follow each other. */
async function getSession(): Promise<number> {
  const path = `/api/appointments/${sessionId}`
  if (sessionId && (await app.call('GET', path, { as: coach })).status === 200) return sessionId
  const times = { startTime: '2026-03-11T15:00:00Z', endTime: '2026-03-11T16:00:00Z' }
  sessionId = (await post('/appointments', { title: 'Session', clientId, ...times })).id
  return sessionId!
}

async function addProgram(): Promise<number> {
  const items = [1, 2, 3].map((number) => ({ kind: 'check', title: `Step ${number}` }))
  const { id: templateId } = await post('/program-templates', {
    name: 'Calm',
    milestones: [{ title: 'Look', week: 1, items }],
  })
  return (await post('/programs', { templateId, clientId, startDate: '2026-03-10' })).id
}

async function addGoal(): Promise<number> {
  const programId = (await newestId('/programs')) ?? (await addProgram())
  return (await post('/goals', { programId, title: 'Weight', start: 90, target: 80 })).id
}

/** Fills in the client's id, and after it the id of a new record of the list before it. */
async function createPath(operation: Operation): Promise<string> {
  const kind = seededKind(operation)
  if (kind) return operation.path.replace('{id}', String(await getSeededId(kind, coach)))
  const [, find] = Object.entries(parents).find(([start]) => operation.path.startsWith(start)) ?? []
  const parent = find ? await find() : (clientId ?? 1)
  const path = operation.path.replace(/\{\w+\}/, String(parent))
  const [list, rest] = path.split(/\{\w+\}/)
  if (rest === undefined) return path
  const make = operations.find(
    ({ method, path: of }) => method === 'post' && operation.path.startsWith(`${of}/{`) && of.includes('{'),
  )
  const made =
    make && (await app.call('POST', `/api${list!.slice(0, -1)}`, { as: coach, body: createSampleBody(make) }))
  return `${list}${made?.body?.id ?? 1}${rest}`
}

/**
 * Returns the kind of record that a list without a POST is about: '/history/prospect/{id}',
 * '/prospects/{id}/activities'.
 */
const seededKind = ({ method, path }: Operation): string | undefined =>
  method !== 'get' || operations.some((other) => other.method === 'post' && other.path === path)
    ? undefined
    : extensions.recordKinds.find(({ kind }) => path === `/history/${kind}/{id}` || path.startsWith(`/${kind}s/{id}/`))
        ?.kind

/** Passwords are hashed slowly on purpose, so these calls get fewer runs. */
const runCount = (operation: Operation): number =>
  operation.path === '/register' || operation.path === '/login' || operation.path.startsWith('/auth/') ? 25 : 80

describe('bodies', () => {
  const withBody = testedCalls.filter(({ operation }) => operation.body)

  test.each(withBody)('$name handles any value in any field', async ({ operation }) => {
    const names = listFields(operation.body).map(([name]) => name)
    const good = createSampleBody(operation)
    const field = fc.record({
      name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, maliciousText()),
      value: maliciousValue(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 3 }), fc.boolean(), async (fields, complete) => {
        const base = complete
          ? { ...good, ...('email' in good ? { email: `${crypto.randomUUID()}@example.com` } : {}) }
          : {}
        const body = Object.assign(
          Object.create(null) as object,
          base,
          Object.fromEntries(fields.map(({ name, value }) => [name, value])),
        )
        const answer = await callSafely(operation, { body })
        expect([200, 201, 202, 204, 401, 403, 404, 409, 422, 503]).toContain(answer.status)
      }),
      fuzzOptions(runCount(operation)),
    )
  })

  test.each(
    withBody.flatMap(({ operation, name }) =>
      listFields(operation.body).map(([field]) => ({ operation, name, field })),
    ),
  )('$name: $field handles each malicious text', async ({ operation, field }) => {
    const slow = runCount(operation) < 80
    const good = createSampleBody(operation)
    for (const value of maliciousTexts.filter((_text, index) => !slow || index % 4 === 0)) {
      const email = field !== 'email' && 'email' in good ? { email: `${crypto.randomUUID()}@example.com` } : {}
      const answer = await callSafely(operation, { body: { ...good, ...email, [field]: value } })
      // NUL and half characters are never stored.
      if (answer.status < 300 && (value.includes('\0') || !value.isWellFormed()))
        throw new Error(`${JSON.stringify(value)} was taken`)
    }
  })

  test.each(withBody)(
    '$name tells invalid JSON, JSON that is not an object, and other media types apart',
    async ({ operation }) => {
      const json = { 'content-type': 'application/json' }
      const cases: [body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, status: number][] = [
        ['{', json, 400],
        ['{"a":1,}', json, 400],
        ["{'a':1}", json, 400],
        ['{"a":NaN}', json, 400],
        ['\u0000', json, 400],
        ['[]', json, 400],
        ['null', json, 400],
        ['1', json, 400],
        ['"a"', json, 400],
        ['true', json, 400],
        ['{}{}', json, 400],
        [`${'['.repeat(100_000)}`, json, 400],
        [new Uint8Array([0x7b, 0xff, 0x7d]), json, 400],
        [new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), json, 400],
        ['{}', {}, 415],
        ['{}', { 'content-type': 'text/plain' }, 415],
        ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
        // A form that is no form.
        [
          '{}',
          { 'content-type': 'multipart/form-data; boundary=x' },
          'content' in operation && operation.content ? 400 : 415,
        ],
        ['{}', { 'content-type': 'application/jsonp' }, 415],
        ['{}', { 'content-type': 'text/json' }, 415],
        [`{"a":"${'a'.repeat(1024 * 1024)}"}`, json, 413],
      ]
      for (const [raw, headers, status] of cases) {
        const size = typeof raw === 'string' ? Buffer.byteLength(raw) : raw.byteLength
        const answer = await callSafely(operation, { raw, headers: { 'content-length': String(size), ...headers } })
        expect([String(raw).slice(0, 40), headers, answer.status]).toEqual([String(raw).slice(0, 40), headers, status])
      }
      for (const raw of [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, '{"a":1e999}', '\ufeff{}']) {
        await callSafely(operation, { raw, headers: { 'content-length': String(Buffer.byteLength(raw)), ...json } })
      }
    },
  )

  test.each(withBody)('$name prevents prototype pollution', async ({ operation }) => {
    for (const raw of [
      '{"__proto__":{"isAdmin":true,"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"__proto__":null}',
      '{"hasOwnProperty":1,"toString":1,"valueOf":1}',
      '{"then":1}',
    ]) {
      await callSafely(operation, {
        raw,
        headers: { 'content-type': 'application/json', 'content-length': String(raw.length) },
      })
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    }
  })
})

describe('query strings', () => {
  test.each(testedCalls.filter(({ operation }) => operation.method === 'get'))(
    '$name handles any query string',
    async ({ operation }) => {
      const names = ['limit', 'cursor', 'q', 'coachId', ...listFields(operation.query).map(([name]) => name)]
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom(...names, '', '__proto__'), maliciousText()), { maxLength: 4 }),
          fc.boolean(),
          async (pairs, encoded) => {
            const text = pairs
              .map(
                ([name, value]) =>
                  `${name}=${encoded ? encodeURIComponent(value.toWellFormed()) : value.replaceAll(/[#\ud800-\udfff]/g, '')}`,
              )
              .join('&')
            await callSafely(operation, {}, `?${text.slice(0, 8000)}`)
          },
        ),
        fuzzOptions(60),
      )
    },
  )

  const isPaginated = ({ query }: Operation): boolean => listFields(query).some(([name]) => name === 'cursor')
  const paginated = testedCalls.filter(({ operation }) => isPaginated(operation))

  test('every list is paginated, except those that are short', () => {
    const short = ['/search', '/google/calendars', '/analytics/parts', '/auth/notifications']
    const lists = operations.filter(
      ({ method, path, answers }) => !short.includes(path) && method === 'get' && answers[200] instanceof z.ZodArray,
    )
    expect(lists.filter((operation) => !isPaginated(operation)).map(({ path }) => path)).toEqual([])
    expect(lists.length).toBeGreaterThan(10)
  })

  /** Adds records to lists that are empty: those of a client, the trash, and what calls change. */
  async function fill(list: Operation): Promise<void> {
    const kind = seededKind(list)
    const make = operations.find(
      ({ method, path }) =>
        method === 'post' && (list.path.includes('{') ? path === list.path : list.path.startsWith(`${path}/`)),
    )
    if (list.access === 'admin')
      for (let index = 0; index < 3; index += 1)
        await app.call('POST', '/api/admin/coaches', { as: coach, body: { email: `${Math.random()}@example.com` } })
    if (list.path === '/trash')
      for (let index = 0; index < 3; index += 1) {
        // Clients of the seeds stay: their sessions would be in the trash, too.
        const { id } = await post('/clients', { name: 'Deleted', email: `${crypto.randomUUID()}@example.com` })
        await app.call('DELETE', `/api/clients/${id}`, { as: coach })
      }
    if (/^\/forms?[-/]/.test(list.path)) await addForms()
    if (list.path === '/contract-requirements') await addContracts()
    for (const [path, add] of [['/programs', addProgram] as const, ['/goals', addGoal] as const])
      if (list.path === path) for (let index = 0; index < 3; index += 1) await add()
    const table = reportedTables[list.path]
    if (table) for (const each of ['stripe_subscription', table]) await addRows(coach, each)
    if (list.path === '/automations/{id}/runs') await addRuns(await getSeededId('automation', coach))
    if (list.path === '/clients/{id}/packages') await buyPackages(await getSeededId('client', coach))
    if (kind === 'invoice') await addDraft(await getSeededId('client', coach))
    if (kind) await changeRecord(kind, await getSeededId(kind, coach))
    for (let index = 0; make && index < 5; index += 1) await callSafely(make, { body: createPastBody(make) })
  }

  /** No call adds the runs of an automation. */
  async function addRuns(automationId: number): Promise<void> {
    const rows = Array.from({ length: 3 }, () => ({
      coach_id: coach.id,
      automation_id: automationId,
      trigger: 'crm.no-contact',
      event_key: `test ${Math.random()}`,
      payload: '{}',
      state: 'done',
      created_at: app.clock.now,
    }))
    await inTenant(coach, (tx) => tx.query(insertRows('automation_run', rows)))
  }

  /** A template that two appointment types require. */
  async function addContracts(): Promise<void> {
    const { id: contractTemplateId } = await post('/contract-templates', { name: 'Agreement', body: 'We agree.' })
    for (let index = 0; index < 2; index += 1) {
      const { id: appointmentTypeId } = await post('/appointment-types', { name: `Type ${Math.random()}` })
      await post('/contract-requirements', { contractTemplateId, appointmentTypeId })
    }
  }

  /** Two forms with two versions, which a client has and two appointment types require. */
  async function addForms(): Promise<void> {
    for (const name of ['Before', 'After']) {
      const { id: formId } = await post('/forms', { name, template: 'intake' })
      await post(`/forms/${formId}/publish`, {})
      await app.call('PATCH', `/api/forms/${formId}`, { as: coach, body: { name: `${name} it` } })
      await post(`/forms/${formId}/publish`, {})
      await post('/form-submissions', { formId, clientId })
      const { id: appointmentTypeId } = await post('/appointment-types', { name: `Type ${Math.random()}` })
      await post('/form-requirements', { formId, appointmentTypeId })
    }
  }

  /** The only invoices that can be deleted. */
  async function addDraft(buyer: number): Promise<void> {
    const lines = [{ description: 'Session', quantity: 1, unitPrice: '10.00' }]
    const draft = { clientId: buyer, description: 'Session', lines, draft: true }
    const { status } = await app.call('POST', '/api/invoices', { as: coach, body: draft })
    expect(status).toBe(201)
  }

  async function buyPackages(buyer: number): Promise<void> {
    const product = { name: 'Package', price: '100.00', sessionCount: 5 }
    const { body } = await app.call('POST', '/api/products', { as: coach, body: product })
    for (let index = 0; index < 3; index += 1) {
      const purchase = { clientId: buyer, productId: body.id, amount: 10_000, paymentMethod: 'cash' }
      await app.call('POST', '/api/purchases', { as: coach, body: purchase })
    }
  }

  /** A body with the newest client, and a past session: it is in every list of appointments. */
  function createPastBody(make: Operation): Record<string, unknown> {
    const body = createSampleBody(make)
    const minutesAgo = (minutes: number) => new Date(app.clock.now.getTime() - minutes * 60_000).toISOString()
    if ('startTime' in body)
      Object.assign(body, { status: 'completed', startTime: minutesAgo(2), endTime: minutesAgo(1) })
    return 'clientId' in body ? { ...body, clientId } : body
  }

  /** Adds to the history of a record, and to the activities that its PATCH writes. */
  async function changeRecord(kind: string, id: number): Promise<void> {
    const { restore, fields } = extensions.recordKinds.find((known) => known.kind === kind)!
    const column = restore ? 'deleted_at' : Object.keys(fields)[0]!
    const values = restore ? [app.clock.now, null, app.clock.now, null] : ['one', 'two', 'three', 'four']
    for (const value of values) {
      await inTenant(coach, (ctx) =>
        ctx.query({
          name: `test.history.${kind}`,
          text: `update "${kind}" set ${column} = $2 where id = $1`,
          values: [id, value],
        }),
      )
    }
    const patch = operations.find(({ method, path }) => method === 'patch' && path === `/${kind}s/{id}`)
    for (const [field] of patch ? listFields(patch.body) : [])
      for (const value of [`${Math.random()}`, `${Math.random()}`])
        await app.call('PATCH', `/api/${kind}s/${id}`, { as: coach, body: { [field]: value } })
  }

  test.each(paginated)('$name rejects limits out of range and invalid cursors', async ({ operation }) => {
    for (const limit of ['0', '501', '-1', '1.5', 'abc', '', '1e2', '%00', '٣', ' 5', '99999999999999999999', '0x10'])
      expect([limit, (await callSafely(operation, {}, `?limit=${encodeURIComponent(limit)}`)).status]).toEqual([
        limit,
        422,
      ])
    for (const cursor of ['', '0', 'abc', 'abc.def', '%00', '.', '..', 'bnVsbA.AAAA', `${'A'.repeat(4000)}.x`, 'é.é'])
      expect([cursor, (await callSafely(operation, {}, `?cursor=${encodeURIComponent(cursor)}`)).status]).toEqual([
        cursor,
        422,
      ])
  })

  test.each(paginated)(
    '$name ignores unknown parameters, and paginates to the end without repeating',
    async ({ operation }) => {
      for (let index = 0; index < 5; index += 1)
        await app.call('POST', '/api/clients', {
          as: coach,
          body: { name: `Person ${index}`, email: `p${index}@example.com` },
        })
      await fill(operation)
      const all = await callSafely(operation, {}, '?_=123&utm_source=x')
      // The trash has records of several kinds.
      const toName = ({ kind = '', id }: { kind?: string; id: number }) => `${kind} ${id}`
      const seen: string[] = []
      let query = '?limit=2'
      while (query) {
        const { body, headers } = await callSafely(operation, {}, query)
        seen.push(...body.map(toName))
        query = /<[^?]+(\?[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
      }
      expect(seen.slice(0, all.body.length)).toEqual(all.body.map(toName))
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  test.each(paginated)('$name rejects a cursor with a changed byte', async ({ operation }) => {
    for (let index = 0; index < 3; index += 1)
      await app.call('POST', '/api/clients', {
        as: coach,
        body: { name: `Byte ${index}`, email: `b${index}@example.com` },
      })
    await fill(operation)
    const next = /cursor=([^&>]+)/.exec((await callSafely(operation, {}, '?limit=1')).headers.get('link') ?? '')?.[1]
    expect(next, 'The list needs two records: add them to the seed of its module, or in `fill`.').toBeDefined()
    const cursor = decodeURIComponent(next ?? '')
    await fc.assert(
      fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(...'ABab01-_.'), async (at, letter) => {
        const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1)
        const { status } = await callSafely(operation, {}, `?cursor=${encodeURIComponent(changed)}`)
        // The last character of base64url has spare bits: another spelling is the same signature.
        if (
          Buffer.from(changed.split('.')[1] ?? '', 'base64url').equals(
            Buffer.from(cursor.split('.')[1]!, 'base64url'),
          ) &&
          changed.split('.')[0] === cursor.split('.')[0]
        )
          return
        expect(status).toBe(422)
      }),
      fuzzOptions(60),
    )
  })
})

describe('headers', () => {
  const names = [
    'cookie',
    'host',
    'origin',
    'referer',
    'content-type',
    'idempotency-key',
    'sec-fetch-site',
    'accept',
    'accept-encoding',
    'x-forwarded-for',
    'x-request-id',
    'authorization',
    'if-none-match',
    'range',
    'content-length',
    'transfer-encoding',
  ]
  const value = fc.oneof(
    maliciousText(),
    fc.constantFrom(
      'session=',
      'session=; session=',
      `session=${'a'.repeat(5000)}`,
      'session=%E0%A4%A',
      'null',
      'http://',
      'https://[',
      'file:///',
      'evil.example',
      'localhost:99999',
      'localhost:3000:3000',
      '[::1',
      'bytes=0-',
      '-1',
    ),
  )
  const sample = ['GET /user', 'POST /clients', 'POST /login', 'PUT /branding']

  test.each(testedCalls.filter(({ name }) => sample.includes(name)))(
    '$name handles any header',
    async ({ operation }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 3 }),
          async (pairs) => {
            const headers: Record<string, string> = {}
            for (const [name, text] of pairs)
              headers[name] = text
                .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
                .trim()
                .slice(0, 8000)
            await callSafely(operation, { headers, ...(operation.method === 'get' ? {} : { body: {} }) })
          },
        ),
        fuzzOptions(operation.path === '/login' ? 40 : 120),
      )
    },
  )

  test('an invalid cookie is no session', async () => {
    await fc.assert(
      fc.asyncProperty(maliciousText(), async (text) => {
        const cookie = `session=${text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 6000)}`
        expect((await app.call('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
      }),
      fuzzOptions(60),
    )
  })

  test("any Origin but the host's own is rejected", async () => {
    for (const origin of [
      'null',
      '',
      'http://',
      'http://localhost',
      'http://localhost:3001',
      'https://localhost.evil.example',
      'http://evil.example',
      'http://localhost:3000.evil.example',
      'http://evil.localhost:3000',
      'file://',
      'data:,',
      'localhost:3000',
      'http://localhost:3000@evil.example',
      'javascript://localhost:3000/%0aalert(1)',
      'http://127.0.0.1:3000',
      'ws://localhost:3000',
      'https://localhost:3000',
    ]) {
      expect([
        origin,
        (await app.call('PUT', '/api/branding', { as: coach, body: {}, headers: { origin } })).status,
      ]).toEqual([origin, 403])
    }
    expect(
      (
        await app.call('PUT', '/api/branding', {
          as: coach,
          body: {},
          headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
        })
      ).status,
    ).toBe(200)
  })
})

describe('methods', () => {
  test.each([...new Set(operations.map(({ path }) => path))])(
    '%s responds to unsupported methods with 405 and Allow',
    async (path) => {
      const has = operations.filter((operation) => operation.path === path)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE', 'QUERY']) {
        const known = has.some((operation) => operation.method === (method === 'HEAD' ? 'get' : method.toLowerCase()))
        if (known) continue
        const answer = await app.call(method, `/api${path.replaceAll(/\{\w+\}/g, '1')}`, { as: coach })
        expect([method, answer.status]).toEqual([method, 405])
        for (const { method: allowed } of has) expect(answer.headers.get('allow')).toContain(allowed.toUpperCase())
      }
    },
  )
})
