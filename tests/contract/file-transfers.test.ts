import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, Agent, type IncomingMessage, type RequestOptions } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { partBytes } from '#tenants/files/store.ts'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { listen, type SocketServer } from '#tests/support/socket-client.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// Files ('#modules/resources/') over real connections, where their bytes bypass web streams.

const app = createTestApp()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let server: SocketServer
let coach: Coach

beforeAll(async () => {
  server = await listen(app)
  coach = await createCoach({ plan: 'pro' })
})
afterAll(async () => {
  agent.destroy()
  await server?.close()
})
afterEach(() => vi.restoreAllMocks())

/** All requests of the file take the same connection, one after the other. */
async function call(
  method: string,
  path: string,
  { body, headers = {} }: { body?: Uint8Array | object; headers?: Record<string, string> } = {},
): Promise<{ response: IncomingMessage; content: Buffer }> {
  const sent = body instanceof Uint8Array ? body : body && Buffer.from(JSON.stringify(body))
  const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json'
  const request = httpRequest({ ...target(path), method, agent })
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
  if (sent) request.setHeader('content-type', type).setHeader('content-length', sent.length)
  request.end(sent)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { response, content: await buffer(response) }
}
const target = (path: string): RequestOptions => ({
  port: server.port,
  host: '127.0.0.1',
  path,
  headers: { host: 'localhost:3000', cookie: coach.cookie },
})
const json = ({ content }: { content: Buffer }) => JSON.parse(String(content))

async function upload(content: Buffer): Promise<string> {
  const { id } = json(await call('POST', '/api/uploads', { body: { name: 'Workshop.bin', size: content.length } }))
  for (let offset = 0; offset < content.length; offset += partBytes) {
    const body = content.subarray(offset, offset + partBytes)
    expect((await call('PUT', `/api/uploads/${id}?offset=${offset}`, { body })).response.statusCode).toBe(200)
  }
  const created = json(await call('POST', '/api/files', { body: { uploadId: id, name: 'Workshop.bin' } }))
  return `/api/files/${created.id}/download`
}

test('a file comes and goes as it is, whole, in a range, or as its headers', async () => {
  const content = randomBytes(partBytes + 70_000)
  const path = await upload(content)
  const whole = await call('GET', path)
  expect(whole.content.equals(content)).toBe(true)
  expect(whole.response.headers).toMatchObject({
    'content-length': String(content.length),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-request-id': expect.any(String),
  })
  const range = await call('GET', path, { headers: { range: 'bytes=300000-700000' } })
  expect([range.response.statusCode, range.response.headers['content-length']]).toEqual([206, '400001'])
  expect(range.content.equals(content.subarray(300_000, 700_001))).toBe(true)
  const head = await call('HEAD', path)
  expect([head.response.headers['content-length'], head.content.length]).toEqual([String(content.length), 0])
  const known = await call('GET', path, { headers: { 'if-none-match': String(whole.response.headers.etag) } })
  expect([known.response.statusCode, known.content.length]).toEqual([304, 0])
})

test('a part that is refused leaves its connection usable', async () => {
  const { id } = json(await call('POST', '/api/uploads', { body: { name: 'x', size: 3 * partBytes } }))
  const part = randomBytes(partBytes)
  const send = async (offset: number, body: Buffer) =>
    (await call('PUT', `/api/uploads/${id}?offset=${offset}`, { body })).response.statusCode
  expect([await send(partBytes, part), await send(0, part.subarray(1)), await send(0, part)]).toEqual([409, 422, 200])
  expect(json(await call('GET', `/api/uploads/${id}`)).received).toBe(partBytes)
})

test('a part whose connection breaks is not there', async () => {
  const { id } = json(await call('POST', '/api/uploads', { body: { name: 'x', size: partBytes } }))
  const writePart = vi.spyOn(app.platform.fileStore, 'writePart')
  const path = `/api/uploads/${id}?offset=0`
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(partBytes) }
  const request = httpRequest({ ...target(path), method: 'PUT', agent: false }).on('error', () => {})
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
  request.write(randomBytes(1_000_000))
  await vi.waitFor(() => expect(writePart).toHaveBeenCalled())
  request.destroy()
  await expect(writePart.mock.results[0]!.value).rejects.toMatchObject({ code: 'bad_request' })
  expect(json(await call('GET', `/api/uploads/${id}`)).received).toBe(0)
})

test.each([
  [2 * 1024 ** 3 + 3 * 1024 ** 2, 413, 'Choose a file of at most 2 GB.'],
  [2 * 1024 ** 3, 422, 'Send one file.'],
])('a form that declares %i bytes is answered with %i before they come', async (length, status, message) => {
  const listKeys = async () => {
    const keys: string[] = []
    for await (const { key } of app.platform.fileStore.list(`${coach.id}/`)) keys.push(key)
    return keys
  }
  const before = await listKeys()
  const request = httpRequest({ ...target('/api/files'), method: 'POST', agent: false }).on('error', () => {})
  request.setHeader('content-type', 'multipart/form-data; boundary=x').setHeader('content-length', length)
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n'
  request.write(part + part)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([response.statusCode, json({ content: await buffer(response) }).message]).toEqual([status, message])
  request.destroy()
  expect(await listKeys()).toEqual(before)
})

test('a download ends with its reader, and is cut off when the store breaks', async () => {
  const path = await upload(randomBytes(1000))
  const read = vi.spyOn(app.platform.fileStore, 'read')
  // Without an end, and slower than it is read.
  const endless = new Readable({ read() {} })
  endless.push(Buffer.alloc(500))
  read.mockResolvedValueOnce(endless)
  const leaving = httpRequest({ ...target(path), agent: false }).on('error', () => {})
  leaving.end()
  const [response] = (await once(leaving, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  leaving.destroy()
  await vi.waitFor(() => expect(endless.destroyed).toBe(true))

  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(500)
      throw new Error('the store broke')
    })(),
  )
  read.mockResolvedValueOnce(broken)
  await expect(call('GET', path)).rejects.toThrow('aborted')
  expect((await call('GET', path)).content).toHaveLength(1000)
})
