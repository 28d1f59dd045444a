import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { getBillingTotals, listDifferences } from '#modules/billing/e2e/factories.ts'
import { buyAction, loadProductPage } from '#modules/billing/sales/online-sale.server.ts'
import { listClients, lockClient } from '#modules/crm/index.ts'
import { assertCurrency, runHook } from '#modules/core/hooks.ts'
import { listSessionsLeft } from '#modules/core/slots.ts'
import { visitorContext, type Ctx, type PermissionName } from '#tenants/context.ts'
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
import { applyEvents, connectStripe, deliver, deliverAll } from '../e2e/support.ts'
import { loader as redirectToPayment } from '../routes/pay-subscription.ts'
import { loader as comeBack } from '../routes/subscription-paid.ts'
import { loader as loadSubscribePage } from '../routes/subscribe.tsx'
import { readSubscriptionToken } from './link.ts'
import { getSubscription } from './manage.ts'
import { findSubscription, listSubscriptions } from './queries.ts'
import { forgetUnpaid, syncSubscriptions } from './reconcile.ts'
import { lockSubscription, syncSubscription } from './sync.ts'
import { describePlan, listPartDates } from './terms.ts'

// Products in installments and recurring ones, which visitors buy on the coach's public page.

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let number = 0
const maya = { name: 'Maya Ortiz', email: 'maya@example.com' }

beforeEach(async () => {
  app.clock.now = new Date('2026-01-31T14:00:00Z')
  stripe.stopFailing()
  coach = await createCoach({ subdomain: `visitors-${++number}`, timezone: 'UTC' })
  account = await connectStripe(coach, stripe)
  await createProduct({
    coach,
    name: 'Career Reset',
    price: '1000.03',
    paymentType: 'installment',
    installmentCount: 4,
    sessionCount: 12,
    onlineSale: 'public',
  })
  await createProduct({ coach, name: 'Membership', price: '80.00', paymentType: 'recurring', onlineSale: 'public' })
  stripe.takeDeliveries()
})

const store = () => stripe.account(account)

/** The context of a request of a visitor on the coach's host. */
function visit(): AppLoadContext {
  const { platform } = app
  const tenant = { id: coach.id, name: 'Ada Coaching' }
  return {
    log: platform.log,
    cookies: { toast: () => '' },
    tenant,
    requestContext: { platform, address: '203.0.113.7', tenant },
    async visitor(permissions: readonly PermissionName[]) {
      const { account: own } = await contextFor(coach)
      return visitorContext(platform, own, { requestId: 'test', address: '203.0.113.7' }, permissions)
    },
  } as unknown as AppLoadContext
}

/** Sends the form of a product. Returns where it leads, or its errors. */
async function send(slug: string, buyer = maya) {
  const { signature } = await loadProductPage(visit(), slug)
  app.clock.now = new Date(app.clock.now.getTime() + 5_000)
  const body = new URLSearchParams({ intent: 'buy', ...buyer, signature: signature! })
  const request = new Request(`http://localhost/buy/${slug}`, { method: 'POST', body })
  const answer = await buyAction({ request, params: { product: slug }, context: visit() } as ActionFunctionArgs)
  if (answer instanceof Response) return { to: answer.headers.get('location')!, errors: {} }
  return { to: '', errors: (answer as { data: { result: { error: object } } }).data.result.error }
}

/** Fills the form in, and leads to Stripe. */
async function begin(slug: string, buyer = maya) {
  const { to } = await send(slug, buyer)
  const token = /^\/subscribe\/(.+)\/pay$/.exec(to)![1]!
  const args = { params: { token }, context: visit() } as unknown as LoaderFunctionArgs
  const address = ((await redirectToPayment(args)) as Response).headers.get('location')!
  const id = readSubscriptionToken(app.platform, token)!.id
  return { id, token, address, session: (await find(id))!.sessionId! }
}

const find = async (id: number) => findSubscription(await contextFor(coach), 'id', id)
const listed = async () => {
  const { subscriptions } = await listSubscriptions(await contextFor(coach), { clientId: null, rows: 10, skip: 0 })
  return subscriptions.map(({ productName, state }) => [productName, state])
}
const books = async () => {
  const ctx = await contextFor(coach)
  expect(await listDifferences(ctx)).toEqual([])
  const { revenue, invoices } = await getBillingTotals(ctx, { today: app.clock.now.toISOString().slice(0, 10) })
  return { revenue, invoices, clients: (await listClients(ctx)).map(({ name, totalSpent }) => [name, totalSpent]) }
}
const nothing = { revenue: 0, invoices: 0, clients: [] }

