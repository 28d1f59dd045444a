import type { LoadContext } from '#app/server/pages/load-context.ts'
import type { Identity } from '#app/ui/components/branding.tsx'
import { defaultBrand, faviconOf } from '#app/lib/brand.ts'
import { planHas } from '#tenants/accounts/plans.ts'
import type { Account } from '#tenants/auth/viewer.ts'

/** Whose name, colour and logo a page carries: the host's coach, else the one who is signed in, else the platform. */
export function identityOf({ tenant, account, config }: Pick<LoadContext, 'tenant' | 'account' | 'config'>): Identity {
  if (tenant) {
    const named = !planHas(tenant.plan, 'white-label')
    return {
      name: tenant.name,
      color: tenant.primaryColor,
      logoUrl: tenant.logoUrl,
      favicon: tenant.logoUrl ?? faviconOf(tenant.primaryColor, initialOf(tenant.name)),
      ownHost: true,
      platformName: named ? config.platformName : null,
      platformOrigin: named ? config.origin : null,
    }
  }
  const color = account?.primaryColor ?? defaultBrand
  return {
    name: account ? practiceName(account) : config.platformName,
    color,
    logoUrl: account?.logoUrl ?? null,
    favicon: account?.logoUrl ?? faviconOf(color, account && initialOf(practiceName(account))),
    ownHost: false,
    platformName: config.platformName,
    platformOrigin: config.origin,
  }
}

const initialOf = (name: string): string | null => [...name][0]?.toUpperCase() ?? null

export function practiceName(account: Account): string {
  return account.businessName ?? `${account.firstName} ${account.lastName}`
}
