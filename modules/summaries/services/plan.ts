import { AppError } from '#app/lib/errors.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'

export const includesSummaries = ({ plan }: Ctx): boolean => planIncludes(plan, 'ai-summaries')

/** Throws plan_required without the plan that has transcripts and summaries. */
export function requirePlan(ctx: Ctx): void {
  if (!includesSummaries(ctx))
    throw new AppError('plan_required', 'AI summaries are part of the Pro and Premium plans.')
}
