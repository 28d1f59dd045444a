import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { contextFor, createClient, createCoach, createProduct, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { visitorContext, type Ctx } from '#tenants/context.ts'
import { getBillingTotals, listDifferences, refundInvoice } from '#modules/billing/e2e/factories.ts'
import { getClient } from '#modules/crm/index.ts'
import { applyEvents, connectStripe, deliver, deliverAll, runRefunds } from '../e2e/support.ts'
import { payerPermissions } from '../permissions.ts'
import { openSubscriptionCheckout } from './checkout.ts'
import { createSubscription } from './offer.ts'
import { findSubscription } from './queries.ts'
import { syncSubscription } from './sync.ts'
import { describeTerms, getAmounts } from './terms.ts'

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
  coach = await createCoach({ subdomain: `parts-${++number}` })
  account = await connectStripe(coach, stripe)
  clientId = (await createClient({ coach })).id
  stripe.takeDeliveries()
})

const store = () => stripe.account(account)
const asPayer = async () => {
  const ctx = await contextFor(coach)
  return visitorContext(coach.platform, ctx.account, { requestId: 'test' }, payerPermissions)
}
const find = async (id: number) => (await findSubscription(await contextFor(coach), 'id', id))!
const sell = async (fields: object) => {
  const product = await createProduct({ coach, name: '12 sessions', ...fields })
  return inTenant(coach, (ctx) => createSubscription(ctx, { clientId, productId: product.id }))
}
const inParts = { price: '1000.03', paymentType: 'installment', billingFrequency: 'monthly', installmentCount: 4 }
const monthly = { price: '80.00', paymentType: 'recurring', billingFrequency: 'monthly' }
/** The client begins to pay. */
const begin = async (id: number) => {
  await openSubscriptionCheckout(await asPayer(), id)
  store().pay((await find(id)).sessionId!)
}
/** Stripe does what is due until then, hour by hour at the turn of a period. */
const moveTo = (day: string) => {
  for (const time of ['14:00', '15:01']) {
    app.clock.now = new Date(`${day}T${time}:00Z`)
    stripe.tick()
  }
}
const revenue = async () => {
  const today = app.clock.now.toISOString().slice(0, 10)
  return (await getBillingTotals(await contextFor(coach), { today })).revenue
}
/** Invoices, purchases, the client and the ledger say the same. */
const expectBooks = async (amount: number) => {
  const ctx = await contextFor(coach)
  expect([await revenue(), (await getClient(ctx, clientId)).totalSpent]).toEqual([amount, amount])
  expect(await listDifferences(ctx)).toEqual([])
}

test('installments of any amount, number and currency add up, and each can be paid', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999_999 }),
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom('usd', 'jpy', 'bhd', 'isk'),
      (amount, parts, currency) => {
        const total = currency === 'jpy' || currency === 'isk' ? Math.ceil(amount / 100) * 100 : amount
        const { first, each } = getAmounts({ amount: total, parts, currency })
        expect(first + each * (parts - 1)).toBe(total)
        expect(first).toBeGreaterThanOrEqual(each)
        if (currency === 'jpy') expect([first % 100, each % 100]).toEqual([0, 0])
      },
    ),
  )
})

test('the terms name what is charged', () => {
  const terms = { kind: 'installment', frequency: 'monthly', parts: 4, amount: 100_003, currency: 'usd' } as const
  expect(describeTerms(terms)).toBe('4 monthly installments of $250.00, the first one $250.03')
  expect(describeTerms({ ...terms, amount: 100_000 })).toBe('4 monthly installments of $250.00')
  expect(describeTerms({ ...terms, kind: 'recurring', parts: null, amount: 8_000 })).toBe('$80.00 monthly')
})

