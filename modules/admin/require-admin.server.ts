import { data, type AppLoadContext } from '@remix-run/node'
import { logRefusal, type Ctx } from '#tenants/context.ts'

/** The context of an administrator. The pages exist on the platform host only, for administrators. */
export function requireAdmin({ coach, tenant, account }: AppLoadContext): Ctx {
  const ctx = coach()
  if (tenant) throw data(null, { status: 404 })
  if (account?.isAdmin) return ctx
  logRefusal(ctx, 'admin pages')
  throw data({ message: 'This page is only for administrators of the platform.' }, { status: 403 })
}
