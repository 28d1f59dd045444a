import { readJpegSize, readPngSize } from '#tenants/accounts/image-size.ts'
import { findImage } from '#tenants/accounts/images.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { getSettings } from '../queries/settings.ts'
import { formatIssuer } from './issuer.ts'
import type { PrintedDocument } from './printed-document.ts'

/** Each file contains the logo: a large one is left out. */
const maxLogoBytes = 500_000
const maxLogoPixels = 4_000_000
const uploadsPath = '/uploads/'

/**
 * The branding of a document. `issuedBy`: the name, then the address and the tax id, one per line; null for an invoice
 * that was issued before they were stored, which names the coach as of today.
 */
export async function getBranding(
  ctx: Ctx,
  { issuedBy, currency }: { issuedBy: string | null; currency: string },
): Promise<Pick<PrintedDocument, 'paper' | 'sender'>> {
  const { primaryColor, logoUrl } = ctx.account
  const issuer = issuedBy ?? formatIssuer(ctx.account, await getSettings(ctx))
  const [name = '', ...details] = issuer.split('\n')
  return {
    paper: currency === 'usd' || currency === 'cad' ? 'LETTER' : 'A4',
    sender: { name, details, color: primaryColor, logo: await findLogo(ctx, logoUrl) },
  }
}

/** Below premium, documents name the platform. */
export const formatFooter = ({ plan, platform }: Ctx, footer: string | null): string | null =>
  [footer, planIncludes(plan, 'white-label') ? null : `Powered by ${platform.config.platformName}`]
    .filter(Boolean)
    .join('\n') || null

/** The uploaded logo; null for none, and for one at another address or too large to print. */
async function findLogo({ platform }: Ctx, logoUrl: string | null): Promise<Uint8Array | null> {
  if (!logoUrl?.startsWith(uploadsPath)) return null
  const image = await findImage(platform, logoUrl.slice(uploadsPath.length))
  if (!image || image.content.byteLength > maxLogoBytes) return null
  const size = readPngSize(image.content) ?? readJpegSize(image.content)
  return size && size.width * size.height > maxLogoPixels ? null : image.content
}
