import { utc } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import type { ActivityRecord } from '../output.ts'

/** What happened, newest first; what belongs to a client in the trash is hidden with it. */
export async function activitiesNewestFirst(
  ctx: Ctx,
  { rows, after = null, clientId }: { rows: number | null; after?: Place | null; clientId?: number },
): Promise<ActivityRecord[]> {
  authorize(ctx, 'crm:client:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const text = `select a.id, a.type, a.title, a.description, a.client_id as "clientId", ${utc('a.created_at')} as "createdAt"
    from activity a left join client c on c.coach_id = a.coach_id and c.id = a.client_id
    where c.deleted_at is null${clientId === undefined ? '' : ` and a.client_id = ${use(clientId)}`}${
      after ? ` and (a.created_at, a.id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
    } order by a.created_at desc, a.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  const name = `crm.activities${clientId === undefined ? '' : '-client'}${after ? '-after' : ''}${rows === null ? '' : '-limit'}`
  return ctx.rows<ActivityRecord>({ name, text, values })
}
