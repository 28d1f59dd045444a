import { AppError } from '#app/lib/errors.ts'
import { withoutRepeats } from '#app/lib/tags.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { assertNotReadOnly, lockAccount, lockCurrentClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { deleteFiles, keepFile, type StoredContent } from '#tenants/files/files.ts'
import { getUpload, takeUpload } from '#tenants/files/uploads.ts'
import { assertStorage } from '#tenants/storage.ts'
import { resourceCreated, resourceDeleted, resourceRestored, resourceUpdated } from '../events.ts'
import { maxTags, type ResourceType } from '../fields.ts'
import type { FileEdit, NewFile } from '../forms.ts'
import { dropPreview, requestPreview } from '../previews/previews.ts'
import { getFile } from '../queries/files.ts'
import { getFolder } from '../queries/folders.ts'
import { resource, type ResourceRecord } from '../records.ts'
import { Resource, type ResourceRow } from '../schema.ts'
import { revokeFormer, setShared } from './shares.ts'

export type FileDetails = Pick<NewFile, 'clientId' | 'folderId' | 'tags' | 'isShared'> & { name?: string | undefined }
type Uploaded = { fileId: number; fileName: string; size: number; contentType: string }

/** From JSON: a complete upload, or a link. Throws not_found, validation_failed, conflict, plan_limit. */
export async function createFile(
  ctx: WriteCtx,
  { uploadId, fileUrl, type, ...details }: NewFile,
): Promise<ResourceRecord> {
  if (uploadId !== undefined) return createFromUpload(ctx, uploadId, details)
  if (fileUrl === undefined)
    throw new AppError('validation_failed', 'Send a file, or the address of a link', { field: 'fileUrl' })
  return createLink(ctx, { ...details, fileUrl, type: type ?? 'link' })
}

export async function createLink(
  ctx: WriteCtx,
  { fileUrl, type, ...details }: FileDetails & { name: string; fileUrl: string; type: 'link' | 'video' },
): Promise<ResourceRecord> {
  await prepare(ctx, details)
  await assertStorage(ctx)
  return insertResource(ctx, { ...details, name: details.name, type, url: fileUrl })
}

/** A file that came in parts. */
export async function createFromUpload(ctx: WriteCtx, uploadId: number, details: FileDetails): Promise<ResourceRecord> {
  await prepare(ctx, details)
  const id = await nextId(ctx)
  const { name, ...file } = await takeUpload(ctx, uploadId, { kind: 'resource', recordId: id })
  return insertFileResource(ctx, id, { ...file, fileName: name }, details)
}

/** A file whose bytes are in the store. Throws plan_limit when they don't fit into the plan. */
export async function createFromContent(
  ctx: WriteCtx,
  { name, content }: { name: string; content: StoredContent },
  details: FileDetails,
): Promise<ResourceRecord> {
  await prepare(ctx, details)
  const id = await nextId(ctx)
  const fileId = await keepFile(ctx, content, { kind: 'resource', recordId: id })
  return insertFileResource(ctx, id, { ...content, fileId, fileName: name }, details)
}

/** Throws not_found for a client or a folder, and plan_limit for a client who is read-only. */
async function prepare(ctx: WriteCtx, { clientId, folderId }: FileDetails): Promise<void> {
  authorize(ctx, 'resources:resource:write')
  if (clientId) {
    // Before the client, as unarchiving does.
    await lockAccount(ctx)
    await lockCurrentClient(ctx, clientId)
    await assertNotReadOnly(ctx, clientId)
  }
  if (folderId) await getFolder(ctx, folderId)
}

/** A file names its record, and the record its file: one of them needs its id first. */
async function nextId(ctx: WriteCtx): Promise<number> {
  const [row] = await ctx.query<{ id: number }>({
    name: 'resources.next-id',
    text: `select nextval('resource_id_seq') as id`,
  })
  return row!.id
}

async function insertFileResource(
  ctx: WriteCtx,
  id: number,
  file: Uploaded,
  details: FileDetails,
): Promise<ResourceRecord> {
  const { fileId, fileName, size, contentType } = file
  const created = await insertResource(ctx, {
    ...details,
    id,
    name: details.name || fileName,
    type: toType(contentType),
    storedFileId: fileId,
    size,
    contentType,
  })
  await insertVersion(ctx, id, file)
  await requestPreview(ctx, id, file)
  return created
}

