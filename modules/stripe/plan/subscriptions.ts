import type { Stripe } from 'stripe'
import type { Config } from '#tenants/config.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { callStripe } from '../vendor/client.ts'
import type { Subscription } from './state.ts'

export type PaidPlanName = Exclude<PlanName, 'free'>

/** All of a customer, also those that have ended. Throws StripeError. */
export async function fetchSubscriptions(config: Config, customer: string): Promise<Subscription[]> {
  const { data } = await callStripe(config, (stripe) =>
    stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
  )
  return data.map((subscription) => toSubscription(config, subscription))
}

function toSubscription(config: Config, subscription: Stripe.Subscription): Subscription {
  const { id, status, created, cancel_at, cancellation_details } = subscription
  const [item] = subscription.items.data
  return {
    id,
    itemId: item!.id,
    status,
    plan: findPlan(config, item!.price.id),
    createdAt: toDate(created),
    periodEndsAt: toDate(item!.current_period_end),
    cancelsAt: cancel_at ? toDate(cancel_at) : null,
    isUnpaid: status === 'canceled' && cancellation_details?.reason === 'payment_failed',
  }
}

const toDate = (seconds: number): Date => new Date(seconds * 1000)

const findPlan = ({ stripe }: Config, price: string): PlanName | null =>
  (['pro', 'premium'] as const).find((plan) => stripe?.prices[plan] === price) ?? null

/** The unused part of what was paid stays with the customer as a credit. */
export async function cancelSubscription(config: Config, id: string): Promise<void> {
  await callStripe(config, (stripe) => stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true }))
}
