import type { Stripe } from 'stripe'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { getInvoice, keepSale } from '#modules/billing/index.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findReadyAccount } from '../queries/account.ts'
import { describeFailureToPayer } from '../status.ts'
import type { CheckoutState } from '../states.ts'
import { fromMinorUnits, isChargeable, toMinorUnits } from '../vendor/amounts.ts'
import { callStripe, hashBody } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { ensureCustomer } from './customers.ts'
import {
  bookPayable,
  describePayable,
  getPayableBalance,
  lockPayable,
  type Payable,
  type PayableText,
} from './payables.ts'
import { requestExpiry } from './queue.ts'
import { refundExcess } from './plan-refunds.ts'

/** Hours that a payment page is open: Stripe allows 24. */
const openHours = 23
/** A page that ends sooner is not shown to a client any more. */
const marginMs = 10 * 60_000
/** Minutes that a page is open while something is kept for the payer: Stripe wants 30 at least. */
const keptMinutes = 31
/** What Stripe refuses to open for less. */
const leastMs = 30 * 60_000

type Checkout = {
  id: number
  /** The invoice of a sale once it is paid. */
  invoiceId: number | null
  saleId: number | null
  accountId: string
  state: CheckoutState
  amount: number
  sessionId: string | null
  url: string | null
  expiresAt: Date
}

const checkoutColumns = `id, invoice_id as "invoiceId", sale_id as "saleId", account_id as "accountId", state, amount,
  session_id as "sessionId", url, expires_at as "expiresAt"`

const toPayable = ({ invoiceId, saleId }: Checkout): Payable =>
  saleId === null ? { kind: 'invoice', id: invoiceId! } : { kind: 'sale', id: saleId }

/** As `openPaymentPage`, of an invoice. */
export const openCheckout = (ctx: Ctx, invoiceId: number): Promise<string> =>
  openPaymentPage(ctx, { kind: 'invoice', id: invoiceId })

/**
 * Returns the address of the payment page of an invoice or a sale, for all that is left to pay. All clicks lead to the
 * same page while it is open. Throws not_found, conflict if nothing or too little is to pay or card payments aren't
 * ready, upstream_failed.
 */
export async function openPaymentPage(ctx: Ctx, payable: Payable): Promise<string> {
  authorize(ctx, 'stripe:payment:write')
  const accountId = await findReadyAccount(ctx)
  if (!accountId) throw new AppError('conflict', 'Card payments are not available now.')
  try {
    const { checkout, replaced } = await ctx.write((tx) => planCheckout(tx, { payable, accountId }))
    // Paying at the old page would pay too much: it closes first.
    for (const id of replaced) await expireCheckout(ctx, id)
    if (replaced.length) await assertStillOpen(ctx, checkout)
    return checkout.url ?? (await createSession(ctx, checkout))
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    const { kind, code } = error
    ctx.platform.log.warn({ account: ctx.coachId, kind, code }, 'Stripe failed')
    throw new AppError('upstream_failed', `The payment page could not be opened. ${describeFailureToPayer(error)}`)
  }
}

type Plan = { checkout: Checkout; replaced: number[] }

