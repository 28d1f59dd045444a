import type { AppLoadContext } from '@remix-run/node'
import { listBuyerPermissions } from '#modules/billing/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { payerPermissions } from '../permissions.ts'
import { readSubscriptionToken } from './link.ts'
import { findSubscription, type Subscription } from './queries.ts'

/** The subscription of a signed link; null if the link doesn't work here. */
export async function openSubscriptionLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; subscription: Subscription } | null> {
  const link = await openLink(context, readSubscriptionToken(context.requestContext.platform, token))
  if (!link) return null
  // A visitor who pays becomes a client.
  const ctx = await context.visitor([...payerPermissions, ...listBuyerPermissions(context.requestContext)])
  const subscription = await findSubscription(ctx, 'id', link.id)
  return subscription ? { ctx, subscription } : null
}