describe('installments', () => {
  test('are charged until all are paid, each with its own invoice, and then end', async () => {
    const id = await sell({ ...inParts, sessionCount: 12 })
    await begin(id)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1, paidAmount: 25_003 })
    await expectBooks(25_003)
    for (const day of ['2026-02-10', '2026-03-10', '2026-04-10', '2026-05-10', '2026-06-10']) {
      moveTo(day)
      await deliverAll(coach, stripe)
    }
    expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 4, paidAmount: 100_003, nextChargeAt: null })
    await expectBooks(100_003)
    expect(store().list('invoice')).toHaveLength(4)
    expect(store().list('subscription')[0]!.status).toBe('canceled')
    const rows = await (await contextFor(coach)).query<object>({
      text: `select i.description, i.total, i.paid, p.amount, p.status, p.session_count as sessions
        from invoice i join purchase p on p.coach_id = $1 and p.invoice_id = i.id where i.coach_id = $1 order by i.id`,
      values: [coach.id],
    })
    expect(rows).toEqual(
      [25_003, 25_000, 25_000, 25_000].map((amount, index) => ({
        description: `12 sessions, installment ${index + 1} of 4`,
        total: amount,
        paid: amount,
        amount,
        status: 'completed',
        sessions: index ? null : 12,
      })),
    )
  })

  test('are booked once and end, wherever the process that applies them is killed', async () => {
    const kills = ['before', 'after'].flatMap((when) => [1, 2, 3].map((write) => ({ when, write })))
    for (const { when, write: last } of kills) {
      const id = await sell(inParts)
      await begin(id)
      stripe.takeDeliveries()
      const ctx = await contextFor(coach)
      const { sessionId } = (await find(id))!
      const key = {
        subscriptionId: String(store().get('checkout.session', sessionId!).subscription),
        accountId: account,
      }
      let writes = 0
      const killed: Ctx = {
        ...ctx,
        write: async (work) => {
          writes += 1
          if (writes === last && when === 'before') throw new Error('killed')
          const result = await ctx.write(work)
          if (writes === last) throw new Error('killed')
          return result
        },
      }
      await syncSubscription(killed, key).catch((error: Error) => expect(error.message).toBe('killed'))
      await syncSubscription(ctx, key)
      expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1, paidAmount: 25_003 })
      const { schedule } = store().get('subscription', key.subscriptionId)
      expect(schedule).not.toBeNull()
    }
    expect(store().list('subscription_schedule')).toHaveLength(kills.length)
    await expectBooks(kills.length * 25_003)
  })

  test('are booked once, whether their events come fifty times, shuffled or never', async () => {
    const id = await sell(inParts)
    await begin(id)
    const first = stripe.takeDeliveries()
    moveTo('2026-02-10')
    const events = [...first, ...stripe.takeDeliveries()]
    await Promise.all(
      Array.from({ length: 50 }, () => events.toReversed()).flatMap((all) => all.map((one) => deliver(coach, one))),
    )
    await applyEvents(coach)
    await expectBooks(50_003)
    moveTo('2026-03-10')
    stripe.takeDeliveries()
    moveTo('2026-04-10')
    await deliverAll(coach, stripe)
    await expectBooks(100_003)
    moveTo('2026-05-10')
    await deliverAll(coach, stripe)
    await expectBooks(100_003)
    expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 4 })
  })

  test('end after the last one, even if Stripe was not told in time', async () => {
    const id = await sell({ ...inParts, installmentCount: 2 })
    await begin(id)
    stripe.takeDeliveries()
    moveTo('2026-02-10')
    stripe.takeDeliveries()
    // The draft of the third part: nobody pays it.
    app.clock.now = new Date('2026-03-10T14:00:00Z')
    stripe.tick()
    await deliverAll(coach, stripe)
    moveTo('2026-04-10')
    await deliverAll(coach, stripe)
    expect(
      store()
        .list('invoice')
        .map(({ status }) => status),
    ).toEqual(['paid', 'paid', 'void'])
    expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 2 })
    await expectBooks(100_003)
  })

  test('charged after the last one go back to the client', async () => {
    const id = await sell({ ...inParts, installmentCount: 1 })
    await begin(id)
    stripe.takeDeliveries()
    moveTo('2026-02-10')
    await deliverAll(coach, stripe)
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(store().list('refund')).toMatchObject([{ amount: 100_003, status: 'succeeded' }])
    await expectBooks(100_003)
    expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 1 })
  })

  test('can be refunded like any card payment', async () => {
    const id = await sell(inParts)
    await begin(id)
    await deliverAll(coach, stripe)
    const [invoice] = await (await contextFor(coach)).query<{ id: number }>({
      text: 'select id from invoice where coach_id = $1',
      values: [coach.id],
    })
    await inTenant(coach, (ctx) => refundInvoice(ctx, invoice!.id, { amount: 5_000 }))
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    await expectBooks(20_003)
    expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1 })
  })
})