/** The caller holds the lock of the resource, or has just inserted it. */
async function insertVersion(ctx: WriteCtx, resourceId: number, file: Uploaded): Promise<void> {
  const [last] = await ctx.query<{ number: number }>({
    name: 'resources.last-version',
    text: `select coalesce(max(number), 0)::int as number from resource_version where coach_id = $1 and resource_id = $2`,
    values: [ctx.coachId, resourceId],
  })
  const { fileName, fileId: storedFileId, size, contentType } = file
  await insertRow(ctx, {
    table: 'resource_version',
    name: 'resources.insert-version',
    row: { resourceId, number: last!.number + 1, fileName, storedFileId, size, contentType, createdAt: ctx.now() },
  })
}

type NewRow = FileDetails & {
  id?: number
  name: string
  type: ResourceType
  url?: string
  storedFileId?: number
  size?: number
  contentType?: string
}

async function insertResource(ctx: WriteCtx, { isShared = false, tags = [], ...row }: NewRow): Promise<ResourceRecord> {
  const { clientId = null, folderId = null } = row
  const now = ctx.now()
  const resourceId = await insertRow(ctx, {
    table: 'resource',
    name: row.url === undefined ? 'resources.insert-file' : 'resources.insert-link',
    row: { ...row, clientId, folderId, tags: withoutRepeats(tags), createdAt: now, updatedAt: now },
  })
  if (isShared) await setShared(ctx, { id: resourceId, clientId }, true)
  await publish(ctx, resourceCreated, { resourceId })
  return getFile(ctx, resourceId)
}

const documents = /^(text\/|application\/(pdf|rtf|epub|msword|vnd\.(openxmlformats|oasis|ms-)|x-(cfb|iwork)))/

/** The type of a file by its content. */
function toType(contentType: string): ResourceType {
  if (contentType.startsWith('video/')) return 'video'
  return documents.test(contentType) ? 'document' : 'other'
}

/**
 * Changes only the fields that are sent. Throws not_found, plan_limit, and conflict if it was saved after
 * `expectedVersion`.
 */
export async function updateFile(
  ctx: WriteCtx,
  id: number,
  input: FileEdit,
  expectedVersion?: number,
): Promise<ResourceRecord> {
  await prepare(ctx, input)
  const row = await lockResource(ctx, id)
  resource.assertVersion(row, expectedVersion)
  const { clientId, folderId, fileUrl, isShared, tags, name } = input
  if (fileUrl !== undefined && row.url === null)
    throw new AppError('validation_failed', 'Only a link has an address', { field: 'fileUrl' })
  await ctx.query({
    name: 'resources.update',
    text: `update resource set name = coalesce($3, name), url = coalesce($4, url), tags = coalesce($5::text[], tags),
        client_id = case when $6 then $7::bigint else client_id end,
        folder_id = case when $8 then $9::bigint else folder_id end, version = version + 1, updated_at = $10
      where coach_id = $1 and id = $2`,
    values: [
      ctx.coachId,
      id,
      name ?? null,
      fileUrl ?? null,
      tags ? withoutRepeats(tags) : null,
      clientId !== undefined,
      clientId ?? null,
      folderId !== undefined,
      folderId ?? null,
      ctx.now(),
    ],
  })
  const clientBefore = row.client?.id ?? null
  const clientAfter = clientId === undefined ? clientBefore : clientId
  if (clientAfter !== null && clientAfter !== clientBefore) await revokeFormer(ctx, { id, clientId: clientBefore })
  if (isShared !== undefined) await setShared(ctx, { id, clientId: clientAfter }, isShared)
  await publish(ctx, resourceUpdated, { resourceId: id })
  return getFile(ctx, id)
}

/** Throws not_found, and plan_limit for a resource of a client who is read-only. */
async function lockResource(ctx: WriteCtx, id: number): Promise<ResourceRow> {
  // A resource of a client in the trash is not found.
  const { clientId } = await getFile(ctx, id)
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  const row = await lockRow(ctx, resource, Resource, { coachId: ctx.coachId, id, deletedAt: null })
  // Statements change the row: the commit must not write the client that was read.
  ctx.em.clear()
  return row
}

