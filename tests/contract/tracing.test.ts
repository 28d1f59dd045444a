import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import pino from 'pino'
import { startWorkers } from '#app/server/process/jobs.ts'
import { startTracing, type Tracing } from '#app/server/process/tracing.ts'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { parseConfig } from '#tenants/config.ts'
import { startCollector, type FakeCollector, type SentSpan } from '#tests/fakes/otlp/collector.ts'
import { createClient, createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const [server, client, consumer] = [2, 3, 5]
const app = createTestApp()
let coach: Coach
let collector: FakeCollector
let tracing: Tracing
const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })

beforeAll(async () => {
  coach = await createCoach()
})
beforeEach(async () => {
  collector = await startCollector({ key: 'a-key' })
  warnings.length = 0
  tracing = await startTracing(readSettings(), log)
})
afterEach(async () => {
  await tracing.stop()
  await collector.close()
})

const readSettings = (settings: Record<string, string> = {}) =>
  parseConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%2Dkey',
    ...settings,
  })

/** The spans that the collector has after the last spans were sent. */
async function collect(): Promise<FakeCollector['spans']> {
  await tracing.stop(10_000)
  expect(collector.rejected).toEqual([])
  return collector.spans
}
const findRoot = (spans: SentSpan[], name: string) => spans.find((span) => span.name === name)!
const listChildren = (spans: SentSpan[], parent: SentSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)

describe('the trace of a request', () => {
  test('has its route and status, and a span for each read of the database', async () => {
    const { id } = await createClient({ coach, name: 'Grace Hopper' })
    await app.call('GET', `/api/clients/${id}`, { as: coach })
    const spans = await collect()
    const root = findRoot(spans, 'GET /api/clients/{id}')
    expect(root).toMatchObject({
      kind: server,
      parentSpanId: '',
      isError: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/clients/{id}',
        'http.response.status_code': 200,
        'practice.coach': coach.id,
      },
    })
    const reads = listChildren(spans, root)
    expect(reads.map(({ kind, attributes }) => [kind, attributes['db.system.name']])).toContainEqual([
      client,
      'postgresql',
    ])
    expect(reads.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringMatching(/^crm\./)]))
    expect(new Set(reads.map(({ traceId }) => traceId))).toEqual(new Set([root.traceId]))
  })

  test('has a transaction with its statements for a change', async () => {
    await app.call('POST', '/api/clients', { as: coach, body: { name: 'Ada Lovelace', email: 'ada@example.com' } })
    const spans = await collect()
    const root = findRoot(spans, 'POST /api/clients')
    const transaction = listChildren(spans, root).find(({ name }) => name === 'transaction')!
    const summaries = listChildren(spans, transaction).map(({ attributes }) => attributes['db.query.summary'])
    expect(summaries).toContainEqual(expect.stringContaining('begin, set-tenant'))
    expect(summaries).toContain('commit')
  })

  test('keeps those of fifty calls at once apart', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => createCoach()))
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => app.call('GET', '/api/clients', { as: others[at % others.length]! })),
    )
    const spans = await collect()
    const roots = spans.filter(({ name }) => name === 'GET /api/clients')
    expect([roots.length, new Set(roots.map(({ traceId }) => traceId)).size]).toEqual([50, 50])
    for (const root of roots) {
      const reads = listChildren(spans, root).filter(({ name }) => name.startsWith('crm.'))
      expect(reads.map(({ traceId }) => traceId)).toEqual(reads.map(() => root.traceId))
      expect(reads.length).toBeGreaterThan(0)
    }
  })

  test('tells no name, address, id of a record, search or message', async () => {
    const { id } = await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })
    await app.call('PATCH', `/api/clients/${id}`, { as: coach, body: { phone: '+49 30 CALL-ME' } })
    await app.call('PATCH', `/api/clients/${id}`, { as: coach, body: { name: '' } })
    await app.call('GET', '/api/clients?q=Hopper', { as: coach })
    await app.call('GET', '/api/clients/8123456789', { as: coach })
    await app.call('GET', '/portal/sign-in/a-secret-token')
    const spans = await collect()
    expect(spans.length).toBeGreaterThan(8)
    expect(collector.bodies.join('')).not.toMatch(/grace|hopper|example\.com|call-me|8123456789|secret-token/i)
  })

  test('is an error when the server fails, and none when the caller does', async () => {
    const failing = createApp({
      platform: { ...app.platform, readPool: { ...app.platform.readPool, queryGlobal: () => Promise.reject(outage) } },
      api: createAppApi(),
      ready: async () => true,
    })
    const headers = { host: 'localhost:3000', cookie: coach.cookie }
    await failing.fetch(new Request('http://localhost:3000/api/clients', { headers }))
    await app.call('GET', '/api/clients')
    await app.call('PATCH', '/api/clients/8123456789', { as: coach, body: { name: 'Grace' } })
    const spans = await collect()
    const statuses = spans
      .filter(({ kind }) => kind === server)
      .map(({ attributes, isError }) => [attributes['http.response.status_code'], isError])
    expect(statuses).toEqual([
      [503, true],
      [401, false],
      [404, false],
    ])
    const refused = spans.find(({ attributes }) => attributes['error.type'] === 'not_found')
    expect(refused).toMatchObject({ name: 'transaction', isError: false })
  })

  test('goes on with that of a proxy, and with no one else’s', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const headers = { host: 'localhost:3000', traceparent, tracestate: 'visitor=Grace' }
    await createProxied().fetch(new Request('http://localhost:3000/api/openapi.json', { headers }))
    await app.call('GET', '/api/openapi.json', { headers: { traceparent } })
    const roots = (await collect()).filter(({ kind }) => kind === server)
    expect(roots.map(({ parentSpanId }) => parentSpanId)).toEqual(['b7ad6b7169203331', ''])
    expect(roots.map(({ traceId }) => traceId === '0af7651916cd43dd8448eb211c80319c')).toEqual([true, false])
    expect(collector.bodies.join('')).not.toContain('Grace')
  })

  test('is sent or not by the share of the settings, whatever the header wants', async () => {
    await tracing.stop()
    tracing = await startTracing(readSettings({ OTEL_TRACES_SAMPLER_ARG: '0' }), log)
    const headers = { host: 'localhost:3000', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    await createProxied().fetch(new Request('http://localhost:3000/api/openapi.json', { headers }))
    expect(await collect()).toEqual([])
  })

  test('is not made for health checks and metrics', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) await app.call('GET', path)
    await app.platform.readPool.queryGlobal({ name: 'ready', text: 'select 1' })
    expect(await collect()).toEqual([])
  })
})

