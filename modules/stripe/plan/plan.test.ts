import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, formatDate } from '#app/lib/time.ts'
import { updateClient, ClientEdit } from '#modules/crm/index.ts'
import { startTrial } from '#tenants/accounts/accounts.ts'
import { closeAccount, reopenAccount } from '#tenants/accounts/closing.ts'
import { getGraceEnd, isLapsed } from '#tenants/accounts/plans.ts'
import { listOutbox } from '#tenants/mail.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { jobs } from '../jobs.ts'
import { queues } from '../services/queue.ts'
import { applyEvents, deliver, deliverAll } from '../e2e/support.ts'
import { startCheckout } from './checkout.ts'
import { emailPlanFailure, planFailureQueue } from './email.ts'
import { getPlanPayment, listSubscriptionFacts } from './payment.ts'
import { findSubscription } from './queries.ts'
import { reconcilePlans, syncPlan, syncPlanNow } from './sync.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  stripe.stopFailing()
  stripe.takeDeliveries()
  coach = await createCoach({ plan: 'free', timezone: 'UTC' })
})

const call = (path: string, body: object = {}) => app.call('POST', `/api/subscription/${path}`, { as: coach, body })
const getPlan = async () => (await contextFor(coach)).plan
const sessionId = (url: string) => url.split('/').at(-1)!
const getCustomer = async () => (await findSubscription(await contextFor(coach), coach.id))!.customerId
const listLive = async () => {
  const customer = await getCustomer()
  return stripe.platform.list('subscription').filter((one) => one.customer === customer && one.status !== 'canceled')
}
/** Goes on by days: what is due at Stripe happens, and its webhooks arrive. */
async function goOn(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    stripe.tick()
    await deliverAll(coach, stripe)
  }
}
const listMails = async () => (await listOutbox(app.platform.config)).filter(({ to }) => to === coach.email)
/** When the payment had first failed, of each email that waits. */
const listFailures = async (): Promise<string[]> =>
  (
    await app.platform.readPool.queryGlobal<{ at: string }>({
      text: `select data->>'failedAt' as at from pgboss.job where name = $1 and data->>'coachId' = $2`,
      values: [planFailureQueue, String(coach.id)],
    })
  ).map(({ at }) => at)
async function payFor(plan: 'pro' | 'premium'): Promise<void> {
  stripe.platform.pay(sessionId(await startCheckout(await contextFor(coach), plan, 'http://localhost:3000')))
  await deliverAll(coach, stripe)
}

