import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
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
import { getBillingTotals, listDifferences, refundInvoice } from '#modules/billing/e2e/factories.ts'
import { getInvoice, getSale } from '#modules/billing/index.ts'
import { forgetUnpaidSales } from '#modules/billing/sales/forget.ts'
import {
  buyAction,
  getSalePayment,
  loadProductPage,
  loadShop,
  openSaleLink,
} from '#modules/billing/sales/online-sale.server.ts'
import { loader as loadSale } from '#modules/billing/routes/sale.tsx'
import { outdatedMessage } from '#modules/billing/sales/outdated.ts'
import {
  createPaymentLink,
  emailPaymentLink,
  listPaymentLinks,
  sendPaymentLink,
  withdrawPaymentLink,
} from '#modules/billing/sales/payment-links.ts'
import { getSalePath, readSaleToken } from '#modules/billing/sales/sale-link.ts'
import { deleteClient, listClients } from '#modules/crm/index.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { listSessionsLeft } from '#modules/core/slots.ts'
import { eraseRecord, restoreRecord } from '#modules/core/trash.ts'
import { listOutbox } from '#tenants/mail.ts'
import { visitorContext, type PermissionName } from '#tenants/context.ts'
import { applyEvents, connectStripe, deliver, deliverAll, runRefunds } from '../e2e/support.ts'
import { applySession, closeSalePages, expireCheckout, listPages } from '../services/checkout.ts'
import { disconnect } from '../services/connect.ts'
import { reconcileAccount } from '../services/reconcile.ts'
import { action as pay, loader as redirectToPayment } from './pay-sale.ts'
import { loader as comeBack } from './sale-paid.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let number = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  stripe.stopFailing()
  coach = await createCoach({ subdomain: `shop-${++number}`, timezone: 'UTC' })
  account = await connectStripe(coach, stripe)
  await createProduct({ coach, name: 'Career Reset', price: '1620.00', sessionCount: 12, onlineSale: 'public' })
  stripe.takeDeliveries()
})

/** The context of a request of a visitor on the coach's host. */
function visit(): AppLoadContext {
  const { platform } = app
  const tenant = { id: coach.id, name: 'Ada Coaching' }
  const requestContext = { platform, address: '203.0.113.7', tenant }
  return {
    log: platform.log,
    cookies: { toast: () => '' },
    tenant,
    requestContext,
    async visitor(permissions: readonly PermissionName[]) {
      const { account: own } = await contextFor(coach)
      return visitorContext(platform, own, { requestId: 'test', address: '203.0.113.7' }, permissions)
    },
  } as unknown as AppLoadContext
}

const store = () => stripe.account(account)
const person = { name: 'Maya Ortiz', email: 'maya@example.com' }

/** Sends the form of a product as a browser without JavaScript does. Returns where it leads, or its errors. */
async function send(fields: Record<string, string>, slug = 'career-reset') {
  const body = new URLSearchParams({ intent: 'buy', ...fields })
  const request = new Request(`http://localhost/buy/${slug}`, { method: 'POST', body })
  const answer = await buyAction({ request, params: { product: slug }, context: visit() } as ActionFunctionArgs)
  if (answer instanceof Response) return { to: answer.headers.get('location'), errors: {} }
  const { result } = (answer as { data: { result: { error: Record<string, string[]> } } }).data
  return { to: null, errors: result.error }
}

/** Opens the page of the product, fills the form in and leads to Stripe. Returns the sale and the session there. */
async function buy(buyer = person, slug = 'career-reset') {
  const { signature } = await loadProductPage(visit(), slug)
  app.clock.now = new Date(app.clock.now.getTime() + 5_000)
  const { to } = await send({ ...buyer, signature: signature! }, slug)
  const token = /^\/sale\/(.+)\/pay$/.exec(to!)![1]!
  const args = { params: { token }, context: visit() } as unknown as LoaderFunctionArgs
  const response = (await redirectToPayment(args)) as Response
  const { id: saleId } = readSaleToken(app.platform, token)!
  return { token, saleId, address: response.headers.get('location'), session: await findSession(saleId) }
}

const findSession = async (saleId: number) =>
  (await listPages(await contextFor(coach), { kind: 'sale', id: saleId })).find(({ state }) => state === 'open')!
    .sessionId!

async function loadSalePage(token: string) {
  const { data } = await loadSale({ params: { token }, context: visit() } as unknown as LoaderFunctionArgs)
  return data.sale
}

