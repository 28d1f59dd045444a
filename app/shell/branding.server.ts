import type { LoadContext } from '#app/server/pages/load-context.ts'
import type { Brand } from '#app/ui/components/branding.tsx'
import { defaultBrand, toFaviconUrl } from '#app/lib/brand.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { coachOrigin, getCustomDomain } from '#tenants/config.ts'
import type { CoachAccount } from '#tenants/auth/viewer.ts'

/** The brand of a page: that of the host's coach, else of the signed-in coach, else of the platform. */
export function resolveBrand({ tenant, account, config }: Pick<LoadContext, 'tenant' | 'account' | 'config'>): Brand {
  if (tenant) {
    const showsPlatform = !planIncludes(tenant.plan, 'white-label')
    return {
      name: tenant.name,
      color: tenant.primaryColor,
      logoUrl: tenant.logoUrl,
      previewImage: tenant.logoUrl && new URL(tenant.logoUrl, coachOrigin(config, tenant)).href,
      favicon: tenant.logoUrl ?? toFaviconUrl(tenant.primaryColor, firstLetter(tenant.name)),
      ownHost: true,
      platformName: showsPlatform ? config.platformName : null,
      platformOrigin: showsPlatform ? config.origin : null,
    }
  }
  const color = account?.primaryColor ?? defaultBrand
  return {
    name: account ? practiceName(account) : config.platformName,
    color,
    logoUrl: account?.logoUrl ?? null,
    previewImage: null,
    favicon: account?.logoUrl ?? toFaviconUrl(color, account && firstLetter(practiceName(account))),
    ownHost: false,
    platformName: config.platformName,
    platformOrigin: config.origin,
  }
}

const firstLetter = (name: string): string | null => [...name][0]?.toUpperCase() ?? null

export function practiceName(account: CoachAccount): string {
  return account.businessName ?? `${account.firstName} ${account.lastName}`
}

/**
 * The URL of `path` after a change of the subdomain: on the coach's own host the old one stops working, so it is on the
 * new host, or on the platform.
 */
export function pageOnNewHost(
  { tenant, config }: Pick<LoadContext, 'tenant' | 'config'>,
  subdomain: string | null | undefined,
  path: string,
): string {
  if (!tenant || getCustomDomain(tenant) || subdomain === undefined || subdomain === tenant.subdomain) return path
  const origin = new URL(config.origin)
  if (subdomain) origin.hostname = `${subdomain}.${origin.hostname}`
  return `${origin.origin}${path}`
}
