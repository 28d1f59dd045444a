import type { Stripe } from 'stripe'
import { formatMoney } from '#app/lib/money.ts'
import { findOrAddBuyer, recordOnlinePayment, recordSubscriptionPayment } from '#modules/billing/index.ts'
import { listClientNames, lockClient, logActivity } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { refundExcess } from '../services/plan-refunds.ts'
import { fromMinorUnits } from '../vendor/amounts.ts'
import { callStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { getNextCharge, isEnded, isFailed, separateExcess, toCharges, toId, toState, type Charge } from './progress.ts'
import { findSubscription, type Subscription } from './queries.ts'
import { ensureSchedule, type PlannedSchedule } from './schedule.ts'
import { requestFailureEmail } from './queue.ts'
import { describePart } from './terms.ts'

type Key = { subscriptionId: string; accountId: string }

/** As many as 20 years of weeks. */
const maxCharges = 1_100

/** How often one sync asks. The hourly job attaches a schedule that is still missing then. */
const maxAttempts = 3

/**
 * Makes our records agree with a subscription at Stripe: books what was charged, once, and sees to its end. Does
 * nothing for one that isn't ours. Throws StripeError.
 */
export async function syncSubscription(ctx: Ctx, key: Key): Promise<void> {
  const known = (await findSubscription(ctx, 'subscription_id', key.subscriptionId)) ?? (await adopt(ctx, key))
  if (!known || known.accountId !== key.accountId) return
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) if (await syncOnce(ctx, known, key)) return
}

/** Returns false if it has to be asked for again. */
async function syncOnce(ctx: Ctx, known: Subscription, key: Key): Promise<boolean> {
  const syncs = await ctx.write((tx) => beginSync(tx, known.id))
  const subscription = await fetchSubscription(ctx, key)
  const charges = toCharges(await fetchInvoices(ctx, key))
  const { own, excess } = separateExcess(charges, known.parts)
  const { clientId } =
    known.buyerEmail === null ? known : await ctx.write((tx) => giveToBuyer(tx, known.id, { subscription, charges }))
  // The books first, whatever becomes of the rest.
  const current = await ctx.write(async (tx) => {
    if (clientId !== null) await lockClient(tx, clientId)
    const locked = (await lockSubscription(tx, known.id))!
    const sold = await findSold(tx, locked, subscription)
    await storeCharges(tx, sold, own)
    await returnExcess(tx, { current: locked, excess, accountId: key.accountId })
    if (locked.synced < syncs) await storeState(tx, { current: sold, subscription, charges: own, syncs })
    return locked
  })
  if (excess.length && (!isEnded(subscription) || excess.some(({ status }) => status !== 'paid'))) {
    await stop(ctx, { key, subscription, charges: excess })
    return false
  }
  const schedule = await ensureSchedule(ctx, { known: current, subscription, charges, syncs }).catch(toRetryable)
  return !schedule || ctx.write((tx) => storeSchedule(tx, { id: known.id, schedule, syncs }))
}

/**
 * A visitor becomes a client by paying: the subscription is theirs from now on. In a transaction of its own, since it
 * locks the subscription before the client: another sync that knows the client already locks them in the usual order.
 */
