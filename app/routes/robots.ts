import type { LoaderFunctionArgs } from '@remix-run/node'
import { getSiteUrl } from '#app/shell/site.server.ts'

/** Pages by a secret link, and those of the signed-in coach. */
const hidden = [
  '/api/',
  '/auth',
  '/portal/sign-in/',
  '/booking/',
  '/book/confirmed/',
  '/book/for/',
  '/book/payment/',
  '/contract/',
  '/form/',
  '/invoice/',
  '/sale/',
  '/shared/',
  '/subscribe/',
  '/summary/',
]

export function loader({ context }: LoaderFunctionArgs) {
  const url = getSiteUrl(context)
  const lines = [
    'User-agent: *',
    ...hidden.map((path) => `Disallow: ${path}`),
    ...(url ? [`Sitemap: ${url}sitemap.xml`] : []),
  ]
  return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain' } })
}
