import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { folder, type FolderRecord } from '../records.ts'

/** Newest first. */
export async function listFolders(ctx: Ctx, page: Page = {}): Promise<FolderRecord[]> {
  authorize(ctx, 'resources:resource:read')
  return listNewest(ctx, {
    name: 'resources.folders',
    select: folder.select,
    from: 'resource_folder',
    where: { notDeleted: 'deleted_at is null' },
    ...page,
  })
}

/** Throws not_found, also for a folder in the trash. */
export async function getFolder(ctx: Ctx, id: number): Promise<FolderRecord> {
  authorize(ctx, 'resources:resource:read')
  const [row] = await ctx.query<FolderRecord>({
    name: 'resources.folder',
    text: `select ${folder.select} from resource_folder where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw folder.notFound()
  return row
}

export type FolderOption = { id: number; name: string; version: number; count: number }

/** By name, with the number of resources in each. */
export async function listFolderOptions(ctx: Ctx): Promise<FolderOption[]> {
  authorize(ctx, 'resources:resource:read')
  return ctx.query<FolderOption>({
    name: 'resources.folder-options',
    text: `select f.id, f.name, f.version, (select count(*)::int from resource r
        where r.coach_id = $1 and r.folder_id = f.id and r.deleted_at is null) as count
      from resource_folder f where f.coach_id = $1 and f.deleted_at is null order by lower(f.name), f.id limit 500`,
    values: [ctx.coachId],
  })
}
