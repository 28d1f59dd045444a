import { isoTimestamp } from '#db/read-pool.ts'
import { setPaidPlan } from '#tenants/accounts/protected-columns.ts'
import { planIncludes, type PlanName } from '#tenants/accounts/plans.ts'
import { endDomainSessions } from '#tenants/auth/sessions.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform, type TenantTransaction } from '#tenants/platform.ts'
import { StripeError } from '../vendor/errors.ts'
import { planFailureQueue } from './email.ts'
import { chooseSubscription, isLive, toPaidPlan, type Subscription } from './state.ts'
import { cancelSubscription, fetchSubscriptions } from './subscriptions.ts'

/**
 * As `syncPlan`, again while another sync that has begun since then has the newer response. For a coach who waits for
 * it.
 */
export async function syncPlanNow(platform: Platform, coachId: number): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) if (await syncPlan(platform, coachId)) return
}

/**
 * Asks Stripe for the coach's subscription and gives the account the plan that is paid for. Of several subscriptions it
 * keeps the better one; of a removed coach none. Returns false if Stripe was asked again in the meantime. Throws
 * StripeError.
 */
export async function syncPlan(platform: Platform, coachId: number): Promise<boolean> {
  const { config } = platform
  const begun = await withTenant(platform, coachId, (tx) => beginSync(tx, coachId))
  if (!begun) return true
  const subscriptions = await fetchSubscriptions(config, begun.customerId)
  const { best, others } = chooseSubscription(subscriptions.map((one) => keepPlan(one, begun)))
  const ended = best && begun.isRemoved && isLive(best.status) ? [best, ...others] : others
  // Not while the tenant's transaction is open. As nobody: the database lets no coach change a plan.
  const isLatest = await withTenant(platform, coachId, (tx) =>
    storeSubscription(tx, { coachId, syncs: begun.syncs, best, platform }),
  )
  for (const { id } of ended) await cancelSubscription(config, id).catch(ignoreNotFound)
  return isLatest
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

/** Returns false, and stores nothing, if Stripe was asked again in the meantime: that response is newer. */
async function storeSubscription(
  tx: TenantTransaction,
  { coachId, syncs, best, platform }: { coachId: number; syncs: number; best: Subscription | null; platform: Platform },
): Promise<boolean> {
  const now = platform.now()
  const [stored] = await tx.query<Stored>({
    name: 'stripe.lock-plan',
    text: `select s.plan, s.status, s.subscription_id as "subscriptionId", a.plan as "accountPlan",
        ${isoTimestamp('a.payment_failed_at')} as "failedAt"
      from plan_subscription s join account a on a.id = $1
      where s.coach_id = $1 and s.syncs = $2 for no key update`,
    values: [coachId, syncs],
  })
  if (!stored) return false
  if (!best) return true
  if (best.plan === null && isLive(best.status)) {
    platform.log.error({ account: coachId, subscription: best.id }, 'a subscription has a price that is no plan')
    return true
  }
  const known = stored.failedAt === null ? null : new Date(stored.failedAt)
  // It had ended before: an administrator has given another plan since then.
  const isKnownEnd = stored.subscriptionId === best.id && !isLive(stored.status) && !isLive(best.status)
  if (known === null && isKnownEnd) return true
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
  if (!isOwed && stored.plan === 'free') return true
  if (plan !== stored.accountPlan || failedAt?.getTime() !== known?.getTime()) {
    await setPaidPlan(tx, { plan, failedAt, now })
    if (!planIncludes(plan, 'custom-domain')) await endDomainSessions(platform, tx, coachId)
  }
  if (known === null && failedAt && plan !== 'free') await tx.enqueue(planFailureQueue, { coachId, failedAt })
  return true
}

/** Webhooks get lost, and grace ends: asks Stripe about every coach who was sent there. */
export async function reconcilePlans(platform: Platform): Promise<void> {
  if (!platform.config.stripe) return
  await forEachCoach(platform, async ({ id }) => void (await syncPlan(platform, id)))
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
