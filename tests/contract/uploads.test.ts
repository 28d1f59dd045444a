import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, rename, symlink } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { createApiKey } from '#tenants/api-keys/api-keys.ts'
import type { Ctx } from '#tenants/context.ts'
import { deleteExpiredUploads, deleteStoredBytes, reconcileFiles } from '#tenants/files/jobs.ts'
import { discardContent, getFile, keepFile, openFile, storeContent, type StoredContent } from '#tenants/files/files.ts'
import { receiveForm } from '#tenants/files/form-upload.ts'
import { partBytes, type FileKey, type StoredBytes } from '#tenants/files/store.ts'
import { deleteUpload, findStartedUpload, listStartedUploads, takeUpload } from '#tenants/files/uploads.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp, type CallResult } from '#tests/support/test-app.ts'

const app = createTestApp()

const begin = (as: Coach, size: number, name = 'workshop.mp4'): Promise<CallResult> =>
  app.call('POST', '/api/uploads', { as, body: { name, size } })
const sendPart = (as: Coach, id: number, offset: number, raw: Uint8Array<ArrayBuffer>): Promise<CallResult> =>
  app.call('PUT', `/api/uploads/${id}?offset=${offset}`, {
    as,
    raw,
    headers: { 'content-type': 'application/octet-stream' },
  })
const owner = { kind: 'account', recordId: 1 }

async function sendAll(coach: Coach, content: Uint8Array<ArrayBuffer>): Promise<number> {
  const { body } = await begin(coach, content.length)
  for (let offset = 0; offset < content.length; offset += partBytes)
    expect((await sendPart(coach, body.id, offset, content.slice(offset, offset + partBytes))).status).toBe(200)
  return body.id
}

async function listBytes(coach: Coach): Promise<StoredBytes[]> {
  const all: StoredBytes[] = []
  for await (const one of app.platform.fileStore.list(`${coach.id}/`)) all.push(one)
  return all
}

