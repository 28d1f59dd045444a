import { randomBytes } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import type { TenantTransaction } from '../platform.ts'
import { getFreeStorage, reserveStorage } from '../storage.ts'
import { detectContentType, headBytes } from './content-type.ts'
import type { FileSource } from './file-reply.ts'
import type { ByteRange, FileKey } from './store.ts'

// How a module keeps files. A file belongs to a record: name the record's table and id, and keep the file's id in a
// column of the module's own, such as `stored_file_id`, with a foreign key to `stored_file`.
//
// - From a stream, such as a recording that is downloaded, outside of a transaction:
//
//     await withContent(ctx, stream, {}, async (tx, content) => {
//       const recording = await createRecording(tx, { size: content.size })
//       await keepFile(tx, content, { kind: 'recording', recordId: recording.id })
//     })
//
// - From the browser in parts (`/api/uploads`, `uploads.ts`): `takeUpload(tx, uploadId, { kind, recordId })`. For a
// multipart
//   form see `form-upload.ts`.
// - To read: `openFile(ctx, fileId)`, also a range of it. To send it: `findSource(ctx, fileId)`, which a `FileAnswer`
// or
//   `replyWithFile` takes.
// - To delete: `deleteFiles(tx, kind, recordIds)`. Erasing a record from the trash does that by itself.
//
// The bytes count towards the plan's storage, are in backups, and are deleted after the commit. A nightly job deletes
// bytes without a row, and reports rows without bytes.

/** Bytes of the largest file. */
export const maxFileBytes = 2 * 1024 ** 3

/** Bytes in the store that no row names yet. */
export type StoredContent = { key: FileKey; size: number; contentType: string }
/** The record that a file belongs to: its table and id. */
export type FileOwner = { kind: string; recordId: number }
export type FileRow = { id: number; key: FileKey; size: number; contentType: string }

export const tooLargeError = (maxBytes = maxFileBytes): AppError =>
  new AppError('too_large', `Choose a file of at most ${formatLimit(maxBytes)}.`, { field: 'file' })
export const emptyFileError = (): AppError =>
  new AppError('validation_failed', 'This file is empty. Choose another one.', { field: 'file' })
const formatLimit = (bytes: number): string =>
  bytes < 1024 ** 3 ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${bytes / 1024 ** 3} GB`

export const createKey = (coachId: number): FileKey => `${coachId}/${randomBytes(16).toString('hex')}`

/**
 * Keeps `content` in the store, then runs `work` in a transaction. Deletes the bytes if `work` throws. Throws
 * too_large, plan_limit, validation_failed for an empty file, unavailable.
 */
export async function withContent<Result>(
  ctx: Ctx,
  content: Readable,
  { maxBytes = maxFileBytes }: { maxBytes?: number },
  work: (tx: WriteCtx, content: StoredContent) => Promise<Result>,
): Promise<Result> {
  const stored = await storeContent(ctx, content, maxBytes)
  try {
    return await ctx.write((tx) => work(tx, stored))
  } catch (error) {
    await ctx.platform.fileStore.delete(stored.key).catch(() => {})
    throw error
  }
}

/** Streams `content` to the store. Without a row it is deleted by the nightly job. */
export async function storeContent(ctx: Ctx, content: Readable, maxBytes = maxFileBytes): Promise<StoredContent> {
  const free = await getFreeStorage(ctx)
  const key = createKey(ctx.coachId)
  const meter = createMeter(
    Math.min(maxBytes, free.bytes),
    free.bytes < maxBytes ? free.fullError : () => tooLargeError(maxBytes),
  )
  // Its error may come before the store reads it.
  meter.stream.on('error', () => {})
  content.once('error', (error) => meter.stream.destroy(error))
  await ctx.platform.fileStore.write(key, content.pipe(meter.stream)).catch((error: unknown) => {
    content.destroy()
    throw error
  })
  const { size, head } = meter.read()
  if (size === 0) {
    await ctx.platform.fileStore.delete(key)
    throw emptyFileError()
  }
  return { key, size, contentType: await detectContentType(head) }
}

/** Passes bytes on, counts them, and keeps the first ones. Fails with `error` after `maxBytes`. */
function createMeter(maxBytes: number, error: () => AppError) {
  let size = 0
  const head: Buffer[] = []
  const stream = new Transform({
    highWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      if (size < headBytes) head.push(Buffer.from(chunk.subarray(0, headBytes - size)))
      size += chunk.length
      if (size > maxBytes) done(error())
      else done(null, chunk)
    },
  })
  return { stream, read: () => ({ size, head: Buffer.concat(head) }) }
}

/** Makes stored bytes a file of a record. Returns its id. Throws plan_limit when they don't fit into the plan. */
export async function keepFile(
  ctx: WriteCtx,
  { key, size, contentType }: StoredContent,
  { kind, recordId }: FileOwner,
): Promise<number> {
  await reserveStorage(ctx, size)
  return insertFile(ctx, { key, size, contentType }, { kind, recordId })
}

export async function insertFile(ctx: WriteCtx, content: StoredContent, owner: FileOwner): Promise<number> {
  const [row] = await ctx.query<{ id: number }>({
    name: 'file.insert',
    text: `insert into stored_file (coach_id, key, size, content_type, kind, record_id, created_at)
      values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    values: [ctx.coachId, content.key, content.size, content.contentType, owner.kind, owner.recordId, ctx.now()],
  })
  return row!.id
}

