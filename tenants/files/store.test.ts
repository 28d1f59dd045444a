import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startFakeS3, type FakeS3 } from '#tests/fakes/s3/server.ts'
import { testConfig } from '#tests/support/config.ts'
import { createKey } from './files.ts'
import { createFileStore } from './open-store.ts'
import { createS3Store } from './s3-store.ts'
import { partBytes, type FileKey, type FileStore, type StoredBytes } from './store.ts'

let s3: FakeS3
let store: FileStore

beforeAll(async () => {
  s3 = await startFakeS3()
})
afterAll(() => s3.close())
afterEach(() => s3.stopFailing())

const read = async (key: FileKey, range?: { start: number; end: number }): Promise<Buffer> =>
  buffer(await store.read(key, range))
async function listAll(listed: AsyncIterable<StoredBytes>): Promise<StoredBytes[]> {
  const all: StoredBytes[] = []
  for await (const one of listed) all.push(one)
  return all
}
const listKeys = async (prefix?: string): Promise<string[]> =>
  (await listAll(store.list(prefix))).map(({ key }) => key).toSorted()

/** A stream of `size` bytes that breaks off, or ends, after `until` of them. */
const brokenStream = (size: number): Readable =>
  Readable.from(
    (async function* () {
      yield randomBytes(size)
      throw new Error('the line broke')
    })(),
  )

