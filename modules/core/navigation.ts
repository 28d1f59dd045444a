import type { Ctx } from '#tenants/context.ts'
import type { NavItem } from './manifest.ts'

export type VisibleNavItem = Omit<NavItem, 'badge' | 'permission'> & { badge: number }

/** The sidebar items that `ctx` may open, in order, with their badges. */
export async function listNavItems(ctx: Ctx): Promise<VisibleNavItem[]> {
  const items = ctx.extensions.navItems.filter(({ permission }) => !permission || ctx.can(permission))
  const visible = items.map(async ({ badge, permission: _permission, ...item }) => ({
    ...item,
    badge: (await badge?.(ctx)) ?? 0,
  }))
  return (await Promise.all(visible)).sort((a, b) => a.order - b.order)
}
