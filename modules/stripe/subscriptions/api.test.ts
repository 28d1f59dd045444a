import { afterAll, beforeEach, expect, test } from 'vitest'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { contextFor, createClient, createCoach, createProduct, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { connectStripe, deliverAll } from '../e2e/support.ts'
import { openSubscriptionCheckout } from './checkout.ts'
import { exportCharges, exportSubscriptions } from './export.ts'
import { getSubscription } from './manage.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let clientId: number
let number = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-01-10T14:00:00Z')
  coach = await createCoach({ subdomain: `api-${++number}`, timezone: 'UTC' })
  account = await connectStripe(coach, stripe)
  clientId = (await createClient({ coach, name: 'Maya', email: `client-${number}@example.com` })).id
  stripe.takeDeliveries()
})

const call = (method: string, path: string, body?: object) =>
  app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })
const sell = (fields: object) =>
  createProduct({ coach, name: 'Career Reset', paymentType: 'recurring', billingFrequency: 'monthly', ...fields })
const offer = async (fields: object) =>
  (await call('POST', '/subscriptions', { clientId, productId: (await sell(fields)).id })).body
async function begin(id: number): Promise<void> {
  const ctx = await contextFor(coach)
  await openSubscriptionCheckout(ctx, id)
  stripe.account(account).pay((await getSubscription(ctx, id)).sessionId!)
  await deliverAll(coach, stripe)
}
async function read(parts: AsyncIterable<string>): Promise<string[]> {
  let file = ''
  for await (const part of parts) file += part
  return file.slice(1).trim().split('\r\n')
}

test('the API offers installments, lists them with their charges, and cancels them', async () => {
  const offered = await offer({ price: '100.01', paymentType: 'installment', installmentCount: 4 })
  expect(offered).toMatchObject({
    clientId,
    productName: 'Career Reset',
    paymentType: 'installment',
    billingFrequency: 'monthly',
    installmentCount: 4,
    amount: 10_001,
    currency: 'usd',
    status: 'offered',
    paidCount: 0,
    paidAmount: 0,
    url: expect.stringContaining(`http://api-${number}.localhost:3000/subscribe/`),
    startedAt: null,
  })
  await begin(offered.id)
  const { body: list } = await call('GET', `/subscriptions?clientId=${clientId}`)
  expect(list).toEqual([(await call('GET', `/subscriptions/${offered.id}`)).body])
  expect(list[0]).toMatchObject({ status: 'active', paidCount: 1, paidAmount: 2_501, url: null })
  expect(list[0]).not.toHaveProperty('sessionUrl')

  const charges = await call('GET', `/subscription-charges?subscriptionId=${offered.id}`)
  expect(charges.body).toMatchObject([
    { subscriptionId: offered.id, clientId, number: 1, amount: 2_501, status: 'paid', nextAttemptAt: null },
  ])
  const invoice = await call('GET', `/invoices/${charges.body[0].invoiceId}`)
  expect(invoice.body).toMatchObject({ status: 'paid', total: 2_501 })

  expect((await call('POST', `/subscriptions/${offered.id}/price`, { amount: 500 })).status).toBe(409)
  expect((await call('POST', `/subscriptions/${offered.id}/pause`)).body).toMatchObject({ status: 'paused' })
  expect((await call('POST', `/subscriptions/${offered.id}/pause`)).status).toBe(409)
  expect((await call('POST', `/subscriptions/${offered.id}/resume`)).body).toMatchObject({ status: 'active' })
  const { body: cancelled } = await call('POST', `/subscriptions/${offered.id}/cancel`, { atPeriodEnd: false })
  expect(cancelled).toMatchObject({ status: 'cancelled', endedAt: '2026-01-10T14:00:00.000Z' })
})

test('the API changes the price of what is paid again and again, and ends it with its period', async () => {
  const { id } = await offer({ price: '80.00' })
  await begin(id)
  expect((await call('POST', `/subscriptions/${id}/price`, { amount: '90.00' })).body).toMatchObject({ amount: 9_000 })
  expect((await call('POST', `/subscriptions/${id}/cancel`)).body).toMatchObject({ cancelsAtPeriodEnd: true })
  expect((await call('POST', `/subscriptions/${id}/keep`)).body).toMatchObject({ cancelsAtPeriodEnd: false })
})

test('the API says what is wrong with an offer', async () => {
  const once = await createProduct({ coach, name: 'Once' })
  const post = async (body: object) => {
    const { status, body: answer } = await call('POST', '/subscriptions', body)
    return [status, answer.message]
  }
  expect(await post({ clientId: 1, productId: once.id })).toEqual([404, 'Client not found'])
  expect(await post({ clientId, productId: 1 })).toEqual([404, 'Product not found'])
  expect((await post({ clientId, productId: once.id }))[0]).toBe(422)
  const { id } = await offer({ price: '80.00' })
  expect((await call('POST', `/subscriptions/${id}/withdraw`)).body).toMatchObject({ status: 'withdrawn', url: null })
  expect((await call('POST', `/subscriptions/${id}/withdraw`)).status).toBe(409)
})

test('subscriptions and their charges are exported as CSV, with amounts as numbers and no formulas', async () => {
  const { id } = await offer({ name: '=1+1', price: '80.00' })
  await begin(id)
  const ctx = await contextFor(coach)
  expect((await read(exportSubscriptions(ctx))).slice(1)).toEqual([
    `${id},2026-01-10,Maya,'=1+1,Recurring,Monthly,,80.00,USD,Active,1,80.00,2026-01-10,2026-02-10,`,
  ])
  const [charge] = (await call('GET', '/subscription-charges')).body
  expect((await read(exportCharges(ctx))).slice(1)).toEqual([
    `${charge.id},2026-01-10,${id},Maya,'=1+1,1,,80.00,USD,Paid,INV-0001,${charge.stripePaymentIntentId}`,
  ])
  expect(await read(exportCharges(await contextFor(await createCoach())))).toHaveLength(1)
})
