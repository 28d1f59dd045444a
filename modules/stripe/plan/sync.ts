import { isoTimestamp } from '#db/read-pool.ts'
import { setPaidPlan } from '#tenants/accounts/protected-columns.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform, type TenantTransaction } from '#tenants/platform.ts'
import { StripeError } from '../vendor/errors.ts'
import { chooseSubscription, isLive, toPaidPlan, type Subscription } from './state.ts'
import { cancelSubscription, fetchSubscriptions } from './subscriptions.ts'

/**
 * Asks Stripe for the coach's subscription and gives the account the plan that is paid for. Of several subscriptions it keeps
 * the better one; of a removed coach none. Throws StripeError.
 */
export async function syncPlan(platform: Platform, coachId: number): Promise<void> {
  const { config } = platform
  const begun = await withTenant(platform, coachId, (tx) => beginSync(tx, coachId))
  if (!begun) return
  const subscriptions = await fetchSubscriptions(config, begun.customerId)
  const { best, others } = chooseSubscription(subscriptions.map((one) => keepPlan(one, begun)))
  const ended = best && begun.isRemoved && isLive(best.status) ? [best, ...others] : others
  // Not while the tenant's transaction is open. As nobody: the database lets no coach change a plan.
  await withTenant(platform, coachId, (tx) => storeSubscription(tx, { coachId, syncs: begun.syncs, best, platform }))
  for (const { id } of ended) await cancelSubscription(config, id).catch(ignoreNotFound)
}

/** Another sync has cancelled it. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof StripeError) || error.kind !== 'not_found') throw error
}

type Begun = {
  customerId: string
  syncs: number
  isRemoved: boolean
  subscriptionId: string | null
  plan: PlanName
}

/** The platform's prices change: a subscription at a former price stays what it was. */
const keepPlan = (subscription: Subscription, { subscriptionId, plan }: Begun): Subscription =>
  subscription.plan === null && subscription.id === subscriptionId && plan !== 'free'
    ? { ...subscription, plan }
    : subscription

async function beginSync(tx: TenantTransaction, coachId: number): Promise<Begun | undefined> {
  const [begun] = await tx.query<Begun>({
    name: 'stripe.begin-plan-sync',
    text: `update plan_subscription set syncs = syncs + 1 where coach_id = $1
      returning customer_id as "customerId", syncs, subscription_id as "subscriptionId", plan,
        (select removed_at is not null from account where id = $1) as "isRemoved"`,
    values: [coachId],
  })
  return begun
}

type Stored = {
  plan: PlanName
  status: string | null
  subscriptionId: string | null
  accountPlan: PlanName
  failedAt: string | null
}

async function storeSubscription(
  tx: TenantTransaction,
  { coachId, syncs, best, platform }: { coachId: number; syncs: number; best: Subscription | null; platform: Platform },
): Promise<void> {
  const now = platform.now()
  const [stored] = await tx.query<Stored>({
    name: 'stripe.lock-plan',
    text: `select s.plan, s.status, s.subscription_id as "subscriptionId", a.plan as "accountPlan",
        ${isoTimestamp('a.payment_failed_at')} as "failedAt"
      from plan_subscription s join account a on a.id = $1
      where s.coach_id = $1 and s.syncs = $2 for no key update`,
    values: [coachId, syncs],
  })
  // Stripe was asked again in the meantime: that response is newer.
  if (!stored || !best) return
  if (best.plan === null && isLive(best.status)) {
    platform.log.error({ account: coachId, subscription: best.id }, 'a subscription has a price that is no plan')
    return
  }
  const known = stored.failedAt === null ? null : new Date(stored.failedAt)
  // It had ended before: an administrator has given another plan since then.
  const isKnownEnd = stored.subscriptionId === best.id && !isLive(stored.status) && !isLive(best.status)
  if (known === null && isKnownEnd) return
  const { plan, failedAt } = toPaidPlan(best, known, now)
  const isOwed = plan !== 'free' || failedAt !== null
  await tx.query({
    name: 'stripe.store-plan',
    text: `update plan_subscription set subscription_id = $2, status = $3, plan = $4, period_ends_at = $5, cancels_at = $6,
        synced_at = $7
      where coach_id = $1`,
    values: [coachId, best.id, best.status, isOwed ? best.plan : 'free', best.periodEndsAt, best.cancelsAt, now],
  })
  // Once a subscription has ended, an administrator may give any plan.
  if (!isOwed && stored.plan === 'free') return
  if (plan !== stored.accountPlan || failedAt?.getTime() !== known?.getTime())
    await setPaidPlan(tx, { plan, failedAt, now })
}

/** Webhooks get lost, and grace ends: asks Stripe about every coach who was sent there. */
export async function reconcilePlans(platform: Platform): Promise<void> {
  if (!platform.config.stripe) return
  await forEachCoach(platform, ({ id }) => syncPlan(platform, id))
}

/** The coach who is a customer of the platform; null for other customers. */
export async function findCustomerCoach({ readPool }: Platform, customerId: string | null): Promise<number | null> {
  if (customerId === null) return null
  const [row] = await readPool.queryGlobal<{ coachId: number | null }>({
    name: 'stripe.find-customer',
    text: 'select find_plan_customer($1) as "coachId"',
    values: [customerId],
  })
  return row?.coachId ?? null
}
