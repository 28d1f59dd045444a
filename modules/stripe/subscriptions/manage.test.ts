import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getBillingTotals, listDifferences } from '#modules/billing/e2e/factories.ts'
import { assertCurrency, runHook } from '#modules/core/hooks.ts'
import { search } from '#modules/core/search.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  inTenant,
  setPlan,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { listOutbox } from '#tenants/mail.ts'
import { getAccountCard } from '../contributions.ts'
import { applyEvents, connectStripe, deliver, deliverAll } from '../e2e/support.ts'
import { reconcileAccount } from '../services/reconcile.ts'
import { openSubscriptionCheckout } from './checkout.ts'
import { emailFailure, emailOffer } from './emails.ts'
import {
  cancelAtPeriodEnd,
  cancelNow,
  changePrice,
  getSubscription,
  keepSubscription,
  pauseSubscription,
  resumeSubscription,
  sendOffer,
  withdrawOffer,
} from './manage.ts'
import { createSubscription } from './offer.ts'
import { syncSubscriptions } from './reconcile.ts'
import { listSubscriptionTimeline } from './timeline.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let clientId: number
let number = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-01-10T14:00:00Z')
  stripe.stopFailing()
  coach = await createCoach({ subdomain: `manage-${++number}` })
  account = await connectStripe(coach, stripe)
  clientId = (await createClient({ coach, email: `client-${number}@example.com` })).id
  stripe.takeDeliveries()
})

const store = () => stripe.account(account)
const inParts = { price: '400.00', paymentType: 'installment', billingFrequency: 'monthly', installmentCount: 4 }
const monthly = { price: '80.00', paymentType: 'recurring', billingFrequency: 'monthly' }
const find = async (id: number) => getSubscription(await contextFor(coach), id)
const offer = async (fields: object) => {
  const product = await createProduct({ coach, name: 'Membership', ...fields })
  return inTenant(coach, (ctx) => createSubscription(ctx, { clientId, productId: product.id }))
}
const begin = async (fields: object) => {
  const id = await offer(fields)
  await openSubscriptionCheckout(await contextFor(coach), id)
  store().pay((await find(id)).sessionId!)
  await deliverAll(coach, stripe)
  return id
}
const moveTo = async (...days: string[]) => {
  for (const day of days)
    for (const time of ['14:00', '15:01']) {
      app.clock.now = new Date(`${day}T${time}:00Z`)
      stripe.tick()
      await deliverAll(coach, stripe)
    }
}
const revenue = async () =>
  (await getBillingTotals(await contextFor(coach), { today: app.clock.now.toISOString().slice(0, 10) })).revenue