const books = async () => {
  const ctx = await contextFor(coach)
  const clients = await listClients(ctx)
  const { revenue, outstanding, invoices } = await getBillingTotals(ctx, { today: '2026-03-10' })
  const purchases = await ctx.query<{ status: string; amount: number }>({
    text: 'select status, amount from purchase where coach_id = $1 order by id',
    values: [coach.id],
  })
  expect(await listDifferences(ctx)).toEqual([])
  return {
    clients: clients.map(({ name, totalSpent }) => [name, totalSpent]),
    revenue,
    outstanding,
    invoices,
    purchases: purchases.map(({ status, amount }) => [status, amount]),
  }
}
const nothing = { clients: [], revenue: 0, outstanding: 0, invoices: 0, purchases: [] }
const sold = {
  clients: [['Maya Ortiz', 162_000]],
  revenue: 162_000,
  outstanding: 0,
  invoices: 1,
  purchases: [['completed', 162_000]],
}

describe('a product on the public page', () => {
  test('is a purchase, an invoice and a payment once it is paid, counted once, and nothing before', async () => {
    expect((await loadShop(visit())).products).toMatchObject([
      { slug: 'career-reset', name: 'Career Reset', price: '$1,620.00', details: '12 sessions' },
    ])
    const { saleId, session } = await buy()
    expect(await books()).toEqual(nothing)
    expect(store().get('checkout.session', session)).toMatchObject({ amount_total: 162_000 })
    store().pay(session)
    const deliveries = stripe.takeDeliveries()
    const ctx = await contextFor(coach)
    await Promise.all([
      ...Array.from({ length: 10 }, () => applySession(ctx, session, account)),
      ...deliveries.toReversed().flatMap((delivery) => Array.from({ length: 5 }, () => deliver(coach, delivery))),
    ])
    await applyEvents(coach)
    expect(await books()).toEqual(sold)
    const { invoiceId, clientId, state } = await getSale(ctx, saleId)
    expect(state).toBe('paid')
    expect(await getInvoice(ctx, invoiceId!)).toMatchObject({ status: 'paid', total: 162_000, number: 'INV-0001' })
    expect(await listSessionsLeft(ctx, [clientId!])).toEqual({ [clientId!]: '12 of 12 sessions left' })
  })

  test('is booked by the page that the buyer comes back to, as a visitor, and by the night when nothing else says it', async () => {
    const first = await buy()
    store().pay(first.session)
    stripe.takeDeliveries()
    const request = new Request(`http://localhost/sale/${first.token}/paid?session=${first.session}`)
    await comeBack({ request, params: { token: first.token }, context: visit() } as unknown as LoaderFunctionArgs)
    expect(await books()).toEqual(sold)
    const second = await buy({ name: 'Noah Kim', email: 'noah@example.com' })
    store().pay(second.session)
    stripe.takeDeliveries()
    await reconcileAccount(await contextFor(coach))
    expect(await books()).toMatchObject({ revenue: 324_000, invoices: 2 })
  })

  test('belongs to the client with this email address, in any case', async () => {
    await createClient({ coach, name: 'Maya O.', email: 'Maya@Example.com' })
    const { session } = await buy()
    expect(store().get('checkout.session', session).customer).toBeNull()
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await books()).toEqual({ ...sold, clients: [['Maya O.', 162_000]] })
  })

  test('shows no invoice to the buyer, who may have typed the address of a client', async () => {
    await createClient({ coach, name: 'Maya O.', email: person.email })
    const { token, session } = await buy({ ...person, name: 'Somebody Else' })
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await loadSalePage(token)).toMatchObject({ state: 'paid', buyerName: 'Somebody Else', invoicePath: null })
  })

  test('makes a client of a prospect', async () => {
    const { prospects } = app.platform.extensions
    await inTenant(coach, (tx) =>
      prospects!.findOrCreate(tx, { ...person, phone: null, timezone: null, source: 'Website' }),
    )
    const { session } = await buy()
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await books()).toEqual(sold)
    expect(await prospects!.list(await contextFor(coach), { q: 'Maya', rows: 5 })).toEqual([])
  })

  test('is refunded from its invoice', async () => {
    const { saleId, session } = await buy()
    store().pay(session)
    await deliverAll(coach, stripe)
    const { invoiceId } = await getSale(await contextFor(coach), saleId)
    await inTenant(coach, (ctx) => refundInvoice(ctx, invoiceId!, { method: 'stripe', amount: 62_000 }))
    await runRefunds(coach)
    await deliverAll(coach, stripe)
    expect(await books()).toMatchObject({ revenue: 100_000, clients: [['Maya Ortiz', 100_000]] })
  })

  test('is paid once: the form, its link and a second session lead to one payment, and one above goes back', async () => {
    const { token, saleId, session, address } = await buy()
    const again = (await pay({ params: { token }, context: visit() } as unknown as ActionFunctionArgs)) as Response
    expect(again.headers.get('location')).toBe(address)
    store().pay(session)
    await deliverAll(coach, stripe)
    await expect(pay({ params: { token }, context: visit() } as unknown as ActionFunctionArgs)).rejects.toMatchObject({
      code: 'conflict',
    })
    const [page] = await listPages(await contextFor(coach), { kind: 'sale', id: saleId })
    expect(page).toMatchObject({ state: 'paid' })
    expect(await books()).toEqual(sold)
  })

  test('books nothing when the page at Stripe is left or expires', async () => {
    const { saleId, session } = await buy()
    const [page] = await listPages(await contextFor(coach), { kind: 'sale', id: saleId })
    await expireCheckout(await contextFor(coach), page!.id)
    expect(store().get('checkout.session', session).status).toBe('expired')
    await deliverAll(coach, stripe)
    expect(await books()).toEqual(nothing)
  })

  test('can be paid for two weeks, and is kept while a payment may still arrive', async () => {
    const left = await buy({ name: 'Noah Kim', email: 'noah@example.com' })
    const paying = await buy()
    store().pay(paying.session, 'bank_debit')
    await deliverAll(coach, stripe)
    app.clock.now = new Date('2026-03-25T14:00:00Z')
    const { ctx, sale } = (await openSaleLink(visit(), left.token))!
    expect(await getSalePayment(ctx, sale, left.token)).toBeNull()
    const args = { params: { token: left.token }, context: visit() } as unknown as ActionFunctionArgs
    await expect(pay(args)).rejects.toMatchObject({ code: 'conflict', message: outdatedMessage })
    app.clock.now = new Date('2026-04-10T14:00:00Z')
    await forgetUnpaidSales(app.platform)
    expect(await openSaleLink(visit(), left.token)).not.toBeNull()
    const [page] = await listPages(ctx, { kind: 'sale', id: left.saleId })
    await expireCheckout(await contextFor(coach), page!.id)
    await forgetUnpaidSales(app.platform)
    expect(await openSaleLink(visit(), left.token)).toBeNull()
    store().settle(paying.session, true)
    await deliverAll(coach, stripe)
    expect(await books()).toEqual(sold)
  })

  test('stays a sale of a new client when the known one is deleted first', async () => {
    const { id } = await createClient({ coach, ...person })
    const { session } = await buy()
    await inTenant(coach, (ctx) => deleteClient(ctx, id))
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await books()).toEqual(sold)
  })

  test('is refused to programs, and says what is wrong', async () => {
    const { signature } = await loadProductPage(visit(), 'career-reset')
    const early = await send({ ...person, signature: signature! })
    expect(early.errors).toEqual({ '': ['That was quick, or the page is old. Please send the form again.'] })
    app.clock.now = new Date(app.clock.now.getTime() + 5_000)
    expect((await send({ ...person, signature: 'forged' })).to).toBeNull()
    expect((await send({ ...person, signature: signature!, website: 'x' })).to).toBeNull()
    expect((await send({ name: '', email: 'no', signature: signature! })).errors).toEqual({
      name: ['Enter your name'],
      email: [expect.any(String)],
    })
    const [one, two] = [
      await send({ ...person, signature: signature! }),
      await send({ ...person, signature: signature! }),
    ]
    expect(one.to).toMatch(/^\/sale\/.+\/pay$/)
    expect(two.to).toBe(one.to)
  })

  test('is offered by link only, or not at all, as the coach says', async () => {
    await createProduct({ coach, name: 'Secret', price: '10.00', onlineSale: 'link' })
    await createProduct({ coach, name: 'Career Reset', price: '20.00', onlineSale: 'public' })
    await createProduct({ coach, name: 'Retainer', price: '90.00', paymentType: 'recurring', onlineSale: 'public' })
    const { products } = await loadShop(visit())
    expect(products.map(({ slug }) => slug)).toEqual(['career-reset', 'career-reset-2', 'retainer'])
    const [{ slug } = { slug: '' }] = await (await contextFor(coach)).query<{ slug: string }>({
      text: `select slug from product where coach_id = $1 and name = 'Secret'`,
      values: [coach.id],
    })
    expect(slug).toMatch(/^secret-[a-z2-9]{10}$/)
    expect((await loadProductPage(visit(), slug)).signature).not.toBeNull()
    await expect(loadProductPage(visit(), 'secret')).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(coach, (ctx) => disconnect(ctx))
    expect(await loadProductPage(visit(), 'retainer')).toMatchObject({ plan: null, signature: null })
    expect((await loadProductPage(visit(), 'career-reset')).signature).toBeNull()
  })

  test('is not sold above the limit of the plan, also not to a client, but what was paid before is booked', async () => {
    const other = await createCoach({ subdomain: `full-${number}`, timezone: 'UTC', plan: 'free' })
    coach = other
    account = await connectStripe(coach, stripe)
    await createProduct({ coach, name: 'Career Reset', price: '1620.00', onlineSale: 'public' })
    const { session } = await buy()
    let added = 0
    const add = () => createClient({ coach, name: `Client ${++added}`, email: `client${added}@example.com` })
    while (
      await add().then(
        () => true,
        () => false,
      )
    );
    const { signature } = await loadProductPage(visit(), 'career-reset')
    app.clock.now = new Date(app.clock.now.getTime() + 5_000)
    for (const email of ['noah@example.com', 'client1@example.com']) {
      const refused = await send({ name: 'Noah Kim', email, signature: signature! })
      expect(refused.errors).toEqual({
        '': ['Buying online is not possible at the moment. Please get in touch instead.'],
      })
    }
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await books()).toMatchObject({ revenue: 162_000, invoices: 1 })
  })
})