async function planCheckout(
  ctx: WriteCtx,
  { payable, accountId }: { payable: Payable; accountId: string },
): Promise<Plan> {
  const balance = await lockPayable(ctx, payable)
  if (balance === 0) throw new AppError('conflict', `This ${payable.kind} is paid already.`)
  const { currency, isKept } = await describePayable(ctx, payable)
  if (!isChargeable(balance, currency)) throw new AppError('conflict', 'The amount is too small to pay by card.')
  const known = await listPages(ctx, payable)
  if (known.some(({ state }) => state === 'processing'))
    throw new AppError('conflict', `A payment of this ${payable.kind} is on its way.`)
  const open = known.find(({ state }) => state === 'open')
  const isGood =
    open &&
    open.amount === balance &&
    open.accountId === accountId &&
    new Date(open.expiresAt).getTime() > ctx.now().getTime() + getMargin(open, isKept)
  const replaced = known.filter(({ state }) => state === 'replaced').map(({ id }) => id)
  if (isGood) return { checkout: open, replaced }
  const expiresAt = new Date(ctx.now().getTime() + (isKept ? keptMinutes : openHours * 60) * 60_000)
  if (isKept) await keepSale(ctx, payable.id, expiresAt)
  if (open) await setState(ctx, open.id, 'replaced')
  const [checkout] = await ctx.query<Checkout>({
    name: `stripe.add-${payable.kind}-checkout`,
    text: `insert into stripe_checkout (coach_id, ${payable.kind}_id, account_id, amount, expires_at, created_at)
      values ($1, $2, $3, $4, $5, $6) returning ${checkoutColumns}`,
    values: [ctx.coachId, payable.id, accountId, balance, expiresAt, ctx.now()],
  })
  return { checkout: checkout!, replaced: open ? [...replaced, open.id] : replaced }
}

const getMargin = ({ url }: Checkout, isKept: boolean): number => {
  if (!isKept) return marginMs
  return url === null ? leastMs : 0
}

async function assertStillOpen(ctx: Ctx, checkout: Checkout): Promise<void> {
  const payable = toPayable(checkout)
  if ((await getPayableBalance(ctx, payable)) !== checkout.amount)
    throw new AppError('conflict', `This ${payable.kind} has just been paid.`)
}

async function createSession(ctx: Ctx, checkout: Checkout): Promise<string> {
  try {
    return await createSessionOfClient(ctx, checkout)
  } catch (error) {
    // Stripe repeats a stored answer, also a failure: the next try begins with another row, and so with another key.
    if (error instanceof StripeError && error.status !== null && error.kind !== 'busy') await giveUp(ctx, checkout.id)
    throw error
  }
}

async function giveUp(ctx: Ctx, id: number): Promise<void> {
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.give-up-checkout',
      text: `update stripe_checkout set state = 'expired'
        where coach_id = $1 and id = $2 and state = 'open' and session_id is null`,
      values: [ctx.coachId, id],
    }),
  )
}

async function createSessionOfClient(ctx: Ctx, checkout: Checkout): Promise<string> {
  const { clientId } = await describePayable(ctx, toPayable(checkout))
  if (clientId === null) return createSessionFor(ctx, checkout, null)
  const payer = { accountId: checkout.accountId, clientId, key: `checkout:${checkout.id}` }
  const customer = await ensureCustomer(ctx, payer)
  if (!customer) return createSessionFor(ctx, checkout, null)
  try {
    return await createSessionFor(ctx, checkout, customer)
  } catch (error) {
    if (!(error instanceof StripeError) || error.kind !== 'not_found') throw error
  }
  // The coach has deleted the customer at Stripe.
  return createSessionFor(ctx, checkout, await ensureCustomer(ctx, { ...payer, deleted: customer }))
}

/** Repeating it returns the same session while its parameters are the same. */
async function createSessionFor(ctx: Ctx, checkout: Checkout, customer: string | null): Promise<string> {
  const { config } = ctx.platform
  const { id, accountId, amount, expiresAt } = checkout
  const payable = toPayable(checkout)
  const { page, isKept, ...text } = await describePayable(ctx, payable)
  if (!page) throw new AppError('conflict', 'Card payments are not available now.')
  const metadata = { coach: String(ctx.coachId), [payable.kind]: String(payable.id), checkout: String(id) }
  const body = {
    mode: 'payment' as const,
    ...getPayer(text, customer),
    client_reference_id: `${payable.kind}:${payable.id}`,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: text.currency,
          unit_amount: toMinorUnits(amount, text.currency),
          product_data: { name: text.name, ...(text.description ? { description: text.description } : {}) },
        },
      },
    ],
    success_url: `${page}/paid?session={CHECKOUT_SESSION_ID}`,
    cancel_url: page,
    expires_at: Math.floor(new Date(expiresAt).getTime() / 1000),
    // A bank debit takes days, for which nothing is kept.
    ...(isKept ? { allowed_payment_method_types: ['card' as const] } : {}),
    metadata,
    payment_intent_data: { metadata, description: text.name },
  }
  const session = await callStripe(config, (stripe) =>
    stripe.checkout.sessions.create(body, {
      stripeAccount: accountId,
      // The address of the page and the customer can change.
      idempotencyKey: `coach:${ctx.coachId}:${payable.kind}:${payable.id}:checkout:${id}:${hashBody(body)}`,
    }),
  )
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.store-session',
      text: 'update stripe_checkout set session_id = $3, url = $4 where coach_id = $1 and id = $2',
      values: [ctx.coachId, id, session.id, session.url],
    }),
  )
  return session.url!
}

/** The address is only filled in: the buyer can change it. */
const getPayer = ({ email }: Pick<PayableText, 'email'>, customer: string | null) =>
  customer ? { customer } : email ? { customer_email: email } : {}

/** Makes our records agree with a payment page at Stripe. Does nothing for one that isn't ours. Throws StripeError. */
export async function applySession(ctx: Ctx, sessionId: string, accountId: string): Promise<void> {
  const options = { stripeAccount: accountId }
  const { config } = ctx.platform
  const session = await callStripe(config, (stripe) => stripe.checkout.sessions.retrieve(sessionId, {}, options))
  const checkout =
    (await findCheckout(ctx, 'session_id', sessionId)) ??
    (await findCheckout(ctx, 'id', parseId(session.metadata?.checkout)))
  if (!checkout || checkout.accountId !== accountId) return
  const intentId = typeof session.payment_intent === 'string' ? session.payment_intent : session.payment_intent?.id
  const intent = intentId
    ? await callStripe(config, (stripe) =>
        stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }, options),
      )
    : null
  if (session.payment_status === 'paid' && intent?.status === 'succeeded')
    return bookPayment(ctx, checkout, {
      paymentIntentId: intent.id,
      amount: fromMinorUnits(intent.amount_received, intent.currency),
      paidAt: await findPaidAt(ctx, { checkout, sessionId, intent }),
    })
  const state = session.status === 'expired' ? 'expired' : session.status === 'open' ? null : getUnpaidState(intent)
  if (state) await ctx.write((tx) => setState(tx, checkout.id, state))
}

/** Bank debits: the charge is made when the client agrees, and the money comes days later. */
const bankDebits = new Set([
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
])

/**
 * Returns when the money came. A bank debit: when Stripe reported it, or now if it hasn't yet. Otherwise when the charge
 * was made that succeeded: others may have been refused on the same page before. `intent`: with its charge.
 */
async function findPaidAt(
  ctx: Ctx,
  { checkout, sessionId, intent }: { checkout: Checkout; sessionId: string; intent: Stripe.PaymentIntent },
): Promise<Date> {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge
  const begunAt = new Date((charge ?? intent).created * 1000)
  const isDelayed = checkout.state === 'processing' || bankDebits.has(charge?.payment_method_details?.type ?? '')
  if (!isDelayed) return begunAt
  const [event] = await ctx.query<{ createdAt: string }>({
    name: 'stripe.session-succeeded',
    text: `select created_at as "createdAt" from stripe_event
      where coach_id = $1 and object_id = $2 and type = 'checkout.session.async_payment_succeeded' and created_at >= $3
      order by created_at limit 1`,
    values: [ctx.coachId, sessionId, begunAt],
  })
  return event ? new Date(event.createdAt) : ctx.now()
}

const getUnpaidState = (intent: { status: string } | null): CheckoutState =>
  intent?.status === 'requires_payment_method' || intent?.status === 'canceled' ? 'failed' : 'processing'

