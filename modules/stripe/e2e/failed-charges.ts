import type { FakeStripe } from '#tests/fakes/stripe/server.ts'
import { contextFor, createClient, createProduct, inTenant, type Coach } from '#tests/support/factories.ts'
import { openSubscriptionCheckout } from '../subscriptions/checkout.ts'
import { getSubscription } from '../subscriptions/manage.ts'
import { createSubscription } from '../subscriptions/offer.ts'
import { applyEvents, connectStripe, deliver } from './support.ts'

/**
 * Connects Stripe, and sells two memberships whose second charge fails: one by the card, the other until the client
 * agrees with their bank. The first one was a month ago. Returns what Stripe has of the coach.
 */
export async function failCharges(coach: Coach, stripe: FakeStripe, clock: { now: Date }) {
  const now = clock.now
  clock.now = new Date(now)
  clock.now.setUTCMonth(now.getUTCMonth() - 1)
  const store = stripe.account(await connectStripe(coach, stripe))
  const product = await createProduct({
    coach,
    name: 'Membership',
    paymentType: 'recurring',
    billingFrequency: 'monthly',
  })
  const deliverAll = async () => {
    for (const delivery of stripe.takeDeliveries()) await deliver(coach, delivery)
    await applyEvents(coach)
  }
  for (const card of ['declined', 'requires_action'] as const) {
    const { id: clientId } = await createClient({ coach, name: `Zoe ${card}`, email: `${card}@example.com` })
    const id = await inTenant(coach, (tx) => createSubscription(tx, { clientId, productId: product.id }))
    await openSubscriptionCheckout(await contextFor(coach), id)
    store.pay((await getSubscription(await contextFor(coach), id)).sessionId!)
    await deliverAll()
    store.cards.set(store.list('customer').at(-1)!.id, card)
  }
  // Stripe tries a charge an hour after its invoice.
  for (const minutes of [0, 61]) {
    clock.now = new Date(now.getTime() + minutes * 60_000)
    stripe.tick()
    await deliverAll()
  }
  return store
}
