import { parseId } from '#app/lib/url.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'booking-link'

/** The link's page, part of the URL after `/book/`. Signed, so that the coach can copy it again. */
export const linkPage = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, id: number): string =>
  `for/${platform.signingKeys.sign(purpose, `${coachId}.${id}`)}`

/** Null for a coach without a host of their own. */
export function getLinkUrl(ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, id: number): string | null {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  return origin && `${origin}/book/${linkPage(ctx, id)}`
}

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readLinkToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; id: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, id] = (value ?? '').split('.').map(parseId)
  return coachId && id ? { coachId, id } : null
}
