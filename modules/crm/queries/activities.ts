import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import type { ActivityRecord } from '../output.ts'

/** Activities, newest first, without those of clients in the trash. */
export async function listActivities(
  ctx: Ctx,
  { rows, after = null, clientId }: { rows: number | null; after?: Cursor | null; clientId?: number },
): Promise<ActivityRecord[]> {
  authorize(ctx, 'crm:client:read')
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(clientId === undefined ? [] : [`and a.client_id = ${param(clientId)}`]),
    ...(after ? [`and (a.created_at, a.id) < (${param(after.at)}::timestamptz, ${param(after.id)}::bigint)`] : []),
  ]
  const text = `select a.id, a.type, a.title, a.description, a.client_id as "clientId",
      ${isoTimestamp('a.created_at')} as "createdAt"
    from activity a left join client c on c.coach_id = a.coach_id and c.id = a.client_id
    where c.deleted_at is null ${conditions.join(' ')}
    order by a.created_at desc, a.id desc ${rows === null ? '' : `limit ${param(rows)}`}`
  const variant = [clientId !== undefined && '-client', after && '-after', rows !== null && '-limit'].filter(Boolean)
  const name = `crm.activities${variant.join('')}`
  return ctx.query<ActivityRecord>({ name, text, values })
}
