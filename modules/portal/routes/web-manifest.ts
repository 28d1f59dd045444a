import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'

/** Lets a phone add the portal to its home screen, with the coach's name and icon. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { tenant } = context
  if (!tenant) throw new AppError('not_found', "We can't find that page.")
  const { name, primaryColor, logoUrl } = tenant
  const manifest = {
    id: '/portal',
    name,
    short_name: [...name].slice(0, 12).join(''),
    start_url: '/portal',
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: primaryColor,
    icons: [{ src: logoUrl ?? '/favicon.ico', sizes: 'any', ...(logoUrl ? {} : { type: 'image/svg+xml' }) }],
  }
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=3600' },
  })
}