test('a job is a trace of its own, of the service that the settings name', async () => {
  await tracing.stop()
  tracing = await startTracing(readSettings({ OTEL_SERVICE_NAME: 'practice-worker' }), log)
  await startWorkers(app.platform)
  await app.platform.boss.send('mail.verification', { coachId: coach.id })
  const findJobs = () => app.platform.boss.findJobs('mail.verification', { data: { coachId: coach.id } })
  // The workers ask once a second.
  await expect.poll(async () => (await findJobs())[0]?.state, { timeout: 10_000 }).toBe('completed')
  const spans = await collect()
  expect(findRoot(spans, 'mail.verification')).toMatchObject({
    kind: consumer,
    parentSpanId: '',
    service: 'practice-worker',
    attributes: { 'practice.coach': coach.id },
  })
})

test('a share of the traces is sent, each of them whole', async () => {
  await tracing.stop()
  tracing = await startTracing(readSettings({ OTEL_TRACES_SAMPLER_ARG: '0.5' }), log)
  for (let at = 0; at < 60; at += 1) await app.call('GET', '/api/clients', { as: coach })
  const spans = await collect()
  const roots = spans.filter(({ kind }) => kind === server)
  // Outside of this range in one run of a hundred million.
  expect(roots.length).toBeGreaterThan(7)
  expect(roots.length).toBeLessThan(53)
  for (const root of roots) expect(listChildren(spans, root).length).toBeGreaterThan(0)
})

describe('a collector that fails', () => {
  const listWarnings = () => warnings.map((line) => JSON.parse(line).msg)

  test.each(['is down', 'never answers'])(
    'and %s delays no request, lets the product stop, and is logged',
    async (how) => {
      if (how === 'is down') await collector.close()
      else collector.hang()
      const { status } = await app.call('GET', '/api/clients', { as: coach })
      const started = performance.now()
      await tracing.stop()
      expect([status, performance.now() - started < 1_000, listWarnings()]).toEqual([
        200,
        true,
        ['traces could not be sent'],
      ])
    },
  )

  test('and refuses is named in the log', async () => {
    await tracing.stop()
    tracing = await startTracing(readSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=wrong' }), log)
    await app.call('GET', '/api/clients', { as: coach })
    await tracing.stop()
    expect([collector.spans, collector.rejected]).toEqual([[], ['The key is wrong']])
    expect(listWarnings()).toEqual(['traces could not be sent'])
  })
})

test('without an endpoint nothing is traced', async () => {
  await tracing.stop()
  tracing = await startTracing(parseConfig({}), log)
  await app.call('GET', '/api/clients', { as: coach })
  expect(await collect()).toEqual([])
})

/** The app behind a proxy that it trusts. */
const createProxied = () =>
  createApp({
    platform: { ...app.platform, config: { ...app.platform.config, trustProxy: 1 } },
    api: createAppApi(),
    ready: async () => true,
  })

const outage = Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })
