import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findReadyAccount } from '../queries/account.ts'
import { ensureCustomer } from '../services/customers.ts'
import { describeFailureToPayer } from '../status.ts'
import { toMinorUnits } from '../vendor/amounts.ts'
import { callStripe, hashBody } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { getSubscriptionUrl } from './link.ts'
import { toId } from './progress.ts'
import { findSubscription, type Subscription } from './queries.ts'
import { lockSubscription, syncSubscription } from './sync.ts'
import { getAmounts, intervals } from './terms.ts'

/** Hours that a payment page is open: Stripe allows 24. */
const openHours = 23
/** A page that ends sooner is not shown to a client any more. */
const marginMs = 10 * 60_000

/**
 * Returns the address of the page at Stripe where the client begins to pay. All clicks lead to the same page while it
 * is open. Throws not_found, conflict once it has begun or while card payments aren't ready, upstream_failed.
 */
export async function openSubscriptionCheckout(ctx: Ctx, id: number): Promise<string> {
  authorize(ctx, 'stripe:payment:write')
  const accountId = await findReadyAccount(ctx)
  if (!accountId) throw new AppError('conflict', 'Card payments are not available now.')
  try {
    await closeOutdated(ctx, id, accountId)
    const subscription = await ctx.write((tx) => planSession(tx, { id, accountId }))
    return subscription.sessionUrl ?? (await createSession(ctx, subscription))
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    const { kind, code } = error
    ctx.platform.log.warn({ account: ctx.coachId, kind, code }, 'Stripe failed')
    throw new AppError('upstream_failed', `The payment page could not be opened. ${describeFailureToPayer(error)}`)
  }
}

/** Days in which a visitor can pay what they chose: it is deleted later. */
const payableDays = 14

/** Whether a visitor left it unpaid for too long. What the coach has offered can be paid until it is withdrawn. */
export const isOutdated = ({ now }: Pick<Ctx, 'now'>, { buyerEmail, createdAt }: Subscription): boolean =>
  buyerEmail !== null && now().getTime() - new Date(createdAt).getTime() > payableDays * dayMs

const hasBegun = () => new AppError('conflict', 'This has been paid for already, or is no longer offered.')

type ReadySubscription = Subscription & { accountId: string }

/** Closes the former page before another one opens, so that a client can't begin twice. */
async function closeOutdated(ctx: Ctx, id: number, accountId: string): Promise<void> {
  const former = await findSubscription(ctx, 'id', id)
  if (former?.state !== 'offered' || isOpen(ctx, former, accountId)) return
  if (await closeSession(ctx, former)) throw hasBegun()
}

function isOpen(ctx: Ctx, { accountId, sessionExpiresAt }: Subscription, readyAccountId: string): boolean {
  const expiresAt = sessionExpiresAt ? new Date(sessionExpiresAt).getTime() : 0
  return accountId === readyAccountId && expiresAt > ctx.now().getTime() + marginMs
}

