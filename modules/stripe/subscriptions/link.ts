import { parseId } from '#app/lib/url.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'subscription'

/** The path of the client's page of a subscription, which needs no account. */
export const getSubscriptionPath = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, id: number): string =>
  `/subscribe/${platform.signingKeys.sign(purpose, `${coachId}.${id}`)}`

/** Its address on the coach's host; null without a host. */
export function getSubscriptionUrl(ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, id: number): string | null {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  return origin && `${origin}${getSubscriptionPath(ctx, id)}`
}

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readSubscriptionToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; subscriptionId: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, subscriptionId] = (value ?? '').split('.').map(parseId)
  return coachId && subscriptionId ? { coachId, subscriptionId } : null
}