describe('a file in parts', () => {
  test('goes on where it was interrupted, and is the same at the end', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const content = randomBytes(2 * partBytes + 10)
    const { body: upload } = await begin(coach, content.length)
    expect(upload).toMatchObject({ received: 0, partSize: partBytes, isComplete: false, size: content.length })

    const first = content.subarray(0, partBytes)
    expect((await sendPart(coach, upload.id, 0, first)).body.received).toBe(partBytes)
    // The answer got lost: the part is sent again.
    expect((await sendPart(coach, upload.id, 0, first)).body.received).toBe(partBytes)
    // The line broke: half a part counts as none.
    const second = content.subarray(partBytes, 2 * partBytes)
    expect((await sendPart(coach, upload.id, partBytes, second.subarray(0, 1000))).status).toBe(422)
    const { body: state } = await app.call('GET', `/api/uploads/${upload.id}`, { as: coach })
    expect(state).toMatchObject({ received: partBytes, isComplete: false })
    expect((await sendPart(coach, upload.id, state.received, second)).status).toBe(200)
    const last = await sendPart(coach, upload.id, 2 * partBytes, content.subarray(2 * partBytes))
    expect(last.body).toMatchObject({ received: content.length, isComplete: true })
    expect((await sendPart(coach, upload.id, 2 * partBytes, content.subarray(2 * partBytes))).status).toBe(200)

    const { fileId, size } = await inTenant(coach, (tx) => takeUpload(tx, upload.id, owner))
    const file = await openFile(await contextFor(coach), fileId)
    expect(size).toBe(content.length)
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(await buffer(file.content))).toBe(hash(content))
    await expect(inTenant(coach, (tx) => takeUpload(tx, upload.id, owner))).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each(['the parts are joined', 'they were joined, and the answer was lost'])(
    'is completed by the next request when the store fails while %s',
    async (when) => {
      const coach = await createCoach({ plan: 'pro' })
      const content = randomBytes(partBytes + 10)
      const { body: upload } = await begin(coach, content.length)
      await sendPart(coach, upload.id, 0, content.subarray(0, partBytes))
      const { fileStore } = app.platform
      const writePart = vi.spyOn(fileStore, 'writePart')
      const join = fileStore.joinParts.bind(fileStore)
      vi.spyOn(fileStore, 'joinParts').mockImplementationOnce(async (...args) => {
        if (when !== 'the parts are joined') await join(...args)
        throw new AppError('unavailable', "The storage of files doesn't answer. Please try again later.")
      })
      const last = content.subarray(partBytes)
      expect((await sendPart(coach, upload.id, partBytes, last)).status).toBe(503)
      const { body: state } = await app.call('GET', `/api/uploads/${upload.id}`, { as: coach })
      expect(state).toMatchObject({ received: content.length, isComplete: false })
      const next = await sendPart(coach, upload.id, state.received, new Uint8Array())
      expect([next.status, next.body.isComplete]).toEqual([200, true])
      expect(writePart).toHaveBeenCalledOnce()
      vi.restoreAllMocks()

      const { fileId } = await inTenant(coach, (tx) => takeUpload(tx, upload.id, owner))
      const file = await openFile(await contextFor(coach), fileId)
      expect((await buffer(file.content)).equals(content)).toBe(true)
    },
  )

  test.runIf(existsSync('/dev/full'))(
    'waits for room when the disk is full in the middle, and is whole then',
    async () => {
      const coach = await createCoach({ plan: 'pro' })
      const content = randomBytes(2 * partBytes + 10)
      const { body: upload } = await begin(coach, content.length)
      const send = (index: number) =>
        sendPart(coach, upload.id, index * partBytes, content.slice(index * partBytes, (index + 1) * partBytes))
      expect((await send(0)).status).toBe(200)
      const [{ key }] = (await listBytes(coach)) as [StoredBytes]
      const partial = path.join(app.platform.config.dataDir, 'files', `${key}.partial`)
      await rename(partial, `${partial}.kept`)
      await symlink('/dev/full', partial)
      const refused = await send(1)
      expect([refused.status, refused.body.message]).toEqual([
        503,
        'The server has no room for the next part of this file. What has arrived is kept: the upload goes on when there is room.',
      ])
      const { body: state } = await app.call('GET', `/api/uploads/${upload.id}`, { as: coach })
      expect(state).toMatchObject({ received: partBytes, isComplete: false })
      await expect(inTenant(coach, (tx) => takeUpload(tx, upload.id, owner))).rejects.toMatchObject({
        code: 'conflict',
      })

      await rename(`${partial}.kept`, partial)
      // The disk took half of the part before it was full.
      await appendFile(partial, randomBytes(partBytes / 2))
      expect([(await send(1)).status, (await send(2)).body.isComplete]).toEqual([200, true])
      const { fileId } = await inTenant(coach, (tx) => takeUpload(tx, upload.id, owner))
      const file = await openFile(await contextFor(coach), fileId)
      expect((await buffer(file.content)).equals(content)).toBe(true)
      expect(await listBytes(coach)).toHaveLength(1)
    },
  )

  test('takes no part at another place, of another size, or as JSON', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const { body: upload } = await begin(coach, 2 * partBytes)
    const part = randomBytes(partBytes)
    expect((await sendPart(coach, upload.id, partBytes, part)).status).toBe(409)
    expect((await sendPart(coach, upload.id, 7, part)).status).toBe(409)
    expect((await sendPart(coach, upload.id, 0, randomBytes(partBytes + 1))).status).toBe(422)
    expect((await sendPart(coach, upload.id, 0, new Uint8Array())).status).toBe(422)
    expect(
      (
        await app.call('PUT', `/api/uploads/${upload.id}?offset=x`, {
          as: coach,
          raw: part,
          headers: { 'content-type': 'application/octet-stream' },
        })
      ).status,
    ).toBe(422)
    expect((await app.call('PUT', `/api/uploads/${upload.id}`, { as: coach, body: {} })).status).toBe(415)
    expect((await app.call('GET', `/api/uploads/${upload.id}`, { as: coach })).body.received).toBe(0)
    await expect(inTenant(coach, (tx) => takeUpload(tx, upload.id, owner))).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is not begun when it is empty, larger than 2 GB or larger than the plan', async () => {
    const coach = await createCoach({ plan: 'premium' })
    expect((await begin(coach, 0)).status).toBe(422)
    expect((await begin(coach, 2 * 1024 ** 3 + 1)).body.message).toBe('Choose a file of at most 2 GB.')
    expect((await begin(coach, 2 * 1024 ** 3)).status).toBe(201)
    const free = await createCoach({ plan: 'free' })
    const refused = await begin(free, 201 * 1024 ** 2)
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit'])
  })

  test('reserves its room, so that fifty at once take no more than the plan has', async () => {
    const coach = await createCoach({ plan: 'free' })
    const answers = await concurrently(50, () => begin(coach, 20 * 1024 ** 2))
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    expect(statuses.filter((status) => status === 201)).toHaveLength(9)
    expect(statuses.filter((status) => status === 403)).toHaveLength(41)
  })

  test('has a safe name', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const names = {
      '../../etc/passwd': 'passwd',
      'C:\\Users\\mara\\plan.pdf': 'plan.pdf',
      'invoice\u202efdp.exe': 'invoicefdp.exe',
      '..': 'file',
      'Übung für die Woche 1.pdf': 'Übung für die Woche 1.pdf',
      '週の練習.pdf': '週の練習.pdf',
    }
    for (const [sent, kept] of Object.entries(names)) expect((await begin(coach, 1, sent)).body.name).toBe(kept)
    expect((await begin(coach, 1, 'a\0b')).status).toBe(422)
  })
})

