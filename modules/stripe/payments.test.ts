import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { visitorContext } from '#tenants/context.ts'
import { getInvoice } from '#modules/billing/index.ts'
import { createInvoice, readBooks, recordPayment, refundInvoice, voidInvoice } from '#modules/billing/e2e/factories.ts'
import { deleteClient } from '#modules/crm/index.ts'
import { getOnlinePayment } from './contributions.ts'
import { applyEvents, connectStripe, deliver, deliverAll, runRefunds } from './e2e/support.ts'
import { listNotices } from './notices.ts'
import { payerPermissions } from './permissions.ts'
import { applySession, closeOutdated, expireCheckout, listCheckouts, openCheckout } from './services/checkout.ts'
import { disconnect } from './services/connect.ts'
import { applyDispute } from './services/disputes.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let clientId: number
let number = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  stripe.stopFailing()
  coach = await createCoach({ subdomain: `card-${++number}` })
  account = await connectStripe(coach, stripe)
  clientId = (await createClient({ coach })).id
  stripe.takeDeliveries()
})

const bill = () => createInvoice({ coach, clientId })
/** The client, who has only the link. */
const asPayer = async () => {
  const ctx = await contextFor(coach)
  return visitorContext(coach.platform, ctx.account, { requestId: 'test' }, payerPermissions)
}
const store = () => stripe.account(account)
const open = async (invoiceId: number) => {
  await openCheckout(await asPayer(), invoiceId)
  return (await listCheckouts(await contextFor(coach), invoiceId)).find(({ state }) => state === 'open')!.sessionId!
}
const payByCard = async (invoiceId: number) => {
  const session = await open(invoiceId)
  store().pay(session)
  await deliverAll(coach, stripe)
  return session
}
const find = async (id: number) => getInvoice(await contextFor(coach), id)
const notices = async (id: number) => (await listNotices(await contextFor(coach), id)).map(({ text }) => text)
/** Dashboard, /payments, clients and invoices say the same. `ofNobody`: what no client has paid. */
const expectBooks = async (amount: number, { ofNobody = 0 } = {}) =>
  expect(await readBooks(await contextFor(coach))).toEqual({
    dashboard: amount,
    payments: amount,
    clients: amount - ofNobody,
    ofNobody,
    differences: [],
  })

