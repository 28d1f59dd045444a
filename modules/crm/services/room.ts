import { AppError } from '#app/lib/errors.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { plans } from '#tenants/plans.ts'
import { countClients } from '../queries/figures.ts'

/**
 * How many more clients the plan takes; null: no limit. Holds the account until the transaction ends, so that fifty at
 * once get exactly as many places as there are.
 */
export async function roomOnPlan(ctx: WriteCtx): Promise<number | null> {
  const limit = plans[ctx.plan].clients
  if (limit === null) return null
  await holdPractice(ctx)
  return Math.max(0, limit - (await countClients(ctx)))
}

/** Whoever holds the practice adds clients alone, until the transaction ends. */
export async function holdPractice(ctx: WriteCtx): Promise<void> {
  await ctx.rows({ name: 'crm.hold-account', text: 'select id from account where id = $1 for no key update', values: [ctx.coachId] })
}

/** Throws plan_limit when the plan takes no other client. */
export async function needRoom(ctx: WriteCtx): Promise<void> {
  if ((await roomOnPlan(ctx)) === 0) throw new AppError('plan_limit', planIsFull(ctx))
}

/** Says that the plan's clients are used up, and what can be done. */
export function planIsFull(ctx: Ctx): string {
  const { title, clients } = plans[ctx.plan]
  return `Your ${title} plan includes ${clients} ${clients === 1 ? 'client' : 'clients'}. Upgrade your plan or archive a client to make room.`
}
