import { AppError } from '#app/lib/errors.ts'
import { isPayable, wholeAmountMessage } from '#app/lib/currencies.ts'
import { findClientEmail } from '#modules/billing/index.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { describeFailure } from '../status.ts'
import { isChargeable, toMinorUnits } from '../vendor/amounts.ts'
import { callStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { closeSession } from './checkout.ts'
import { getSubscriptionUrl } from './link.ts'
import { toId } from './progress.ts'
import { findSubscription, type Subscription } from './queries.ts'
import { requestOfferEmail } from './queue.ts'
import type { SubscriptionState } from './states.ts'
import { lockSubscription, syncSubscription } from './sync.ts'
import { intervals } from './terms.ts'

// The coach's changes of a subscription. Stripe makes them first, then our records follow: nothing is believed
// beforehand.

export const conflict = (message: string) => new AppError('conflict', message, { subject: 'subscription' })

/** Throws not_found, also for one that a visitor hasn't paid. */
export async function getSubscription(ctx: Ctx, id: number): Promise<Subscription> {
  authorize(ctx, 'stripe:subscription:read')
  const found = await findSubscription(ctx, 'id', id)
  if (!found || found.buyerEmail !== null)
    throw new AppError('not_found', 'Subscription not found', { subject: 'subscription' })
  return found
}

/**
 * Emails the client the link. Throws not_found, forbidden until the coach's address is confirmed, plan_limit, conflict.
 */
export async function sendOffer(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'stripe:subscription:write')
  requireVerifiedEmail(ctx)
  const { state, clientId } = await getSubscription(ctx, id)
  if (state !== 'offered') throw conflict('The client has begun already.')
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  if (!getSubscriptionUrl(ctx, id)) throw conflict('Choose your web address first: the client’s page is there.')
  if (!(await findClientEmail(ctx, clientId))) throw conflict('This client has no email address.')
  await requestOfferEmail(ctx, id)
}

/** Takes an offer back. Throws not_found, and conflict if the client was faster. */
export async function withdrawOffer(ctx: Ctx, id: number): Promise<void> {
  authorize(ctx, 'stripe:subscription:write')
  const open = await getSubscription(ctx, id)
  if (open.state !== 'offered') throw conflict('The client has begun already.')
  // The page first: while Stripe can't close it, the offer stands.
  if (await orUpstream(() => closeSession(ctx, open))) throw conflict('The client has just paid.')
  await ctx.write(async (tx) => {
    await lockSubscription(tx, id)
    const { state, subscriptionId, sessionId } = await getSubscription(tx, id)
    if (state !== 'offered' || subscriptionId) throw conflict('The client has begun already.')
    if (sessionId !== open.sessionId) throw conflict('The client has just opened the payment page. Try again.')
    await tx.query({
      name: 'stripe.withdraw-subscription',
      text: `update stripe_subscription set state = 'withdrawn', ended_at = $3, updated_at = $3
        where coach_id = $1 and id = $2`,
      values: [ctx.coachId, id, ctx.now()],
    })
  })
}

/** Nothing is charged until it is resumed. Installments that are left out come at the end. */
export const pauseSubscription = (ctx: Ctx, id: number): Promise<void> =>
  change(ctx, id, ['active', 'past_due'], ({ subscriptionId, options }) =>
    callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.update(subscriptionId, { pause_collection: { behavior: 'void' } }, options('pause')),
    ),
  )

export const resumeSubscription = (ctx: Ctx, id: number): Promise<void> =>
  change(ctx, id, ['paused'], ({ subscriptionId, options }) =>
    callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.update(subscriptionId, { pause_collection: '' }, options('resume')),
    ),
  )

const running: SubscriptionState[] = ['active', 'paused', 'past_due', 'unpaid']