describe('paying for a plan', () => {
  test('leads to Stripe, and the plan is there once Stripe says that it is paid', async () => {
    const { status, body } = await call('checkout', { plan: 'pro' })
    expect([status, body.url]).toEqual([200, expect.stringContaining(`${stripe.url}/pay/platform/`)])
    expect(await getPlan()).toBe('free')
    stripe.platform.pay(sessionId(body.url))
    expect(await getPlan()).toBe('free')
    await deliverAll(coach, stripe)
    expect(await getPlan()).toBe('pro')
    expect(await getPlanPayment(await contextFor(coach))).toEqual({
      action: '/upgrade/pay',
      choices: { free: 'Downgrade to Free', premium: 'Upgrade to Premium' },
      canManage: true,
      status: 'Pro, $29 per month. It renews on Apr 10, 2026.',
    })
    expect((await call('checkout', { plan: 'pro' })).status).toBe(409)
    expect((await call('checkout', { plan: 'free' })).status).toBe(422)
  })

  test('is one session for two clicks, and another plan ends it', async () => {
    const clicks = await concurrently(5, async () => (await call('checkout', { plan: 'pro' })).body.url)
    const urls = new Set(clicks.map((click) => (click.status === 'fulfilled' ? click.value : click.reason)))
    expect(urls.size).toBe(1)
    const [url] = urls
    expect((await call('checkout', { plan: 'pro' })).body.url).toBe(url)
    expect((await call('checkout', { plan: 'premium' })).body.url).not.toBe(url)
    expect(stripe.platform.get('checkout.session', sessionId(url)).status).toBe('expired')
  })

  test.each(['deleted', 'missing'] as const)('works when session and customer are %s at Stripe', async (how) => {
    const url = await startCheckout(await contextFor(coach), 'pro', 'http://localhost:3000')
    stripe.platform.objects.delete(sessionId(url))
    const customer = await getCustomer()
    const again = await startCheckout(await contextFor(coach), 'pro', 'http://localhost:3000')
    expect([again === url, await getCustomer()]).toEqual([false, customer])
    stripe.platform.objects.delete(sessionId(again))
    if (how === 'deleted') stripe.platform.deleteCustomer(customer)
    else stripe.platform.objects.delete(customer)
    await payFor('pro')
    expect(await getCustomer()).not.toBe(customer)
    expect(await getPlan()).toBe('pro')
  })

  test('after a trial begins at its end', async () => {
    await inTenant(coach, startTrial)
    expect((await getPlanPayment(await contextFor(coach)))?.choices).toEqual({
      pro: 'Pay for Pro',
      premium: 'Upgrade to Premium',
    })
    await payFor('pro')
    const [subscription] = await listLive()
    expect(subscription).toMatchObject({ status: 'trialing', trial_end: Date.parse('2026-03-24T14:00:00Z') / 1000 })
    expect((await getPlanPayment(await contextFor(coach)))?.status).toContain('The first payment is on Mar 24, 2026.')
    await goOn(16)
    expect([await getPlan(), (await listLive())[0]!.status]).toEqual(['pro', 'active'])
  })

  test('after a trial begins at its end, also with a page that was opened before the trial', async () => {
    const url = await startCheckout(await contextFor(coach), 'pro', 'http://localhost:3000')
    await inTenant(coach, startTrial)
    await payFor('pro')
    expect(stripe.platform.get('checkout.session', sessionId(url)).status).toBe('expired')
    expect(await listLive()).toMatchObject([{ status: 'trialing' }])
  })

  test('of a higher plan is confirmed in the portal, and prorated', async () => {
    await payFor('pro')
    await goOn(10)
    const url = await startCheckout(await contextFor(coach), 'premium', 'http://localhost:3000')
    expect(url).toContain(`${stripe.url}/portal/`)
    await fetch(url, { method: 'POST', body: new URLSearchParams({ do: 'confirm' }), redirect: 'manual' })
    await deliverAll(coach, stripe)
    expect(await getPlan()).toBe('premium')
    const invoices = stripe.platform
      .list('invoice')
      .filter(({ billing_reason }) => billing_reason === 'subscription_update')
    expect(invoices.at(-1)!.amount_due).toBe(Math.round(3000 * (21 / 31)))
  })

  test('twice keeps the better subscription and cancels the other', async () => {
    await call('checkout', { plan: 'pro' })
    const customer = await getCustomer()
    for (const price of ['price_premium', 'price_pro', 'price_premium']) {
      const session = stripe.platform.createSession({
        mode: 'subscription',
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: 'http://localhost:3000/upgrade',
      })
      stripe.platform.pay(session.id)
      app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    }
    const first = (await listLive())[0]!.id
    await deliverAll(coach, stripe)
    expect((await listLive()).map(({ id }) => id)).toEqual([first])
    expect(await getPlan()).toBe('premium')
  })

  test('needs no webhook: the nightly job and the return from Stripe find it', async () => {
    await payFor('pro')
    const [subscription] = await listLive()
    stripe.platform.updateSubscription(subscription!.id, {
      items: [{ id: subscription!.items.data[0]!.id, price: 'price_premium' }],
    })
    stripe.takeDeliveries()
    await reconcilePlans(app.platform)
    expect(await getPlan()).toBe('premium')
  })

  test('shows the coach who comes back the new plan, also while webhooks are being applied', async () => {
    await payFor('pro')
    const [subscription] = await listLive()
    stripe.platform.updateSubscription(subscription!.id, {
      items: [{ id: subscription!.items.data[0]!.id, price: 'price_premium' }],
    })
    // Webhooks whose responses come after that of the coach, and are newer.
    const applied = Promise.all([1, 2, 3].map(() => syncPlan(app.platform, coach.id)))
    await syncPlanNow(app.platform, coach.id)
    expect(await getPlan()).toBe('premium')
    await applied
  })

  test('with webhooks that come shuffled and ten times ends as Stripe says', async () => {
    await payFor('pro')
    const [subscription] = await listLive()
    const item = subscription!.items.data[0]!.id
    for (const price of ['price_premium', 'price_pro', 'price_premium'])
      stripe.platform.updateSubscription(subscription!.id, { items: [{ id: item, price }] })
    const deliveries = stripe.takeDeliveries().toReversed()
    for (let times = 0; times < 10; times++) for (const delivery of deliveries) await deliver(coach, delivery)
    await concurrently(10, () => syncPlan(app.platform, coach.id))
    await applyEvents(coach)
    expect(await getPlan()).toBe('premium')
  })

  test.each([
    ['is away', 'nothing', /Stripe can’t be reached/],
    ['fails', 500, /Stripe can’t be reached/],
    ['refuses', 402, /Stripe refused the request/],
  ] as const)('while Stripe %s says so', async (_name, failure, message) => {
    stripe.fail(/sessions/, failure)
    expect(await call('checkout', { plan: 'pro' })).toMatchObject({
      status: 502,
      body: { message: expect.stringMatching(message) },
    })
  })

  test('is not possible without Stripe or without a price, and the screen says why', async () => {
    const { stripe: configured } = app.platform.config
    app.platform.config.stripe = { ...configured!, prices: { pro: 'price_pro', premium: undefined } }
    expect((await call('checkout', { plan: 'premium' })).status).toBe(503)
    expect((await getPlanPayment(await contextFor(coach)))?.choices).toEqual({ pro: 'Upgrade to Pro' })
    app.platform.config.stripe = undefined
    for (const path of ['checkout', 'portal'])
      expect(await call(path, { plan: 'pro' })).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await getPlanPayment(await contextFor(coach))).toBeNull()
    app.platform.config.stripe = configured
  })
})

