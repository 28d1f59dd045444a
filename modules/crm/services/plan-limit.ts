import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { plans, type PlanName } from '#tenants/accounts/plans.ts'
import { countClients } from '../queries/counts.ts'

/**
 * How many more clients the plan takes; null: no limit. Holds the practice, so that fifty at once get exactly as many places
 * as there are.
 */
export async function roomOnPlan(ctx: WriteCtx): Promise<number | null> {
  return roomOn(ctx, await holdPractice(ctx))
}

/** Throws plan_limit when the plan takes no other client. */
export async function needRoom(ctx: WriteCtx): Promise<void> {
  const plan = await holdPractice(ctx)
  if ((await roomOn(ctx, plan)) === 0) throw new AppError('plan_limit', planIsFull(plan))
}

/**
 * Whoever holds the practice adds clients alone, until the transaction ends. Answers its plan, which stays what it is until
 * then: the one that the request began with may have been lowered meanwhile.
 */
export async function holdPractice(ctx: WriteCtx): Promise<PlanName> {
  const [account] = await ctx.rows<{ plan: PlanName }>({
    name: 'crm.hold-account',
    text: `select case when plan = 'free' and trial_ends_at > $2 then 'pro' else plan end as plan from account where id = $1 for no key update`,
    values: [ctx.coachId, ctx.now()],
  })
  return account!.plan
}

async function roomOn(ctx: WriteCtx, plan: PlanName): Promise<number | null> {
  const limit = plans[plan].clients
  return limit === null ? null : Math.max(0, limit - (await countClients(ctx)))
}

/** Says that the plan's clients are used up, and what can be done. */
function planIsFull(plan: PlanName): string {
  const { title, clients } = plans[plan]
  return `Your ${title} plan includes ${clients} ${clients === 1 ? 'client' : 'clients'}. Upgrade your plan or archive a client to make room.`
}
