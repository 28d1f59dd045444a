import type { Hono } from 'hono'
import { defaultBrand, drawFavicon } from '#app/lib/brand.ts'
import { AppError } from '#app/lib/errors.ts'
import { findImage } from '#tenants/accounts/images.ts'
import type { Platform } from '#tenants/platform.ts'
import type { Env } from './app.ts'
import { strictPolicy } from './security-headers.ts'

/** Logos, photos and the icon of the host. */
export function serveImages(app: Hono<Env>, platform: Platform): void {
  app.get('/uploads/:key', async (c) => {
    c.set('route', '/uploads')
    const image = await findImage(platform, c.req.param('key'))
    if (!image) throw new AppError('not_found', 'Not found')
    // An SVG opened on its own is a document: its scripts must not run.
    c.header('Content-Security-Policy', strictPolicy("style-src 'unsafe-inline'; sandbox"))
    c.header('Content-Type', image.contentType)
    c.header('Content-Disposition', `inline; filename="${image.fileName}"`)
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    return c.body(new Uint8Array(image.content))
  })

  // Browsers ask for it where no page names an icon, such as beside a PDF.
  app.get('/favicon.ico', (c) => {
    c.set('route', '/favicon.ico')
    const { tenant } = c.get('requestContext')
    c.header('Cache-Control', 'public, max-age=3600')
    if (tenant?.logoUrl) return c.redirect(tenant.logoUrl, 302)
    c.header('Content-Type', 'image/svg+xml')
    c.header('Content-Security-Policy', strictPolicy("style-src 'unsafe-inline'; sandbox"))
    const icon = tenant
      ? drawFavicon(tenant.primaryColor, [...tenant.name][0]?.toUpperCase() ?? null)
      : drawFavicon(defaultBrand, null)
    return c.body(icon)
  })
}
