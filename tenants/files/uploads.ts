import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { requiredLine } from '#app/lib/zod-types.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { listNewest, type Page } from '../api/list-newest.ts'
import { reserveStorage } from '../storage.ts'
import { detectContentType, headBytes } from './content-type.ts'
import {
  createKey,
  deleteQueue,
  emptyFileError,
  insertFile,
  maxFileBytes,
  tooLargeError,
  type FileOwner,
} from './files.ts'
import { toSafeFileName } from './file-name.ts'
import { partBytes, type FileKey } from './store.ts'

// A file that comes in parts, so that a bad line loses one part and not the file. The browser creates an upload, sends
// part after part, asks after an interruption how far it came, and hands the complete upload to a record.

/** How long an upload that nobody finishes is kept. */
const uploadDays = 2

export const NewUpload = z.object({
  name: requiredLine('File name is required'),
  size: z
    .int('Send the size in bytes')
    .min(1, emptyFileError().message)
    .max(maxFileBytes, tooLargeError().message)
    .describe('Bytes of the whole file'),
})
export const UploadOut = z.object({
  id: z.int(),
  coachId: z.int(),
  name: z.string(),
  size: z.int().describe('Bytes of the whole file'),
  received: z.int().describe('Bytes that have arrived: the offset of the next part'),
  partSize: z.int().describe('Bytes of every part but the last one'),
  isComplete: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type UploadRecord = z.output<typeof UploadOut>

const columns = `id, coach_id as "coachId", name, size, received, ${partBytes} as "partSize",
  content_type is not null as "isComplete", ${isoTimestamp('created_at')} as "createdAt",
  ${isoTimestamp('expires_at')} as "expiresAt"`
const notFound = (): AppError => new AppError('not_found', 'Upload not found')

/** Throws plan_limit, unavailable. */
export async function createUpload(ctx: Ctx, { name, size }: z.output<typeof NewUpload>): Promise<UploadRecord> {
  const key = createKey(ctx.coachId)
  const storeId = await ctx.platform.fileStore.startParts(key)
  try {
    return await ctx.write(async (tx) => {
      await reserveStorage(tx, size)
      const [row] = await tx.query<UploadRecord>({
        name: 'upload.create',
        text: `insert into file_upload (coach_id, name, size, key, store_id, created_at, expires_at)
          values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
        values: [ctx.coachId, toSafeFileName(name), size, key, storeId, ctx.now(), expiry(ctx)],
      })
      return row!
    })
  } catch (error) {
    await ctx.platform.fileStore.dropParts({ key, storeId }).catch(() => {})
    throw error
  }
}

const expiry = (ctx: Ctx): Date => new Date(ctx.now().getTime() + uploadDays * dayMs)

export const listUploads = (ctx: Ctx, page: Page): Promise<UploadRecord[]> =>
  listNewest(ctx, { name: 'upload.list', select: columns, from: 'file_upload', where: {}, ...page })

type StartedUpload = { id: number; name: string; percent: number }

/** The newest uploads that no record has taken, for the coach to go on with. `ofSound`: of audio and video by their name. */
export async function listStartedUploads(ctx: Ctx, { ofSound = false } = {}): Promise<StartedUpload[]> {
  return ctx.query({
    name: 'upload.started',
    text: `select id, name, floor(received * 100.0 / size)::int as percent from file_upload
      where coach_id = $1 and (not $2 or name ~* $3) order by created_at desc, id desc limit 5`,
    values: [ctx.coachId, ofSound, soundNames],
  })
}
const soundNames = '\\.(3gp|aac|aiff?|amr|avi|flac|m4[av]|mkv|mov|mp[34]|mpe?g|og[agv]|opus|wav|webm|wma|wmv)$'

/** An upload that no record has taken. */
export async function findStartedUpload(ctx: Ctx, id: number): Promise<StartedUpload | null> {
  const [row] = await ctx.query<StartedUpload>({
    name: 'upload.find-started',
    text: `select id, name, floor(received * 100.0 / size)::int as percent from file_upload
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

/** Throws not_found. */
export async function getUpload(ctx: Ctx, id: number): Promise<UploadRecord> {
  const [row] = await ctx.query<UploadRecord>({
    name: 'upload.get',
    text: `select ${columns} from file_upload where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (!row) throw notFound()
  return row
}

type OpenUpload = UploadRecord & { key: FileKey; storeId: string }

async function loadUpload(ctx: Ctx, id: number): Promise<OpenUpload> {
  const [row] = await ctx.query<OpenUpload>({
    name: 'upload.load',
    text: `select ${columns}, key, store_id as "storeId" from file_upload where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (!row) throw notFound()
  return row
}

/**
 * Adds the part that begins at `offset`. A part that has arrived can be sent again; one that is cut off counts as not
 * sent. Throws conflict for another offset, validation_failed for a part of another size.
 */
export async function writeUploadPart(ctx: Ctx, id: number, offset: number, content: Readable): Promise<UploadRecord> {
  const upload = await loadUpload(ctx, id)
  const index = offset / partBytes
  const isSentAgain = offset < upload.received && Number.isInteger(index)
  if (offset !== upload.received && !isSentAgain) {
    throw new AppError('conflict', `The next part begins at byte ${upload.received}.`, { subject: 'upload' })
  }
  const size = Math.min(partBytes, upload.size - offset)
  try {
    if (upload.received === upload.size) {
      content.resume()
      // Joining the parts may have failed after the last one had arrived.
      await completeUpload(ctx, id)
      return await getUpload(ctx, id)
    }
    await ctx.platform.tenantSlots.run(ctx.coachId, 'transfer', () => writeExactly(ctx, upload, index, size, content))
    const added = isSentAgain ? null : await addPart(ctx, upload, size)
    if (added && added.received < upload.size) return added
    if (added) await completeUpload(ctx, id)
    return await getUpload(ctx, id)
  } catch (error) {
    await deleteBytesOfDeleted(ctx, upload).catch((err: unknown) =>
      // The nightly comparison of the files finds them.
      ctx.platform.log.warn({ err, account: ctx.coachId, upload: id }, 'bytes of a deleted upload may be left'),
    )
    throw error
  }
}

/** A part that was on its way while the upload was deleted may have been stored after the bytes were deleted. */
async function deleteBytesOfDeleted(ctx: Ctx, { id, key, storeId }: OpenUpload): Promise<void> {
  const [row] = await ctx.query({
    name: 'upload.is-kept',
    text: `select 1 from file_upload where coach_id = $1 and id = $2
      union all select 1 from stored_file where coach_id = $1 and key = $3`,
    values: [ctx.coachId, id, key],
  })
  if (!row) await ctx.write((tx) => tx.enqueueAll(deleteQueue, [{ data: { key, storeId } }]))
}

async function writeExactly(ctx: Ctx, upload: OpenUpload, index: number, size: number, content: Readable) {
  const wrongSize = () => new AppError('validation_failed', `This part has ${size} bytes.`, { field: 'offset' })
  let passed = 0
  const exact = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > size) done(wrongSize())
      else done(null, chunk)
    },
    flush: (done) => (passed < size ? done(wrongSize()) : done()),
  })
  // Its error may come before the store reads it.
  exact.on('error', () => {})
  content.once('error', (error) => exact.destroy(error))
  return ctx.platform.fileStore.writePart(upload, index, content.pipe(exact))
}

/** If two parts are for the same place, only the first one counts: null for the other one. */
async function addPart(ctx: Ctx, { id, received }: OpenUpload, size: number): Promise<UploadRecord | null> {
  const [row] = await ctx.write((tx) =>
    tx.query<UploadRecord>({
      name: 'upload.add-part',
      text: `update file_upload set received = received + $4, expires_at = $5
        where coach_id = $1 and id = $2 and received = $3 returning ${columns}`,
      values: [ctx.coachId, id, received, size, expiry(ctx)],
    }),
  )
  return row ?? null
}

/** Joins the parts. Does nothing for an upload that is complete, or that another request has just completed. */
async function completeUpload(ctx: Ctx, id: number): Promise<void> {
  const upload = await loadUpload(ctx, id)
  if (upload.isComplete || upload.received < upload.size) return
  const { fileStore } = ctx.platform
  const readHead = () =>
    fileStore.read(upload.key, { start: 0, end: Math.min(headBytes, upload.size) - 1 }).then(buffer)
  const head = await fileStore.joinParts(upload, upload.size).then(readHead, (error: unknown) => {
    // An earlier request that was interrupted may have joined them.
    if (error instanceof AppError && error.code === 'not_found') return readHead()
    throw error
  })
  const contentType = await detectContentType(head)
  await ctx.write((tx) =>
    tx.query({
      name: 'upload.complete',
      text: 'update file_upload set content_type = $3 where coach_id = $1 and id = $2',
      values: [ctx.coachId, id, contentType],
    }),
  )
}

/** Makes a complete upload a file of a record, once. Throws not_found, and conflict for one that is incomplete. */
export async function takeUpload(
  ctx: WriteCtx,
  id: number,
  owner: FileOwner,
): Promise<{ fileId: number; name: string; size: number; contentType: string }> {
  const [row] = await ctx.query<{ name: string; size: number; key: FileKey; contentType: string | null }>({
    name: 'upload.take',
    text: `delete from file_upload where coach_id = $1 and id = $2
      returning name, size, key, content_type as "contentType"`,
    values: [ctx.coachId, id],
  })
  if (!row) throw notFound()
  const { name, size, key, contentType } = row
  if (contentType === null) throw new AppError('conflict', 'This file has not arrived completely yet.')
  return { fileId: await insertFile(ctx, { key, size, contentType }, owner), name, size, contentType }
}

/** Gives an upload up. Throws not_found. */
export async function deleteUpload(ctx: WriteCtx, id: number): Promise<void> {
  const rows = await ctx.query<{ key: FileKey; storeId: string }>({
    name: 'upload.delete',
    text: 'delete from file_upload where coach_id = $1 and id = $2 returning key, store_id as "storeId"',
    values: [ctx.coachId, id],
  })
  if (!rows.length) throw notFound()
  await ctx.enqueueAll(
    deleteQueue,
    rows.map((data) => ({ data })),
  )
}
