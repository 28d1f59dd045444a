import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError } from '#app/lib/errors.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import {
  deleteFile,
  discardContent,
  keepFile,
  openFile,
  storeContent,
  type StoredContent,
} from '#tenants/files/files.ts'
import type { Platform } from '#tenants/platform.ts'
import { renderPictures } from './render.ts'

export const previewQueue = 'resources.preview'

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
/** It is decoded in memory. */
const maxBytes = 30 * 1024 ** 2

/** Has a worker make small pictures of a resource's file, if it is a picture. */
export async function requestPreview(
  ctx: WriteCtx,
  resourceId: number,
  { fileId, contentType, size }: { fileId: number; contentType: string; size: number },
): Promise<void> {
  if (!pictureTypes.includes(contentType) || size > maxBytes) return
  await ctx.enqueue(previewQueue, { coachId: ctx.coachId, resourceId, fileId }, { group: { id: String(ctx.coachId) } })
}

type Data = { coachId: number; resourceId: number; fileId: number }

/** Keeps the small pictures of a resource's file, unless it has them or another file came in between. */
export async function makePreview(platform: Platform, { coachId, resourceId, fileId }: Data): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `preview-${resourceId}`)
  if (!ctx || !(await needsPreview(ctx, resourceId, fileId))) return
  const { content } = await openFile(ctx, fileId)
  const pictures = await renderPictures(await buffer(content))
  if (!pictures) return
  const stored: StoredContent[] = []
  try {
    for (const picture of [pictures.thumbnail, pictures.preview])
      stored.push(await storeContent(ctx, Readable.from([Buffer.from(picture)])))
    await ctx.write((tx) => keepPictures(tx, resourceId, fileId, stored))
  } catch (error) {
    for (const content of stored) await discardContent(ctx, content)
    // Without room for it there is none.
    if (!(error instanceof AppError && ['plan_limit', 'conflict'].includes(error.code))) throw error
  }
}

async function needsPreview(ctx: Ctx, resourceId: number, fileId: number): Promise<boolean> {
  const found = await ctx.query({
    name: 'resources.needs-preview',
    text: `select 1 from resource where coach_id = $1 and id = $2 and stored_file_id = $3 and thumbnail_id is null`,
    values: [ctx.coachId, resourceId, fileId],
  })
  return found.length > 0
}

async function keepPictures(
  ctx: WriteCtx,
  resourceId: number,
  fileId: number,
  [thumbnail, preview]: StoredContent[],
): Promise<void> {
  const owner = { kind: 'resource', recordId: resourceId }
  const [kept] = await ctx.query({
    name: 'resources.keep-preview',
    text: `update resource set thumbnail_id = $4, preview_id = $5
      where coach_id = $1 and id = $2 and stored_file_id = $3 and thumbnail_id is null returning id`,
    values: [
      ctx.coachId,
      resourceId,
      fileId,
      await keepFile(ctx, thumbnail!, owner),
      await keepFile(ctx, preview!, owner),
    ],
  })
  if (!kept) throw new AppError('conflict', 'Another file came in between.')
}

/** Deletes the small pictures of a former file. */
export async function dropPreview(ctx: WriteCtx, resourceId: number): Promise<void> {
  const [former] = await ctx.query<{ thumbnailId: number | null; previewId: number | null }>({
    name: 'resources.former-preview',
    text: `select thumbnail_id as "thumbnailId", preview_id as "previewId" from resource where coach_id = $1 and id = $2`,
    values: [ctx.coachId, resourceId],
  })
  const { thumbnailId, previewId } = former!
  if (thumbnailId === null || previewId === null) return
  await ctx.query({
    name: 'resources.drop-preview',
    text: 'update resource set thumbnail_id = null, preview_id = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, resourceId],
  })
  for (const id of [thumbnailId, previewId]) await deleteFile(ctx, id)
}
