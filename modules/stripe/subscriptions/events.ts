import type { Ctx } from '#tenants/context.ts'
import { callStripe } from '../vendor/client.ts'
import { toId } from './progress.ts'
import { findSubscriptionOfInvoice, syncSubscription } from './sync.ts'

/** An invoice at Stripe has changed: of a subscription it is an installment or a period. Throws StripeError. */
export async function applyInvoice(ctx: Ctx, invoiceId: string, accountId: string): Promise<void> {
  const subscriptionId = await findSubscriptionOfInvoice(ctx, invoiceId, accountId)
  if (subscriptionId) await syncSubscription(ctx, { subscriptionId, accountId })
}

export async function applySchedule(ctx: Ctx, scheduleId: string, accountId: string): Promise<void> {
  const schedule = await callStripe(ctx.platform.config, (stripe) =>
    stripe.subscriptionSchedules.retrieve(scheduleId, {}, { stripeAccount: accountId }),
  )
  const subscriptionId = toId(schedule.subscription) ?? schedule.released_subscription
  if (subscriptionId) await syncSubscription(ctx, { subscriptionId, accountId })
}