describe('many files at once', () => {
  const open = (ctx: Ctx): { content: PassThrough; stored: Promise<StoredContent> } => {
    const content = new PassThrough()
    const stored = storeContent(ctx, content)
    stored.catch(() => {})
    return { content, stored }
  }

  test('share the room that the plan has left, and those that are kept or given up count no longer', async () => {
    const coach = await createCoach({ plan: 'free' })
    const ctx = await contextFor(coach)
    const { storageUsage } = app.platform
    const used = plans.free.maxStorageBytes - 1_000_000
    vi.spyOn(storageUsage, 'get').mockResolvedValue(used)
    vi.spyOn(storageUsage, 'read').mockResolvedValue(used)
    const files = Array.from({ length: 5 }, () => open(ctx))
    for (const { content } of files) content.end(randomBytes(600_000))
    const stored = (await Promise.allSettled(files.map((file) => file.stored))).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    )
    expect(stored).toHaveLength(1)
    expect(await listBytes(coach)).toHaveLength(1)

    const next = async (): Promise<StoredContent> => {
      const { content, stored: result } = open(ctx)
      content.end(randomBytes(600_000))
      return result
    }
    await expect(next()).rejects.toMatchObject({ code: 'plan_limit' })
    await discardContent(ctx, stored[0]!)
    const second = await next()
    await inTenant(coach, (tx) => keepFile(tx, second, owner))
    expect((await next()).size).toBe(600_000)
    vi.restoreAllMocks()
  })

  test('wait for those before them, up to a limit, and not for those of another coach', async () => {
    const [busy, other] = [await createCoach({ plan: 'pro' }), await createCoach({ plan: 'pro' })]
    const send = (ctx: Ctx) => {
      const stream = new PassThrough()
      const form = { type: 'multipart/form-data; boundary=b', length: null, stream }
      const received = receiveForm(ctx, form)
      received.catch(() => {})
      return { stream, received }
    }
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n'
    const ctx = await contextFor(busy)
    const open = Array.from({ length: 24 }, () => send(ctx))
    await expect(send(ctx).received).rejects.toMatchObject({ code: 'rate_limited' })
    const { stream, received } = send(await contextFor(other))
    stream.end(body)
    expect((await received).name).toBe('a.txt')
    for (const each of open) each.stream.end(body)
    await Promise.all(open.map((each) => each.received))
  })

  test('are refused before they come in if a key may not add them', async () => {
    const coach = await createCoach({ password: 'correct horse', plan: 'pro' })
    const input = { name: 'Reader', scopes: ['*:read' as const], days: null, currentPassword: 'correct horse' }
    const key = await inTenant(coach, (tx) => createApiKey(tx, input, { address: '127.0.0.1', userAgent: null }))
    const write = vi.spyOn(app.platform.fileStore, 'write')
    const form = new FormData()
    form.set('file', new File(['text'], 'a.txt'))
    const headers = { authorization: `Bearer ${key}` }
    expect((await app.call('POST', '/api/files', { raw: form, headers })).status).toBe(403)
    expect(write).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

describe('bytes that nobody needs', () => {
  test('are deleted with an upload that is given up, and with one that expires', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const given = await sendAll(coach, randomBytes(10))
    const { body: kept } = await begin(coach, 100)
    expect(await listBytes(coach)).toHaveLength(2)
    expect((await app.call('DELETE', `/api/uploads/${given}`, { as: coach })).status).toBe(204)
    expect((await app.call('DELETE', `/api/uploads/${given}`, { as: coach })).status).toBe(404)
    await runDeletions()
    expect(await listBytes(coach)).toHaveLength(1)
    app.clock.now = new Date(app.clock.now.getTime() + 3 * 86_400_000)
    await deleteExpiredUploads(app.platform)
    await runDeletions()
    expect(await listBytes(coach)).toEqual([])
    expect(kept.id).toBeGreaterThan(0)
  })

  test('of an interrupted upload go at once when it is discarded, and so does their part of the plan’s storage', async () => {
    const coach = await createCoach({ plan: 'free' })
    const ctx = await contextFor(coach)
    const { storageUsage } = app.platform
    const size = plans.free.maxStorageBytes - 2 * partBytes
    const before = await storageUsage.read(ctx)
    const { body: upload } = await begin(coach, size)
    await sendPart(coach, upload.id, 0, randomBytes(partBytes))
    expect(await listStartedUploads(ctx)).toEqual([
      { id: upload.id, name: 'workshop.mp4', percent: expect.any(Number) },
    ])
    expect((await begin(coach, size)).body.code).toBe('plan_limit')
    await inTenant(coach, (tx) => deleteUpload(tx, upload.id))
    expect(await storageUsage.read(ctx)).toBe(before)
    await runDeletions()
    expect(await listBytes(coach)).toEqual([])
    expect([await listStartedUploads(ctx), await findStartedUpload(ctx, upload.id)]).toEqual([[], null])
    expect((await begin(coach, size)).status).toBe(201)
  })

  test('of a part that was on its way while its upload was discarded go, too', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const { body: upload } = await begin(coach, 2 * partBytes)
    const { fileStore } = app.platform
    const writePart = vi.spyOn(fileStore, 'writePart').mockImplementationOnce(async (part, _index, content) => {
      await buffer(content)
      await inTenant(coach, (tx) => deleteUpload(tx, upload.id))
      await runDeletions()
      expect(await listBytes(coach)).toEqual([])
      await fileStore.startParts(part.key)
    })
    expect((await sendPart(coach, upload.id, 0, randomBytes(partBytes))).status).toBe(404)
    expect(await listBytes(coach)).toHaveLength(1)
    await runDeletions()
    expect(await listBytes(coach)).toEqual([])
    writePart.mockRestore()
  })

  test('of an upload are nothing that another coach sees or discards', async () => {
    const [coach, other] = [await createCoach({ plan: 'pro' }), await createCoach({ plan: 'pro' })]
    const { body: upload } = await begin(coach, 2 * partBytes)
    const theirs = await contextFor(other)
    expect([await listStartedUploads(theirs), await findStartedUpload(theirs, upload.id)]).toEqual([[], null])
    const discarding = inTenant(other, (tx) => deleteUpload(tx, upload.id))
    await expect(discarding).rejects.toMatchObject({ code: 'not_found' })
    await runDeletions()
    expect((await sendPart(coach, upload.id, 0, randomBytes(partBytes))).body.received).toBe(partBytes)
  })

  test('are found by the nightly job, and so are files that have lost theirs', async () => {
    const today = app.clock.now
    app.clock.now = new Date()
    const coach = await createCoach({ plan: 'pro' })
    const id = await sendAll(coach, randomBytes(10))
    const { fileId } = await inTenant(coach, (tx) => takeUpload(tx, id, owner))
    const { key } = await getFile(await contextFor(coach), fileId)
    const orphan = `${coach.id}/${'0'.repeat(32)}` as const
    await app.platform.fileStore.write(orphan, Readable.from([Buffer.from('x')]))
    const foreign = [`${coach.id}/report.pdf`, `0/${'0'.repeat(32)}`] as const
    for (const key of foreign) await app.platform.fileStore.write(key as FileKey, Readable.from([Buffer.from('x')]))
    // A request may still be about to name bytes of the last day.
    const { deleted, missing } = await reconcileFiles(app.platform)
    expect(deleted).toBe(0)
    app.clock.now = new Date(Date.now() + 2 * 86_400_000)
    expect((await reconcileFiles(app.platform)).deleted).toBeGreaterThan(0)
    expect((await listBytes(coach)).map((bytes) => bytes.key).toSorted()).toEqual([key, foreign[0]].toSorted())
    expect(String(await buffer(await app.platform.fileStore.read(foreign[1])))).toBe('x')
    await app.platform.fileStore.delete(key)
    expect((await reconcileFiles(app.platform)).missing).toBeGreaterThan(0)
    // A file of the last day may have been stored after the bytes were listed.
    app.clock.now = new Date()
    expect((await reconcileFiles(app.platform)).missing).toBe(missing)
    app.clock.now = today
  })
})

/** Runs the jobs that delete bytes. */
async function runDeletions(): Promise<void> {
  for (
    let jobs;
    (jobs = await app.platform.boss.fetch<{ key: never }>('platform.delete-bytes', { batchSize: 50 })).length;
  )
    for (const { id, data } of jobs) {
      await deleteStoredBytes(app.platform, { storeId: null, ...data })
      await app.platform.boss.complete('platform.delete-bytes', id)
    }
}