describe('a payment link', () => {
  const offer = async () => {
    const { id: clientId } = await createClient({ coach, ...person })
    const product = await createProduct({ coach, name: 'Session', price: '180.00', sessionCount: 1 })
    const saleId = await inTenant(coach, (ctx) => createPaymentLink(ctx, { clientId, productId: product.id }))
    const token = getSalePath({ platform: app.platform, coachId: coach.id }, saleId).slice('/sale/'.length)
    return { clientId, saleId, token, open: () => openSaleLink(visit(), token) }
  }
  const payLink = (token: string) => pay({ params: { token }, context: visit() } as unknown as ActionFunctionArgs)
  /** Does what the waiting jobs of a subscriber do. */
  const react = async (name: string) => {
    const subscriber = app.platform.extensions.subscribers.find((one) => one.name === name)!
    const jobs = await app.platform.boss.fetch<{ coachId: number; payload: unknown }>(name, { batchSize: 100 })
    for (const { data } of jobs)
      if (data.coachId === coach.id) await inTenant(coach, (ctx) => subscriber.handle(ctx, data.payload))
  }
  const states = async () => (await listPaymentLinks(await contextFor(coach), null)).map(({ state }) => state)

  test('is paid by the client as the customer at Stripe, and says so', async () => {
    const { clientId, saleId, token } = await offer()
    expect(await states()).toEqual(['open'])
    await payLink(token)
    const session = await findSession(saleId)
    const { customer } = store().get('checkout.session', session)
    expect(store().get('customer', customer!)).toMatchObject(person)
    store().pay(session)
    await deliverAll(coach, stripe)
    expect(await states()).toEqual(['paid'])
    expect((await loadSalePage(token))?.invoicePath).toMatch(/^\/invoice\//)
    expect(await books()).toEqual({
      clients: [['Maya Ortiz', 18_000]],
      revenue: 18_000,
      outstanding: 0,
      invoices: 1,
      purchases: [['completed', 18_000]],
    })
    expect(await listSessionsLeft(await contextFor(coach), [clientId])).toEqual({ [clientId]: '1 of 1 session left' })
    await expect(inTenant(coach, (ctx) => withdrawPaymentLink(ctx, saleId))).rejects.toMatchObject({ code: 'conflict' })
  })

  test('that is withdrawn closes the page at Stripe, but a payment that was faster is booked', async () => {
    for (const isFaster of [false, true]) {
      const { saleId, token, open } = await offer()
      await payLink(token)
      const session = await findSession(saleId)
      if (isFaster) store().pay(session)
      await inTenant(coach, (ctx) => withdrawPaymentLink(ctx, saleId))
      await inTenant(coach, (ctx) => closeSalePages(ctx, saleId))
      const ctx = await contextFor(coach)
      for (const { id } of await listPages(ctx, { kind: 'sale', id: saleId })) await expireCheckout(ctx, id)
      expect(store().get('checkout.session', session).status).toBe(isFaster ? 'complete' : 'expired')
      expect((await open())!.sale.state).toBe(isFaster ? 'paid' : 'withdrawn')
      if (!isFaster) await expect(payLink(token)).rejects.toMatchObject({ code: 'conflict' })
    }
  })

  test.each([
    ['in the trash', false],
    ['erased', true],
  ])('that is paid while its client is %s is booked without adding anybody', async (_, isErased) => {
    const { clientId, saleId, token } = await offer()
    await payLink(token)
    const session = await findSession(saleId)
    await inTenant(coach, (ctx) => deleteClient(ctx, clientId))
    if (isErased) await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), clientId))
    store().pay(session)
    await deliverAll(coach, stripe)
    expect((await books()).clients).toEqual([])
    const ctx = await contextFor(coach)
    const { invoiceId, ...sale } = await getSale(ctx, saleId)
    expect(sale).toMatchObject({ state: 'paid', clientId: isErased ? null : clientId })
    expect(await getInvoice(ctx, invoiceId!)).toMatchObject({ status: 'paid', total: 18_000, clientId: sale.clientId })
  })

  test('that fifty open and pay at once is paid once, and anything above goes back', async () => {
    const { saleId, token } = await offer()
    const opened = (await Promise.all(Array.from({ length: 50 }, () => payLink(token)))) as Response[]
    expect(new Set(opened.map(({ headers }) => headers.get('location'))).size).toBe(1)
    const session = await findSession(saleId)
    store().pay(session)
    const deliveries = stripe.takeDeliveries()
    const ctx = await contextFor(coach)
    await Promise.all([
      ...Array.from({ length: 50 }, () => applySession(ctx, session, account)),
      ...deliveries.flatMap((delivery) => Array.from({ length: 10 }, () => deliver(coach, delivery))),
    ])
    await applyEvents(coach)
    expect(store().list('payment_intent')).toHaveLength(1)
    expect(await books()).toMatchObject({ revenue: 18_000, invoices: 1, purchases: [['completed', 18_000]] })
  })

  test('keeps its page at Stripe when its client is restored at once', async () => {
    const { clientId, saleId, token } = await offer()
    await payLink(token)
    const session = await findSession(saleId)
    await inTenant(coach, (ctx) => deleteClient(ctx, clientId))
    await inTenant(coach, (ctx) => restoreRecord(ctx, getRecordKind(ctx, 'client'), clientId))
    await react('billing.on.crm.client-deleted')
    await react('stripe.on.billing.sale-withdrawn')
    const [page] = await listPages(await contextFor(coach), { kind: 'sale', id: saleId })
    expect(page).toMatchObject({ state: 'open' })
    expect(store().get('checkout.session', session).status).toBe('open')
  })

  test('has its page at Stripe closed when its client is deleted', async () => {
    const { clientId, saleId, token } = await offer()
    await payLink(token)
    const session = await findSession(saleId)
    await inTenant(coach, (ctx) => deleteClient(ctx, clientId))
    await react('billing.on.crm.client-deleted')
    await react('stripe.on.billing.sale-withdrawn')
    const ctx = await contextFor(coach)
    const [page] = await listPages(ctx, { kind: 'sale', id: saleId })
    expect(page).toMatchObject({ state: 'replaced' })
    await expireCheckout(ctx, page!.id)
    expect(store().get('checkout.session', session).status).toBe('expired')
  })

  test('that was to be emailed is not, once the client is read-only', async () => {
    const { clientId, saleId } = await offer()
    await inTenant(coach, (ctx) => sendPaymentLink(ctx, saleId))
    await inTenant(coach, (ctx) =>
      ctx.query({
        text: 'update client set archived_at = $3, email = $4 where coach_id = $1 and id = $2',
        values: [coach.id, clientId, ctx.now(), `archived-${number}@example.com`],
      }),
    )
    await createClient({ coach })
    await setPlan(coach, 'free')
    await emailPaymentLink(app.platform, { coachId: coach.id, saleId })
    const emails = await listOutbox(app.platform.config)
    expect(emails.filter(({ to }) => to === `archived-${number}@example.com`)).toEqual([])
  })

  test('is emailed to the client, and works for nobody once the client is deleted', async () => {
    const { clientId, saleId, open } = await offer()
    await inTenant(coach, (ctx) => sendPaymentLink(ctx, saleId))
    await emailPaymentLink(app.platform, { coachId: coach.id, saleId })
    const email = (await listOutbox(app.platform.config)).find(({ subject }) => subject.startsWith('Session from '))!
    expect(email.to).toBe(person.email)
    expect(email.text).toContain('here you can pay $180.00 for Session by card.')
    expect((await open())!.sale).toMatchObject({ buyerName: person.name, state: 'open' })
    await inTenant(coach, (ctx) => deleteClient(ctx, clientId))
    expect(await open()).toBeNull()
  })
})
