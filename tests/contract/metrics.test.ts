import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { createClient, createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const token = 'a token of sixteen'.replaceAll(' ', '-')
const app = createTestApp({ METRICS_TOKEN: token })
let coach: Coach
beforeAll(async () => {
  coach = await createCoach()
})

const read = (headers: Record<string, string> = {}, host = 'localhost:3000') =>
  app.call('GET', '/metrics', { headers, host })
/** Lines of a metric, such as 'jobs'. */
const list = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`))

describe('the metrics', () => {
  test('count requests by the pattern of their route, with their times, and name nobody', async () => {
    const { id } = await createClient({ coach, name: 'Grace Hopper' })
    for (let at = 0; at < 3; at += 1) await app.call('GET', `/api/clients/${id}`, { as: coach })
    await app.call('GET', '/api/clients/8123456789', { as: coach })
    const { status, text, headers } = await read()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(list(text, 'http_requests_total')).toEqual(
      expect.arrayContaining([
        'http_requests_total{method="GET",route="/api/clients/{id}",status="200"} 3',
        'http_requests_total{method="GET",route="/api/clients/{id}",status="404"} 1',
      ]),
    )
    const ofClients = list(text, 'http_request_duration_seconds_bucket').filter((line) => line.includes('clients/{id}'))
    const counts = ofClients.map((line) => Number(line.split(' ').at(-1)))
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(4)
    expect(text).not.toMatch(/Grace|example\.com|8123456789/)
  })

  test('count the jobs of the queue by state', async () => {
    await app.platform.boss.send('mail.reset', { email: 'nobody@example.com' })
    const { text } = await read()
    expect(list(text, 'jobs')).toContainEqual(
      expect.stringMatching(/^jobs\{queue="mail\.reset",state="created"\} [1-9]/),
    )
    expect(list(text, 'jobs_overdue_seconds')).toContainEqual(expect.stringContaining('queue="mail.reset"'))
  })

  test('have one line for each value, each metric with its type', async () => {
    const { text } = await read()
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+)$/)
    const names = [...text.matchAll(/^# TYPE (\w+) (counter|gauge|histogram)$/gm)].map(([, name]) => name)
    expect(names).toContain('process_resident_memory_bytes')
  })
})

describe('the page of the metrics', () => {
  test.each([
    ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['a wrong token', { authorization: 'Bearer wrong-wrong-wrong' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('is a 404 through %s', async (_name, headers) => {
    expect((await read(headers)).status).toBe(404)
  })

  test('is read through a proxy with the token alone', async () => {
    const proxied = { 'x-forwarded-for': '203.0.113.9' }
    expect((await read({ ...proxied, authorization: `Bearer ${token}` })).status).toBe(200)
    const { platform } = app
    const without = { ...platform, config: { ...platform.config, metricsToken: undefined } }
    const other = createApp({ platform: without, api: createAppApi(), ready: async () => true })
    const request = (headers: Record<string, string>) =>
      other.fetch(new Request('http://localhost:3000/metrics', { headers: { host: 'localhost:3000', ...headers } }))
    expect((await request({ ...proxied, authorization: 'Bearer undefined' })).status).toBe(404)
    expect((await request({})).status).toBe(200)
  })
})
