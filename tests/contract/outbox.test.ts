import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { dayMs } from '#app/lib/time.ts'
import { clearOutbox, deleteOldEmails, listOutbox, sendEmail } from '#tenants/mail.ts'
import { testConfig } from '#tests/support/config.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

/** The status of /dev/outbox under the settings `env`, asked for from `remoteAddress`. */
async function askForOutbox({
  env = {},
  remoteAddress = '127.0.0.1',
  headers = {},
  httpVersion = '1.1',
}: {
  env?: Record<string, string>
  remoteAddress?: string
  headers?: Record<string, string>
  httpVersion?: string
} = {}): Promise<number> {
  const config = testConfig(env)
  const http = createApp({ platform: { ...app.platform, config }, api: createAppApi(), ready: async () => true })
  const { host } = new URL(config.origin)
  const request = new Request(`http://${host}/dev/outbox`, { headers: { host, ...headers } })
  const response = await http.fetch(request, { incoming: { socket: { remoteAddress }, httpVersion } } as never)
  return response.status
}

describe('/dev/outbox', () => {
  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('answers %s', async (remoteAddress) => {
    expect(await askForOutbox({ remoteAddress })).toBe(200)
  })

  test('answers what Chromium and Firefox send', async () => {
    const headers = {
      connection: 'keep-alive',
      'cache-control': 'max-age=0',
      pragma: 'no-cache',
      'sec-ch-ua': '"Chromium";v="140"',
      'sec-ch-ua-mobile': '?0',
      'sec-ch-ua-platform': '"Linux"',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'none',
      'sec-fetch-user': '?1',
      'sec-gpc': '1',
      'upgrade-insecure-requests': '1',
      'user-agent': 'Mozilla/5.0',
      accept: 'text/html',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en',
      cookie: 'session=x',
      dnt: '1',
      priority: 'u=0, i',
      referer: 'http://localhost:3000/auth',
      te: 'trailers',
    }
    expect(await askForOutbox({ headers })).toBe(200)
  })

  test.each([
    ['another machine', { remoteAddress: '203.0.113.66' }],
    ['a public origin', { env: { APP_ORIGIN: 'https://coach.test' } }],
    ['a public origin without TLS', { env: { APP_ORIGIN: 'http://coach.test' } }],
    ['a configured proxy', { env: { TRUST_PROXY: '1' } }],
    ['a mail server', { env: { SMTP_URL: 'smtp://mail.example.com' } }],
    ['X-Forwarded-For', { headers: { 'X-Forwarded-For': '203.0.113.66' } }],
    ['X-Forwarded-For that names this machine', { headers: { 'X-Forwarded-For': '127.0.0.1' } }],
    ['X-Forwarded-Proto', { headers: { 'X-Forwarded-Proto': 'https' } }],
    ['X-Real-IP', { headers: { 'X-Real-IP': '127.0.0.1' } }],
    ['Forwarded', { headers: { Forwarded: 'for=127.0.0.1' } }],
    ['Via', { headers: { Via: '1.1 proxy' } }],
    ['a header of a service in front', { headers: { 'CF-Connecting-IP': '127.0.0.1' } }],
    ['any header that browsers do not send', { headers: { 'X-Some-Proxy': 'yes' } }],
    ['HTTP 1.0, which proxies speak', { httpVersion: '1.0' }],
  ])('is not found with %s', async (_name, options) => {
    expect(await askForOutbox(options)).toBe(404)
  })
})

describe('a stored email', () => {
  const config = testConfig()
  const folder = path.join(config.dataDir, 'outbox')
  const send = (subject: string, at: number): Promise<void> =>
    sendEmail(
      config,
      { to: 'a@example.com', subject, paragraphs: [], button: { label: 'Open', url: 'http://x/?token=y' }, from: null },
      new Date(at),
    )
  const start = Date.parse('2026-03-10T14:00:00Z')
  const subjects = async (): Promise<string[]> => (await listOutbox(config, 1000)).map(({ subject }) => subject)

  test('is deleted after a day, by the next email or by the job', async () => {
    await send('first', start)
    await send('second', start + dayMs)
    expect(await subjects()).toEqual(['second', 'first'])
    await send('third', start + dayMs + 1)
    expect(await subjects()).toEqual(['third', 'second'])
    await deleteOldEmails(config, new Date(start + 3 * dayMs))
    expect(await subjects()).toEqual([])
  })

  test('is deleted when a hundred newer ones arrived, and at a start', async () => {
    for (let at = 0; at < 105; at++) await send(`no. ${at}`, start + at)
    await deleteOldEmails(config, new Date(start))
    const left = await subjects()
    expect([left.length, left[0], left.at(-1)]).toEqual([100, 'no. 104', 'no. 5'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
    await clearOutbox(config)
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    await clearOutbox(config)
  })
})