async function planSession(
  ctx: WriteCtx,
  { id, accountId }: { id: number; accountId: string },
): Promise<ReadySubscription> {
  const known = await lockSubscription(ctx, id)
  if (!known) throw new AppError('not_found', 'Subscription not found', { subject: 'subscription' })
  if (known.state !== 'offered') throw hasBegun()
  if (isOutdated(ctx, known)) throw hasBegun()
  // The coach has chosen another currency since then.
  if (known.currency !== (await lockCurrency(ctx))) throw hasBegun()
  if (isOpen(ctx, known, accountId)) return { ...known, accountId }
  await ctx.query({
    name: 'stripe.plan-session',
    text: `update stripe_subscription set sessions = sessions + 1, session_id = null, session_url = null, account_id = $3,
        session_expires_at = $4 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, accountId, new Date(ctx.now().getTime() + openHours * 3_600_000)],
  })
  return { ...(await findSubscription(ctx, 'id', id))!, accountId }
}

/** Closes the payment page, if there is one. Returns whether the client was faster. Throws StripeError. */
export async function closeSession(
  ctx: Ctx,
  { sessionId, accountId, sessions, id }: Pick<Subscription, 'sessionId' | 'accountId' | 'sessions' | 'id'>,
): Promise<boolean> {
  if (!sessionId || !accountId) return false
  const { config } = ctx.platform
  try {
    await callStripe(config, (stripe) =>
      stripe.checkout.sessions.expire(
        sessionId,
        {},
        {
          stripeAccount: accountId,
          idempotencyKey: `coach:${ctx.coachId}:subscription:${id}:session:${sessions}:expire`,
        },
      ),
    )
    return false
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.kind === 'revoked' || error.kind === 'not_found') return false
    if (error.kind !== 'refused') throw error
  }
  const session = await callStripe(config, (stripe) =>
    stripe.checkout.sessions.retrieve(sessionId, {}, { stripeAccount: accountId }),
  )
  const subscriptionId = toId(session.subscription)
  if (!subscriptionId) return false
  await syncSubscription(ctx, { subscriptionId, accountId })
  return true
}

async function createSession(ctx: Ctx, subscription: ReadySubscription): Promise<string> {
  try {
    return await createSessionOfClient(ctx, subscription)
  } catch (error) {
    // Stripe repeats a stored answer, also a failure: the next try has another number, and so another key.
    if (error instanceof StripeError && error.status !== null && error.kind !== 'busy')
      await ctx.write((tx) =>
        tx.query({
          name: 'stripe.give-up-session',
          text: `update stripe_subscription set session_expires_at = null
            where coach_id = $1 and id = $2 and session_id is null`,
          values: [ctx.coachId, subscription.id],
        }),
      )
    throw error
  }
}

async function createSessionOfClient(ctx: Ctx, subscription: ReadySubscription): Promise<string> {
  const { id, accountId, clientId, buyerEmail } = subscription
  // Only the address is filled in: a visitor may have typed that of somebody else.
  if (buyerEmail !== null) return createSessionFor(ctx, subscription, null)
  if (clientId === null) throw hasBegun()
  const payer = { accountId, clientId, key: `subscription:${id}` }
  const customer = await ensureCustomer(ctx, payer)
  if (!customer) return createSessionFor(ctx, subscription, null)
  try {
    return await createSessionFor(ctx, subscription, customer)
  } catch (error) {
    if (!(error instanceof StripeError) || error.kind !== 'not_found') throw error
  }
  // The coach has deleted the customer at Stripe.
  return createSessionFor(ctx, subscription, await ensureCustomer(ctx, { ...payer, deleted: customer }))
}

/** Repeating it returns the same session while its parameters are the same. */
async function createSessionFor(ctx: Ctx, subscription: ReadySubscription, customer: string | null): Promise<string> {
  const { id, accountId, productName, currency, frequency, parts, sessions, sessionExpiresAt, buyerEmail } =
    subscription
  const page = getSubscriptionUrl(ctx, id)
  if (!page) throw new AppError('conflict', 'Card payments are not available now.')
  const { first, each } = getAmounts(subscription)
  const product_data = { name: productName }
  const recurring = { interval: intervals[frequency] }
  const metadata = {
    coach: String(ctx.coachId),
    subscription: String(id),
    ...(parts === null ? {} : { installments: String(parts) }),
  }
  const body = {
    mode: 'subscription' as const,
    ...(customer ? { customer } : buyerEmail ? { customer_email: buyerEmail } : {}),
    client_reference_id: `subscription:${id}`,
    line_items: [
      { quantity: 1, price_data: { currency, unit_amount: toMinorUnits(each, currency), product_data, recurring } },
      // The cents that remain fall on the first invoice, so that the installments add up.
      ...(first > each
        ? [
            {
              quantity: 1,
              price_data: {
                currency,
                unit_amount: toMinorUnits(first - each, currency),
                product_data: { name: `${productName}, rounding` },
              },
            },
          ]
        : []),
    ],
    success_url: `${page}/paid?session={CHECKOUT_SESSION_ID}`,
    cancel_url: page,
    expires_at: Math.floor(new Date(sessionExpiresAt!).getTime() / 1000),
    metadata,
    subscription_data: { metadata, description: productName.slice(0, 500) },
  }
  const session = await callStripe(ctx.platform.config, (stripe) =>
    stripe.checkout.sessions.create(body, {
      stripeAccount: accountId,
      idempotencyKey: `coach:${ctx.coachId}:subscription:${id}:session:${sessions}:${hashBody(body)}`,
    }),
  )
  const [stored] = await ctx.write((tx) =>
    tx.query({
      name: 'stripe.store-subscription-session',
      text: `update stripe_subscription set session_id = $4, session_url = $5
        where coach_id = $1 and id = $2 and sessions = $3 and state = 'offered' returning id`,
      values: [ctx.coachId, id, sessions, session.id, session.url],
    }),
  )
  if (stored) return session.url!
  // It was withdrawn, or has begun, in the meantime.
  await closeSession(ctx, { ...subscription, sessionId: session.id })
  throw hasBegun()
}

/** Applies the payment page of a subscription. Returns false for one that isn't. Throws StripeError. */
export async function applySubscriptionSession(ctx: Ctx, sessionId: string, accountId: string): Promise<boolean> {
  const subscription = await findSubscription(ctx, 'session_id', sessionId)
  if (!subscription || subscription.accountId !== accountId) return false
  const session = await callStripe(ctx.platform.config, (stripe) =>
    stripe.checkout.sessions.retrieve(sessionId, {}, { stripeAccount: accountId }),
  )
  const subscriptionId = toId(session.subscription)
  if (subscriptionId) await syncSubscription(ctx, { subscriptionId, accountId })
  return true
}
