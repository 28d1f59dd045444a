import { parseId } from '#app/lib/url.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'sale'

/** Signed, so that the coach can copy it again. */
export const getSalePath = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, saleId: number): string =>
  `/sale/${platform.signingKeys.sign(purpose, `${coachId}.${saleId}`)}`

type Owner = Pick<Ctx, 'platform' | 'coachId' | 'account'>

/** The page of a sale on the coach's host, which needs no account; null without a host. */
export const getSaleUrl = (ctx: Owner, saleId: number): string | null => toUrl(ctx, getSalePath(ctx, saleId))

/** The page of a product on the coach's host; null without a host. */
export const getProductUrl = (ctx: Owner, slug: string): string | null => toUrl(ctx, `/buy/${slug}`)

function toUrl({ platform, account }: Owner, path: string): string | null {
  const origin = coachOrigin(platform.config, account)
  return origin && `${origin}${path}`
}

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readSaleToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; saleId: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, saleId] = (value ?? '').split('.').map(parseId)
  return coachId && saleId ? { coachId, saleId } : null
}
