import type { Stripe } from 'stripe'
import { AppError } from '#app/lib/errors.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { describeFailure } from '../status.ts'
import { callStripe, hashBody, requireStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { findSubscription, type StoredSubscription } from './queries.ts'
import { chooseSubscription, isLive } from './state.ts'
import { fetchSubscriptions, type PaidPlanName } from './subscriptions.ts'
import { syncPlanNow } from './sync.ts'

const permission = 'stripe:plan:write'
export const returnPath = '/upgrade/return'

/** Stripe takes no trial that ends sooner. */
const minTrialMs = 48 * 3_600_000

/** Stripe's id of the plan's price. Throws unavailable without one. */
export function requirePrice(ctx: Pick<Ctx, 'platform'>, plan: PaidPlanName): string {
  const price = requireStripe(ctx.platform.config).prices[plan]
  if (!price) throw new AppError('unavailable', `The price of ${plans[plan].title} is not set up on this platform.`)
  return price
}

/**
 * Returns the address at Stripe where the coach pays for a plan or, with a subscription, confirms the change and what
 * it costs. `origin`: where they come back to. Throws unavailable, upstream_failed, and conflict on this plan already.
 */
export async function startCheckout(ctx: Ctx, plan: PaidPlanName, origin: string): Promise<string> {
  authorize(ctx, permission)
  const price = requirePrice(ctx, plan)
  const pay = async (customer: string): Promise<string> => {
    // A webhook may be late.
    await syncPlanNow(ctx.platform, ctx.coachId)
    const stored = (await findSubscription(ctx, ctx.coachId))!
    if (!isLive(stored.status)) return openCheckout(ctx, { plan, price, customer, stored, origin })
    if (stored.plan === plan) throw new AppError('conflict', `You already pay for ${plans[plan].title}.`)
    return openPortalPage(ctx, { customer, origin, change: { price } })
  }
  return withPlainErrors(ctx, async () => {
    const customer = await ensureCustomer(ctx)
    try {
      return await pay(customer)
    } catch (error) {
      if (!isMissing(error) || (await isCustomer(ctx, customer))) throw error
    }
    return pay(await replaceCustomer(ctx, customer))
  })
}

const isMissing = (error: unknown): boolean => error instanceof StripeError && error.kind === 'not_found'

/** Whether it exists at Stripe. */
async function isCustomer(ctx: Ctx, id: string): Promise<boolean> {
  try {
    return !(await callStripe(ctx.platform.config, (stripe) => stripe.customers.retrieve(id))).deleted
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Returns the address at Stripe where the coach changes the card or the plan, cancels it and finds receipts. Throws
 * unavailable, upstream_failed, and conflict for a coach who has not paid for a plan.
 */
export async function openPortal(
  ctx: Ctx,
  { origin, cancels = false }: { origin: string; cancels?: boolean },
): Promise<string> {
  authorize(ctx, permission)
  requireStripe(ctx.platform.config)
  const stored = await findSubscription(ctx, ctx.coachId)
  if (!stored?.subscriptionId) throw new AppError('conflict', 'You have no subscription yet. Choose a plan first.')
  const { customerId: customer } = stored
  return withPlainErrors(ctx, () => openPortalPage(ctx, { customer, origin, change: cancels ? 'cancel' : null }))
}

async function withPlainErrors<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    ctx.platform.log.warn({ account: ctx.coachId, kind: error.kind, code: error.code }, 'Stripe failed')
    const { kind } = error
    const text = kind === 'busy' || kind === 'down' ? describeFailure(error) : 'Stripe refused the request.'
    throw new AppError('upstream_failed', `Failed to open Stripe. ${text}`)
  }
}

/** The coach as a customer of the platform, created with the first checkout. */
async function ensureCustomer(ctx: Ctx): Promise<string> {
  const known = await findSubscription(ctx, ctx.coachId)
  if (known) return known.customerId
  const customer = await createCustomer(ctx)
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.add-customer',
      text: `insert into plan_subscription (coach_id, customer_id, created_at) values ($1, $2, $3)
        on conflict (coach_id) do nothing`,
      values: [ctx.coachId, customer, ctx.now()],
    }),
  )
  return (await findSubscription(ctx, ctx.coachId))!.customerId
}

/** A customer that was deleted has no subscription any more. */
async function replaceCustomer(ctx: Ctx, deleted: string): Promise<string> {
  const customer = await createCustomer(ctx, deleted)
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.replace-customer',
      text: `update plan_subscription set customer_id = $3, subscription_id = null, status = null, checkout_id = null,
          checkouts = checkouts + 1, syncs = syncs + 1
        where coach_id = $1 and customer_id = $2`,
      values: [ctx.coachId, deleted, customer],
    }),
  )
  return (await findSubscription(ctx, ctx.coachId))!.customerId
}

