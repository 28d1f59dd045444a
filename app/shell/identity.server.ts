import type { LoadContext } from '#app/server/load-context.ts'
import type { Identity } from '#app/ui/identity.tsx'
import { defaultBrand } from '#app/lib/brand.ts'
import { planHas } from '#tenants/plans.ts'
import type { Account } from '#tenants/visitor.ts'

/** Whose name, colour and logo a page carries: the host's coach, else the one who is signed in, else the platform. */
export function identityOf({ tenant, account, config }: Pick<LoadContext, 'tenant' | 'account' | 'config'>): Identity {
  if (tenant) {
    const named = !planHas(tenant.plan, 'white-label')
    return {
      name: tenant.name,
      color: tenant.primaryColor,
      logoUrl: tenant.logoUrl,
      ownHost: true,
      platformName: named ? config.platformName : null,
      platformOrigin: named ? config.origin : null,
    }
  }
  return {
    name: account ? practiceName(account) : config.platformName,
    color: account?.primaryColor ?? defaultBrand,
    logoUrl: account?.logoUrl ?? null,
    ownHost: false,
    platformName: config.platformName,
    platformOrigin: config.origin,
  }
}

export function practiceName(account: Account): string {
  return account.businessName ?? `${account.firstName} ${account.lastName}`
}
