import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { fuzzOptions, expectSafeResponse, maliciousTexts } from '#tests/support/malicious-inputs.ts'
import { listen, type SocketServer, type RawResponse } from '#tests/support/socket-client.ts'

// Raw bytes on a real socket, which no HTTP client would send.

const app = createTestApp()
let server: SocketServer
let coach: Coach

beforeAll(async () => {
  server = await listen(app)
  coach = await createCoach()
})
afterAll(() => server?.close())

const request = (method: string, target: string, headers: string[] = [], body = ''): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost:3000',
    'Connection: close',
    `Cookie: ${coach.cookie}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

/** Silence is allowed after an incomplete request; an unsafe response never is. */
async function sendSafely(bytes: string | Buffer, allowSilence = false): Promise<RawResponse> {
  const answer = await server.send(bytes, { allowSilence })
  if (!(allowSilence && answer.status === 0)) expectSafeResponse(answer)
  return answer
}

const stillServes = async (): Promise<void> => expect((await server.send(request('GET', '/api/user'))).status).toBe(200)

describe('paths', () => {
  test.each<[target: string, status: number]>([
    ['/api', 404],
    ['/api/', 404],
    ['/api//', 404],
    ['/api//user', 404],
    ['/api/..%2fuser', 404],
    ['/api/%2fuser', 404],
    ['/api/user/', 404],
    ['/api/user%00', 404],
    ['/api/user%0d%0aX-A:%20b', 404],
    ['/api/%', 404],
    ['/api/clients/%', 404],
    ['/api/clients/%zz', 404],
    ['/api/clients/%00', 404],
    ['/api/clients/%E0%A4%A', 404],
    ['/api/clients/%31', 404],
    ['/api/clients/%c0%ae', 404],
    ['/api/CLIENTS', 404],
    ['/API/user', 404],
    ['/%61pi/user', 404],
    ['/api/user?%', 200],
    ['/api/user?', 200],
    ['/api/user??', 200],
    ['/api/user;jsessionid=1', 404],
    ['/api/clients?limit=%', 422],
    ['/api/clients?cursor=%00', 422],
    ['/assets/../../package.json', 404],
    ['/assets/%2e%2e/%2e%2e/package.json', 404],
  ])('%s', async (target, status) => {
    expect((await sendSafely(request('GET', target))).status).toBe(status)
  })

  test.each([
    '//',
    '//api/user',
    '/api/./user',
    '/api/../api/user',
    '/api/%2e%2e/user',
    '/api/clients/1/..',
    '/api/user#x',
    '/api/clients?limit=1&limit=0',
    '/api/user\\',
    '\\',
    '*',
    '/healthz/../api/user',
    'http://localhost:3000/api/user',
    'http://evil.example/api/user',
    'https://evil.example/api/user',
    'ftp://x',
    'http://',
    'http://[::1',
    'user@evil',
    '/api/é',
    '/api/\u{1f600}',
    '/dev/outbox/../../etc/passwd',
  ])('%s gets a valid response', async (target) => {
    expect((await sendSafely(Buffer.from(request('GET', target)))).status).toBeGreaterThan(0)
  })

  test('a very long path is rejected, and so are too many headers', async () => {
    expect((await sendSafely(request('GET', `/api/clients/${'1'.repeat(8000)}`))).status).toBe(404)
    expect([414, 431]).toContain((await sendSafely(request('GET', `/api/${'a'.repeat(40_000)}`))).status)
    expect((await sendSafely(request('GET', '/api/user', [`X-Long: ${'a'.repeat(40_000)}`]))).status).toBe(431)
    expect(
      (
        await sendSafely(
          request(
            'GET',
            '/api/user',
            Array.from({ length: 3000 }, (_none, index) => `X-${index}: y`),
          ),
        )
      ).status,
    ).toBe(431)
    await stillServes()
  })

  test('any bytes as the request target', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '..',
        '.',
        '%',
        '%00',
        '%2f',
        '%5c',
        '\\',
        '?',
        '#',
        '&',
        '=',
        ':',
        '@',
        '*',
        'api',
        'clients',
        'auth',
        'assets',
        '.data',
        '?_data=',
        '?_routes=',
        'http://',
      ),
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        await sendSafely(Buffer.from(request('GET', `/${pieces.join('')}`.replaceAll(/[\r\n ]/g, ''))))
      }),
      fuzzOptions(250),
    )
    await stillServes()
  }, 60_000)
})

describe('lengths', () => {
  const json = ['Content-Type: application/json']
  const post = (headers: string[], body: string): string => request('POST', '/api/clients', [...json, ...headers], body)
  const client = '{"name":"Mara","email":"mara@example.com"}'

  test.each<[what: string, headers: string[], body: string, statuses: number[]]>([
    ['no length', [], client, [400, 422]],
    ['the right length', [`Content-Length: ${client.length}`], client, [201]],
    ['a length that is too short', ['Content-Length: 10'], client, [400]],
    ['a length that is too long', ['Content-Length: 9999'], client, [0, 400, 408]],
    ['zero', ['Content-Length: 0'], client, [400, 422]],
    ['a negative length', ['Content-Length: -1'], client, [400]],
    ['letters', ['Content-Length: abc'], client, [400]],
    ['a sum', ['Content-Length: 1+1'], client, [400]],
    ['a hexadecimal length', ['Content-Length: 0x2a'], client, [400]],
    ['an enormous length', ['Content-Length: 99999999999999999999999'], client, [400, 413]],
    ['2 GB announced', ['Content-Length: 2147483648'], client, [413]],
    ['two lengths', ['Content-Length: 5', `Content-Length: ${client.length}`], client, [400]],
    [
      'a length and chunks',
      [`Content-Length: ${client.length}`, 'Transfer-Encoding: chunked'],
      `2a\r\n${client}\r\n0\r\n\r\n`,
      [400],
    ],
    ['chunks', ['Transfer-Encoding: chunked'], `${client.length.toString(16)}\r\n${client}\r\n0\r\n\r\n`, [201]],
    ['broken chunks', ['Transfer-Encoding: chunked'], `zz\r\n${client}\r\n0\r\n\r\n`, [400]],
    ['a chunk that never ends', ['Transfer-Encoding: chunked'], `ffffff\r\n${client}`, [0, 400]],
    ['an enormous chunk', ['Transfer-Encoding: chunked'], `ffffffffffffffff\r\n${client}`, [0, 400]],
    ['an unknown coding', ['Transfer-Encoding: gzip'], client, [400, 501]],
    ['chunks with another coding', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n`, [400]],
    ['a coding with a blank', ['Transfer-Encoding : chunked'], `0\r\n\r\n`, [400]],
  ])('%s', async (_what, headers, body, statuses) => {
    const answer = await server.send(post(headers, body), { allowSilence: statuses.includes(0) })
    expect(statuses).toContain(answer.status)
    expect(answer.status === 0 || answer.ms < 2000).toBe(true)
    expect(answer.text).not.toMatch(/\n\s+at |node_modules|HTTP\/1\.1 5(?!01)/)
    await stillServes()
  })

  test('two chunked megabytes are too large', async () => {
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
    const { status } = await sendSafely(post(['Transfer-Encoding: chunked'], `6\r\n{"a":"\r\n${chunk.repeat(32)}`))
    expect(status).toBe(413)
    await stillServes()
  })

  test('an oversized body without a session is too large, and its connection stays usable', async () => {
    const body = JSON.stringify({ email: 'ada@example.com', password: 'x'.repeat(1024 * 1024) })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const options = { port: server.port, path: '/api/login', method: 'POST', agent }
    const headers = { host: 'localhost:3000', 'content-type': 'application/json' }
    for (const status of [413, 413]) {
      const [response] = (await once(httpRequest({ ...options, headers }).end(body), 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(status)
      expect(JSON.parse(await text(response))).toMatchObject({ code: 'too_large' })
    }
    agent.destroy()
  })

  test('a request smuggled in a body is never handled', async () => {
    const hidden = 'GET /api/user HTTP/1.1\r\nHost: localhost:3000\r\n\r\n'
    const { text } = await server.send(
      request('POST', '/api/clients', [...json, `Content-Length: ${hidden.length}`], hidden),
    )
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1)
    expect(text).toMatch(/^HTTP\/1\.1 400/)
  })
})

