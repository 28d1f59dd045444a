import type { FakeStripe, MerchantStatus } from '#tests/fakes/stripe/server.ts'
import { sign, type Delivery } from '#tests/fakes/stripe/webhooks.ts'
import { contextFor, type Coach } from '#tests/support/factories.ts'
import { findAccount } from '../queries/account.ts'
import { sendRefund } from '../services/refunds.ts'
import { applyEvent } from '../services/apply-event.ts'
import { beginOnboarding, syncAccount } from '../services/connect.ts'
import { receiveWebhook, type WebhookResult } from '../services/webhooks.ts'

/** Connects the coach's account as one does who follows the link. Returns Stripe's id of it. */
export async function connectStripe(
  coach: Coach,
  stripe: FakeStripe,
  status: MerchantStatus = 'active',
): Promise<string> {
  const ctx = await contextFor(coach)
  await beginOnboarding(ctx)
  const { accountId } = (await findAccount(ctx))!
  stripe.onboard(accountId!, status)
  await syncAccount(ctx)
  return accountId!
}

/** Delivers a webhook as Stripe does. */
export function deliver(coach: Coach, { endpoint, body, signature }: Delivery): Promise<WebhookResult> {
  return receiveWebhook(coach.platform, { endpoint, body: Buffer.from(body), signature })
}

/** A delivery with another content, signed again. */
export function resign(coach: Coach, { endpoint, type }: Delivery, body: string, at = coach.platform.now()): Delivery {
  return { endpoint, type, body, signature: sign(endpoint, body, at) }
}

/** Delivers all webhooks that wait, and does what their jobs do. */
export async function deliverAll(coach: Coach, stripe: FakeStripe): Promise<void> {
  for (const delivery of stripe.takeDeliveries()) await deliver(coach, delivery)
  await applyEvents(coach)
}

/** Does what the jobs of the stored events do. */
export async function applyEvents(coach: Coach): Promise<void> {
  const ctx = await contextFor(coach)
  const events = await ctx.query<{ id: number }>({
    name: 'test.stripe-events',
    text: 'select id from stripe_event where coach_id = $1 and applied_at is null order by id',
    values: [coach.id],
  })
  // As many at once as a worker runs.
  for (let at = 0; at < events.length; at += 5)
    await Promise.all(events.slice(at, at + 5).map(({ id }) => applyEvent(ctx, id)))
}

/** Does what the jobs of the refunds do. */
export async function runRefunds(coach: Coach): Promise<void> {
  const ctx = await contextFor(coach)
  const refunds = await ctx.query<{ id: number }>({
    name: 'test.stripe-refunds',
    text: 'select id from stripe_refund where coach_id = $1 and refund_id is null order by id',
    values: [coach.id],
  })
  for (const { id } of refunds) await sendRefund(ctx, id)
}