describe('paying an invoice by card', () => {
  test('books the payment once, whether webhook or success page is first, however often they come', async () => {
    const { id } = await bill()
    const session = await open(id)
    store().pay(session)
    const deliveries = stripe.takeDeliveries()
    const payer = await asPayer()
    await Promise.all([
      ...Array.from({ length: 10 }, () => applySession(payer, session, account)),
      ...deliveries.flatMap((delivery) => Array.from({ length: 5 }, () => deliver(coach, delivery))),
    ])
    await applyEvents(coach)
    expect(await find(id)).toMatchObject({ status: 'paid', paid: 15_000, balance: 0 })
    await expectBooks(15_000)
  })

  test('leads all clicks and tabs to one page, until the amount changes', async () => {
    const { id } = await bill()
    const payer = await asPayer()
    const addresses = await Promise.all([1, 2, 3].map(() => openCheckout(payer, id)))
    expect(new Set(addresses).size).toBe(1)
    const [first] = await listCheckouts(await contextFor(coach), id)
    await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'cash', amount: 5_000 }))
    expect(await openCheckout(payer, id)).not.toBe(addresses[0])
    expect(store().get('checkout.session', first!.sessionId!).status).toBe('expired')
    const session = await open(id)
    expect(store().get('checkout.session', session).amount_total).toBe(10_000)
  })

  test('is the same session after a lost answer, and works again after a failure', async () => {
    const { id } = await bill()
    stripe.fail(/POST \/v1\/checkout\/sessions$/, 'lost', 1)
    await open(id)
    expect(store().list('checkout.session')).toHaveLength(1)
    const other = await bill()
    for (const failure of [402, 409, 429, 500, 'nothing', 'garbage'] as const) {
      stripe.fail(/POST \/v1\/checkout\/sessions$/, failure)
      await expect(openCheckout(await asPayer(), other.id)).rejects.toMatchObject({ code: 'upstream_failed' })
      stripe.stopFailing()
    }
    await open(other.id)
  }, 30_000)

  test('closes the page when the invoice is paid in another way, or void', async () => {
    for (const change of ['pay', 'void'] as const) {
      const { id } = await bill()
      const session = await open(id)
      await inTenant(coach, (ctx) =>
        change === 'pay' ? recordPayment(ctx, id, { method: 'cash' }) : voidInvoice(ctx, id),
      )
      await inTenant(coach, (ctx) => closeOutdated(ctx, id))
      const ctx = await contextFor(coach)
      for (const checkout of await listCheckouts(ctx, id)) await expireCheckout(ctx, checkout.id)
      expect(store().get('checkout.session', session).status).toBe('expired')
      expect((await listCheckouts(ctx, id)).map(({ state }) => state)).toEqual(['expired'])
      await expect(openCheckout(await asPayer(), id)).rejects.toMatchObject({ code: 'conflict' })
    }
  })

  test('works for a client of any name, which is in no header', async () => {
    for (const name of ['Łukasz', '李小龙']) {
      clientId = (await createClient({ coach, name })).id
      await open((await bill()).id)
    }
    expect(store().list('customer')).toEqual([
      expect.objectContaining({ name: 'Łukasz' }),
      expect.objectContaining({ name: '李小龙' }),
    ])
  })

  test('works again when Stripe repeats a failure, and after the address of the page has changed', async () => {
    for (const failing of [/POST \/v1\/customers$/, /POST \/v1\/checkout\/sessions$/]) {
      const { id } = await bill()
      stripe.fail(failing, 500)
      await expect(openCheckout(await asPayer(), id)).rejects.toMatchObject({ code: 'upstream_failed' })
      stripe.stopFailing()
      await open(id)
    }
    const { id } = await bill()
    stripe.fail(/POST \/v1\/checkout\/sessions$/, 'lost')
    await expect(openCheckout(await asPayer(), id)).rejects.toMatchObject({ code: 'upstream_failed' })
    stripe.stopFailing()
    await inTenant(coach, (tx) =>
      tx.query({
        name: 'test.move',
        text: 'update account set subdomain = $2 where id = $1',
        values: [coach.id, `moved-${number}`],
      }),
    )
    await open(id)
  }, 30_000)

  test('works when the client is no longer a customer at Stripe', async () => {
    await open((await bill()).id)
    const [customer] = store().list('customer')
    store().deleteCustomer(customer!.id)
    for (const { id } of [await bill(), await bill()]) await open(id)
    expect(store().list('customer')).toHaveLength(2)
  })

  test('goes to the new account when the former one was closed with an open page', async () => {
    const { id } = await bill()
    await open(id)
    stripe.deauthorize(account)
    await deliverAll(coach, stripe)
    account = await connectStripe(coach, stripe)
    await open(id)
    expect((await listCheckouts(await contextFor(coach), id)).map(({ state }) => state)).toEqual(['expired', 'open'])
  })

  test('is possible again when a bank debit was on its way to an account that was closed', async () => {
    const { id } = await bill()
    store().pay(await open(id), 'bank_debit')
    await deliverAll(coach, stripe)
    await expect(open(id)).rejects.toMatchObject({ code: 'conflict' })
    stripe.deauthorize(account)
    await deliverAll(coach, stripe)
    account = await connectStripe(coach, stripe)
    await open(id)
    expect((await listCheckouts(await contextFor(coach), id)).map(({ state }) => state)).toEqual(['expired', 'open'])
  })

  test('above the balance sends the rest back, and the books agree', async () => {
    const { id } = await bill()
    const session = await open(id)
    await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'cash', amount: 10_000 }))
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ status: 'paid', paid: 15_000, refunded: 0 })
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(
      store()
        .list('refund')
        .map(({ amount }) => amount),
    ).toEqual([10_000])
    expect(await find(id)).toMatchObject({ status: 'paid', paid: 15_000, refunded: 0 })
    await expectBooks(15_000)
    // The part of the payment that the invoice took can go back too.
    await inTenant(coach, (ctx) => refundInvoice(ctx, id, { amount: 5_000 }))
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ refunded: 5_000, refunding: 0 })
    await expectBooks(10_000)
  })

  test('that is declined leaves the page open, and the one that succeeds counts from its own time', async () => {
    const { id } = await bill()
    const session = await open(id)
    store().pay(session, 'declined')
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ status: 'open', paid: 0 })
    app.clock.now = new Date(app.clock.now.getTime() + 3 * 3_600_000)
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ status: 'paid', paidAt: app.clock.now.toISOString() })
  })

  test('by bank debit is paid when the money is there, and can be tried again when it isn’t', async () => {
    const { id } = await bill()
    const session = await open(id)
    store().pay(session, 'bank_debit')
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ status: 'open', paid: 0 })
    expect(await notices(id)).toEqual([expect.stringMatching(/bank debit of \$150\.00 is on its way/)])
    await expect(openCheckout(await asPayer(), id)).rejects.toMatchObject({ code: 'conflict' })
    store().settle(session, false)
    await deliverAll(coach, stripe)
    expect(await notices(id)).toEqual([expect.stringMatching(/did not pay/)])
    // An answer that was asked for before it failed comes late.
    const intent = store().list('payment_intent').at(-1)!
    const { status } = intent
    intent.status = 'processing'
    await applySession(await contextFor(coach), session, account)
    intent.status = status
    expect(await notices(id)).toEqual([expect.stringMatching(/did not pay/)])
    const second = await open(id)
    store().pay(second, 'bank_debit')
    store().settle(second, true)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ status: 'paid', paid: 15_000 })
    await expectBooks(15_000)
  })

  test('by bank debit counts from the time the money came, not from when the client paid', async () => {
    const [reported, seen, unreported] = [await bill(), await bill(), await bill()]
    const sessions = [await open(reported.id), await open(seen.id), await open(unreported.id)] as const
    for (const session of sessions.slice(0, 2)) store().pay(session, 'bank_debit')
    await deliverAll(coach, stripe)
    store().pay(sessions[2], 'bank_debit')
    app.clock.now = new Date('2026-03-16T14:00:00Z')
    for (const session of sessions) store().settle(session, true)
    // The client opens the page before Stripe's message comes, also before that of the payment's beginning.
    app.clock.now = new Date('2026-03-16T14:02:00Z')
    for (const session of sessions.slice(1)) await applySession(await contextFor(coach), session, account)
    app.clock.now = new Date('2026-03-16T14:04:00Z')
    await deliverAll(coach, stripe)
    expect([await find(reported.id), await find(seen.id), await find(unreported.id)]).toMatchObject([
      { paidAt: '2026-03-16T14:00:00.000Z' },
      { paidAt: '2026-03-16T14:02:00.000Z' },
      { paidAt: '2026-03-16T14:02:00.000Z' },
    ])
  })

  test('is possible too for a client in the trash', async () => {
    const { id } = await bill()
    await inTenant(coach, (ctx) => deleteClient(ctx, clientId))
    await payByCard(id)
    expect((await find(id)).status).toBe('paid')
  })

  test('is offered from the least amount that Stripe takes', async () => {
    const offer = async (id: number) => getOnlinePayment(await asPayer(), { id: String(id), token: 'signed' })
    const [least, less] = [
      await createInvoice({ coach, clientId, amount: 50 }),
      await createInvoice({ coach, clientId, amount: 49 }),
    ]
    expect([await offer(least.id), await offer(less.id)]).toEqual([{ action: '/invoice/signed/pay' }, null])
    await payByCard(least.id)
    await expect(openCheckout(await asPayer(), less.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The amount is too small to pay by card.',
    })
  })

  test('that Stripe refuses says nothing of its Dashboard to the client', async () => {
    const { id } = await bill()
    stripe.fail(/POST \/v1\/checkout\/sessions$/, 402)
    await expect(openCheckout(await asPayer(), id)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: 'The payment page could not be opened. Ask the sender of the invoice how else you can pay.',
    })
  })

  test('is possible only while the account is ready, and by who has the link', async () => {
    const { id } = await bill()
    await inTenant(coach, disconnect)
    await expect(openCheckout(await asPayer(), id)).rejects.toMatchObject({ code: 'conflict' })
    const visitor = visitorContext(coach.platform, (await contextFor(coach)).account, { requestId: 'test' }, [])
    await expect(openCheckout(visitor, id)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('refunding a card payment', () => {
  const refund = (id: number, amount?: number, method?: 'cash' | 'stripe') =>
    inTenant(coach, (ctx) => refundInvoice(ctx, id, { amount, method }))

  test('goes to the card in parts, is booked when it has succeeded, and never above the payment', async () => {
    const { id } = await bill()
    await payByCard(id)
    await refund(id, 5_000)
    expect(await find(id)).toMatchObject({ refunded: 0, refunding: 5_000 })
    expect(await notices(id)).toEqual([expect.stringMatching(/refund of \$50\.00 is on its way/)])
    await expect(refund(id, 10_001)).rejects.toMatchObject({ code: 'validation_failed' })
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ refunded: 5_000, refunding: 0, status: 'paid' })
    await refund(id)
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ refunded: 15_000, status: 'refunded' })
    await expectBooks(0)
    await expect(refund(id)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is not recorded as Stripe’s once all that was paid by card is back', async () => {
    const { id } = await bill()
    await inTenant(coach, (ctx) => recordPayment(ctx, id, { amount: 5_000, method: 'cash' }))
    await payByCard(id)
    await refund(id, 10_000, 'stripe')
    await expect(refund(id, 5_000, 'stripe')).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'Nothing that was paid online is left. Choose how else you paid the money back.',
      issues: [{ path: 'method' }],
    })
    await refund(id, 5_000, 'cash')
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(store().list('refund')).toHaveLength(1)
    expect(await find(id)).toMatchObject({ refunded: 15_000, status: 'refunded' })
    await expectBooks(0)
  })

  test('of a payment that was recorded as Stripe’s by hand is recorded', async () => {
    const { id } = await bill()
    await inTenant(coach, (ctx) => recordPayment(ctx, id, { amount: 15_000, method: 'stripe' }))
    await refund(id, 15_000, 'stripe')
    expect(await find(id)).toMatchObject({ refunded: 15_000, refunding: 0, status: 'refunded' })
    expect(store().list('refund')).toEqual([])
  })

  test('is sent once, also if the answer is lost', async () => {
    const { id } = await bill()
    await payByCard(id)
    await refund(id)
    stripe.fail(/POST \/v1\/refunds/, 'lost', 1)
    await runRefunds(coach)
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(store().list('refund')).toHaveLength(1)
    await expectBooks(0)
  })

  test('that the bank refuses is taken back, and the coach sees it', async () => {
    const { id } = await bill()
    await payByCard(id)
    await refund(id)
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    await expectBooks(0)
    store().finishRefund(store().list('refund')[0]!.id, false)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ status: 'paid', refunded: 0 })
    expect(await notices(id)).toEqual([expect.stringMatching(/did not reach the client/)])
    await expectBooks(15_000)
  })

  test('that Stripe refuses is on its way no longer', async () => {
    const { id } = await bill()
    await payByCard(id)
    store().dispute(store().list('payment_intent').at(-1)!.id)
    await refund(id)
    await runRefunds(coach)
    expect(await find(id)).toMatchObject({ refunded: 0, refunding: 0 })
    await expectBooks(15_000)
  })

  test.each([401, 'key'] as const)('waits while the key of the platform is refused (%s)', async (failure) => {
    const { id } = await bill()
    await payByCard(id)
    await refund(id)
    stripe.fail(/POST \/v1\/refunds/, failure)
    await expect(runRefunds(coach)).rejects.toMatchObject({ kind: 'down' })
    expect(await find(id)).toMatchObject({ refunded: 0, refunding: 15_000 })
    stripe.stopFailing()
    await runRefunds(coach)
    expect(await find(id)).toMatchObject({ refunded: 15_000, refunding: 0 })
  })

  test('is a conflict without keys, and nothing is on its way', async () => {
    const { id } = await bill()
    await payByCard(id)
    const { stripe: configured } = app.platform.config
    app.platform.config.stripe = undefined
    try {
      await expect(refund(id)).rejects.toMatchObject({ code: 'conflict' })
    } finally {
      app.platform.config.stripe = configured
    }
    expect(await find(id)).toMatchObject({ refunded: 0, refunding: 0 })
  })

  test('of what is on its way from the Stripe Dashboard is a conflict', async () => {
    const { id } = await bill()
    await payByCard(id)
    store().refunds = 'pending'
    store().refund({ payment_intent: store().list('payment_intent')[0]!.id, amount: 12_000 })
    await deliverAll(coach, stripe)
    await expect(refund(id)).rejects.toMatchObject({ code: 'conflict' })
    await refund(id, 3_000)
    expect(await find(id)).toMatchObject({ refunded: 0, refunding: 3_000 })
  })

  test('in cash is only recorded', async () => {
    const { id } = await bill()
    await payByCard(id)
    await refund(id, undefined, 'cash')
    expect(store().list('refund')).toEqual([])
    await expectBooks(0)
  })

  test('in the Stripe Dashboard after one in cash is booked, and the coach sees what the invoice had not', async () => {
    const { id } = await bill()
    await payByCard(id)
    await refund(id, 10_000, 'cash')
    const sent = store().refund({ payment_intent: store().list('payment_intent').at(-1)!.id, amount: 15_000 })
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ refunded: 15_000, status: 'refunded' })
    expect(await notices(id)).toEqual([expect.stringMatching(/^\$100\.00 more went back than was left/)])
    // The coach has $100 less, and no client has spent less than nothing (decision 0121).
    await expectBooks(-10_000, { ofNobody: -10_000 })
    store().finishRefund(sent.id, false)
    await deliverAll(coach, stripe)
    expect(await find(id)).toMatchObject({ refunded: 10_000, status: 'paid' })
    await expectBooks(5_000)
  })

  test('in the Stripe Dashboard is booked too, by any of its events', async () => {
    const { id } = await bill()
    await payByCard(id)
    store().refund({ payment_intent: store().list('payment_intent')[0]!.id, amount: 4_000 })
    for (const delivery of stripe.takeDeliveries().toReversed()) await deliver(coach, delivery)
    await applyEvents(coach)
    expect(await find(id)).toMatchObject({ refunded: 4_000 })
    await expectBooks(11_000)
  })
})

