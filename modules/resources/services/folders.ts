import { AppError } from '#app/lib/errors.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import type { FolderEdit, NewFolder } from '../forms.ts'
import { getFolder } from '../queries/folders.ts'
import { folder, type FolderRecord } from '../records.ts'
import { ResourceFolder } from '../schema.ts'

/** Throws conflict for a name that another folder has, whatever its case. */
export async function createFolder(ctx: WriteCtx, { name }: NewFolder): Promise<FolderRecord> {
  authorize(ctx, 'resources:resource:write')
  await assertStorage(ctx)
  await assertFreeName(ctx, name, null)
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'resource_folder',
    name: 'resources.insert-folder',
    row: { name, createdAt: now, updatedAt: now },
  })
  return getFolder(ctx, id)
}

/** Throws not_found, and conflict for a taken name, or if it was saved after `expectedVersion`. */
export async function updateFolder(
  ctx: WriteCtx,
  id: number,
  { name }: FolderEdit,
  expectedVersion?: number,
): Promise<FolderRecord> {
  authorize(ctx, 'resources:resource:write')
  const row = await lockRow(ctx, folder, ResourceFolder, { coachId: ctx.coachId, id, deletedAt: null })
  folder.assertVersion(row, expectedVersion)
  if (name === undefined) return getFolder(ctx, id)
  await assertFreeName(ctx, name, id)
  ctx.em.assign(row, { name, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  return getFolder(ctx, id)
}

/** Moves a folder to the trash. What is in it stays where it is, without a folder until it is restored. */
export async function deleteFolder(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'resources:resource:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(ResourceFolder, current, { deletedAt: ctx.now() }))) throw folder.notFound()
}

/** Takes a folder out of the trash. Throws not_found, and conflict if another one has its name by now. */
export async function restoreFolder(ctx: WriteCtx, id: number): Promise<FolderRecord> {
  authorize(ctx, 'resources:resource:write')
  const row = await ctx.em.findOne(ResourceFolder, { coachId: ctx.coachId, id })
  if (!row) throw folder.notFound()
  if (row.deletedAt === null) return getFolder(ctx, id)
  await assertFreeName(ctx, row.name, id)
  ctx.em.assign(row, { deletedAt: null })
  await ctx.em.flush()
  return getFolder(ctx, id)
}

async function assertFreeName(ctx: WriteCtx, name: string, id: number | null): Promise<void> {
  const [taken] = await ctx.query({
    name: 'resources.folder-name',
    text: `select id from resource_folder where coach_id = $1 and lower(name) = lower($2) and deleted_at is null
      and id is distinct from $3::bigint`,
    values: [ctx.coachId, name, id],
  })
  if (taken) throw new AppError('conflict', 'A folder with this name already exists.', { field: 'name' })
}
