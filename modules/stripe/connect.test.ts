import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { getAccountCard } from './contributions.ts'
import { applyEvents, connectStripe, deliver, deliverAll, resign } from './e2e/support.ts'
import { findAccount } from './queries/account.ts'
import { beginOnboarding, continueOnboarding, disconnect, syncAccount } from './services/connect.ts'

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  stripe.stopFailing()
  stripe.takeDeliveries()
  coach = await createCoach()
})

const getState = async () => (await getAccountCard(await contextFor(coach))).state

describe('connecting', () => {
  test('creates one account whose coach pays the fees, and a new link with each click', async () => {
    const ctx = await contextFor(coach)
    expect(await getState()).toBe('not_connected')
    const first = await beginOnboarding(ctx, { country: 'DE' })
    const second = await beginOnboarding(ctx, { country: 'FR' })
    expect(first).not.toBe(second)
    const accounts = [...stripe.merchants.values()].filter(({ contact_email }) => contact_email === coach.email)
    expect(accounts).toHaveLength(1)
    expect(accounts[0]).toMatchObject({
      dashboard: 'full',
      identity: { country: 'DE' },
      defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
    })
    expect(await getState()).toBe('action_needed')
  })

  test('is one account too when the first answer was lost', async () => {
    stripe.fail(/POST \/v2\/core\/accounts$/, 'lost', 1)
    await beginOnboarding(await contextFor(coach))
    expect([...stripe.merchants.values()].filter(({ contact_email }) => contact_email === coach.email)).toHaveLength(1)
  })

  test('works with another country when the first answer never arrived', async () => {
    stripe.fail(/POST \/v2\/core\/accounts$/, 'lost')
    await expect(beginOnboarding(await contextFor(coach), { country: 'DE' })).rejects.toThrow('Stripe')
    stripe.stopFailing()
    await beginOnboarding(await contextFor(coach), { country: 'FR' })
    const { accountId } = (await findAccount(await contextFor(coach)))!
    expect(stripe.merchants.get(accountId!)?.identity.country).toBe('FR')
  })

  test('is one account for two clicks with different countries', async () => {
    const ctx = await contextFor(coach)
    const links = await Promise.all(['DE', 'FR'].map((country) => beginOnboarding(ctx, { country })))
    for (const link of links) await fetch(link, { method: 'POST', redirect: 'manual' })
    const finished = [...stripe.merchants.values()]
      .filter(({ contact_email }) => contact_email === coach.email)
      .filter(({ configuration }) => configuration.merchant.capabilities.card_payments.status === 'active')
    expect(finished.map(({ id }) => id)).toEqual([(await findAccount(ctx))!.accountId])
  })

  test('is in the currency of the coach', async () => {
    await inTenant(coach, (tx) =>
      tx.query({
        name: 'test.currency',
        text: `update account set currency = 'eur' where id = $1`,
        values: [coach.id],
      }),
    )
    await beginOnboarding(await contextFor(coach), { country: 'DE' })
    const { accountId } = (await findAccount(await contextFor(coach)))!
    expect(stripe.merchants.get(accountId!)?.defaults.currency).toBe('eur')
  })

  test.each([
    ['active', 'ready'],
    ['pending', 'checking'],
    ['restricted', 'action_needed'],
  ] as const)('shows that card payments are %s', async (status, state) => {
    await connectStripe(coach, stripe, status)
    expect(await getState()).toBe(state)
  })

  test.each([
    ['Stripe is away', 'nothing', /can’t be reached/],
    ['Stripe sends garbage', 'garbage', /can’t be reached|refused/],
    ['Stripe fails', 500, /can’t be reached/],
    ['Stripe is busy', 429, /Try again in a minute/],
    ['the key is wrong', 401, /can’t be reached/],
  ] as const)('while %s says so, and works later', async (_name, failure, message) => {
    stripe.fail(/\/v2\/core\/accounts/, failure)
    await expect(beginOnboarding(await contextFor(coach))).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(message),
    })
    expect(await getState()).toBe('not_connected')
    stripe.stopFailing()
    await beginOnboarding(await contextFor(coach))
    expect(await getState()).toBe('action_needed')
  })

  test('without STRIPE_SECRET_KEY is not possible, and the screen says why', async () => {
    const { stripe: configured } = app.platform.config
    app.platform.config.stripe = undefined
    await expect(beginOnboarding(await contextFor(coach))).rejects.toMatchObject({ code: 'unavailable' })
    expect(await getState()).toBe('unavailable')
    app.platform.config.stripe = configured
  })
})