/** `deleted`: the customer at Stripe that it replaces. */
async function createCustomer(ctx: Ctx, deleted?: string): Promise<string> {
  const { email, businessName, firstName, lastName } = ctx.account
  const name = (businessName ?? `${firstName} ${lastName}`).slice(0, 100)
  const body = { email, name, metadata: { coach: String(ctx.coachId) } }
  const { id } = await callStripe(ctx.platform.config, (stripe) =>
    stripe.customers.create(body, {
      idempotencyKey: `coach:${ctx.coachId}:customer:${hashBody({ ...body, deleted })}`,
    }),
  )
  return id
}

type Checkout = {
  plan: PaidPlanName
  price: string
  customer: string
  stored: StoredSubscription
  origin: string
}

/** One open session for a coach: a second click leads to the same one, another plan or end of the trial ends it. */
async function openCheckout(ctx: Ctx, { plan, price, customer, stored, origin }: Checkout): Promise<string> {
  const { config } = ctx.platform
  const { checkoutId } = stored
  const trialEnd = plan === 'pro' ? getTrialEnd(ctx) : null
  // Stripe doesn't keep an empty value.
  const terms = { price, trial_end: String(trialEnd ?? 'none') }
  if (checkoutId) {
    const former = await fetchSession(ctx, checkoutId)
    const isOpen = former?.status === 'open' && former.url !== null
    const isSame = former?.metadata?.price === terms.price && former.metadata.trial_end === terms.trial_end
    if (isOpen && isSame && former.success_url === origin + returnPath) return former.url!
    if (isOpen) await callStripe(config, (stripe) => stripe.checkout.sessions.expire(checkoutId))
    await endCheckout(ctx, checkoutId)
  }
  const checkouts = (await findSubscription(ctx, ctx.coachId))!.checkouts
  const metadata = { coach: String(ctx.coachId), ...terms }
  const body = {
    mode: 'subscription',
    customer,
    client_reference_id: String(ctx.coachId),
    line_items: [{ price, quantity: 1 }],
    success_url: origin + returnPath,
    cancel_url: `${origin}/upgrade`,
    metadata,
    subscription_data: { metadata, ...(trialEnd === null ? {} : { trial_end: trialEnd }) },
  } as const
  const session = await callStripe(config, (stripe) =>
    stripe.checkout.sessions.create(
      { ...body, line_items: [...body.line_items] },
      { idempotencyKey: `coach:${ctx.coachId}:plan:checkout:${checkouts}:${hashBody(body)}` },
    ),
  )
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.store-checkout',
      text: 'update plan_subscription set checkout_id = $3 where coach_id = $1 and checkouts = $2',
      values: [ctx.coachId, checkouts, session.id],
    }),
  )
  return session.url!
}

/** Null for one that doesn't exist at Stripe any more. */
async function fetchSession(ctx: Ctx, id: string): Promise<Stripe.Checkout.Session | null> {
  try {
    return await callStripe(ctx.platform.config, (stripe) => stripe.checkout.sessions.retrieve(id))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function endCheckout(ctx: Ctx, checkoutId: string): Promise<void> {
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.end-checkout',
      text: `update plan_subscription set checkout_id = null, checkouts = checkouts + 1
        where coach_id = $1 and checkout_id = $2`,
      values: [ctx.coachId, checkoutId],
    }),
  )
}

/** The first payment waits for the end of the trial. Seconds; null: there is none, or Stripe can't wait so shortly. */
function getTrialEnd({ account: { trialEndsAt }, now }: Ctx): number | null {
  const end = trialEndsAt === null ? 0 : Date.parse(trialEndsAt)
  return end - now().getTime() < minTrialMs ? null : Math.floor(end / 1000)
}

type PortalPage = { customer: string; origin: string; change: { price: string } | 'cancel' | null }

async function openPortalPage(ctx: Ctx, { customer, origin, change }: PortalPage): Promise<string> {
  const { config } = ctx.platform
  const { best } = chooseSubscription(change ? await fetchSubscriptions(config, customer) : [])
  const live = best && isLive(best.status) ? best : null
  const flow =
    !change || !live
      ? {}
      : change === 'cancel'
        ? { flow_data: { type: 'subscription_cancel' as const, subscription_cancel: { subscription: live.id } } }
        : {
            flow_data: {
              type: 'subscription_update_confirm' as const,
              subscription_update_confirm: {
                subscription: live.id,
                items: [{ id: live.itemId, price: change.price, quantity: 1 }],
              },
            },
          }
  const { url } = await callStripe(config, (stripe) =>
    stripe.billingPortal.sessions.create({ customer, return_url: origin + returnPath, ...flow }),
  )
  return url
}