test('a dispute is shown, and booked when it is lost', async () => {
  const [won, lost] = [await bill(), await bill()]
  for (const { id } of [won, lost]) {
    await payByCard(id)
    store().dispute(store().list('payment_intent').at(-1)!.id)
  }
  await deliverAll(coach, stripe)
  expect(await notices(lost.id)).toEqual([expect.stringMatching(/disputes \$150\.00.*until/)])
  await expectBooks(30_000)
  const [first, second] = store().list('dispute')
  store().closeDispute(first!.id, 'won')
  store().closeDispute(second!.id, 'lost')
  await deliverAll(coach, stripe)
  expect(await notices(won.id)).toEqual([expect.stringMatching(/won/)])
  expect(await notices(lost.id)).toEqual([expect.stringMatching(/took \$150\.00 back/)])
  expect((await find(lost.id)).status).toBe('refunded')
  await expectBooks(15_000)
  // A bank may decide anew.
  Object.assign(first!, { status: 'lost' })
  await applyDispute(await contextFor(coach), first!.id, account)
  expect(await notices(won.id)).toEqual([expect.stringMatching(/took \$150\.00 back/)])
  await expectBooks(0)
  // An answer that was asked for before the end comes late.
  Object.assign(second!, { status: 'under_review' })
  await applyDispute(await contextFor(coach), second!.id, account)
  expect(await notices(lost.id)).toEqual([expect.stringMatching(/took \$150\.00 back/)])
})

