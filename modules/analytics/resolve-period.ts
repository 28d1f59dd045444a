import { addDays, localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { DatesState } from './list-state.ts'
import { getPeriod, goBack, goBackYear, maxDays, type Period } from './periods.ts'

/** The period of a URL. Custom dates: the last 30 days unless given, and at most five years. */
export function resolvePeriod(
  ctx: Ctx,
  { period, from, to, back = 0, year = '' }: DatesState & { back?: number; year?: string },
): Period {
  const today = localDate(ctx.now(), ctx.account.timezone)
  const until = to ?? today
  const earliest = addDays(until, 1 - maxDays)
  const since = from ?? addDays(until, -29)
  const dates = { from: since > until ? until : since < earliest ? earliest : since, to: until }
  const chosen = getPeriod(period, dates, today, ctx.account.weekStart)
  return goBack(year === 'before' ? goBackYear(chosen) : chosen, back)
}
