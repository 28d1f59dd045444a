import { dayMs } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { callStripe } from '../vendor/client.ts'
import { fromMinorUnits } from '../vendor/amounts.ts'
import { applySubscriptionSession } from './checkout.ts'
import { toId } from './progress.ts'
import { StripeError } from '../vendor/errors.ts'
import { syncSubscription } from './sync.ts'

type Row = {
  id: number
  clientId: number | null
  buyerEmail: string | null
  accountId: string
  subscriptionId: string | null
  sessionId: string | null
}

/**
 * Asks for all subscriptions that run or may have begun, and ends those of erased clients. `onlyUnscheduled`:
 * installments of which Stripe doesn't know the end yet. One that fails doesn't stop the others.
 */
export async function syncSubscriptions(ctx: Ctx, { onlyUnscheduled = false } = {}): Promise<void> {
  const rows = await ctx.query<Row>({
    name: `stripe.${onlyUnscheduled ? 'unscheduled' : 'running'}-subscriptions`,
    text: `select id, client_id as "clientId", buyer_email as "buyerEmail", account_id as "accountId", subscription_id as "subscriptionId",
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

async function syncOne(ctx: Ctx, { clientId, buyerEmail, accountId, subscriptionId, sessionId }: Row): Promise<void> {
  if (!subscriptionId) {
    await applySubscriptionSession(ctx, sessionId!, accountId)
    return
  }
  if (clientId === null && buyerEmail === null)
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

/** Days: a visitor can pay in the first two weeks, and a bank debit takes two weeks at most. */
const keptDays = 30

/** Deletes what visitors began and never paid, with their names. */
export async function forgetUnpaid(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - keptDays * dayMs)
  await forEachCoach(platform, ({ id }) =>
    withTenant(platform, id, async (tx) => {
      await tx.query({
        name: 'stripe.forget-subscriptions',
        text: `delete from stripe_subscription
          where coach_id = $1 and buyer_email is not null and (subscription_id is null or state = 'cancelled')
            and created_at < $2`,
        values: [id, before],
      })
    }),
  )
}
