import { readJpegSize, readPngSize } from '../accounts/image-size.ts'
import { findImage } from '../accounts/images.ts'
import { planIncludes } from '../accounts/plans.ts'
import type { Ctx } from '../context.ts'
import type { PrintedDocument } from './printed-document.ts'

/** Each file contains the logo: a large one is left out. */
const maxLogoBytes = 500_000
const maxLogoPixels = 4_000_000
const uploadsPath = '/uploads/'

/** The branding of a document. `issuer`: the name, then what identifies the sender further, one per line. */
export async function brandDocument(
  ctx: Ctx,
  { issuer, currency }: { issuer: string; currency: string },
): Promise<Pick<PrintedDocument, 'paper' | 'sender'>> {
  const { primaryColor, logoUrl } = ctx.account
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