/** Throws not_found. */
export async function getFile(ctx: Ctx, id: number): Promise<FileRow> {
  const [row] = await ctx.query<FileRow>({
    name: 'file.get',
    text: 'select id, key, size, content_type as "contentType" from stored_file where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!row) throw new AppError('not_found', 'File not found')
  return row
}

/** A file's bytes, or a range of them. Throws not_found, unavailable. */
export async function openFile(ctx: Ctx, id: number, range?: ByteRange): Promise<FileRow & { content: Readable }> {
  const file = await getFile(ctx, id)
  return { ...file, content: await ctx.platform.fileStore.read(file.key, range) }
}

/** A file as responses send it. Its bytes never change. Throws not_found. */
export async function findSource(ctx: Ctx, id: number): Promise<FileSource & { contentType: string }> {
  const { key, size, contentType } = await getFile(ctx, id)
  return { size, contentType, tag: String(id), read: (range) => ctx.platform.fileStore.read(key, range) }
}

export const deleteQueue = 'platform.delete-bytes'

/** Deletes the files of records, and their bytes after the commit. */
export async function deleteFiles(
  ctx: Pick<TenantTransaction, 'query' | 'enqueueAll'> & { coachId: number },
  kind: string,
  recordIds: number[],
): Promise<void> {
  const files = await ctx.query<{ key: FileKey }>({
    name: 'file.delete-of-records',
    text: 'delete from stored_file where coach_id = $1 and kind = $2 and record_id = any($3::bigint[]) returning key',
    values: [ctx.coachId, kind, recordIds],
  })
  await deleteBytes(
    ctx,
    files.map(({ key }) => key),
  )
}

/** Deletes one file, and its bytes after the commit. */
export async function deleteFile(
  ctx: Pick<TenantTransaction, 'query' | 'enqueueAll'> & { coachId: number },
  id: number,
): Promise<void> {
  const files = await ctx.query<{ key: FileKey }>({
    name: 'file.delete',
    text: 'delete from stored_file where coach_id = $1 and id = $2 returning key',
    values: [ctx.coachId, id],
  })
  await deleteBytes(
    ctx,
    files.map(({ key }) => key),
  )
}

async function deleteBytes({ enqueueAll }: Pick<TenantTransaction, 'enqueueAll'>, keys: FileKey[]): Promise<void> {
  if (keys.length)
    await enqueueAll(
      deleteQueue,
      keys.map((key) => ({ data: { key } })),
    )
}
