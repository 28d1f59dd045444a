import type { AppLoadContext } from '@remix-run/node'
import { coachOrigin } from '#tenants/config.ts'

/** The host that a coach leaves for Stripe and comes back to: their session is there only. */
export const getRequestOrigin = ({ tenant, config }: Pick<AppLoadContext, 'tenant' | 'config'>): string =>
  tenant ? coachOrigin(config, tenant) : config.origin
