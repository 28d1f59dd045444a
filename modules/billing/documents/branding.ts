import type { Ctx } from '#tenants/context.ts'
import { brandDocument } from '#tenants/documents/branding.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import { getSettings } from '../queries/settings.ts'
import { formatIssuer } from './issuer.ts'

/**
 * The branding of a document. `issuedBy`: the name, then the address and the tax id, one per line; null for an invoice
 * that was issued before they were stored, which names the coach as of today.
 */
export async function getBranding(
  ctx: Ctx,
  { issuedBy, currency }: { issuedBy: string | null; currency: string },
): Promise<Pick<PrintedDocument, 'paper' | 'sender'>> {
  const issuer = issuedBy ?? formatIssuer(ctx.account, await getSettings(ctx))
  return brandDocument(ctx, { issuer, currency })
}