test('the page of a product shows all parts before they are agreed to, and they add up', async () => {
  const { plan, signature } = await loadProductPage(visit(), 'career-reset')
  expect(signature).not.toBeNull()
  expect(plan).toEqual({
    parts: [
      { when: 'Today', amount: '$250.03' },
      { when: 'Feb 28, 2026', amount: '$250.00' },
      { when: 'Mar 31, 2026', amount: '$250.00' },
      { when: 'Apr 30, 2026', amount: '$250.00' },
    ],
    more: null,
    total: '$1,000.03',
    first: '$250.03',
    note: 'The first part is charged today, the others to the same card. It ends after the last one.',
  })
  const membership = await loadProductPage(visit(), 'membership')
  expect(membership.plan).toMatchObject({
    parts: [{ when: 'Today', amount: '$80.00' }],
    total: null,
    note: 'Then $80.00 each month from the same card, until it is cancelled.',
  })
})

test('the parts that are shown add up for any amount and number', () => {
  const toCents = (text: string) => Number(text.replaceAll(/\D/g, ''))
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 9_999_999 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('weekly', 'monthly'),
      (amount, parts, frequency) => {
        const terms = { kind: 'installment', frequency, parts, amount, currency: 'usd' } as const
        const plan = describePlan(terms, '2026-01-31')
        const [, more = '0', each = '0'] = /^and (\d+) more of (\S+),/.exec(plan.more ?? '') ?? []
        const shown = plan.parts.reduce((sum, part) => sum + toCents(part.amount), 0)
        expect(shown + Number(more) * toCents(each)).toBe(amount)
        expect(plan.parts.length + Number(more)).toBe(parts)
        const dates = listPartDates(terms, '2026-01-31')
        expect(dates).toEqual(dates.toSorted())
        expect(new Set(dates).size).toBe(parts)
      },
    ),
  )
})

