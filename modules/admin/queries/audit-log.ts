import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { AuditRecord } from '../output.ts'

/** The audit log, newest first, after the entry `after`. `rows` null: all. */
export async function listAuditLog(
  ctx: Ctx,
  { rows = null, after = null }: { rows?: number | null; after?: { id: number } | null } = {},
): Promise<AuditRecord[]> {
  authorizeAdmin(ctx, 'admin:audit-log:read')
  return ctx.query<AuditRecord>({
    name: 'admin.audit-log',
    text: `select id, actor_id as "actorId", actor_email as "actorEmail", action, target_id as "targetId",
        target_email as "targetEmail", before, after, ip_address as "ipAddress",
        ${isoTimestamp('created_at')} as "createdAt"
      from audit_entry where $1::bigint is null or id < $1 order by id desc limit $2`,
    values: [after?.id ?? null, rows],
  })
}