async function bookPayment(
  ctx: Ctx,
  checkout: Checkout,
  { paymentIntentId, amount, paidAt }: { paymentIntentId: string; amount: number; paidAt: Date },
): Promise<void> {
  await ctx.write(async (tx) => {
    const { id, accountId } = checkout
    const payment = { amount, externalId: paymentIntentId, paidAt }
    const { invoiceId, excess } = await bookPayable(tx, toPayable(checkout), payment)
    await setState(tx, id, 'paid')
    if (checkout.invoiceId === null) await setInvoice(tx, id, invoiceId)
    if (excess > 0) await refundExcess(tx, { invoiceId, accountId, paymentIntentId, amount: excess })
  })
}

/**
 * Closes a payment page. One that was paid in the meantime is booked, one that can no longer be asked for counts as
 * closed. Throws StripeError.
 */
export async function expireCheckout(ctx: Ctx, id: number): Promise<void> {
  const checkout = await findCheckout(ctx, 'id', id)
  if (!checkout || (checkout.state !== 'replaced' && checkout.state !== 'open')) return
  const { sessionId, accountId } = checkout
  if (!sessionId) return ctx.write((tx) => setState(tx, id, 'expired'))
  try {
    await callStripe(ctx.platform.config, (stripe) =>
      stripe.checkout.sessions.expire(
        sessionId,
        {},
        { stripeAccount: accountId, idempotencyKey: `coach:${ctx.coachId}:checkout:${id}:expire` },
      ),
    )
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.kind === 'revoked' || error.kind === 'not_found') return ctx.write((tx) => setState(tx, id, 'expired'))
    if (error.kind !== 'refused') throw error
  }
  await applySession(ctx, sessionId, accountId)
}

/** Closes an open page that asks for another amount than is left to pay. */
export async function closeOutdated(ctx: WriteCtx, invoiceId: number): Promise<void> {
  const { balance } = await getInvoice(ctx, invoiceId)
  for (const { id, state, amount } of await listCheckouts(ctx, invoiceId)) {
    if (state !== 'open' || amount === balance) continue
    await setState(ctx, id, 'replaced')
    await requestExpiry(ctx, id)
  }
}

/** A payment that was booked stays so, and one that has failed isn't on its way again: older news change nothing. */
async function setState(ctx: WriteCtx, id: number, state: CheckoutState): Promise<void> {
  await ctx.query({
    name: 'stripe.checkout-state',
    text: `update stripe_checkout set state = $3
      where coach_id = $1 and id = $2 and state <> 'paid' and ($3 <> 'processing' or state in ('open', 'replaced'))`,
    values: [ctx.coachId, id, state],
  })
}

async function setInvoice(ctx: WriteCtx, id: number, invoiceId: number): Promise<void> {
  await ctx.query({
    name: 'stripe.checkout-invoice',
    text: 'update stripe_checkout set invoice_id = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, invoiceId],
  })
}

/** Closes the open pages of a sale that nobody can pay any more. */
export async function closeSalePages(ctx: WriteCtx, saleId: number): Promise<void> {
  for (const { id, state } of await listPages(ctx, { kind: 'sale', id: saleId })) {
    if (state !== 'open') continue
    await setState(ctx, id, 'replaced')
    await requestExpiry(ctx, id)
  }
}

export async function findCheckout(
  ctx: Ctx,
  column: 'id' | 'session_id',
  value: number | string,
): Promise<Checkout | null> {
  const [checkout] = await ctx.query<Checkout>({
    name: `stripe.checkout-by-${column}`,
    text: `select ${checkoutColumns} from stripe_checkout where coach_id = $1 and ${column} = $2`,
    values: [ctx.coachId, value],
  })
  return checkout ?? null
}

export const listCheckouts = (ctx: Ctx, invoiceId: number): Promise<Checkout[]> =>
  listPages(ctx, { kind: 'invoice', id: invoiceId })

/** The payment pages of an invoice or a sale. */
export async function listPages(ctx: Ctx, { kind, id }: Payable): Promise<Checkout[]> {
  return ctx.query<Checkout>({
    name: `stripe.${kind}-checkouts`,
    text: `select ${checkoutColumns} from stripe_checkout where coach_id = $1 and ${kind}_id = $2 order by id`,
    values: [ctx.coachId, id],
  })
}
