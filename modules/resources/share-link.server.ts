import type { AppLoadContext } from '@remix-run/node'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx } from '#tenants/context.ts'
import { readShareToken } from './public-link.ts'
import { findOpenShare, type OpenShare } from './queries/shares.ts'

/** The share of a signed link; null if the link doesn't work here or now. Counts those, so that nobody can try many. */
export async function openShareLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; share: OpenShare; clientId: number | null } | null> {
  const { platform, address } = context.requestContext
  const link = readShareToken(platform, token)
  if (!link || link.coachId !== context.tenant?.id) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    return null
  }
  const ctx = await context.visitor(['resources:resource:read'])
  const share = await findOpenShare(ctx, link.shareId, link.clientId)
  return share && { ctx, share, clientId: link.clientId }
}
