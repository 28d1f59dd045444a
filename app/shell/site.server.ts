import type { LoadContext } from '#app/server/pages/load-context.ts'
import type { CoachAccount } from '#tenants/auth/viewer.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Site } from './site-meta.ts'

/** The description of a coach's host for search engines and previews of links; null on the platform's. */
export function getSite(
  { tenant, config }: Pick<LoadContext, 'tenant' | 'config'>,
  { firstName, lastName, profileImageUrl }: Pick<CoachAccount, 'firstName' | 'lastName' | 'profileImageUrl'>,
): Site | null {
  const url = getSiteUrl({ tenant, config })
  if (!tenant || !url) return null
  const toAbsolute = (path: string | null) => path && new URL(path, url).href
  const person = { name: `${firstName} ${lastName}`, image: toAbsolute(profileImageUrl) }
  return { name: tenant.name, description: tenant.bio, url, image: toAbsolute(tenant.logoUrl), person }
}

/** The address of a coach's home page; null on the platform's host. */
export const getSiteUrl = ({ tenant, config }: Pick<LoadContext, 'tenant' | 'config'>): string | null =>
  tenant && `${coachOrigin(config, tenant)}/`
