import { afterAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { createInvoice, listDifferences, refundInvoice } from '#modules/billing/e2e/factories.ts'
import { getInvoice } from '#modules/billing/index.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { getAccountCard } from './contributions.ts'
import { applyEvents, connectStripe, deliver } from './e2e/support.ts'
import { listCheckouts, openCheckout } from './services/checkout.ts'
import { reconcileAccount } from './services/reconcile.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let clientId: number
let number = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ subdomain: `books-${++number}` })
  account = await connectStripe(coach, stripe)
  clientId = (await createClient({ coach })).id
})

/** An invoice that a client has paid, of which no webhook has told. */
async function payUnreported(): Promise<number> {
  const { id } = await createInvoice({ coach, clientId })
  const ctx = await contextFor(coach)
  await openCheckout(ctx, id)
  stripe.account(account).pay((await listCheckouts(ctx, id))[0]!.sessionId!)
  stripe.takeDeliveries()
  return id
}
const reconcile = async () => reconcileAccount(await contextFor(coach))
const find = async (id: number) => getInvoice(await contextFor(coach), id)

test('payments, refunds and disputes whose webhooks were lost are found at night', async () => {
  const [paid, refunded, disputed] = [await payUnreported(), await payUnreported(), await payUnreported()]
  await reconcile()
  for (const id of [paid, refunded, disputed]) expect((await find(id)).status).toBe('paid')
  const store = stripe.account(account)
  const intents = store.list('payment_intent')
  app.clock.now = new Date('2026-03-11T04:00:00Z')
  store.refund({ payment_intent: intents[1]!.id })
  const dispute = store.dispute(intents[2]!.id)
  store.closeDispute(dispute.id, 'lost')
  await reconcile()
  await applyEvents(coach)
  expect([(await find(refunded)).refunded, (await find(disputed)).refunded]).toEqual([15_000, 15_000])
  expect(await listDifferences(await contextFor(coach))).toEqual([])
  expect((await getAccountCard(await contextFor(coach))).differences).toEqual([])
})

test('a refund whose job was lost is sent at night', async () => {
  const id = await payUnreported()
  await reconcile()
  await inTenant(coach, (ctx) => refundInvoice(ctx, id, {}))
  await reconcile()
  expect(await find(id)).toMatchObject({ refunded: 15_000, refunding: 0 })
})

test('a page that can’t be asked for doesn’t stop the others', async () => {
  const { id: open } = await createInvoice({ coach, clientId })
  await openCheckout(await contextFor(coach), open)
  stripe.deauthorize(account)
  await reconcile()
  account = await connectStripe(coach, stripe)
  const id = await payUnreported()
  await reconcile()
  await inTenant(coach, (ctx) => refundInvoice(ctx, id, {}))
  await reconcile()
  expect(await find(id)).toMatchObject({ refunded: 15_000, refunding: 0 })
})

test('payments that can’t be compared have failed since the first night, until they are compared', async () => {
  const start = app.clock.now
  const health = async () => (await getAccountCard(await contextFor(coach))).health!
  const failNight = async () => {
    await expect(reconcile()).rejects.toThrow()
    return (await health()).text.split(' Since ')[1]
  }
  try {
    stripe.fail(/payment_intents|charges|events/, 503)
    const first = await failNight()
    expect(first).toBeDefined()
    app.clock.now = new Date(start.getTime() + dayMs)
    expect(await failNight()).toBe(first)
    stripe.stopFailing()
    await reconcile()
    expect((await health()).isFailing).toBe(false)
  } finally {
    stripe.stopFailing()
    app.clock.now = start
  }
})

test('an event that no job could apply is tried again every night', async () => {
  const { id } = await createInvoice({ coach, clientId })
  const ctx = await contextFor(coach)
  await openCheckout(ctx, id)
  stripe.account(account).pay((await listCheckouts(ctx, id))[0]!.sessionId!)
  for (const delivery of stripe.takeDeliveries()) await deliver(coach, delivery)
  const countJobs = () =>
    asOwner(app.ownerUrl, async (db) => {
      const { rows } = await db.query(
        `select count(*)::int as n from pgboss.job where name = 'stripe.event' and data->>'coachId' = $1`,
        [String(coach.id)],
      )
      return rows[0].n as number
    })
  const first = await countJobs()
  expect(first).toBeGreaterThan(0)
  await reconcile()
  expect(await countJobs()).toBe(first)
  app.clock.now = new Date('2026-03-11T04:00:00Z')
  await reconcile()
  expect(await countJobs()).toBe(2 * first)
  await applyEvents(coach)
  await reconcile()
  expect(await countJobs()).toBe(2 * first)
})

test('a payment that the books count differently is shown, and not corrected', async () => {
  const id = await payUnreported()
  await reconcile()
  const intent = stripe.account(account).list('payment_intent')[0]!
  intent.amount_received = 16_000
  await reconcile()
  expect((await getAccountCard(await contextFor(coach))).differences).toEqual([
    { paymentIntentId: intent.id, stripe: '$160.00', booked: '$150.00' },
  ])
  expect(await find(id)).toMatchObject({ paid: 15_000 })
  await inTenant(coach, (tx) =>
    tx.query({ name: 'test.currency', text: `update account set currency = 'eur' where id = $1`, values: [coach.id] }),
  )
  expect((await getAccountCard(await contextFor(coach))).differences[0]).toMatchObject({ stripe: '€160.00' })
  intent.amount_received = 15_000
  await reconcile()
  expect((await getAccountCard(await contextFor(coach))).differences).toEqual([])
})
