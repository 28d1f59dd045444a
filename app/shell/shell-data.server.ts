import type { LoadContext } from '#app/server/pages/load-context.ts'
import type { QuickAction, ShellBar } from '#modules/core/manifest.ts'
import { listNavItems } from '#modules/core/navigation.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { modules } from '#modules/registry.ts'
import { formatDate } from '#app/lib/time.ts'
import { getGraceEnd, isLapsed, planIncludes, plans } from '#tenants/accounts/plans.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { renderBars, type FailedPayment } from './shell-bars.server.tsx'
import type { NavEntry, ShellData } from './shell-data.ts'

/** Throws a redirect to the sign-in page when signed out. */
export async function loadShellData(context: LoadContext): Promise<ShellData> {
  const ctx = context.coach()
  const { account } = ctx
  const [items, actions, bars] = await Promise.all([
    listNavItems(ctx),
    fillSlot(ctx, 'dashboard.action'),
    fillSlot(ctx, 'shell.bar'),
  ])
  const clients = items.find((item) => item.to === '/clients')?.badge ?? 0
  const hasAdmin =
    account.isAdmin &&
    !context.tenant &&
    modules.some((module) => module.routes?.some((route) => route.path === 'admin'))
  return {
    main: [
      { label: 'Dashboard', to: '/dashboard', icon: 'house', badge: 0 },
      ...items.filter((item) => item.section === 'main').map(toNavEntry),
    ],
    lower: [
      ...(hasAdmin ? [{ label: 'Admin Console', to: '/admin', icon: 'shield', badge: 0 }] : []),
      ...items.filter((item) => item.section === 'lower').map(toNavEntry),
      { label: 'Trash', to: '/trash', icon: 'trash', badge: 0 },
      { label: 'Settings', to: '/settings', otherPaths: ['/security'], icon: 'settings', badge: 0 },
      { label: 'Branding', to: '/branding', icon: 'palette', badge: 0 },
    ],
    quickActions: actions.map(({ data }) => data as QuickAction),
    usage: { clients, limit: plans[ctx.plan].maxClients },
    user: {
      name: `${account.firstName} ${account.lastName}`,
      email: account.email,
      image: account.profileImageUrl,
    },
    timeFormat: account.timeFormat,
    currency: account.currency,
    unverifiedEmail: account.emailVerified ? null : account.email,
    bars: renderBars(
      getFailedPayment(ctx),
      bars.flatMap(({ data }) => data as ShellBar[]),
    ),
    ownHost: context.tenant ? null : getHost(coachOrigin(context.config, account)),
    publicPage: coachOrigin(context.config, account),
    poweredBy: context.tenant !== null && !planIncludes(ctx.plan, 'white-label'),
  }
}

const getHost = (origin: string | null): string | null => origin && new URL(origin).host

function getFailedPayment(ctx: Ctx): FailedPayment | null {
  const graceEnd = getGraceEnd(ctx)
  if (!graceEnd && !isLapsed(ctx)) return null
  return { plan: plans[ctx.plan].title, until: graceEnd && formatDate(graceEnd, ctx.account.timezone) }
}

function toNavEntry({ label, to, otherPaths, icon, badge }: NavEntry): NavEntry {
  return { label, to, ...(otherPaths ? { otherPaths } : {}), icon, badge }
}