/**
 * Replaces the file by a complete upload; the former ones stay. Throws not_found, plan_limit, and conflict for a link.
 */
export async function addVersion(ctx: WriteCtx, id: number, uploadId: number): Promise<ResourceRecord> {
  authorize(ctx, 'resources:resource:write')
  const row = await lockResource(ctx, id)
  await getUpload(ctx, uploadId)
  assertFile(row)
  const { name, ...file } = await takeUpload(ctx, uploadId, { kind: 'resource', recordId: id })
  return replace(ctx, id, { ...file, fileName: name })
}

/**
 * As `addVersion`, by a file whose bytes are in the store. Throws plan_limit when they don't fit into the plan, too.
 */
export async function replaceFile(
  ctx: WriteCtx,
  id: number,
  { name, content }: { name: string; content: StoredContent },
): Promise<ResourceRecord> {
  authorize(ctx, 'resources:resource:write')
  assertFile(await lockResource(ctx, id))
  const fileId = await keepFile(ctx, content, { kind: 'resource', recordId: id })
  return replace(ctx, id, { ...content, fileId, fileName: name })
}

function assertFile({ url }: ResourceRow): void {
  if (url !== null) throw new AppError('conflict', 'A link has no file to replace.', { subject: 'resource' })
}

async function replace(ctx: WriteCtx, id: number, file: Uploaded): Promise<ResourceRecord> {
  await insertVersion(ctx, id, file)
  await ctx.query({
    name: 'resources.replace-file',
    text: `update resource set stored_file_id = $3, size = $4, content_type = $5, type = $6, version = version + 1,
        updated_at = $7 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, file.fileId, file.size, file.contentType, toType(file.contentType), ctx.now()],
  })
  await dropPreview(ctx, id)
  await requestPreview(ctx, id, file)
  await publish(ctx, resourceUpdated, { resourceId: id })
  return getFile(ctx, id)
}

/** Moves a resource to the trash: its links stop at once. Throws not_found, also the second time. */
export async function deleteResource(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'resources:resource:write')
  await getFile(ctx, id)
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Resource, current, { deletedAt: ctx.now() }))) throw resource.notFound()
  await publish(ctx, resourceDeleted, { resourceId: id })
}

/** Takes a resource out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreResource(ctx: WriteCtx, id: number): Promise<ResourceRecord> {
  authorize(ctx, 'resources:resource:write')
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(Resource, trashed, { deletedAt: null }))
    await publish(ctx, resourceRestored, { resourceId: id })
  return getFile(ctx, id)
}

function assertChosen(ids: number[]): void {
  if (!ids.length) throw new AppError('validation_failed', 'Choose a resource first.')
}

/** Moves resources to a folder, or out of all with null. */
export async function moveResources(ctx: WriteCtx, ids: number[], folderId: number | null): Promise<void> {
  assertChosen(ids)
  for (const id of ids) await updateFile(ctx, id, { folderId })
}

/** Adds a tag where there is room for it. */
export async function tagResources(ctx: WriteCtx, ids: number[], tag: string): Promise<void> {
  assertChosen(ids)
  if (!tag) throw new AppError('validation_failed', 'Type a tag first.', { field: 'tag' })
  for (const id of ids) {
    const { tags } = await getFile(ctx, id)
    if (tags.length < maxTags) await updateFile(ctx, id, { tags: [...tags, tag] })
  }
}

export async function deleteResources(ctx: WriteCtx, ids: number[]): Promise<void> {
  assertChosen(ids)
  for (const id of ids) await deleteResource(ctx, id)
}

/** Deletes the files of resources that were erased with their client. */
export async function deleteOrphanedFiles(ctx: WriteCtx): Promise<void> {
  const lost = await ctx.query<{ recordId: number }>({
    name: 'resources.lost-files',
    text: `select distinct f.record_id as "recordId" from stored_file f where f.coach_id = $1 and f.kind = 'resource'
      and not exists (select 1 from resource r where r.coach_id = $1 and r.id = f.record_id)`,
    values: [ctx.coachId],
  })
  await deleteFiles(
    ctx,
    'resource',
    lost.map(({ recordId }) => recordId),
  )
}
