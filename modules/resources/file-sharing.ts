import { matchesSearch } from '#db/search-sql.ts'
import { hasTag, joinClient } from '#modules/crm/index.ts'
import type { FileSharing, SharedFile, SharedFileChoice } from '#modules/core/file-sharing.ts'
import { authorize, requireClient, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { resourceTypes, type ResourceType } from './fields.ts'
import { formatFileSize } from './format.ts'
import { resourceUrl } from './list-state.ts'
import { getSharePath } from './public-link.ts'
import { isCurrent } from './queries/files.ts'
import { isOpen } from './queries/shares.ts'
import { resource } from './records.ts'
import { shareWithClient } from './services/shares.ts'

/** The resources that other modules give to clients, such as with a message. Shares alone say who may open them. */
export const fileSharing: FileSharing = { permission: 'resources:resource:read', listChoices, share, find }

type Row = { id: number; name: string; type: ResourceType; size: number | null }

async function listChoices(
  ctx: Ctx,
  { clientId, rows, ...filter }: { clientId: number; rows: number } & ({ q: string } | { ids: number[] }),
): Promise<SharedFileChoice[]> {
  authorize(ctx, 'resources:resource:read')
  const [q, ids] = 'ids' in filter ? ['', filter.ids] : [filter.q, null]
  const found = await ctx.query<Row>({
    name: 'resources.choices-for-client',
    text: `select r.id, r.name, r.type, r.size from resource r
      where r.coach_id = $1 and (r.client_id is null or r.client_id = $2) and ${isCurrent}
        and ($3::text = '' or ${matchesSearch('$3', 'r')}) and ($4::bigint[] is null or r.id = any($4))
      order by r.created_at desc, r.id desc limit $5`,
    values: [ctx.coachId, clientId, q, ids, rows],
  })
  return found.map(toChoice)
}

async function share(ctx: WriteCtx, { clientId, ids }: { clientId: number; ids: number[] }): Promise<void> {
  authorize(ctx, 'resources:resource:write')
  const wanted = [...new Set(ids)].toSorted((a, b) => a - b)
  // In the order of their ids, so that calls with the same resources wait for each other.
  const locked = await ctx.query({
    name: 'resources.lock-for-client',
    text: `select r.id from resource r where r.coach_id = $1 and r.id = any($3::bigint[])
        and (r.client_id is null or r.client_id = $2) and ${isCurrent} order by r.id for update`,
    values: [ctx.coachId, clientId, wanted],
  })
  if (locked.length < wanted.length) throw resource.notFound()
  for (const id of wanted) await shareWithClient(ctx, id, clientId)
}

/** Row level security leaves out what a client in the portal has no share of. */
async function find(ctx: Ctx, { clientId, ids }: { clientId: number; ids: number[] }): Promise<SharedFile[]> {
  if (ctx.client) requireClient(ctx, 'client:resource:read')
  else if (!ctx.can('resources:resource:read')) return []
  const found = await ctx.query<Row & { shareId: number | null }>({
    name: 'resources.shared-by-id',
    text: `select r.id, r.name, r.type, r.size, (select s.id
          from resource_share s cross join (select $2::bigint as client_id) v ${joinClient('v')}
          where s.coach_id = $1 and s.resource_id = r.id and (r.client_id is null or r.client_id = $2)
            and case s.audience when 'client' then s.client_id = $2 when 'tag' then ${hasTag('s.tag', 'c')}
              else s.audience = 'all' end
            and ${isOpen('$4', '$2')}
          order by s.password_hash is not null, s.created_at desc, s.id desc limit 1) as "shareId"
      from resource r where r.coach_id = $1 and r.id = any($3::bigint[]) and ${isCurrent}`,
    values: [ctx.coachId, clientId, ids, ctx.now()],
  })
  return found.flatMap(({ shareId, ...row }) => {
    if (ctx.client && shareId === null) return []
    const to = ctx.client ? getSharePath(ctx, shareId!, ctx.client.id) : resourceUrl(row.id).href()
    return [{ ...toChoice(row), isOpen: shareId !== null, to }]
  })
}

const toChoice = ({ id, name, type, size }: Row): SharedFileChoice => ({
  id,
  name,
  details: [resourceTypes[type], ...(size === null ? [] : [formatFileSize(size)])].join(' · '),
})
