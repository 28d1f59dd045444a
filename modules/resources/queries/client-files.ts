import { isoTimestamp } from '#db/read-pool.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'
import type { ResourceType } from '../fields.ts'
import { isOpen } from './shares.ts'

export type ClientFile = {
  shareId: number
  name: string
  type: ResourceType
  size: number | null
  sharedAt: string
  isOpened: boolean
}

/**
 * The files that the client in the portal can open now, the latest first. Row level security leaves the
 * shares with others out.
 */
export async function listSharedFiles(ctx: Ctx, rows: number): Promise<ClientFile[]> {
  const client = requireClient(ctx, 'client:resource:read')
  return ctx.query<ClientFile>({
    name: 'resources.shared-with-client',
    text: `select * from (
        select distinct on (r.id) s.id as "shareId", r.name, r.type, r.size, ${isoTimestamp('s.created_at')} as "sharedAt",
          exists (select 1 from resource_open o where o.coach_id = $1 and o.resource_id = r.id and o.client_id = $2)
            as "isOpened"
        from resource_share s join resource r on r.coach_id = $1 and r.id = s.resource_id
        where s.coach_id = $1 and s.audience <> 'link' and r.deleted_at is null and ${isOpen('$3', '$2')}
        order by r.id, s.created_at desc) shared
      order by "sharedAt" desc, "shareId" desc limit $4`,
    values: [ctx.coachId, client.id, ctx.now(), rows],
  })
}
