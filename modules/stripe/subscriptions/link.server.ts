import type { AppLoadContext } from '@remix-run/node'
import { listBuyerPermissions } from '#modules/billing/index.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx } from '#tenants/context.ts'
import { payerPermissions } from '../permissions.ts'
import { readSubscriptionToken } from './link.ts'
import { findSubscription, type Subscription } from './queries.ts'

/** The subscription of a signed link; null if the link doesn't work here. Counts those, so that nobody can try many. */
export async function openSubscriptionLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; subscription: Subscription } | null> {
  const { platform, address } = context.requestContext
  const link = readSubscriptionToken(platform, token)
  if (!link || link.coachId !== context.tenant?.id) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    return null
  }
  // A visitor who pays becomes a client.
  const ctx = await context.visitor([...payerPermissions, ...listBuyerPermissions(context.requestContext)])
  const subscription = await findSubscription(ctx, 'id', link.subscriptionId)
  return subscription ? { ctx, subscription } : null
}
