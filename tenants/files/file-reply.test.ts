import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeS3, type FakeS3 } from '#tests/fakes/s3/server.ts'
import { testConfig } from '#tests/support/config.ts'
import { replyWithFile, type FileReply, type FileSource } from './file-reply.ts'
import { createKey } from './files.ts'
import { createFileStore } from './open-store.ts'
import type { FileStore } from './store.ts'

let s3: FakeS3
beforeAll(async () => {
  s3 = await startFakeS3()
})
afterAll(() => s3.close())

describe.each(['the local disk', 'a bucket'])('a file on %s', (name) => {
  let store: FileStore
  let source: FileSource
  beforeAll(async () => {
    store = createFileStore(testConfig(name === 'a bucket' ? s3.env : {}))
    const key = createKey(1)
    await store.write(key, Readable.from([Buffer.from('0123456789')]))
    source = { size: 10, tag: '7', read: (range) => store.read(key, range) }
  })
  afterAll(() => store.close())

  const ask = (headers: Record<string, string>, method = 'GET'): Promise<FileReply> =>
    replyWithFile(new Request('http://localhost/file', { method, headers }), source)

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
  ])('is sent in the range %s', async (range, sent, contentRange) => {
    const { status, headers, content } = await ask({ range })
    expect([status, await text(content!)]).toEqual([206, sent])
    expect(headers).toMatchObject({ 'Content-Range': contentRange, 'Content-Length': String(sent.length), ETag: '"7"' })
  })

  test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('has no range %s', async (range) => {
    await expect(ask({ range })).rejects.toMatchObject({
      status: 416,
      code: 'range_not_satisfiable',
      headers: { 'Content-Range': 'bytes */10' },
    })
  })

  test.each(['', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'items=0-1', 'bytes=a-b', 'bytes=1-2x'])(
    'is sent whole for the range “%s”',
    async (range) => {
      const { status, headers, content } = await ask({ range })
      expect([status, await text(content!)]).toEqual([200, '0123456789'])
      expect(headers).toMatchObject({ 'Content-Length': '10', 'Accept-Ranges': 'bytes' })
    },
  )

  test('is sent whole if the part before was of another file', async () => {
    const get = async (condition: string) => {
      const { status, content } = await ask({ range: 'bytes=5-', 'if-range': condition })
      return [status, await text(content!)]
    }
    expect(await get('"7"')).toEqual([206, '56789'])
    for (const other of ['"6"', 'W/"7"', 'Tue, 10 Mar 2026 14:00:00 GMT'])
      expect(await get(other)).toEqual([200, '0123456789'])
  })

  test('is not sent to one who has it, nor for HEAD', async () => {
    expect(await ask({ 'if-none-match': '"1", W/"7"' })).toMatchObject({ status: 304, content: null })
    const { status, content } = await ask({ 'if-none-match': '"1"' })
    expect([status, await text(content!)]).toEqual([200, '0123456789'])
    const head = await ask({ range: 'bytes=0-1' }, 'HEAD')
    expect(head).toMatchObject({ status: 200, content: null, headers: { 'Content-Length': '10' } })
  })
})
