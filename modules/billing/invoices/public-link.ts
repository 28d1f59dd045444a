import { parseId } from '#app/lib/url.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'invoice'

export const getInvoicePath = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, invoiceId: number): string =>
  `/invoice/${platform.signingKeys.sign(purpose, `${coachId}.${invoiceId}`)}`

/** The page of an invoice on the coach's host, which needs no account; null without a host. */
export function getInvoiceUrl(ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, invoiceId: number): string | null {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  return origin && `${origin}${getInvoicePath(ctx, invoiceId)}`
}

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readInvoiceToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; invoiceId: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, invoiceId] = (value ?? '').split('.').map(parseId)
  return coachId && invoiceId ? { coachId, invoiceId } : null
}