test('a visitor who pays becomes a client with a subscription; nobody is one before', async () => {
  const { id, session, address } = await begin('career-reset')
  expect(address).toMatch(/\/pay\//)
  expect(store().get('checkout.session', session)).toMatchObject({ amount_total: 25_003 })
  expect(await listed()).toEqual([])
  await expect(getSubscription(await contextFor(coach), id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await books()).toEqual(nothing)

  store().pay(session)
  const deliveries = stripe.takeDeliveries()
  await Promise.all(
    deliveries.toReversed().flatMap((delivery) => Array.from({ length: 5 }, () => deliver(coach, delivery))),
  )
  await applyEvents(coach)
  await deliverAll(coach, stripe)
  expect(await listed()).toEqual([['Career Reset', 'active']])
  expect(await books()).toEqual({ revenue: 25_003, invoices: 1, clients: [['Maya Ortiz', 25_003]] })
  const { clientId, buyerName, buyerEmail, scheduleId } = (await find(id))!
  expect([buyerName, buyerEmail]).toEqual([null, null])
  expect(scheduleId).not.toBeNull()
  expect(await listSessionsLeft(await contextFor(coach), [clientId!])).toEqual({
    [clientId!]: '12 of 12 sessions left',
  })
})

test('the page that the visitor comes back to books it, and so does the night when no news come', async () => {
  const first = await begin('membership')
  store().pay(first.session)
  stripe.takeDeliveries()
  await comeBack({ params: { token: first.token }, context: visit() } as unknown as LoaderFunctionArgs)
  expect(await books()).toMatchObject({ revenue: 8_000 })
  const { data } = (await loadSubscribePage({
    params: { token: first.token },
    context: visit(),
  } as unknown as LoaderFunctionArgs)) as { data: { offer: { state: string } } }
  expect(data.offer.state).toBe('active')

  const second = await begin('membership', { name: 'Noah Kim', email: 'noah@example.com' })
  store().pay(second.session)
  stripe.takeDeliveries()
  await syncSubscriptions(await contextFor(coach))
  // Again, as after a process that ended in between: it is no subscription of an erased client.
  await syncSubscriptions(await contextFor(coach))
  expect(await listed()).toEqual([
    ['Membership', 'active'],
    ['Membership', 'active'],
  ])
})

test('it belongs to the client with this email address, whose cards Stripe doesn’t offer', async () => {
  const known = await createClient({ coach, name: 'Maya O.', email: 'MAYA@example.com' })
  const { id, session } = await begin('membership')
  expect(store().get('checkout.session', session)).toMatchObject({ customer: null })
  store().pay(session)
  await deliverAll(coach, stripe)
  expect((await find(id))!.clientId).toBe(known.id)
  expect(await books()).toMatchObject({ clients: [['Maya O.', 8_000]] })
})

test('what a visitor never pays leaves nothing, and can be paid for two weeks', async () => {
  const { id, token } = await begin('membership')
  app.clock.now = new Date('2026-02-16T14:00:00Z')
  const args = { params: { token }, context: visit() } as unknown as LoaderFunctionArgs
  expect(((await redirectToPayment(args)) as Response).headers.get('location')).toBe(`/subscribe/${token}`)
  app.clock.now = new Date('2026-03-05T14:00:00Z')
  await forgetUnpaid(app.platform)
  expect(await find(id)).toBeNull()
  expect(await books()).toEqual(nothing)
})

test('the name of a visitor is deleted also when Stripe has given up, or the account is no longer connected', async () => {
  const [waiting, expired] = [await begin('membership'), await begin('membership', { ...maya, name: 'Maya O.' })]
  const setState = (id: number, state: string) =>
    inTenant(coach, (tx) =>
      tx.query({
        text: `update stripe_subscription set subscription_id = $3, state = $4 where coach_id = $1 and id = $2`,
        values: [coach.id, id, `sub_${id}`, state],
      }),
    )
  await setState(expired.id, 'cancelled')
  const begun = await begin('membership', { ...maya, name: 'M. Ortiz' })
  await setState(begun.id, 'offered')
  stripe.deauthorize(account)
  app.clock.now = new Date('2026-03-05T14:00:00Z')
  await forgetUnpaid(app.platform)
  expect(await Promise.all([waiting, expired].map(({ id }) => find(id)))).toEqual([null, null])
  expect(await find(begun.id)).not.toBeNull()
})

test('the coach can’t choose another currency while a visitor can pay, whenever they began', async () => {
  const { token } = await begin('membership')
  const choose = (currency: string) => inTenant(coach, (tx) => runHook(tx, assertCurrency, { currency }))
  await expect(choose('eur')).rejects.toMatchObject({ code: 'conflict' })
  app.clock.now = new Date('2026-02-03T14:00:00Z')
  await choose('eur')
  await redirectToPayment({ params: { token }, context: visit() } as unknown as LoaderFunctionArgs)
  await expect(choose('eur')).rejects.toMatchObject({ code: 'conflict' })
  await choose('usd')
  app.clock.now = new Date('2026-02-04T15:00:00Z')
  await choose('eur')
})

test('news that come at once don’t lock the client and the subscription crosswise', async () => {
  const { id: clientId } = await createClient({ coach, ...maya })
  const { id, session } = await begin('membership')
  store().pay(session)
  stripe.takeDeliveries()
  const ctx = await contextFor(coach)
  const key = { subscriptionId: String(store().get('checkout.session', session).subscription), accountId: account }
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const lockBoth = () =>
    ctx.write(async (tx) => {
      await lockClient(tx, clientId)
      held.resolve()
      await reached.promise
      await lockSubscription(tx, id)
    })
  let other: Promise<void> | undefined
  let writes = 0
  /** After its first write it knows that it is a visitor's; another one gives it to the client in the meantime. */
  const late: Ctx = {
    ...ctx,
    write: async (work) => {
      writes += 1
      if (writes === 2) {
        await syncSubscription(ctx, key)
        other = lockBoth()
        await held.promise
      }
      return ctx.write((tx) =>
        work({
          ...tx,
          query: (query) => {
            if (query.name === 'crm.lock-client') reached.resolve()
            return tx.query(query)
          },
        }),
      )
    },
  }
  await syncSubscription(late, key)
  await other
  expect(await books()).toMatchObject({ revenue: 8_000, invoices: 1 })
})

test('a full plan sells nothing to visitors, and who has paid is added all the same', async () => {
  const { session } = await begin('membership')
  await setPlan(coach, 'free')
  await createClient({ coach, name: 'First', email: 'first@example.com' })
  expect(Object.values((await send('membership')).errors).flat()).toEqual([
    'Buying online is not possible at the moment. Please get in touch instead.',
  ])
  store().pay(session)
  await deliverAll(coach, stripe)
  expect((await books()).clients).toContainEqual(['Maya Ortiz', 8_000])
})

test('a visitor reads nothing about the plan of a coach whose storage is full', async () => {
  vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValueOnce(true)
  expect(Object.values((await send('membership')).errors).flat()).toEqual([
    'This is not possible at the moment. Please get in touch instead.',
  ])
})
