import type { Ctx } from '#tenants/context.ts'
import { signedLink, toPublicUrl } from '#tenants/signed-link.ts'

export const { getPath: getSalePath, getUrl: getSaleUrl, read: readSaleToken } = signedLink('sale', '/sale/')

/** The page of a product on the coach's host; null without a host. */
export const getProductUrl = (ctx: Pick<Ctx, 'platform' | 'account'>, slug: string): string | null =>
  toPublicUrl(ctx, `/buy/${slug}`)
