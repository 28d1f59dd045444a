import type { Ctx } from '#tenants/context.ts'
import { signedLink, toCoachUrl } from '#tenants/signed-link.ts'

const link = signedLink('booking-link', 'for/')

/** The link's page, part of the URL after `/book/`. */
export const linkPage = link.getPath
export const readLinkToken = link.read

/** Null for a coach without a host of their own. */
export const getLinkUrl = (ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, id: number): string | null =>
  toCoachUrl(ctx, `/book/${linkPage(ctx, id)}`)
