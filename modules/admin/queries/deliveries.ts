import type { Ctx } from '#tenants/context.ts'
import type { DeliveryPage, LoggedDelivery } from '#modules/core/delivery-log.ts'
import { authorizeAdmin } from '../authorize-admin.ts'

/** Whether a module sends events to other programs. */
export const hasDeliveries = ({ platform }: Ctx): boolean => platform.extensions.deliveryLog !== null

/** The webhook deliveries of all coaches, or of those found with `q`, newest first, before the one with the id `after`. */
export async function listDeliveries(ctx: Ctx, page: DeliveryPage): Promise<LoggedDelivery[]> {
  authorizeAdmin(ctx, 'admin:job:read')
  return (await ctx.platform.extensions.deliveryLog?.list(ctx, page)) ?? []
}