test('a product paid again and again is charged each period', async () => {
  const id = await sell(monthly)
  await begin(id)
  for (const day of ['2026-02-10', '2026-03-10']) moveTo(day)
  await deliverAll(coach, stripe)
  expect(await find(id)).toMatchObject({ state: 'active', paidParts: 3, nextChargeAt: '2026-04-10T14:00:00.000Z' })
  await expectBooks(24_000)
})

test('all clicks lead to one payment page until it has ended, and none once it has begun', async () => {
  const id = await sell(monthly)
  const payer = await asPayer()
  const addresses = await Promise.all([1, 2, 3].map(() => openSubscriptionCheckout(payer, id)))
  expect(new Set(addresses).size).toBe(1)
  app.clock.now = new Date('2026-01-11T13:00:00Z')
  const { sessionId } = await find(id)
  expect(await openSubscriptionCheckout(payer, id)).not.toBe(addresses[0])
  expect(store().get('checkout.session', sessionId!).status).toBe('expired')
  store().pay((await find(id)).sessionId!)
  await deliverAll(coach, stripe)
  await expect(openSubscriptionCheckout(payer, id)).rejects.toMatchObject({ code: 'conflict' })
})

test('the former payment page is closed before another one opens, even if Stripe was away', async () => {
  const id = await sell(monthly)
  const payer = await asPayer()
  await openSubscriptionCheckout(payer, id)
  const { sessionId } = await find(id)
  app.clock.now = new Date('2026-01-11T12:55:00Z')
  stripe.fail(/expire$/, 'key', 9)
  for (let click = 0; click < 2; click += 1)
    await expect(openSubscriptionCheckout(payer, id)).rejects.toMatchObject({ code: 'upstream_failed' })
  stripe.stopFailing()
  await openSubscriptionCheckout(payer, id)
  expect(store().get('checkout.session', sessionId!).status).toBe('expired')
})

test('a second subscription of one offer is ended, and its charge goes back', async () => {
  const id = await sell(monthly)
  await openSubscriptionCheckout(await asPayer(), id)
  const { sessionId: lost } = await find(id)
  await inTenant(coach, (ctx) =>
    ctx.query({
      text: `update stripe_subscription set session_id = null, session_expires_at = null
        where coach_id = $1 and id = $2`,
      values: [coach.id, id],
    }),
  )
  await begin(id)
  await deliverAll(coach, stripe)
  store().pay(lost!)
  for (let round = 0; round < 2; round += 1) await deliverAll(coach, stripe)
  expect(
    store()
      .list('subscription')
      .map(({ status }) => status),
  ).toEqual(['active', 'canceled'])
  expect(store().list('refund')).toMatchObject([{ amount: 8_000, status: 'succeeded' }])
  await expectBooks(8_000)
  expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1 })
})

test('a charge is booked although Stripe refuses the schedule, which is tried again', async () => {
  const id = await sell(inParts)
  await begin(id)
  await deliver(coach, stripe.takeDeliveries().find(({ type }) => type === 'invoice.paid')!)
  stripe.fail(/POST .*subscription_schedules/, 402)
  await expect(applyEvents(coach)).rejects.toMatchObject({ kind: 'down' })
  expect(await find(id)).toMatchObject({ state: 'active', paidParts: 1, scheduleId: null })
  await expectBooks(25_003)
  stripe.stopFailing()
  await applyEvents(coach)
  expect(await find(id)).toMatchObject({ scheduleId: store().list('subscription_schedule')[0]!.id })
})

test('a part too many is booked and goes back at once, also without a schedule', async () => {
  const id = await sell({ ...inParts, installmentCount: 2 })
  await begin(id)
  for (const day of ['2026-02-10', '2026-03-10']) moveTo(day)
  await deliver(coach, stripe.takeDeliveries().findLast(({ type }) => type === 'invoice.paid')!)
  await applyEvents(coach)
  await runRefunds(coach)
  expect(store().list('refund')).toMatchObject([{ amount: 50_001, status: 'succeeded' }])
  expect(await find(id)).toMatchObject({ state: 'completed', paidParts: 2, paidAmount: 100_003 })
  expect(store().list('subscription_schedule')).toEqual([])
})

test('a product that is paid once, or whose parts are too small, can’t be sold so', async () => {
  for (const fields of [
    { price: '80.00' },
    { ...inParts, price: '1.00', installmentCount: 4 },
    { ...monthly, price: '0.00' },
  ])
    await expect(sell(fields)).rejects.toMatchObject({ code: 'validation_failed' })
})
