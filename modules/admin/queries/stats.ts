import { dayMs } from '#app/lib/time.ts'
import { plans, type PlanName } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { PlatformStats } from '../output.ts'

const activeMs = 30 * dayMs

type PlanStats = { plan: PlanName; coaches: number; trials: number; active: number; clients: number }

/**
 * Active coaches signed in within the last 30 days. Revenue is in cents a month at list price; trials pay nothing.
 * Source: api.md.
 */
export async function getPlatformStats(ctx: Ctx): Promise<PlatformStats> {
  authorizeAdmin(ctx, 'admin:coach:read')
  const now = ctx.now()
  const rows = await ctx.query<PlanStats>({
    name: 'admin.stats',
    text: 'select plan, coaches, trials, active, clients from get_platform_stats($1, $2)',
    values: [now, new Date(now.getTime() - activeMs)],
  })
  const sum = (count: (row: PlanStats) => number) => rows.reduce((total, row) => total + count(row), 0)
  const coachesOn = (name: PlanName) => rows.find(({ plan }) => plan === name)?.coaches ?? 0
  return {
    totalCoaches: sum(({ coaches }) => coaches),
    activeCoaches: sum(({ active }) => active),
    monthlyRevenue: sum(({ plan, coaches, trials }) => (coaches - trials) * plans[plan].monthlyPrice),
    totalClients: sum(({ clients }) => clients),
    subscriptionBreakdown: { free: coachesOn('free'), pro: coachesOn('pro'), premium: coachesOn('premium') },
  }
}
