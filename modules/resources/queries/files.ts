import { isClientInTrash } from '#modules/crm/index.ts'
import { matchesSearch, searchKey } from '#db/search-sql.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ResourceType } from '../fields.ts'
import { pageSize, type ResourceFilters } from '../list-state.ts'
import { resource, type ResourceRecord, type VersionRecord } from '../records.ts'

/** Resources of a client in the trash are hidden with the client. */
export const isCurrent = `r.deleted_at is null and not ${isClientInTrash('r')}`
/** SQL: the folder, unless it is in the trash. */
const folderName = `(select f.name from resource_folder f
  where f.coach_id = $1 and f.id = r.folder_id and f.deleted_at is null)`

/** Newest first. */
export async function listFiles(ctx: Ctx, page: Page = {}): Promise<ResourceRecord[]> {
  authorize(ctx, 'resources:resource:read')
  return listNewest(ctx, {
    name: 'resources.list',
    select: resource.select,
    from: 'resource r',
    where: { isCurrent },
    time: 'r.created_at',
    id: 'r.id',
    ...page,
  })
}

/** Throws not_found, also for a resource in the trash. */
export async function getFile(ctx: Ctx, id: number): Promise<ResourceRecord> {
  const row = await getFileForEdit(ctx, id)
  if (!row) throw resource.notFound()
  const { version: _version, url: _url, ...record } = row
  return record
}

export type FileForEdit = ResourceRecord & { version: number; url: string | null }

/** With its version, which the edit form sends back; null when it doesn't exist. */
export async function getFileForEdit(ctx: Ctx, id: number): Promise<FileForEdit | null> {
  authorize(ctx, 'resources:resource:read')
  const [row] = await ctx.query<FileForEdit>({
    name: 'resources.get',
    text: `select ${resource.select}, r.version, r.url from resource r where r.coach_id = $1 and r.id = $2 and ${isCurrent}`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

export type StoredVersion = VersionRecord & { storedFileId: number }

const versionColumns = `id, coach_id as "coachId", number, file_name as "fileName", size, content_type as "fileType",
  ${isoTimestamp('created_at')} as "createdAt"`

/** Newest first. Throws not_found for an unknown resource. */
export async function listVersions(ctx: Ctx, resourceId: number, page: Page = {}): Promise<VersionRecord[]> {
  await getFile(ctx, resourceId)
  return listNewest(ctx, {
    name: 'resources.versions',
    select: versionColumns,
    from: 'resource_version',
    where: { resource: ['resource_id = ?', resourceId] },
    ...page,
  })
}

/** A version of a file, by default the current one; null for a link. */
export async function findVersion(ctx: Ctx, resourceId: number, number?: number): Promise<StoredVersion | null> {
  const [row] = await ctx.query<StoredVersion>({
    name: 'resources.version',
    text: `select ${versionColumns}, stored_file_id as "storedFileId" from resource_version
      where coach_id = $1 and resource_id = $2 and ($3::int is null or number = $3) order by number desc limit 1`,
    values: [ctx.coachId, resourceId, number ?? null],
  })
  return row ?? null
}

/** The file of a resource's small picture; null without one. */
export async function findPicture(ctx: Ctx, resourceId: number, name: 'thumbnail' | 'preview'): Promise<number | null> {
  const [row] = await ctx.query<{ fileId: number | null }>({
    name: `resources.${name}`,
    text: `select ${name}_id as "fileId" from resource where coach_id = $1 and id = $2`,
    values: [ctx.coachId, resourceId],
  })
  return row?.fileId ?? null
}

export type ListedResource = {
  id: number
  name: string
  type: ResourceType
  clientId: number | null
  clientName: string | null
  folderName: string | null
  tags: string[]
  size: number | null
  url: string | null
  thumbnailUrl: string | null
  isShared: boolean
  createdAt: string
}
export type ResourceCounts = { documents: number; videos: number; links: number; total: number }

/** One page of the screen, newest first, how many there are with these filters, and the counts of all. */
export async function listFilesPage(
  ctx: Ctx,
  { page, ...filters }: ResourceFilters & { page: number },
): Promise<{ rows: ListedResource[]; count: number; counts: ResourceCounts }> {
  authorize(ctx, 'resources:resource:read')
  const values = filterValues(ctx, filters)
  const [rows, [found], [counts]] = (await ctx.queryAll([
    {
      name: 'resources.page',
      text: `select ${listedColumns} ${filtered} order by r.created_at desc, r.id desc limit ${pageSize} offset $7`,
      values: [...values, (page - 1) * pageSize],
    },
    { name: 'resources.page-count', text: `select count(*)::int as count ${filtered}`, values },
    {
      name: 'resources.counts',
      text: `select count(*) filter (where type = 'document')::int as documents,
          count(*) filter (where type = 'video')::int as videos,
          count(*) filter (where type = 'link')::int as links, count(*)::int as total
        from resource r where r.coach_id = $1 and ${isCurrent}`,
      values: [ctx.coachId],
    },
  ])) as [ListedResource[], [{ count: number }], [ResourceCounts]]
  return { rows, count: found.count, counts }
}

/** Rows after an id, for the export: oldest first. */
export async function listFilesForExport(ctx: Ctx, filters: ResourceFilters, after: number, rows: number) {
  authorize(ctx, 'resources:resource:read')
  return ctx.query<ListedResource>({
    name: 'resources.export',
    text: `select ${listedColumns} ${filtered} and r.id > $7 order by r.id limit $8`,
    values: [...filterValues(ctx, filters), after, rows],
  })
}

const filterValues = (ctx: Ctx, { q, type, folder, client, tag }: ResourceFilters): unknown[] => [
  ctx.coachId,
  q,
  type,
  folder,
  client,
  tag,
]

const listedColumns = `r.id, r.name, r.type, r.client_id as "clientId", c.name as "clientName",
  ${folderName} as "folderName", r.tags, r.size, r.url, '/api/files/' || r.id || '/thumbnail?of=' || r.thumbnail_id as "thumbnailUrl",
  r.is_shared as "isShared",
  ${isoTimestamp('r.created_at')} as "createdAt"`

/** By name, type or tag. Source: part-2 §2, Resources page. */
const filtered = `from resource r left join client c on c.coach_id = $1 and c.id = r.client_id
  where r.coach_id = $1 and ${isCurrent}
    and ($2::text = '' or ${matchesSearch('$2', 'r')} or strpos(r.type, ${searchKey('$2')}) > 0
      or exists (select 1 from unnest(r.tags) as tag where strpos(search_key(tag), ${searchKey('$2')}) > 0))
    and ($3::text is null or r.type = $3)
    and ($4::bigint is null or r.folder_id = $4)
    and ($5::bigint is null or r.client_id = $5)
    and ($6::text = '' or lower($6) in (select lower(tag) from unnest(r.tags) as tag))`

/** The tags in use, by name. */
export async function listTags(ctx: Ctx): Promise<string[]> {
  authorize(ctx, 'resources:resource:read')
  const rows = await ctx.query<{ tag: string }>({
    name: 'resources.tags',
    text: `select min(tag) as tag from resource r, unnest(r.tags) as tag
      where r.coach_id = $1 and r.deleted_at is null group by lower(tag) order by lower(min(tag)) limit 200`,
    values: [ctx.coachId],
  })
  return rows.map(({ tag }) => tag)
}
