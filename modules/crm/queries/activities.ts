import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ActivityRecord } from '../records.ts'

/** Activities, newest first, without those of clients in the trash. */
export async function listActivities(ctx: Ctx, page: Page = {}): Promise<ActivityRecord[]> {
  authorize(ctx, 'crm:client:read')
  return listNewest(ctx, {
    name: 'crm.activities',
    select: `a.id, a.type, a.title, a.description, a.client_id as "clientId",
      ${isoTimestamp('a.created_at')} as "createdAt"`,
    from: 'activity a left join client c on c.coach_id = $1 and c.id = a.client_id',
    where: { visible: 'c.deleted_at is null' },
    time: 'a.created_at',
    id: 'a.id',
    ...page,
  })
}