describe('a payment that fails', () => {
  test('keeps the plan for 14 days, then what is over the limit is read-only until it is paid', async () => {
    await payFor('pro')
    const clients: number[] = []
    for (const name of ['First', 'Second']) clients.push((await createClient({ coach, name })).id)
    const edit = (id: number) =>
      inTenant(coach, (tx) => updateClient(tx, id, ClientEdit.parse({ phone: String(Math.random()) })))
    stripe.platform.cards.set(await getCustomer(), 'declined')
    await goOn(32)
    expect(await getPlan()).toBe('pro')
    expect(getGraceEnd(await contextFor(coach))).toEqual(new Date(app.clock.now.getTime() + 14 * dayMs))
    await edit(clients[1]!)

    app.clock.now = new Date(app.clock.now.getTime() + 14 * dayMs)
    await reconcilePlans(app.platform)
    const ctx = await contextFor(coach)
    expect([ctx.plan, isLapsed(ctx)]).toEqual(['free', true])
    await edit(clients[0]!)
    await expect(edit(clients[1]!)).rejects.toMatchObject({
      code: 'plan_limit',
      message: expect.stringContaining('read-only'),
    })

    const open = stripe.platform.list('invoice').findLast(({ status }) => status === 'open')!
    stripe.platform.payInvoice(open.id)
    await deliverAll(coach, stripe)
    expect([await getPlan(), (await contextFor(coach)).account.paymentFailedAt]).toEqual(['pro', null])
    await edit(clients[1]!)
  })

  test('is emailed to the coach once, with the end of the 14 days, unless it is paid by then', async () => {
    await payFor('pro')
    stripe.platform.cards.set(await getCustomer(), 'declined')
    await goOn(35)
    await concurrently(5, () => syncPlan(app.platform, coach.id))
    const failures = await listFailures()
    expect(failures).toHaveLength(1)
    const tell = async () => emailPlanFailure(await contextFor(coach), failures[0]!)
    await tell()
    const until = getGraceEnd(await contextFor(coach))!
    const [mail, ...others] = await listMails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ subject: 'The payment for your Pro plan failed' })
    expect(mail!.text).toContain(`You keep Pro until ${formatDate(until, 'UTC')}.`)
    expect(mail!.text).toContain('http://localhost:3000/upgrade')

    const open = stripe.platform.list('invoice').findLast(({ status }) => status === 'open')!
    stripe.platform.payInvoice(open.id)
    await deliverAll(coach, stripe)
    await tell()
    expect(await listMails()).toHaveLength(1)
  })
})

