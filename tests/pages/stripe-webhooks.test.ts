import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectStripe } from '#modules/stripe/e2e/support.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { sign, type Delivery, type Endpoint } from '#tests/fakes/stripe/webhooks.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { contextFor, createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The endpoints of Stripe's webhooks over HTTP: Stripe repeats what isn't answered by a status of 200 to 299.

const stripe = await startFakeStripe()
const app = createTestApp(stripe.env)
let built: BuiltApp
let coach: Coach
let account: string

beforeAll(async () => {
  app.clock.now = new Date()
  built = await serveBuild(app.appUrl, { env: stripe.env })
  coach = await createCoach({ subdomain: 'hooks' })
  account = await connectStripe(coach, stripe)
}, 120_000)
afterAll(async () => {
  await built?.close()
  await stripe.close()
})

let count = 0
const createDelivery = (at = new Date()): Delivery => {
  const type = 'charge.refunded'
  const event = {
    id: `evt_http_${++count}`,
    object: 'event',
    type,
    account,
    created: Math.floor(at.getTime() / 1000),
    data: { object: { id: 'ch_unknown' } },
  }
  const body = JSON.stringify(event)
  return { endpoint: 'connect', type, body, signature: sign('connect', body, at) }
}
const post = async ({ endpoint, body, signature }: Delivery, host = `localhost:${built.port}`): Promise<number> => {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const path = `/stripe/webhooks/${endpoint}`
  return (await built.request(path, { host, body, headers: { ...headers, ...length } })).status
}
const countEvents = async (): Promise<number> => {
  const [row] = await (await contextFor(coach)).query<{ count: number }>({
    text: 'select count(*) from stripe_event where coach_id = $1',
    values: [coach.id],
  })
  return row!.count
}

test('an event is taken once, however often it comes', async () => {
  const delivery = createDelivery()
  expect([await post(delivery), await post(delivery)]).toEqual([204, 204])
  expect(await countEvents()).toBe(1)
})

test('a forged one, an old one and one of another endpoint are a 400, and nothing is stored', async () => {
  const before = await countEvents()
  const delivery = createDelivery()
  for (const forged of [
    { ...delivery, signature: '' },
    { ...delivery, body: delivery.body.replace('ch_unknown', 'ch_another') },
    { ...delivery, signature: sign('connect', delivery.body, new Date(), { secret: 'whsec_guessed' }) },
    createDelivery(new Date(Date.now() - 301_000)),
    { ...delivery, endpoint: 'platform' as const },
    { ...delivery, endpoint: 'thin' as const },
  ])
    expect(await post(forged)).toBe(400)
  expect(await countEvents()).toBe(before)
})

test('on the host of a coach, and at no endpoint, there is nothing', async () => {
  expect(await post(createDelivery(), `hooks.localhost:${built.port}`)).toBe(404)
  expect(await post({ ...createDelivery(), endpoint: 'others' as Endpoint })).toBe(404)
  expect((await built.request('/stripe/webhooks/connect')).status).toBe(404)
})

test('one that is larger than 1 MB is a 413', async () => {
  const { body } = createDelivery()
  const large = body.replace('ch_unknown', 'c'.repeat(1024 * 1024))
  expect(await post({ ...createDelivery(), body: large, signature: sign('connect', large, new Date()) })).toBe(413)
})

test('a failure of ours is a 500, and the repeated event is taken', async () => {
  const before = await countEvents()
  const delivery = createDelivery()
  const alter = (to: string) => asOwner(app.ownerUrl, (db) => db.query(`alter table ${to}`))
  await alter('stripe_event rename to stripe_event_elsewhere')
  try {
    expect(await post(delivery)).toBe(500)
  } finally {
    await alter('stripe_event_elsewhere rename to stripe_event')
  }
  expect(await post(delivery)).toBe(204)
  expect(await countEvents()).toBe(before + 1)
})