/** It ends with the period that is paid for. */
export const cancelAtPeriodEnd = (ctx: Ctx, id: number): Promise<void> =>
  change(ctx, id, running, async ({ subscriptionId, stripeAccount, options }) => {
    const { config } = ctx.platform
    await ctx.write((tx) => planEnd(tx, id, true))
    const { schedule } = await callStripe(config, (stripe) =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    )
    const scheduleId = toId(schedule)
    // Stripe takes no other end while a schedule decides it.
    if (scheduleId)
      await callStripe(config, (stripe) => stripe.subscriptionSchedules.release(scheduleId, {}, options('release')))
    await callStripe(config, (stripe) =>
      stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }, options('end')),
    )
  })

/** Before Stripe knows: while it is to end, no new schedule is attached. */
async function planEnd(ctx: WriteCtx, id: number, ends: boolean): Promise<void> {
  await ctx.query({
    name: 'stripe.plan-end',
    text: `update stripe_subscription set cancels_at_period_end = $3, schedule_id = null where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ends],
  })
}

/** Takes `cancelAtPeriodEnd` back. */
export const keepSubscription = (ctx: Ctx, id: number): Promise<void> =>
  change(ctx, id, running, async ({ subscriptionId, options }) => {
    await ctx.write((tx) => planEnd(tx, id, false))
    await callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false }, options('keep')),
    )
  })

/** It ends at once; nothing that was paid goes back by itself. */
export const cancelNow = (ctx: Ctx, id: number): Promise<void> =>
  change(ctx, id, running, ({ subscriptionId, stripeAccount }) =>
    callStripe(ctx.platform.config, (stripe) => stripe.subscriptions.cancel(subscriptionId, {}, { stripeAccount })),
  )

/** Changes the price of a period from the next charge on. `amount`: cents. */
export async function changePrice(ctx: Ctx, id: number, amount: number): Promise<void> {
  const { kind, currency, frequency } = await getSubscription(ctx, id)
  if (kind !== 'recurring') throw conflict('Installments are agreed and don’t change. Cancel them and offer others.')
  const invalid = (message: string) => new AppError('validation_failed', message, { field: 'amount' })
  if (!isPayable(amount, currency)) throw invalid(wholeAmountMessage(currency))
  if (!isChargeable(amount, currency)) throw invalid('The amount is too small to pay by card.')
  await change(ctx, id, running, async ({ subscriptionId, stripeAccount, options }) => {
    const { items } = await callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    )
    const [item] = items.data
    const price_data = {
      currency,
      unit_amount: toMinorUnits(amount, currency),
      product: toId(item!.price.product)!,
      recurring: { interval: intervals[frequency] },
    }
    const body = { items: [{ id: item!.id, price_data }], proration_behavior: 'none' as const }
    await callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.update(subscriptionId, body, options(`price:${amount}`)),
    )
  })
}

type Target = {
  subscriptionId: string
  stripeAccount: string
  options: (action: string) => { stripeAccount: string; idempotencyKey: string }
}

/** Makes a change at Stripe, and then our records agree with it. */
export async function change(
  ctx: Ctx,
  id: number,
  states: SubscriptionState[],
  work: (target: Target) => Promise<unknown>,
): Promise<void> {
  authorize(ctx, 'stripe:subscription:write')
  const { state, subscriptionId, accountId, syncs } = await getSubscription(ctx, id)
  if (!states.includes(state) || !subscriptionId || !accountId)
    throw conflict('This subscription has changed in the meantime.')
  await orUpstream(async () => {
    await work({
      subscriptionId,
      stripeAccount: accountId,
      options: (action) => ({
        stripeAccount: accountId,
        // Each change ends with a sync, so that the same change later has another key.
        idempotencyKey: `coach:${ctx.coachId}:subscription:${id}:${action}:${syncs}`,
      }),
    })
    await syncSubscription(ctx, { subscriptionId, accountId })
  })
}

export async function orUpstream<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StripeError) throw new AppError('upstream_failed', describeFailure(error))
    throw error
  }
}
