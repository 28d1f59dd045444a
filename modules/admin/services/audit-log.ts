import type { WriteCtx } from '#tenants/context.ts'
import type { AuditAction, AuditValues } from '../fields.ts'
import { AuditEntry } from '../schema.ts'

/** Adds an entry to the audit log, in the transaction of the action, and a line to the process's log. */
export function recordAction(
  ctx: WriteCtx,
  action: AuditAction,
  {
    target,
    before = null,
    after = null,
  }: { target: { id: number; email: string } | null; before?: AuditValues | null; after?: AuditValues | null },
): void {
  ctx.em.create(AuditEntry, {
    actorId: ctx.account.id,
    actorEmail: ctx.account.email,
    action,
    targetId: target?.id ?? null,
    targetEmail: target?.email ?? null,
    before,
    after,
    ipAddress: ctx.address,
    createdAt: ctx.now(),
  })
  ctx.logSecurity({
    event: `admin_${action}`,
    account: ctx.account.id,
    ...(target ? { target: target.id } : {}),
    address: ctx.address,
  })
}