describe('invalid requests', () => {
  test.each<[what: string, bytes: string | Buffer]>([
    ['nothing but a line', '\r\n'],
    ['noise', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ['a TLS greeting', Buffer.from('1603010200010001fc0303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['an unknown method', 'BREW /api/user HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', 'GET /api/user HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n'],
    ['a header with NUL', 'GET /api/user HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n'],
    ['a folded header', 'GET /api/user HTTP/1.1\r\nHost: localhost\r\nX-A: a\r\n b\r\n\r\n'],
    ['a bare line feed', 'GET /api/user HTTP/1.1\nHost: localhost\n\n'],
    ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
    [
      'an upgrade',
      'GET /api/user HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    ],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    ['a trace', 'TRACE /api/user HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'an expectation',
      'POST /api/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'an unknown expectation',
      'POST /api/login HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\nContent-Length: 2\r\n\r\n{}',
    ],
  ])('%s', async (_what, bytes) => {
    const { status, text } = await server.send(bytes, { allowSilence: true })
    expect(status).toBeLessThan(500)
    expect(text).not.toMatch(/\n\s+at |node_modules/)
    await stillServes()
  })
})

describe('the Host header', () => {
  test.each<[host: string, statuses: number[]]>([
    ['localhost:3000', [200]],
    ['LOCALHOST', [200]],
    ['localhost.', [200]],
    ['127.0.0.1:1', [200]],
    ['[::1]:3000', [200]],
    ['', [400, 421]],
    ['evil.example', [421]],
    ['localhost.evil.example', [421]],
    ['evil.example:3000', [421]],
    ['nobody.localhost', [421]],
    ['www.localhost', [421]],
    ['a.b.localhost', [421]],
    ['.localhost', [400, 421]],
    ['..localhost', [400, 421]],
    ['-.localhost', [421]],
    ['xn--80ak6aa92e.localhost', [421]],
    ['localhost:3000@evil.example', [400, 421]],
    ['localhost/evil', [400, 421]],
    ['localhost?x', [400, 421]],
    ['localhost:port', [400, 421]],
    ['localhost:999999', [400, 421]],
    ['127.0.0.2', [421]],
    ['2130706433', [400, 421]],
    ['0x7f.1', [400, 421]],
    ['127.1', [400, 421]],
    ['[::ffff:127.0.0.1]', [400, 421]],
    ['[::1', [400, 421]],
    ['%6cocalhost', [400, 421]],
    ['é.localhost', [400, 421]],
    [`${'a'.repeat(300)}.localhost`, [400, 421]],
    ["' or 1=1--.localhost", [400, 421]],
  ])('%j', async (host, statuses) => {
    for (const target of ['/api/user', '/']) {
      const { status, text } = await sendSafely(
        Buffer.from(
          `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${coach.cookie}\r\nConnection: close\r\n\r\n`,
          'latin1',
        ),
      )
      // The test app has no pages: a page URL is a 404 here.
      expect(target === '/' && statuses[0] === 200 ? [404] : statuses).toContain(status)
      expect(status !== 421 || text.includes('No practice at this address.')).toBe(true)
    }
  })

  test('missing or repeated ones are rejected', async () => {
    expect((await sendSafely('GET /api/user HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400)
    expect([400, 421]).toContain((await sendSafely('GET /api/user HTTP/1.0\r\n\r\n')).status)
    expect([400, 421]).toContain(
      (
        await sendSafely(
          `GET /api/user HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nCookie: ${coach.cookie}\r\nConnection: close\r\n\r\n`,
        )
      ).status,
    )
  })

  test('any malicious text', async () => {
    for (const text of maliciousTexts) {
      const host = text.replaceAll(/[^\t\x20-\xff]/g, '').slice(0, 4000)
      const { status } = await sendSafely(
        Buffer.from(`GET /api/user HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1'),
      )
      expect([400, 421]).toContain(status)
    }
  })
})
