import type { Ctx } from '#tenants/context.ts'
import { callStripe } from '../vendor/client.ts'
import { fromMinorUnits } from '../vendor/amounts.ts'
import { applySubscriptionSession } from './checkout.ts'
import { toId } from './progress.ts'
import { StripeError } from '../vendor/errors.ts'
import { syncSubscription } from './sync.ts'

type Row = {
  id: number
  clientId: number | null
  accountId: string
  subscriptionId: string | null
  sessionId: string | null
}

/**
 * Asks for all subscriptions that run or may have begun, and ends those of erased clients. `onlyUnscheduled`: installments
 * of which Stripe doesn't know the end yet. One that fails doesn't stop the others.
 */
export async function syncSubscriptions(ctx: Ctx, { onlyUnscheduled = false } = {}): Promise<void> {
  const rows = await ctx.query<Row>({
    name: `stripe.${onlyUnscheduled ? 'unscheduled' : 'running'}-subscriptions`,
    text: `select id, client_id as "clientId", account_id as "accountId", subscription_id as "subscriptionId",
        session_id as "sessionId" from stripe_subscription
      where coach_id = $1 and account_id is not null and coalesce(subscription_id, session_id) is not null
        and state in ('offered', 'active', 'paused', 'past_due', 'unpaid')
        ${onlyUnscheduled ? `and kind = 'installment' and schedule_id is null and not cancels_at_period_end` : ''}
      order by id`,
    values: [ctx.coachId],
  })
  for (const row of rows) {
    try {
      await syncOne(ctx, row)
    } catch (error) {
      ctx.platform.log.error(
        { err: error, account: ctx.coachId, subscription: row.id },
        'a subscription was not asked for',
      )
    }
  }
}

async function syncOne(ctx: Ctx, { clientId, accountId, subscriptionId, sessionId }: Row): Promise<void> {
  if (!subscriptionId) {
    await applySubscriptionSession(ctx, sessionId!, accountId)
    return
  }
  if (clientId === null)
    await callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.cancel(subscriptionId, {}, { stripeAccount: accountId }),
    ).catch((error: unknown) => {
      if (!(error instanceof StripeError) || error.kind !== 'not_found') throw error
    })
  await syncSubscription(ctx, { subscriptionId, accountId })
}

/** The payments of subscriptions since then, as Stripe has them. Amounts in cents. */
export async function listCharged(
  ctx: Ctx,
  { accountId, since }: { accountId: string; since: number },
): Promise<{ paymentIntentId: string; amount: number }[]> {
  const own = await ctx.query<{ subscriptionId: string }>({
    name: 'stripe.own-subscriptions',
    text: `select subscription_id as "subscriptionId" from stripe_subscription
      where coach_id = $1 and account_id = $2 and subscription_id is not null`,
    values: [ctx.coachId, accountId],
  })
  if (!own.length) return []
  const ids = new Set(own.map(({ subscriptionId }) => subscriptionId))
  const invoices = await callStripe(ctx.platform.config, (stripe) =>
    stripe.invoices
      .list(
        { status: 'paid', created: { gte: since }, limit: 100, expand: ['data.payments'] },
        { stripeAccount: accountId },
      )
      .autoPagingToArray({ limit: 10_000 }),
  )
  return invoices.flatMap(({ parent, payments, amount_paid, currency }) => {
    const paymentIntentId = toId(payments?.data.find(({ status }) => status === 'paid')?.payment.payment_intent)
    const isOwn = ids.has(toId(parent?.subscription_details?.subscription) ?? '')
    return isOwn && paymentIntentId ? [{ paymentIntentId, amount: fromMinorUnits(amount_paid, currency) }] : []
  })
}
