import type { LoaderFunctionArgs } from '@remix-run/node'
import { getSite } from '#app/shell/site.server.ts'

/** Pages by a secret link, and those of the signed-in coach. */
const hidden = ['/api/', '/auth', '/booking/', '/invoice/', '/shared/', '/subscribe/', '/summary/', '/book/for/']

export function loader({ context }: LoaderFunctionArgs) {
  const site = getSite(context)
  const lines = [
    'User-agent: *',
    ...hidden.map((path) => `Disallow: ${path}`),
    ...(site ? [`Sitemap: ${site.url}sitemap.xml`] : []),
  ]
  return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain' } })
}