async function giveToBuyer(
  ctx: WriteCtx,
  id: number,
  { subscription, charges }: { subscription: Stripe.Subscription; charges: Charge[] },
): Promise<{ clientId: number | null }> {
  const { clientId, buyerName, buyerEmail } = (await lockSubscription(ctx, id))!
  const isBegun = charges.some(({ status }) => status === 'paid') || begunStates.includes(subscription.status)
  if (buyerName === null || buyerEmail === null || !isBegun) return { clientId }
  const buyerId = await findOrAddBuyer(ctx, { name: buyerName, email: buyerEmail })
  await ctx.query({
    name: 'stripe.give-subscription',
    text: `update stripe_subscription set client_id = $3, buyer_name = null, buyer_email = null, updated_at = $4
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, buyerId, ctx.now()],
  })
  return { clientId: buyerId }
}

const begunStates: Stripe.Subscription.Status[] = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

/** The subscription with the product that the coach has chosen for it since it began: Stripe keeps that with it. */
async function findSold(ctx: WriteCtx, known: Subscription, { metadata }: Stripe.Subscription): Promise<Subscription> {
  const { product = '', product_name: name = '', sessions = '' } = metadata
  if (!/^[1-9]\d{0,14}$/.test(product) || !name) return known
  const [found] = await ctx.query<{ id: number }>({
    name: 'stripe.chosen-product',
    text: 'select id from product where coach_id = $1 and id = $2',
    values: [ctx.coachId, Number(product)],
  })
  const sessionCount = /^[1-9]\d{0,2}$/.test(sessions) ? Number(sessions) : sessions === '1000' ? 1000 : null
  return { ...known, productId: found?.id ?? null, productName: name.slice(0, 255), sessionCount }
}

/** Without its schedule a subscription never ends: a refusal is tried again, too. */
function toRetryable(error: unknown): never {
  if (!(error instanceof StripeError) || error.kind !== 'refused') throw error
  throw new StripeError('down', error)
}

/** Returns false if a newer sync has begun: the schedule may have been planned with an older response. */
async function storeSchedule(
  ctx: WriteCtx,
  { id, schedule, syncs }: { id: number; schedule: PlannedSchedule; syncs: number },
): Promise<boolean> {
  const [stored] = await ctx.query<{ isNewest: boolean }>({
    name: 'stripe.store-schedule',
    text: `update stripe_subscription
      set schedule_id = case when syncs = $3 then $4 end,
        skipped_parts = case when syncs = $3 then $5 else skipped_parts end
      where coach_id = $1 and id = $2 returning syncs = $3 as "isNewest"`,
    values: [ctx.coachId, id, syncs, schedule.id, schedule.skippedParts],
  })
  return stored!.isNewest
}

const fetchSubscription = (ctx: Ctx, { subscriptionId, accountId }: Key): Promise<Stripe.Subscription> =>
  callStripe(ctx.platform.config, (stripe) =>
    stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount: accountId }),
  )

const fetchInvoices = (ctx: Ctx, { subscriptionId, accountId }: Key): Promise<Stripe.Invoice[]> =>
  callStripe(ctx.platform.config, (stripe) =>
    stripe.invoices
      .list({ subscription: subscriptionId, limit: 100, expand: ['data.payments'] }, { stripeAccount: accountId })
      .autoPagingToArray({ limit: maxCharges }),
  )

/**
 * The first news of a subscription: its own metadata say which one it is. Null if it isn't ours, or nobody wants it.
 */
async function adopt(ctx: Ctx, key: Key): Promise<Subscription | null> {
  const subscription = await fetchSubscription(ctx, key)
  const { metadata } = subscription
  if (metadata.coach !== String(ctx.coachId) || !/^[1-9]\d{0,14}$/.test(metadata.subscription ?? '')) return null
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.adopt-subscription',
      text: `update stripe_subscription set subscription_id = $3
        where coach_id = $1 and id = $2 and account_id = $4 and subscription_id is null and state <> 'withdrawn'`,
      values: [ctx.coachId, Number(metadata.subscription), key.subscriptionId, key.accountId],
    }),
  )
  const adopted = await findSubscription(ctx, 'subscription_id', key.subscriptionId)
  if (adopted) return adopted
  const offer = await findSubscription(ctx, 'id', Number(metadata.subscription))
  if (offer && offer.accountId === key.accountId) await giveBack(ctx, key, subscription)
  return null
}

/**
 * Ends a second subscription of one offer, or one of an offer that was withdrawn, and returns what it has charged. It
 * is not in the books.
 */
async function giveBack(ctx: Ctx, key: Key, subscription: Stripe.Subscription): Promise<void> {
  const charges = toCharges(await fetchInvoices(ctx, key))
  await stop(ctx, { key, subscription, charges })
  for (const { id, status, paymentIntentId } of charges)
    if (status === 'paid' && paymentIntentId)
      await callStripe(ctx.platform.config, (stripe) =>
        stripe.refunds.create(
          { payment_intent: paymentIntentId },
          { stripeAccount: key.accountId, idempotencyKey: `coach:${ctx.coachId}:charge:${id}:return` },
        ),
      ).catch(ignoreReturned)
}

function ignoreReturned(error: unknown): void {
  if (!(error instanceof StripeError) || error.code !== 'charge_already_refunded') throw error
}

async function beginSync(ctx: WriteCtx, id: number): Promise<number> {
  const [begun] = await ctx.query<{ syncs: number }>({
    name: 'stripe.begin-subscription-sync',
    text: 'update stripe_subscription set syncs = syncs + 1 where coach_id = $1 and id = $2 returning syncs',
    values: [ctx.coachId, id],
  })
  return begun!.syncs
}

/** Ends a subscription that charges more than agreed. What isn't paid yet of these charges is made void. */
async function stop(
  ctx: Ctx,
  { key, subscription, charges }: { key: Key; subscription: Stripe.Subscription; charges: Charge[] },
): Promise<void> {
  const { config } = ctx.platform
  const options = { stripeAccount: key.accountId }
  ctx.platform.log.error(
    { account: ctx.coachId, subscription: key.subscriptionId },
    'a subscription charges more than agreed',
  )
  if (!isEnded(subscription))
    await callStripe(config, (stripe) => stripe.subscriptions.cancel(key.subscriptionId, {}, options)).catch(
      ignoreNotFound,
    )
  for (const { id, status } of charges) {
    const toKey = (action: string) => ({ ...options, idempotencyKey: `coach:${ctx.coachId}:charge:${id}:${action}` })
    if (status === 'paid' || status === 'void') continue
    if (status === 'draft') {
      // A draft of a subscription can't be deleted.
      await callStripe(config, (stripe) => stripe.invoices.update(id, { auto_advance: false }, toKey('hold')))
      await callStripe(config, (stripe) =>
        stripe.invoices.finalizeInvoice(id, { auto_advance: false }, toKey('finalize')),
      )
    }
    await callStripe(config, (stripe) => stripe.invoices.voidInvoice(id, {}, toKey('void')))
  }
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof StripeError) || error.kind !== 'not_found') throw error
}

export async function lockSubscription(ctx: WriteCtx, id: number): Promise<Subscription | null> {
  await ctx.query({
    name: 'stripe.lock-subscription',
    text: 'select id from stripe_subscription where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, id],
  })
  return findSubscription(ctx, 'id', id)
}

/** Books what is paid and not booked yet, and notes what has failed. The client and the subscription are locked. */
async function storeCharges(ctx: WriteCtx, subscription: Subscription, charges: Charge[]): Promise<void> {
  const rows = await ctx.query<{ chargeId: string; state: string }>({
    name: 'stripe.charge-states',
    text: `select charge_id as "chargeId", state from stripe_charge where coach_id = $1 and subscription_row_id = $2`,
    values: [ctx.coachId, subscription.id],
  })
  const states = new Map(rows.map(({ chargeId, state }) => [chargeId, state]))
  for (const charge of charges) {
    const known = states.get(charge.id)
    if (known === 'paid') continue
    if (charge.status === 'paid' && charge.amount > 0)
      await storeCharge(ctx, { subscription, charge, state: 'paid', invoiceId: await book(ctx, subscription, charge) })
    else if (isFailed(charge)) {
      await storeCharge(ctx, { subscription, charge, state: 'failed', invoiceId: null })
      await announceFailure(ctx, subscription, charge)
    } else if (known && charge.status === 'void')
      await storeCharge(ctx, { subscription, charge, state: 'void', invoiceId: null })
  }
}

function book(ctx: WriteCtx, subscription: Subscription, charge: Charge): Promise<number> {
  const { clientId, productId, productName, currency, parts, sessionCount, amount: price } = subscription
  const { id, part, isPart, amount, paymentIntentId, paidAt, createdAt } = charge
  return recordSubscriptionPayment(ctx, {
    clientId,
    productId,
    productName,
    amount,
    currency,
    description: isPart ? describePart({ productName, parts, part }) : productName,
    // All sessions of a package come with its first installment.
    sessionCount: isPart && (parts === null || part === 1) ? sessionCount : null,
    price,
    isFirst: isPart && part === 1,
    externalId: paymentIntentId ?? id,
    paidAt: paidAt ?? createdAt,
  })
}

type StoredCharge = {
  subscription: Pick<Subscription, 'id'>
  charge: Charge
  state: 'failed' | 'paid' | 'void'
  invoiceId: number | null
}

async function storeCharge(ctx: WriteCtx, { subscription, charge, state, invoiceId }: StoredCharge): Promise<void> {
  await ctx.query({
    name: 'stripe.store-charge',
    text: `insert into stripe_charge (coach_id, subscription_row_id, charge_id, part, state, amount, payment_intent_id,
        invoice_id, attempts, next_attempt_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (coach_id, charge_id) do update set part = excluded.part, state = excluded.state,
        amount = excluded.amount, payment_intent_id = excluded.payment_intent_id, invoice_id = excluded.invoice_id,
        attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at`,
    values: [
      ctx.coachId,
      subscription.id,
      charge.id,
      charge.part,
      state,
      charge.amount,
      charge.paymentIntentId,
      invoiceId,
      charge.attempts,
      charge.nextAttemptAt,
      charge.createdAt,
    ],
  })
}

/** Tells the coach and the client of each attempt that has failed, once. */
async function announceFailure(ctx: WriteCtx, subscription: Subscription, charge: Charge): Promise<void> {
  const [announced] = await ctx.query<{ id: number }>({
    name: 'stripe.announce-failure',
    text: `update stripe_charge set announced_attempts = attempts
      where coach_id = $1 and charge_id = $2 and announced_attempts < attempts returning id`,
    values: [ctx.coachId, charge.id],
  })
  const { clientId, productName, currency } = subscription
  const [client] = announced && clientId !== null ? await listClientNames(ctx, [clientId]) : []
  if (!announced || !client) return
  await logActivity(ctx, {
    type: 'payment_failed',
    title: 'Payment failed',
    description: `${formatMoney(charge.amount, currency)} from ${client.name}, ${productName}`,
    clientId: client.id,
  })
  await requestFailureEmail(ctx, announced.id)
}

/** Money that was charged after the last part is in the books, and goes back. */
async function returnExcess(
  ctx: WriteCtx,
  { current, excess, accountId }: { current: Subscription; excess: Charge[]; accountId: string },
): Promise<void> {
  const paid = excess.filter(({ status, paymentIntentId }) => status === 'paid' && paymentIntentId)
  if (!paid.length) return
  const [last] = await ctx.query<{ invoiceId: number }>({
    name: 'stripe.last-charge',
    text: `select invoice_id as "invoiceId" from stripe_charge
      where coach_id = $1 and subscription_row_id = $2 and state = 'paid' order by part desc, id desc limit 1`,
    values: [ctx.coachId, current.id],
  })
  if (!last) return
  for (const { amount, paymentIntentId, paidAt, createdAt } of paid) {
    const payment = { amount, externalId: paymentIntentId!, paidAt: paidAt ?? createdAt }
    const { excess: more } = await recordOnlinePayment(ctx, last.invoiceId, payment)
    if (more > 0) await refundExcess(ctx, { ...last, accountId, paymentIntentId: paymentIntentId!, amount: more })
  }
}

type Stored = {
  current: Subscription
  subscription: Stripe.Subscription
  charges: Charge[]
  syncs: number
}

async function storeState(ctx: WriteCtx, { current, subscription, charges, syncs }: Stored): Promise<void> {
  const state = toState(subscription, charges, current.parts)
  const isOver = state === 'completed' || state === 'cancelled'
  await ctx.query({
    name: 'stripe.store-subscription',
    text: `update stripe_subscription set state = $3, cancels_at_period_end = $4, next_charge_at = $5,
        started_at = coalesce(started_at, $6), ended_at = $7, synced = $8, updated_at = $9,
        amount = coalesce($10, amount), product_id = $11, product_name = $12, session_count = $13
      where coach_id = $1 and id = $2`,
    values: [
      ctx.coachId,
      current.id,
      state,
      !isOver && subscription.cancel_at_period_end,
      isOver ? null : getNextCharge(subscription, charges, current.parts),
      state === 'offered' ? null : new Date(subscription.start_date * 1000),
      isOver ? (current.endedAt ?? ctx.now()) : null,
      syncs,
      ctx.now(),
      getPeriodAmount(subscription, current),
      current.productId,
      current.productName,
      current.sessionCount,
    ],
  })
}

/** The price of a period, which can change; null for installments. */
function getPeriodAmount({ items }: Stripe.Subscription, { parts, currency }: Subscription): number | null {
  const { price, quantity = 1 } = items.data[0]!
  const amount = (price.unit_amount ?? 0) * quantity
  return parts === null && amount > 0 ? fromMinorUnits(amount, currency) : null
}

/** The subscription that an invoice at Stripe belongs to; null for other invoices. Throws StripeError. */
export async function findSubscriptionOfInvoice(
  ctx: Ctx,
  invoiceId: string,
  accountId: string,
): Promise<string | null> {
  const { parent } = await callStripe(ctx.platform.config, (stripe) =>
    stripe.invoices.retrieve(invoiceId, {}, { stripeAccount: accountId }),
  )
  return toId(parent?.subscription_details?.subscription)
}

/** The same for a payment. */
export async function findSubscriptionOfPayment(
  ctx: Ctx,
  paymentIntentId: string,
  accountId: string,
): Promise<string | null> {
  const { data } = await callStripe(ctx.platform.config, (stripe) =>
    stripe.invoicePayments.list(
      { payment: { type: 'payment_intent', payment_intent: paymentIntentId } },
      { stripeAccount: accountId },
    ),
  )
  const invoiceId = toId(data[0]?.invoice)
  return invoiceId && findSubscriptionOfInvoice(ctx, invoiceId, accountId)
}
