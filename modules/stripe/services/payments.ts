import type { Ctx } from '#tenants/context.ts'
import { findPayment } from '../queries/payments.ts'
import { callStripe } from '../vendor/client.ts'
import { findSubscriptionOfPayment, syncSubscription } from '../subscriptions/sync.ts'
import { applySession, findCheckout } from './checkout.ts'

/**
 * The invoice that a payment was for; null if it isn't one of ours. A payment that we don't know yet is booked: news of
 * its refund or dispute may come first. Throws StripeError.
 */
export async function findOrBookPayment(
  ctx: Ctx,
  paymentIntentId: string,
  accountId: string,
): Promise<{ invoiceId: number } | null> {
  const known = await findPayment(ctx, paymentIntentId)
  if (known) return known
  const subscriptionId = await findSubscriptionOfPayment(ctx, paymentIntentId, accountId)
  if (subscriptionId) {
    await syncSubscription(ctx, { subscriptionId, accountId })
    return findPayment(ctx, paymentIntentId)
  }
  const { metadata } = await callStripe(ctx.platform.config, (stripe) =>
    stripe.paymentIntents.retrieve(paymentIntentId, {}, { stripeAccount: accountId }),
  )
  const isOurs = metadata.coach === String(ctx.coachId) && /^[1-9]\d{0,14}$/.test(metadata.checkout ?? '')
  const checkout = isOurs ? await findCheckout(ctx, 'id', Number(metadata.checkout)) : null
  if (!checkout?.sessionId) return null
  await applySession(ctx, checkout.sessionId, accountId)
  return findPayment(ctx, paymentIntentId)
}
