import { dayMs } from '#app/lib/time.ts'
import { plans, type PlanName } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { PlatformStats } from '../output.ts'

const activeMs = 30 * dayMs

export type PlanStats = { plan: PlanName; coaches: number; trials: number; active: number; clients: number }

/** Coaches who are not removed, by plan. A plan without coaches is missing. */
export async function listPlanStats(ctx: Ctx): Promise<PlanStats[]> {
  authorizeAdmin(ctx, 'admin:coach:read')
  const now = ctx.now()
  const query = {
    name: 'admin.stats',
    text: 'select plan, coaches, trials, active, clients from get_platform_stats($1, $2)',
    values: [now, new Date(now.getTime() - activeMs)],
  }
  const [rows] = await ctx.queryAll([query], { report: true })
  return rows as PlanStats[]
}

/** The list price of those who pay, in cents a month. */
export const toRevenue = ({ plan, coaches, trials }: PlanStats): number => (coaches - trials) * plans[plan].monthlyPrice

/**
 * Active coaches signed in within the last 30 days. Revenue is in cents a month at list price; trials pay nothing.
 * Source: api.md.
 */
export async function getPlatformStats(ctx: Ctx): Promise<PlatformStats> {
  return toPlatformStats(await listPlanStats(ctx))
}

export function toPlatformStats(rows: PlanStats[]): PlatformStats {
  const sum = (count: (row: PlanStats) => number) => rows.reduce((total, row) => total + count(row), 0)
  const coachesOn = (name: PlanName) => rows.find(({ plan }) => plan === name)?.coaches ?? 0
  return {
    totalCoaches: sum(({ coaches }) => coaches),
    activeCoaches: sum(({ active }) => active),
    monthlyRevenue: sum(toRevenue),
    totalClients: sum(({ clients }) => clients),
    subscriptionBreakdown: { free: coachesOn('free'), pro: coachesOn('pro'), premium: coachesOn('premium') },
  }
}