describe('a coach', () => {
  test('pauses and resumes what is paid each month', async () => {
    const id = await begin(monthly)
    await pauseSubscription(await contextFor(coach), id)
    expect(await find(id)).toMatchObject({ state: 'paused', nextChargeAt: null })
    await moveTo('2026-02-10', '2026-03-10')
    expect(await revenue()).toBe(8_000)
    await resumeSubscription(await contextFor(coach), id)
    await moveTo('2026-04-10')
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 2 })
    expect(await revenue()).toBe(16_000)
  })

  test('pauses installments, which then come at the end', async () => {
    const id = await begin(inParts)
    await pauseSubscription(await contextFor(coach), id)
    await moveTo('2026-02-10', '2026-03-10')
    await resumeSubscription(await contextFor(coach), id)
    await moveTo('2026-04-10', '2026-05-10', '2026-06-10', '2026-07-10', '2026-08-10')
    expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 4, paidAmount: 40_000 })
    expect(await revenue()).toBe(40_000)
    expect(store().list('subscription')[0]!.status).toBe('canceled')
  })

  test.each([['monthly', monthly] as const, ['installments', inParts] as const])(
    'cancels at the end of the period and takes it back: %s',
    async (_, fields) => {
      const id = await begin(fields)
      await cancelAtPeriodEnd(await contextFor(coach), id)
      expect(await find(id)).toMatchObject({ state: 'active', cancelsAtPeriodEnd: true, nextChargeAt: null })
      await keepSubscription(await contextFor(coach), id)
      expect(await find(id)).toMatchObject({ cancelsAtPeriodEnd: false, nextChargeAt: '2026-02-10T14:00:00.000Z' })
      await moveTo('2026-02-10')
      await cancelAtPeriodEnd(await contextFor(coach), id)
      await moveTo('2026-03-10', '2026-04-10')
      expect(await find(id)).toMatchObject({ state: 'cancelled', paidParts: 2 })
    },
  )

  test('cancels at once, and withdraws what has not begun', async () => {
    const id = await begin(inParts)
    await cancelNow(await contextFor(coach), id)
    await moveTo('2026-02-10')
    expect(await find(id)).toMatchObject({ state: 'cancelled', paidParts: 1 })
    await expect(cancelNow(await contextFor(coach), id)).rejects.toMatchObject({ code: 'conflict' })
    const offered = await offer(monthly)
    await openSubscriptionCheckout(await contextFor(coach), offered)
    const { sessionId } = await find(offered)
    await withdrawOffer(await contextFor(coach), offered)
    expect(store().get('checkout.session', sessionId!).status).toBe('expired')
    expect(await find(offered)).toMatchObject({ state: 'withdrawn' })
    await expect(openSubscriptionCheckout(await contextFor(coach), offered)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is warned when the client was faster than the withdrawal', async () => {
    const id = await offer(monthly)
    await openSubscriptionCheckout(await contextFor(coach), id)
    store().pay((await find(id)).sessionId!)
    await expect(withdrawOffer(await contextFor(coach), id)).rejects.toThrow('The client has just paid.')
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1 })
  })

  test('withdraws again what Stripe could not close, and a page that opens just then is closed at once', async () => {
    const id = await offer(monthly)
    const ctx = await contextFor(coach)
    await openSubscriptionCheckout(ctx, id)
    stripe.fail(/expire$/, 'key', 9)
    await expect(withdrawOffer(ctx, id)).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await find(id)).toMatchObject({ state: 'offered' })
    stripe.stopFailing()
    await withdrawOffer(ctx, id)
    expect(store().list('checkout.session')).toMatchObject([{ status: 'expired' }])

    const other = await offer(monthly)
    // Withdrawn between the plan of a page and its address.
    const slow: typeof ctx = {
      ...ctx,
      write: (work) => ctx.write(work).finally(() => withdrawOffer(ctx, other).catch(() => null)),
    }
    await expect(openSubscriptionCheckout(slow, other)).rejects.toMatchObject({ code: 'conflict' })
    expect(await find(other)).toMatchObject({ state: 'withdrawn', sessionId: null })
    expect(store().list('checkout.session')).toMatchObject([{ status: 'expired' }, { status: 'expired' }])
  })

  test('gets a subscription of a withdrawn offer ended, and its charge goes back', async () => {
    const id = await offer(monthly)
    const ctx = await contextFor(coach)
    await openSubscriptionCheckout(ctx, id)
    const { sessionId } = await find(id)
    await inTenant(coach, (tx) =>
      tx.query({
        text: `update stripe_subscription set state = 'withdrawn' where coach_id = $1 and id = $2`,
        values: [coach.id, id],
      }),
    )
    store().pay(sessionId!)
    for (let round = 0; round < 2; round += 1) await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ state: 'withdrawn', paidParts: 0 })
    expect(store().list('subscription')).toMatchObject([{ status: 'canceled' }])
    expect(store().list('refund')).toMatchObject([{ amount: 8_000, status: 'succeeded' }])
    expect(await revenue()).toBe(0)
  })

  test.each([['monthly', monthly] as const, ['installments', inParts] as const])(
    'sees the pause at once, whatever news of Stripe is being applied: %s',
    async (_, fields) => {
      const id = await begin(fields)
      const ctx = await contextFor(coach)
      // After each step, a newer sync has begun.
      const overtaken: typeof ctx = {
        ...ctx,
        write: async (work) => {
          const result = await ctx.write(work)
          await inTenant(coach, (tx) =>
            tx.query({
              text: 'update stripe_subscription set syncs = syncs + 1 where coach_id = $1 and id = $2',
              values: [coach.id, id],
            }),
          )
          return result
        },
      }
      await pauseSubscription(overtaken, id)
      expect(await find(id)).toMatchObject({ state: 'paused' })
    },
  )

  test('changes the price from the next charge on', async () => {
    const id = await begin(monthly)
    await changePrice(await contextFor(coach), id, 9_500)
    expect(await find(id)).toMatchObject({ amount: 9_500 })
    await moveTo('2026-02-10')
    expect(await revenue()).toBe(17_500)
    await expect(changePrice(await contextFor(coach), id, 10)).rejects.toMatchObject({ code: 'validation_failed' })
    const installments = await begin(inParts)
    await expect(changePrice(await contextFor(coach), installments, 9_500)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('sees why a change failed, and nothing has changed', async () => {
    const id = await begin(monthly)
    for (const failure of [402, 429, 'nothing'] as const) {
      stripe.fail(/POST \/v1\/subscriptions\//, failure)
      await expect(pauseSubscription(await contextFor(coach), id)).rejects.toMatchObject({ code: 'upstream_failed' })
      stripe.stopFailing()
      expect(await find(id)).toMatchObject({ state: 'active' })
    }
  }, 20_000)

  test('sends the link to the client', async () => {
    const id = await offer(inParts)
    await inTenant(coach, (ctx) => sendOffer(ctx, id))
    await emailOffer(await contextFor(coach), id)
    const mail = (await listOutbox(app.platform.config)).find(({ to }) => to === `client-${number}@example.com`)!
    expect(mail.text).toContain('Membership: 4 monthly installments of $100.00.')
    expect(mail.text).toContain('/subscribe/')
  })

  test('sends no link to a client who is read-only', async () => {
    const id = await offer(inParts)
    await inTenant(coach, (ctx) =>
      ctx.query({
        text: 'update client set archived_at = $2, email = $3 where coach_id = $1',
        values: [coach.id, ctx.now(), `archived-${number}@example.com`],
      }),
    )
    await setPlan(coach, 'free')
    for (let added = 0; added < plans.free.maxClients!; added += 1) await createClient({ coach })
    await expect(inTenant(coach, (ctx) => sendOffer(ctx, id))).rejects.toMatchObject({ code: 'plan_limit' })
    await emailOffer(await contextFor(coach), id)
    const mails = await listOutbox(app.platform.config)
    expect(mails.filter(({ to }) => to === `archived-${number}@example.com`)).toEqual([])
  })

  test('can’t choose another currency while something is offered', async () => {
    const id = await offer(monthly)
    const choose = (currency: string) => inTenant(coach, (tx) => runHook(tx, assertCurrency, { currency }))
    await expect(choose('eur')).rejects.toMatchObject({ code: 'conflict' })
    await choose('usd')
    await withdrawOffer(await contextFor(coach), id)
    await choose('eur')
  })
})

test('subscriptions are found by product, and the client’s timeline shows how they went', async () => {
  app.clock.now = new Date('2026-01-10T13:00:00Z')
  const id = await offer(inParts)
  app.clock.now = new Date('2026-01-10T14:00:00Z')
  await openSubscriptionCheckout(await contextFor(coach), id)
  store().pay((await find(id)).sessionId!)
  await deliverAll(coach, stripe)
  const visitors = await offer(monthly)
  await inTenant(coach, (ctx) =>
    ctx.query({
      text: `update stripe_subscription set client_id = null, buyer_name = 'A', buyer_email = 'a@example.com'
        where coach_id = $1 and id = $2`,
      values: [coach.id, visitors],
    }),
  )
  const ctx = await contextFor(coach)
  const findAll = async (term: string) =>
    (await search(ctx, term)).results.filter(({ type }) => type === 'subscription')
  const to = `/payments/subscriptions?dialog=subscription&subscription=${id}`
  expect(await findAll('memBER')).toMatchObject([{ id, title: 'Membership', subtitle: 'Ada Lovelace, Active', to }])
  expect(await findAll('%%%')).toEqual([])

  store().cards.set(store().list('customer')[0]!.id, 'declined')
  await moveTo('2026-02-10')
  await cancelNow(await contextFor(coach), id)
  await deliverAll(coach, stripe)
  const entries = await listSubscriptionTimeline(await contextFor(coach), clientId, 10)
  expect(entries.map(({ title, text }) => [title, text])).toEqual([
    ['Payments ended for Membership', '4 monthly installments of $100.00'],
    ['Payment failed for Membership', '$100.00'],
    ['Payments began for Membership', '4 monthly installments of $100.00'],
    ['Payments offered for Membership', '4 monthly installments of $100.00'],
  ])
  expect(entries.every((entry) => entry.to === to)).toBe(true)
  expect(new Set(entries.map(({ key }) => key)).size).toBe(4)
  expect(await listSubscriptionTimeline(await contextFor(await createCoach()), clientId, 10)).toEqual([])
})

describe('a charge that fails', () => {
  const failedCharge = async () => {
    const [charge] = await (await contextFor(coach)).query<{ id: number; attempts: number }>({
      text: `select id, attempts from stripe_charge where coach_id = $1 and state = 'failed'`,
      values: [coach.id],
    })
    return charge!
  }

  test('is tried again, the client gets a link, and once paid it is booked once', async () => {
    const id = await begin(inParts)
    store().cards.set(store().list('customer')[0]!.id, 'declined')
    await moveTo('2026-02-10')
    expect(await find(id)).toMatchObject({ state: 'past_due', paidParts: 1 })
    await emailFailure(await contextFor(coach), (await failedCharge()).id)
    const mail = (await listOutbox(app.platform.config)).find(
      ({ subject }) => subject === 'Your payment for Membership failed',
    )!
    expect(mail.text).toContain('your card could not be charged $100.00 for Membership, installment 2 of 4.')
    expect(mail.text).toContain('It is tried again on Feb 13')
    const invoice = store().list('invoice').at(-1)!
    expect(mail.text).toContain(invoice.hosted_invoice_url!)
    store().payInvoice(invoice.id)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 2 })
    expect(await revenue()).toBe(20_000)
  })

  test('is confirmed by the client on the page in their email if the bank asks for it', async () => {
    const id = await begin(inParts)
    store().cards.set(store().list('customer')[0]!.id, 'requires_action')
    await moveTo('2026-02-10')
    expect(await find(id)).toMatchObject({ state: 'past_due', paidParts: 1 })
    const [invoice, intent] = [store().list('invoice').at(-1)!, store().list('payment_intent').at(-1)!]
    expect(intent.status).toBe('requires_action')
    const { id: chargeId } = await failedCharge()
    const listMails = async () =>
      (await listOutbox(app.platform.config)).filter(({ text }) => text.includes(invoice.hosted_invoice_url!))
    await emailFailure(await contextFor(coach), chargeId)
    expect(await listMails()).toMatchObject([{ subject: 'Confirm your payment for Membership' }])
    expect((await listMails())[0]!.text).toContain(
      'your bank asks you to confirm the payment of $100.00 for Membership, installment 2 of 4.',
    )
    store().payInvoice(invoice.id)
    await deliverAll(coach, stripe)
    await emailFailure(await contextFor(coach), chargeId)
    expect([intent.status, (await listMails()).length]).toEqual(['succeeded', 1])
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 2 })
    expect(await revenue()).toBe(20_000)
  })

  test.each(['payment_intent.payment_failed', 'invoice.payment_action_required'])(
    'is known from %s alone',
    async (type) => {
      const id = await begin(inParts)
      const card = type.startsWith('invoice') ? 'requires_action' : 'declined'
      store().cards.set(store().list('customer')[0]!.id, card)
      for (const time of ['14:00', '15:01']) {
        app.clock.now = new Date(`2026-02-10T${time}:00Z`)
        stripe.tick()
      }
      await deliver(coach, stripe.takeDeliveries().find((delivery) => delivery.type === type)!)
      await applyEvents(coach)
      expect(await find(id)).toMatchObject({ state: 'past_due', paidParts: 1 })
    },
  )

  test('is void once the coach has given it up at Stripe, and its part comes at the end', async () => {
    const id = await begin(inParts)
    const [customer] = store().list('customer')
    store().cards.set(customer!.id, 'declined')
    await moveTo('2026-02-10')
    store().markUncollectible(store().list('invoice').at(-1)!.id)
    store().cards.set(customer!.id, 'card')
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1, skippedParts: 1 })
    await moveTo('2026-03-10', '2026-04-10', '2026-05-10', '2026-06-10')
    expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 4 })
    expect(await revenue()).toBe(40_000)
    expect(await listDifferences(await contextFor(coach))).toEqual([])
  })

  test('is shown as unpaid once Stripe has given up', async () => {
    const id = await begin(monthly)
    store().cards.set(store().list('customer')[0]!.id, 'declined')
    await moveTo('2026-02-10', '2026-02-14', '2026-02-20', '2026-02-28')
    expect(await find(id)).toMatchObject({ state: 'unpaid', paidParts: 1 })
    expect((await failedCharge()).attempts).toBe(4)
    const [row] = await (await contextFor(coach)).query<{ count: number }>({
      text: `select count(*) from activity where coach_id = $1 and type = 'payment_failed'`,
      values: [coach.id],
    })
    expect(row!.count).toBe(4)
  })
})

