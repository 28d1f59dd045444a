import { isoTimestamp } from '#db/read-pool.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import type { TenantTransaction } from '#tenants/platform.ts'

export type StoredSubscription = {
  customerId: string
  subscriptionId: string | null
  status: string | null
  plan: PlanName
  periodEndsAt: string | null
  cancelsAt: string | null
  checkoutId: string | null
  checkouts: number
}

/** Null for a coach who was never sent to Stripe. */
export async function findSubscription(
  { query }: Pick<TenantTransaction, 'query'>,
  coachId: number,
): Promise<StoredSubscription | null> {
  const [row] = await query<StoredSubscription>({
    name: 'stripe.plan-subscription',
    text: `select customer_id as "customerId", subscription_id as "subscriptionId", status, plan,
        ${isoTimestamp('period_ends_at')} as "periodEndsAt", ${isoTimestamp('cancels_at')} as "cancelsAt",
        checkout_id as "checkoutId", checkouts
      from plan_subscription where coach_id = $1`,
    values: [coachId],
  })
  return row ?? null
}