describe('an account', () => {
  test('follows what Stripe says of it', async () => {
    const id = await connectStripe(coach, stripe)
    stripe.onboard(id, 'restricted')
    await deliverAll(coach, stripe)
    expect(await getState()).toBe('action_needed')
    stripe.onboard(id)
    await deliverAll(coach, stripe)
    expect(await getState()).toBe('ready')
  })

  test('is no longer used after disconnecting, also while Stripe is away, and again after connecting', async () => {
    const id = await connectStripe(coach, stripe)
    stripe.fail(/./, 'nothing')
    await inTenant(coach, disconnect)
    expect(await getState()).toBe('not_connected')
    expect(await continueOnboarding(await contextFor(coach), { origin: app.platform.config.origin })).toBeNull()
    expect(await getState()).toBe('not_connected')
    await expect(inTenant(coach, disconnect)).rejects.toMatchObject({ code: 'conflict' })
    stripe.stopFailing()
    await beginOnboarding(await contextFor(coach))
    expect((await findAccount(await contextFor(coach)))?.accountId).toBe(id)
    expect(await getState()).toBe('ready')
  })

  test('that the coach disconnected at Stripe is forgotten, and the next one is new', async () => {
    const id = await connectStripe(coach, stripe)
    stripe.deauthorize(id)
    await deliverAll(coach, stripe)
    expect(await getState()).toBe('not_connected')
    expect(await connectStripe(coach, stripe)).not.toBe(id)
  })

  test('says when it was last reached, why it can’t be, and recovers', async () => {
    await connectStripe(coach, stripe)
    const card = async () => getAccountCard(await contextFor(coach))
    expect((await card()).health).toMatchObject({ isFailing: false, text: expect.stringMatching(/^Last reached: /) })
    for (const [failure, text] of [
      [503, 'Stripe can’t be reached.'],
      [429, 'Stripe asks us to wait.'],
      [400, 'Stripe refuses to tell us about the account.'],
    ] as const) {
      stripe.stopFailing()
      stripe.fail(/accounts/, failure)
      await expect(syncAccount(await contextFor(coach))).rejects.toThrow('Stripe: ')
      expect((await card()).health).toMatchObject({ isFailing: true, text: expect.stringContaining(text) })
      expect(await getState()).toBe('ready')
    }
    stripe.stopFailing()
    await syncAccount(await contextFor(coach))
    expect((await card()).health!.isFailing).toBe(false)
  })

  test('that Stripe has ended says so until the coach connects again', async () => {
    const id = await connectStripe(coach, stripe)
    stripe.deauthorize(id)
    await deliverAll(coach, stripe)
    const card = async () => getAccountCard(await contextFor(coach))
    expect(await card()).toMatchObject({
      state: 'not_connected',
      health: null,
      ended: expect.stringContaining('Clients can’t pay by card until you connect again.'),
    })
    await beginOnboarding(await contextFor(coach))
    expect((await card()).ended).toBeNull()
    await inTenant(coach, disconnect)
    expect(await card()).toMatchObject({ state: 'not_connected', ended: null })
  })

  test('of a platform without webhooks says when payments appear', async () => {
    const configured = app.platform.config.stripe!
    app.platform.config.stripe = { ...configured, connectWebhookSecret: undefined }
    expect((await getAccountCard(await contextFor(coach))).isNotified).toBe(false)
    app.platform.config.stripe = configured
    expect((await getAccountCard(await contextFor(coach))).isNotified).toBe(true)
  })

  test('whose end was not reported is noticed with the next question', async () => {
    stripe.deauthorize(await connectStripe(coach, stripe))
    await syncAccount(await contextFor(coach))
    expect(await getState()).toBe('not_connected')
  })
})

describe('a webhook', () => {
  const reported = async () => {
    const id = await connectStripe(coach, stripe, 'restricted')
    stripe.takeDeliveries()
    stripe.onboard(id)
    return stripe.takeDeliveries()[0]!
  }

  test('is stored once, however often it comes', async () => {
    const delivery = await reported()
    const results = await Promise.all(Array.from({ length: 50 }, () => deliver(coach, delivery)))
    expect(results.filter((result) => result === 'stored')).toHaveLength(1)
    expect(results.filter((result) => result === 'known')).toHaveLength(49)
    await applyEvents(coach)
    expect(await getState()).toBe('ready')
  })

  test('is refused if it is not signed by Stripe, for this endpoint, now', async () => {
    const delivery = await reported()
    const minutes = (count: number) => new Date(app.clock.now.getTime() + count * 60_000)
    const { body, endpoint } = delivery
    const forged = [
      { ...delivery, signature: '' },
      { ...delivery, signature: 't=1,v1=00' },
      { ...delivery, body: `${body} ` },
      { ...delivery, endpoint: 'connect' as const },
      { ...resign(coach, { ...delivery, endpoint: 'connect' }, body), endpoint },
      resign(coach, delivery, body, minutes(-6)),
      resign(coach, delivery, body, minutes(6)),
      resign(coach, delivery, body, minutes(60)),
      resign(coach, delivery, 'not JSON'),
      resign(coach, delivery, '{"object":"event"}'),
    ]
    for (const one of forged) expect(await deliver(coach, one)).toBe('refused')
    expect(await deliver(coach, resign(coach, delivery, body, minutes(-4)))).toBe('stored')
  })

  test('of an unknown account or type is ignored, that of another coach is theirs', async () => {
    const delivery = await reported()
    const { accountId } = (await findAccount(await contextFor(coach)))!
    const unknown = resign(coach, delivery, delivery.body.replaceAll(accountId!, 'acct_unknown'))
    expect(await deliver(coach, unknown)).toBe('ignored')
    const other = resign(coach, delivery, delivery.body.replace('[requirements].updated', '[defaults].updated'))
    expect(await deliver(coach, other)).toBe('ignored')
    const stranger = await createCoach()
    expect(await deliver(stranger, delivery)).toBe('stored')
    await applyEvents(stranger)
    expect(await getState()).toBe('action_needed')
    await applyEvents(coach)
    expect(await getState()).toBe('ready')
  })

  test.each([500, 401, 'key'] as const)('whose object can’t be fetched (%s) is applied later', async (failure) => {
    await deliver(coach, await reported())
    stripe.fail(/GET \/v2\/core\/accounts/, failure)
    await expect(applyEvents(coach)).rejects.toMatchObject({ kind: 'down' })
    stripe.stopFailing()
    await applyEvents(coach)
    expect(await getState()).toBe('ready')
  })
})