test('what no webhook has told is found at night, and the books agree', async () => {
  const id = await offer(inParts)
  await openSubscriptionCheckout(await contextFor(coach), id)
  store().pay((await find(id)).sessionId!)
  const deliveries = stripe.takeDeliveries()
  await reconcileAccount(await contextFor(coach))
  expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1 })
  expect(store().list('subscription_schedule')).toMatchObject([{ end_behavior: 'cancel' }])
  for (const delivery of deliveries) await deliver(coach, delivery)
  await applyEvents(coach)
  expect((await getAccountCard(await contextFor(coach))).differences).toEqual([])
  expect(await listDifferences(await contextFor(coach))).toEqual([])
  expect(await revenue()).toBe(10_000)
})

test('a missing schedule is attached within the hour', async () => {
  const id = await offer(inParts)
  await openSubscriptionCheckout(await contextFor(coach), id)
  store().pay((await find(id)).sessionId!)
  stripe.takeDeliveries()
  await syncSubscriptions(await contextFor(coach), { onlyUnscheduled: true })
  expect(store().list('subscription_schedule')).toMatchObject([{ end_behavior: 'cancel' }])
  stripe.requests.splice(0)
  await syncSubscriptions(await contextFor(coach), { onlyUnscheduled: true })
  expect(stripe.requests).toEqual([])
})
