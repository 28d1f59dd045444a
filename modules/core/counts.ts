import type { Ctx } from '#tenants/context.ts'
import type { CountName } from './manifest.ts'

/**
 * The dashboard's counts from all modules, in one round trip; `monthlyRevenue` in cents. What no module counts is 0.
 */
export async function getCounts(ctx: Ctx): Promise<Record<CountName, number>> {
  const counts: Record<CountName, number> = {
    totalClients: 0,
    sessionsThisMonth: 0,
    monthlyRevenue: 0,
    activeProspects: 0,
  }
  const queries = ctx.extensions.counts
  const results = await ctx.queryAll(queries.map(([, query]) => query(ctx)))
  for (const [index, [name]] of queries.entries())
    counts[name] += Number((results[index] as { value: number }[])[0]!.value)
  return counts
}