describe('a subscription', () => {
  test('at a former price keeps its plan, and its payment may fail', async () => {
    await payFor('pro')
    const { stripe: configured } = app.platform.config
    app.platform.config.stripe = { ...configured!, prices: { ...configured!.prices, pro: 'price_new' } }
    try {
      await reconcilePlans(app.platform)
      expect(await getPlan()).toBe('pro')
      stripe.platform.cards.set(await getCustomer(), 'declined')
      await goOn(32)
      expect(await getPlan()).toBe('pro')
      expect((await contextFor(coach)).account.paymentFailedAt).not.toBeNull()
    } finally {
      app.platform.config.stripe = configured
    }
  })

  test('that ended unpaid is over once an administrator has given a plan', async () => {
    await payFor('pro')
    const [subscription] = await listLive()
    Object.assign(subscription!, { cancellation_details: { reason: 'payment_failed' } })
    stripe.platform.cancelSubscription(subscription!.id)
    await deliverAll(coach, stripe)
    expect((await contextFor(coach)).account.paymentFailedAt).not.toBeNull()
    await runForCoach(
      coach.ownerUrl,
      coach.id,
      `update account set plan = 'premium', payment_failed_at = null where id = ${coach.id}`,
    )
    await reconcilePlans(app.platform)
    expect([await getPlan(), (await contextFor(coach)).account.paymentFailedAt]).toEqual(['premium', null])
  })

  test('that is cancelled is paid for until its end; then everything stays, and nothing can be added', async () => {
    await payFor('pro')
    const clients: number[] = []
    for (const name of ['First', 'Second']) clients.push((await createClient({ coach, name })).id)
    expect((await call('portal')).body.url).toContain(`${stripe.url}/portal/`)
    stripe.platform.updateSubscription((await listLive())[0]!.id, { cancel_at_period_end: true })
    await deliverAll(coach, stripe)
    const payment = await getPlanPayment(await contextFor(coach))
    expect(payment).toMatchObject({
      choices: { premium: 'Upgrade to Premium' },
      status: 'Pro, $29 per month. It ends on Apr 10, 2026, then you move to Free. Nothing is deleted.',
    })
    await goOn(32)
    const ctx = await contextFor(coach)
    expect([ctx.plan, isLapsed(ctx)]).toEqual(['free', false])
    await inTenant(coach, (tx) => updateClient(tx, clients[1]!, ClientEdit.parse({ phone: '1' })))
    await expect(createClient({ coach, name: 'Third' })).rejects.toMatchObject({ code: 'plan_limit' })
    await payFor('premium')
    expect(await getPlan()).toBe('premium')
  })

  test('of a coach who was removed is cancelled', async () => {
    await payFor('pro')
    await inTenant(coach, (tx) =>
      tx.query({
        name: 'test.remove',
        text: 'update account set removed_at = $2 where id = $1',
        values: [coach.id, tx.now()],
      }),
    )
    await reconcilePlans(app.platform)
    const all = stripe.platform.list('subscription')
    expect(all.at(-1)!.status).toBe('canceled')
  })

  test('of an account that its owner closes is cancelled at once, and not if it is reopened before', async () => {
    coach = await createCoach({ plan: 'free', timezone: 'UTC', password: 'correct horse' })
    await payFor('pro')
    const device = { address: '127.0.0.1', userAgent: null }
    const ctx = await contextFor(coach)
    const [cancel] = jobs.filter(({ name }) => name === queues.plan)
    const run = () => cancel!.run(app.platform, { coachId: coach.id })
    await closeAccount(ctx, 'correct horse', { currentHash: null, device })
    const { length } = await app.platform.readPool.queryGlobal({
      text: `select 1 from pgboss.job where name = $1 and data->>'coachId' = $2`,
      values: [queues.plan, String(coach.id)],
    })
    expect(length).toBe(1)
    await reopenAccount(ctx, device)
    await run()
    expect(stripe.platform.list('subscription').at(-1)!.status).toBe('active')
    await closeAccount(ctx, 'correct horse', { currentHash: null, device })
    await run()
    expect(stripe.platform.list('subscription').at(-1)!.status).toBe('canceled')
  })

  test('is shown to the administrator, and to nobody else', async () => {
    await payFor('pro')
    const admin = await createCoach({ isAdmin: true, timezone: 'UTC' })
    expect(await listSubscriptionFacts(await contextFor(admin), coach.id)).toEqual({
      Subscription: 'Active, Pro',
      Renews: 'Apr 10, 2026',
      'Stripe customer': await getCustomer(),
    })
    expect(await listSubscriptionFacts(await contextFor(await createCoach()), coach.id)).toEqual({})
  })

  test('is needed for the portal', async () => {
    expect((await call('portal')).status).toBe(409)
    await startCheckout(await contextFor(coach), 'pro', 'http://localhost:3000')
    expect((await call('portal')).status).toBe(409)
  })
})
