import type { AppLoadContext } from '@remix-run/node'
import type { Ctx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { readShareToken } from './public-link.ts'
import { findOpenShare, type OpenShare } from './queries/shares.ts'

/** The share of a signed link; null if the link doesn't work here or now. */
export async function openShareLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; share: OpenShare; clientId: number | null } | null> {
  const link = await openLink(context, readShareToken(context.requestContext.platform, token))
  if (!link) return null
  const ctx = await context.visitor(['resources:resource:read'])
  const share = await findOpenShare(ctx, link.shareId, link.clientId)
  return share && { ctx, share, clientId: link.clientId }
}