test.each([
  ['needs_response', /^The client disputes \$150\.00\. Answer in the Stripe Dashboard until Mar 17, 2026\.$/],
  ['warning_needs_response', /^The client’s bank asks about \$150\.00\. Answer in the Stripe Dashboard until/],
  ['under_review', /looking at your answer to the dispute about \$150\.00\. There is nothing to do\.$/],
  ['warning_under_review', /looking at your answer/],
  ['appeal_under_review', /looking at your answer/],
  ['warning_closed', /^The question about \$150\.00 is closed\. Nothing was taken\.$/],
  ['prevented', /^The dispute about \$150\.00 was prevented\. There is nothing to do\.$/],
] as const)('a dispute that is %s asks for an answer only while Stripe does', async (status, text) => {
  const { id } = await bill()
  await payByCard(id)
  const dispute = store().dispute(store().list('payment_intent').at(-1)!.id)
  Object.assign(dispute, { status })
  await applyDispute(await contextFor(coach), dispute.id, account)
  expect(await listNotices(await contextFor(coach), id)).toEqual([
    { tone: text.source.includes('Answer') ? 'danger' : 'info', text: expect.stringMatching(text) },
  ])
})

test('1,000 webhooks of 200 events, shuffled, end in the right state within 20 s', async () => {
  const invoices = await Promise.all(Array.from({ length: 50 }, () => bill()))
  for (const { id } of invoices) store().pay(await open(id))
  const events = stripe.takeDeliveries()
  expect(events.length).toBeGreaterThanOrEqual(150)
  for (const intent of store().list('payment_intent')) store().refund({ payment_intent: intent.id, amount: 1_000 })
  const relevant = [...events, ...stripe.takeDeliveries()].filter(({ type }) => /^(checkout|refund|charge)/.test(type))
  expect(relevant.length).toBe(200)
  const shuffled = Array.from({ length: 5 }, () => relevant)
    .flat()
    .map((delivery, index) => ({ delivery, key: (index * 7919) % 1000 }))
    .sort((a, b) => a.key - b.key)
  const started = performance.now()
  const results: string[] = []
  for (let at = 0; at < shuffled.length; at += 50)
    results.push(...(await Promise.all(shuffled.slice(at, at + 50).map(({ delivery }) => deliver(coach, delivery)))))
  await applyEvents(coach)
  expect(performance.now() - started).toBeLessThan(20_000)
  expect(results.filter((result) => result === 'stored').length).toBeLessThanOrEqual(200)
  await expectBooks(50 * 14_000)
}, 60_000)

test('each request about money says in its idempotency key what it does', () => {
  const posts = stripe.requests.filter(({ method }) => method !== 'GET')
  expect(posts.length).toBeGreaterThan(50)
  expect(posts.filter(({ idempotencyKey }) => !idempotencyKey?.startsWith('coach:'))).toEqual([])
})
