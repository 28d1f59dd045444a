import { AppError } from '#app/lib/errors.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { effectivePlanSql, isLapsed, plans, type PlanName } from '#tenants/accounts/plans.ts'
import { countClients } from '../queries/counts.ts'
import type { ClientRecord } from '../records.ts'

/** How many more clients the plan allows; null: no limit. Locks the account, so that the number stays exact. */
export async function remainingClients(ctx: WriteCtx): Promise<number | null> {
  return remainingOnPlan(ctx, await lockAccount(ctx))
}

/** Throws plan_limit when the plan allows no other client. */
export async function assertWithinPlanLimit(ctx: WriteCtx): Promise<void> {
  const plan = await lockAccount(ctx)
  if ((await remainingOnPlan(ctx, plan)) === 0) throw new AppError('plan_limit', planLimitMessage(plan))
}

/** Throws plan_limit unless the plan has room for so many more clients. Locks the account. */
export async function assertRoomFor(ctx: WriteCtx, added: number): Promise<void> {
  const plan = await lockAccount(ctx)
  const limit = plans[plan].maxClients
  if (limit !== null && (await countClients(ctx)) + added > limit)
    throw new AppError('plan_limit', planLimitMessage(plan))
}

/** As `assertNotReadOnly`, for many clients. */
export async function assertNoneReadOnly(
  ctx: WriteCtx,
  clients: { id: number; archivedAt: string | null }[],
): Promise<void> {
  const archived = clients.find(({ archivedAt }) => archivedAt !== null)
  if (archived) await assertNotReadOnly(ctx, archived.id)
  if (!isLapsed(ctx)) return
  const within = new Set(await listWithinLimit(ctx))
  const over = clients.find(({ id, archivedAt }) => archivedAt === null && !within.has(id))
  if (over) await assertNotReadOnly(ctx, over.id)
}

/**
 * Throws plan_limit for an archived client on a plan that is full, and for one that is over the limit of a plan that
 * ended because its payment failed: these can only be read, exported, archived and deleted.
 */
export async function assertNotReadOnly(ctx: WriteCtx, clientId: number): Promise<void> {
  if (isLapsed(ctx) && (await isOverLimit(ctx, clientId))) throw new AppError('plan_limit', overLimitMessage)
  const [archived] = await ctx.query({
    name: 'crm.is-archived',
    text: 'select id from client where coach_id = $1 and id = $2 and archived_at is not null',
    values: [ctx.coachId, clientId],
  })
  if (archived && (await remainingOnPlan(ctx, ctx.plan)) === 0)
    throw new AppError(
      'plan_limit',
      `This client is archived and your ${plans[ctx.plan].title} plan is full, so it is read-only. ` +
        'Upgrade your plan, or archive another client and unarchive this one.',
    )
}

/** Whether `assertNotReadOnly` refuses changes of this client. */
export async function isReadOnly(
  ctx: Ctx,
  { id, archivedAt }: Pick<ClientRecord, 'id' | 'archivedAt'>,
): Promise<boolean> {
  if (archivedAt !== null) return (await remainingOnPlan(ctx, ctx.plan)) === 0
  return isLapsed(ctx) && (await isOverLimit(ctx, id))
}

const overLimitMessage =
  'The payment of your plan failed, so clients over the limit of the Free plan are read-only. ' +
  'Update your card, or archive other clients.'

async function isOverLimit(ctx: Ctx, clientId: number): Promise<boolean> {
  const within = await listWithinLimit(ctx)
  const [current] = await ctx.query({
    name: 'crm.is-current',
    text: `select id from client where coach_id = $1 and id = $2 and archived_at is null and deleted_at is null`,
    values: [ctx.coachId, clientId],
  })
  return current !== undefined && within !== null && !within.includes(clientId)
}

/** The clients that the plan's limit has room for: those who came first. Null: no limit. */
export async function listWithinLimit(ctx: Ctx): Promise<number[] | null> {
  const { maxClients } = plans[ctx.plan]
  if (maxClients === null) return null
  const rows = await ctx.query<{ id: number }>({
    name: 'crm.within-limit',
    text: `select id from client where coach_id = $1 and deleted_at is null and archived_at is null
      order by created_at, id limit $2`,
    values: [ctx.coachId, maxClients],
  })
  return rows.map(({ id }) => id)
}

/**
 * Serializes adding clients until the transaction ends. Returns the current plan, which may be lower than the one that
 * the request started with.
 */
export async function lockAccount(ctx: WriteCtx): Promise<PlanName> {
  const [account] = await ctx.query<{ plan: PlanName }>({
    name: 'crm.lock-account',
    text: `select ${effectivePlanSql('$2')} as plan from account where id = $1 for no key update`,
    values: [ctx.coachId, ctx.now()],
  })
  return account!.plan
}

async function remainingOnPlan(ctx: Ctx, plan: PlanName): Promise<number | null> {
  const limit = plans[plan].maxClients
  return limit === null ? null : Math.max(0, limit - (await countClients(ctx)))
}

function planLimitMessage(plan: PlanName): string {
  const { title, maxClients } = plans[plan]
  const included = `Your ${title} plan includes ${maxClients} ${maxClients === 1 ? 'client' : 'clients'}.`
  return `${included} Upgrade your plan or archive a client to make room.`
}
