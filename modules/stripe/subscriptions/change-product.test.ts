import { afterAll, beforeEach, expect, test } from 'vitest'
import { getBillingTotals, listDifferences } from '#modules/billing/e2e/factories.ts'
import { listPurchases } from '#modules/billing/queries/purchases.ts'
import { visitorContext } from '#tenants/context.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { contextFor, createClient, createCoach, createProduct, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { connectStripe, deliverAll } from '../e2e/support.ts'
import { payerPermissions } from '../permissions.ts'
import { changeProduct, previewChange } from './change-product.ts'
import { openSubscriptionCheckout } from './checkout.ts'
import { getChangeView } from './loader.server.ts'
import { cancelAtPeriodEnd } from './manage.ts'
import { createSubscription } from './offer.ts'
import { findSubscription } from './queries.ts'
import { syncSubscriptions } from './reconcile.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let id: number
let gold: number
let small: number
let number = 0

const recurring = { paymentType: 'recurring', billingFrequency: 'monthly' } as const

beforeEach(async () => {
  app.clock.now = new Date('2026-04-01T14:00:00Z')
  stripe.stopFailing()
  coach = await createCoach({ subdomain: `change-${++number}`, timezone: 'UTC' })
  account = await connectStripe(coach, stripe)
  const { id: clientId } = await createClient({ coach, name: 'Maya Ortiz', email: 'maya@example.com' })
  const silver = await createProduct({ coach, name: 'Silver', price: '80.00', ...recurring })
  gold = (await createProduct({ coach, name: 'Gold', price: '140.00', sessionCount: 4, ...recurring })).id
  small = (await createProduct({ coach, name: 'Small', price: '20.00', ...recurring })).id
  id = await inTenant(coach, (ctx) => createSubscription(ctx, { clientId, productId: silver.id }))
  const { account: own } = await contextFor(coach)
  await openSubscriptionCheckout(visitorContext(coach.platform, own, { requestId: 'test' }, payerPermissions), id)
  store().pay((await find()).sessionId!)
  await deliverAll(coach, stripe)
})

const store = () => stripe.account(account)
const find = async () => (await findSubscription(await contextFor(coach), 'id', id))!
const purchases = async () => {
  const list = await listPurchases(await contextFor(coach), {})
  return list.map(({ productName, amount }) => [productName, amount]).toSorted()
}
const revenue = async () => {
  const ctx = await contextFor(coach)
  expect(await listDifferences(ctx)).toEqual([])
  return (await getBillingTotals(ctx, { today: app.clock.now.toISOString().slice(0, 10) })).revenue
}
const change = async (productId: number, when: 'now' | 'next', at?: number) =>
  changeProduct(await contextFor(coach), id, { productId, when, at })
/** The period turns, and Stripe charges the next one. */
const turn = async () => {
  for (const time of ['14:00', '15:01']) {
    app.clock.now = new Date(`2026-05-01T${time}:00Z`)
    stripe.tick()
  }
  await deliverAll(coach, stripe)
}

test('with the next charge nothing is paid before, and each period from then on is the new product', async () => {
  await change(gold, 'next')
  expect(await find()).toMatchObject({ productId: gold, productName: 'Gold', amount: 14_000, sessionCount: 4 })
  await deliverAll(coach, stripe)
  expect(await revenue()).toBe(8_000)
  await turn()
  expect(await purchases()).toEqual([
    ['Gold', 14_000],
    ['Silver', 8_000],
  ])
})

test('now, the client pays exactly what was shown, and the rest of the period is booked once', async () => {
  app.clock.now = new Date('2026-04-16T14:00:00Z')
  const { due, at } = await previewChange(await contextFor(coach), id, gold)
  expect(due).toBe(3_000)
  expect(store().list('invoice')).toHaveLength(1)
  app.clock.now = new Date('2026-04-16T18:00:00Z')
  await change(gold, 'now', at)
  await deliverAll(coach, stripe)
  await deliverAll(coach, stripe)
  expect(await revenue()).toBe(8_000 + 3_000)
  await turn()
  expect(await purchases()).toEqual([
    ['Gold', 14_000],
    ['Gold', 3_000],
    ['Silver', 8_000],
  ])
})

test.each([
  ['is declined', 'declined', 'The client’s card was declined. Nothing has changed.'],
  [
    'needs the client',
    'requires_action',
    'The client’s bank asks the client first. Nothing has changed. Change it with the next charge.',
  ],
] as const)('a card that %s changes nothing', async (_, how, message) => {
  const { subscriptionId } = await find()
  store().cards.set(store().get('subscription', subscriptionId!).customer, how)
  await expect(change(gold, 'now')).rejects.toMatchObject({ code: 'conflict', message })
  await syncSubscriptions(await contextFor(coach))
  expect(await find()).toMatchObject({ productName: 'Silver', amount: 8_000, state: 'active' })
  expect(await revenue()).toBe(8_000)
})

test('a response that is lost is found in the night', async () => {
  stripe.fail(/subscriptions\/sub_\w+$/, 'lost', 3)
  await expect(change(gold, 'next')).rejects.toMatchObject({ code: 'upstream_failed' })
  stripe.stopFailing()
  stripe.takeDeliveries()
  await syncSubscriptions(await contextFor(coach))
  const { productName, amount } = await find()
  expect([
    ['Gold', 14_000],
    ['Silver', 8_000],
  ]).toContainEqual([productName, amount])
  // Trying it again ends with the new product, whatever became of the first one.
  if (productName === 'Silver') await change(gold, 'next')
  expect((await find()).productName).toBe('Gold')
})

test('a cheaper product begins with the next charge only, and others can’t be chosen', async () => {
  expect((await previewChange(await contextFor(coach), id, small)).due).toBeNull()
  await expect(change(small, 'now')).rejects.toMatchObject({ code: 'conflict' })
  const weekly = await createProduct({
    coach,
    name: 'Weekly',
    price: '30.00',
    paymentType: 'recurring',
    billingFrequency: 'weekly',
  })
  const once = await createProduct({ coach, name: 'Once', price: '30.00' })
  for (const product of [weekly.id, once.id, (await find()).productId!])
    await expect(change(product, 'next')).rejects.toMatchObject({ code: 'validation_failed' })
  const view = await getChangeView(await contextFor(coach), id, gold)
  expect(view!.products.map(({ label }) => label).toSorted()).toEqual([
    'Gold, $140.00 monthly',
    'Small, $20.00 monthly',
  ])
  expect(view!.chosen).toMatchObject({ price: '$140.00 monthly', next: 'May 1, 2026', now: { due: '$60.00' } })
  await change(small, 'next')
  expect((await find()).productName).toBe('Small')
})

test('one that ends, and one whose payment is on its way, don’t change', async () => {
  app.clock.now = new Date('2026-05-01T14:00:00Z')
  stripe.tick()
  await expect(change(gold, 'next')).rejects.toMatchObject({ message: /on its way/ })
  await turn()
  await cancelAtPeriodEnd(await contextFor(coach), id)
  await expect(change(gold, 'next')).rejects.toMatchObject({ code: 'conflict' })
  expect(await getChangeView(await contextFor(coach), id, gold)).toBeNull()
})
