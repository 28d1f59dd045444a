import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { loadHome } from '#app/shell/home.server.ts'
import { getSiteUrl } from '#app/shell/site.server.ts'

/** The pages of a coach's host that visitors find from the home page. */
export async function loader({ context }: LoaderFunctionArgs) {
  const url = getSiteUrl(context)
  if (!url) throw data(null, { status: 404 })
  const { links, sections } = await loadHome(await context.visitor([]))
  const pages = [...links, ...sections.flatMap(({ offers }) => offers)]
  const addresses = new Set(['/', ...pages.map(({ to }) => to)].map((path) => new URL(path, url).href))
  const entries = [...addresses].map((address) => `<url><loc>${address.replaceAll('&', '&amp;')}</loc></url>`)
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
  return new Response(xml, { headers: { 'Content-Type': 'application/xml' } })
}
