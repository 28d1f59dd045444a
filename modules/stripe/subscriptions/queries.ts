import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { SubscriptionState } from './states.ts'
import type { Terms } from './terms.ts'

export type Subscription = Terms & {
  id: number
  clientId: number | null
  productId: number | null
  productName: string
  /** A visitor who has begun and not paid yet. */
  buyerName: string | null
  buyerEmail: string | null
  sessionCount: number | null
  state: SubscriptionState
  cancelsAtPeriodEnd: boolean
  nextChargeAt: string | null
  startedAt: string | null
  endedAt: string | null
  accountId: string | null
  sessionId: string | null
  sessionUrl: string | null
  sessionExpiresAt: string | null
  sessions: number
  subscriptionId: string | null
  scheduleId: string | null
  skippedParts: number
  syncs: number
  synced: number
  /** The installments or periods that are paid. */
  paidParts: number
  paidAmount: number
  createdAt: string
}

export const subscriptionColumns = `s.id, s.client_id as "clientId", s.product_id as "productId",
  s.product_name as "productName", s.buyer_name as "buyerName", s.buyer_email as "buyerEmail",
  s.session_count as "sessionCount", s.kind, s.frequency, s.parts, s.currency, s.amount,
  s.state, s.cancels_at_period_end as "cancelsAtPeriodEnd", ${isoTimestamp('s.next_charge_at')} as "nextChargeAt",
  ${isoTimestamp('s.started_at')} as "startedAt", ${isoTimestamp('s.ended_at')} as "endedAt",
  s.account_id as "accountId", s.session_id as "sessionId", s.session_url as "sessionUrl",
  ${isoTimestamp('s.session_expires_at')} as "sessionExpiresAt", s.sessions, s.subscription_id as "subscriptionId",
  s.schedule_id as "scheduleId", s.skipped_parts as "skippedParts", s.syncs, s.synced,
  ${isoTimestamp('s.created_at')} as "createdAt",
  (select count(*) from stripe_charge c
    where c.coach_id = $1 and c.subscription_row_id = s.id and c.state = 'paid') as "paidParts",
  (select coalesce(sum(c.amount), 0)::bigint from stripe_charge c
    where c.coach_id = $1 and c.subscription_row_id = s.id and c.state = 'paid') as "paidAmount"`

type Reader = Pick<Ctx, 'coachId' | 'query'>

/** By our own id or by one of Stripe's. */
export async function findSubscription(
  ctx: Reader,
  column: 'id' | 'session_id' | 'subscription_id',
  value: number | string,
): Promise<Subscription | null> {
  const [found] = await ctx.query<Subscription>({
    name: `stripe.subscription-by-${column}`,
    text: `select ${subscriptionColumns} from stripe_subscription s where s.coach_id = $1 and s.${column} = $2`,
    values: [ctx.coachId, value],
  })
  return found ?? null
}

/**
 * Newest first, and the number of all, without those that visitors haven't paid. `clientId`: null for those of all
 * clients.
 */
export async function listSubscriptions(
  ctx: Ctx,
  { clientId, rows, skip }: { clientId: number | null; rows: number; skip: number },
): Promise<{ subscriptions: Subscription[]; count: number }> {
  authorize(ctx, 'stripe:subscription:read')
  const name = clientId === null ? 'all' : 'client'
  const where = clientId === null ? 'and s.buyer_email is null' : 'and s.client_id = $2'
  const values = clientId === null ? [ctx.coachId] : [ctx.coachId, clientId]
  const [subscriptions, [total]] = (await ctx.queryAll([
    {
      name: `stripe.list-subscriptions-${name}`,
      text: `select ${subscriptionColumns} from stripe_subscription s where s.coach_id = $1 ${where}
        order by s.created_at desc, s.id desc limit $${values.length + 1} offset $${values.length + 2}`,
      values: [...values, rows, skip],
    },
    {
      name: `stripe.count-subscriptions-${name}`,
      text: `select count(*) from stripe_subscription s where s.coach_id = $1 ${where}`,
      values,
    },
  ])) as [Subscription[], [{ count: number }]]
  return { subscriptions, count: total.count }
}
