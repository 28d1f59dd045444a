import type { LoadContext } from '#app/server/pages/load-context.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Site } from './site-meta.ts'

/** The description of a coach's host for search engines and previews of links; null on the platform's. */
export function getSite({ tenant, config }: Pick<LoadContext, 'tenant' | 'config'>): Site | null {
  if (!tenant) return null
  const origin = coachOrigin(config, tenant)
  const { name, bio, logoUrl } = tenant
  return { name, description: bio, url: `${origin}/`, image: logoUrl && new URL(logoUrl, origin).href }
}
