import { AppError } from '#app/lib/errors.ts'
import { authorize, logRefusal, type Ctx } from '#tenants/context.ts'

type AdminPermission =
  | 'admin:coach:read'
  | 'admin:coach:write'
  | 'admin:audit-log:read'
  | 'admin:announcement:write'
  | 'admin:job:read'
  | 'admin:job:write'

/** Throws forbidden unless the account is an administrator of the platform. */
export function authorizeAdmin(ctx: Ctx, permission: AdminPermission): void {
  authorize(ctx, permission)
  if (ctx.account.isAdmin) return
  logRefusal(ctx, permission)
  throw new AppError('forbidden', 'Only administrators of the platform can do this.')
}
