import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx } from '#tenants/context.ts'

/** Throws forbidden unless the account is an administrator of the platform. */
export function authorizeAdmin(ctx: Ctx, permission: 'admin:coach:read' | 'admin:coach:write'): void {
  authorize(ctx, permission)
  if (!ctx.account.isAdmin) throw new AppError('forbidden', 'Only administrators of the platform can do this.')
}