describe.each(['the local disk', 'a bucket'])('%s', (name) => {
  beforeAll(() => {
    store = createFileStore(testConfig(name === 'a bucket' ? s3.env : {}))
  })
  afterAll(() => store.close())

  test.each([0, 1, 70_000, partBytes, 2 * partBytes + 1])('keeps a file of %i bytes as it is', async (size) => {
    const content = randomBytes(size)
    const key = createKey(1)
    await store.write(key, Readable.from([content]))
    expect((await read(key)).equals(content)).toBe(true)
  })

  test('reads a range', async () => {
    const key = createKey(1)
    await store.write(key, Readable.from([Buffer.from('0123456789')]))
    expect(String(await read(key, { start: 3, end: 5 }))).toBe('345')
    expect(String(await read(key, { start: 9, end: 9 }))).toBe('9')
  })

  test('keeps nothing of a stream that breaks off', async () => {
    for (const size of [100, 3 * partBytes]) {
      const key = createKey(2)
      await expect(store.write(key, brokenStream(size))).rejects.toThrow('the line broke')
      await expect(store.read(key)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await listKeys('2/')).toEqual([])
  })

  test('lists the files of one coach, with their sizes', async () => {
    const keys = [createKey(31), createKey(31), createKey(3)]
    for (const key of keys) await store.write(key, Readable.from([Buffer.from('four')]))
    expect(await listKeys('31/')).toEqual(keys.slice(0, 2).toSorted())
    for await (const { size, modifiedAt } of store.list('31/')) {
      expect(size).toBe(4)
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000)
    }
    expect(await listKeys()).toEqual(expect.arrayContaining(keys))
  })

  test('deletes a file, also twice', async () => {
    const key = createKey(4)
    await store.write(key, Readable.from([Buffer.from('gone')]))
    await store.delete(key)
    await store.delete(key)
    await expect(store.read(key)).rejects.toMatchObject({ code: 'not_found', message: 'File not found' })
  })

  test('joins parts, of which one was cut off and sent again', async () => {
    const parts = [randomBytes(partBytes), randomBytes(partBytes), randomBytes(100)]
    const key = createKey(5)
    const upload = { key, storeId: await store.startParts(key) }
    await expect(store.writePart(upload, 0, brokenStream(1000))).rejects.toThrow('the line broke')
    for (const [index, part] of parts.entries()) {
      await store.writePart(upload, index, Readable.from([part]))
      await store.writePart(upload, index, Readable.from([part]))
    }
    await expect(store.read(key)).rejects.toMatchObject({ code: 'not_found' })
    await store.joinParts(upload, Buffer.concat(parts).length)
    expect((await read(key)).equals(Buffer.concat(parts))).toBe(true)
    await expect(store.joinParts(upload, 1)).rejects.toMatchObject({ code: 'not_found' })
    expect((await read(key)).length).toBe(2 * partBytes + 100)
  })

  test('drops the parts of a file that nobody finishes', async () => {
    const key = createKey(6)
    const upload = { key, storeId: await store.startParts(key) }
    await store.writePart(upload, 0, Readable.from([Buffer.from('half')]))
    await store.dropParts(upload)
    await store.dropParts(upload)
    expect(await listKeys('6/')).toEqual([])
    await expect(store.writePart(upload, 1, Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a bucket that fails', () => {
  const unavailable = { code: 'unavailable', status: 503 }
  beforeAll(() => {
    store = createFileStore(testConfig(s3.env))
  })
  afterAll(() => store.close())

  test('with 503 is asked again', async () => {
    const key = createKey(7)
    s3.fail(/^PUT /, 503, 2)
    await store.write(key, Readable.from([Buffer.from('kept')]))
    s3.fail(/^GET /, 503, 2)
    expect(String(await read(key))).toBe('kept')
  })

  test.each([403, 503, 500] as const)(
    'with %i for long is unavailable, and says so without its own message',
    async (status) => {
      s3.fail(/./, status, 100)
      for (const call of [
        () => store.write(createKey(7), Readable.from([Buffer.from('lost')])),
        () => store.read(createKey(7)),
        () => store.delete(createKey(7)),
        () => store.startParts(createKey(7)),
      ]) {
        const error = await call().then(
          () => null,
          (thrown: unknown) => thrown,
        )
        expect(error).toMatchObject({
          ...unavailable,
          message: "The storage of files doesn't answer. Please try again later.",
        })
        expect(JSON.stringify(error)).not.toMatch(/S3RVER|Signature|127\.0\.0\.1/)
      }
    },
  )

  test.each(['silence', 'stall', 'cut'] as const)('with %s ends the call in time', async (failure) => {
    const slow = createS3Store(testConfig(s3.env).s3!, {
      connectionTimeout: 200,
      requestTimeout: 200,
      socketTimeout: 200,
    })
    const key = createKey(7)
    await slow.write(key, Readable.from([randomBytes(70_000)]))
    s3.fail(/^GET /, failure, failure === 'silence' ? 3 : 1)
    const reading = slow.read(key).then(buffer)
    if (failure === 'silence') await expect(reading).rejects.toMatchObject(unavailable)
    else await expect(reading).rejects.toThrow(/aborted|terminated|timed out|timeout/i)
    expect((await buffer(await slow.read(key))).length).toBe(70_000)
    slow.close()
  })

  test('that another installation has signed keeps and deletes nothing for this one', async () => {
    const key = createKey(7)
    await store.write(key, Readable.from([Buffer.from('ours')]))
    const open = (...secretKeys: string[]): FileStore => createFileStore({ ...testConfig(s3.env), secretKeys })
    const other = open('the secret of another installation')
    for (const call of [
      () => other.read(key),
      () => other.delete(key),
      () => other.write(createKey(7), Readable.from([Buffer.from('theirs')])),
      () => listAll(other.list()),
    ])
      await expect(call()).rejects.toMatchObject({
        ...unavailable,
        message: 'The storage of files belongs to another installation.',
      })
    expect(String(await read(key))).toBe('ours')
    // A new secret signs it again, as long as the former one is known.
    const [former] = testConfig(s3.env).secretKeys
    const rotated = open('a new secret', former!)
    expect(String(await buffer(await rotated.read(key)))).toBe('ours')
    const later = open('a new secret')
    expect(String(await buffer(await later.read(key)))).toBe('ours')
    const back = open(former!, 'a new secret')
    expect(String(await buffer(await back.read(key)))).toBe('ours')
    for (const opened of [other, rotated, later, back]) opened.close()
  })

  test('that takes another secret for ours serves nothing', async () => {
    const key = createKey(7)
    await store.write(key, Readable.from([Buffer.from('private')]))
    const stranger = createFileStore(testConfig({ ...s3.env, S3_SECRET_ACCESS_KEY: 'a guess' }))
    await expect(stranger.read(key)).rejects.toMatchObject(unavailable)
    stranger.close()
    expect((await fetch(`${s3.url}/${s3.bucket}/${key}`)).status).toBe(403)
  })
})

test.runIf(existsSync('/dev/full'))('a full disk keeps nothing of the file, and says so', async () => {
  const config = testConfig()
  const local = createFileStore(config)
  const key = createKey(1)
  const partial = path.join(config.dataDir, 'files', `${key}.partial`)
  mkdirSync(path.dirname(partial), { recursive: true })
  symlinkSync('/dev/full', partial)
  await expect(local.write(key, Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
  })
  expect(await listAll(local.list())).toEqual([])
})
