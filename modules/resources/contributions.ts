import { escapeMarkup } from '#app/lib/markup.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { Contribution, QuickAction } from '#modules/core/manifest.ts'
import { hasTag, type ClientLink, type TimelineEntry } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { resourcesUrl } from './list-state.ts'
import { loadPortalFiles, portalPage } from './portal.ts'

const permission = 'resources:resource:read'

const uploadAction: QuickAction = {
  label: 'Upload Resource',
  to: resourcesUrl.href({ dialog: 'upload' }),
  icon: 'folder',
}
const clientLinks: ClientLink[] = [
  { label: 'Resources', icon: 'folder', to: '/resources?client={id}', placement: 'menu-and-details' },
]

export const contributions: Contribution[] = [
  { slot: 'portal.home', widget: 'portal-files', order: 70, permission: 'client:resource:read', load: loadPortalFiles },
  { slot: 'portal.page', order: 50, permission: 'client:resource:read', load: portalPage },
  { slot: 'dashboard.action', order: 45, permission: 'resources:resource:write', load: async () => uploadAction },
  { slot: 'client.menu', order: 30, permission, load: async () => clientLinks },
  {
    slot: 'client.timeline',
    order: 40,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
]

type Row = { id: number; at: string; what: 'added' | 'shared' | 'opened'; resourceId: number; name: string }
const titles: Record<Row['what'], string> = {
  added: 'Resource added',
  shared: 'Resource shared',
  opened: 'Resource opened',
}

/**
 * A client's resources: added, shared and opened; at most `rows`, newest first. Shared also means with all clients, or
 * with those of a tag that the client has now.
 */
async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  authorize(ctx, permission)
  const found = await ctx.query<Row>({
    name: 'resources.timeline',
    text: `select id, ${isoTimestamp('time')} as at, what, "resourceId", name from (
        select r.id, r.created_at as time, 'added' as what, r.id as "resourceId", r.name from resource r
          where r.coach_id = $1 and r.client_id = $2 and r.deleted_at is null
        union all
        select s.id, s.created_at, 'shared', r.id, r.name
          from resource_share s join resource r on r.coach_id = $1 and r.id = s.resource_id and r.deleted_at is null
          where s.coach_id = $1 and s.client_id = $2 and s.revoked_at is null
        union all
        select s.id, greatest(s.created_at, c.created_at), 'shared', r.id, r.name
          from resource_share s join resource r on r.coach_id = $1 and r.id = s.resource_id and r.deleted_at is null
            join client c on c.coach_id = $1 and c.id = $2
          where s.coach_id = $1 and s.audience in ('tag', 'all') and s.revoked_at is null
            and (s.audience = 'all' or ${hasTag('s.tag', 'c')})
        union all
        select o.id, o.created_at, 'opened', r.id, r.name
          from resource_open o join resource r on r.coach_id = $1 and r.id = o.resource_id and r.deleted_at is null
          where o.coach_id = $1 and o.client_id = $2
      ) entry order by time desc, id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
  return found.map(({ id, at, what, resourceId, name }) => ({
    key: `resource-${what} ${id}`,
    at,
    kind: 'file',
    title: titles[what],
    text: escapeMarkup(name),
    to: `/resources/${resourceId}`,
  }))
}
