import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { findAccount, type AccountRow } from '../queries/account.ts'
import { fromMinorUnits } from '../vendor/amounts.ts'
import { callStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { listCharged, syncSubscriptions } from '../subscriptions/reconcile.ts'
import { applySession } from './checkout.ts'
import { recordFailure, syncAccount } from './connect.ts'
import { requestEvent } from './queue.ts'
import { applyRefund, sendRefund } from './refunds.ts'
import { storeEvent } from './webhooks.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Stripe keeps events for so long. */
const keptDays = 30
/** Days whose payments are compared with the books. */
const comparedDays = 3
const maxListed = 10_000
/** After so long no job tries an event again. */
const triedMs = 12 * hourMs

/** The types of events that are asked for: Stripe takes at most 20. */
const eventTypes = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.marked_uncollectible',
  'invoice.voided',
  'invoice.created',
  'payment_intent.payment_failed',
  'customer.subscription.deleted',
]

/**
 * Finds what no webhook has reported, and stores the payments that Stripe and the books still count differently:
 * nothing is corrected silently. Throws StripeError.
 */
export async function reconcileAccount(ctx: Ctx): Promise<void> {
  // The account may answer while its payments can't be compared: that goes on since the first night.
  const before = await findAccount(ctx)
  await syncAccount(ctx)
  const account = await findAccount(ctx)
  if (!account?.accountId) return
  try {
    await comparePayments(ctx, { ...account, accountId: account.accountId })
  } catch (error) {
    if (error instanceof StripeError) await recordFailure(ctx, account.accountId, error, before?.failingSince)
    throw error
  }
}

async function comparePayments(ctx: Ctx, account: AccountRow & { accountId: string }): Promise<void> {
  const startedAt = ctx.now()
  await requestGivenUpEvents(ctx)
  await storeMissedEvents(ctx, account)
  await applyUnfinished(ctx)
  await syncSubscriptions(ctx)
  await storeDifferences(ctx, await compare(ctx, account.accountId))
  await ctx.write((tx) => finish(tx, startedAt))
}

/** Tries events again that could not be applied for longer than their jobs have tried. */
async function requestGivenUpEvents(ctx: Ctx): Promise<void> {
  const now = ctx.now().getTime()
  await ctx.write(async (tx) => {
    const events = await tx.query<{ id: number }>({
      name: 'stripe.given-up-events',
      text: `select id from stripe_event
        where coach_id = $1 and created_at between $2 and $3 and applied_at is null order by id`,
      values: [ctx.coachId, new Date(now - keptDays * dayMs), new Date(now - triedMs)],
    })
    for (const { id } of events) await requestEvent(tx, id)
  })
}

async function storeMissedEvents(ctx: Ctx, { accountId, reconciledAt }: AccountRow): Promise<void> {
  const oldest = ctx.now().getTime() - keptDays * dayMs
  // An hour again: Stripe's list may lag behind.
  const from = reconciledAt ? Math.max(oldest, new Date(reconciledAt).getTime() - hourMs) : oldest
  const events = await callStripe(ctx.platform.config, (stripe) =>
    stripe.events
      .list({ created: { gte: Math.floor(from / 1000) }, types: eventTypes, limit: 100 }, { stripeAccount: accountId! })
      .autoPagingToArray({ limit: maxListed }),
  )
  await ctx.write(async (tx) => {
    for (const { id, type, created, data } of events) {
      const { id: objectId } = data.object as { id?: string }
      if (objectId)
        await storeEvent(tx, { eventId: id, accountId, type, objectId, createdAt: new Date(created * 1000) })
    }
  })
}

/**
 * Asks for all pages and refunds whose end isn't known. One that fails doesn't stop the others, and is asked for again
 * the next night.
 */
async function applyUnfinished(ctx: Ctx): Promise<void> {
  const checkouts = await ctx.query<{ sessionId: string; accountId: string }>({
    name: 'stripe.unfinished-checkouts',
    text: `select session_id as "sessionId", account_id as "accountId" from stripe_checkout
      where coach_id = $1 and state in ('open', 'replaced', 'processing') and session_id is not null`,
    values: [ctx.coachId],
  })
  for (const { sessionId, accountId } of checkouts)
    await tryOne(ctx, { sessionId }, () => applySession(ctx, sessionId, accountId))
  const refunds = await ctx.query<{ id: number; refundId: string | null; accountId: string }>({
    name: 'stripe.unfinished-refunds',
    text: `select id, refund_id as "refundId", account_id as "accountId" from stripe_refund
      where coach_id = $1 and state = 'pending'`,
    values: [ctx.coachId],
  })
  for (const { id, refundId, accountId } of refunds)
    await tryOne(ctx, { refund: id }, () => (refundId ? applyRefund(ctx, refundId, accountId) : sendRefund(ctx, id)))
}

async function tryOne(ctx: Ctx, what: object, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    ctx.platform.log.error({ err: error, account: ctx.coachId, ...what }, 'Stripe could not be asked how it ended')
  }
}

type Difference = { paymentIntentId: string; stripeAmount: number; bookedAmount: number }

/** The payments of the last days that the books count differently, in cents. */
async function compare(ctx: Ctx, accountId: string): Promise<Difference[]> {
  const since = Math.floor((ctx.now().getTime() - comparedDays * dayMs) / 1000)
  const listed = await callStripe(ctx.platform.config, (stripe) =>
    stripe.paymentIntents
      .list({ created: { gte: since }, limit: 100 }, { stripeAccount: accountId })
      .autoPagingToArray({ limit: maxListed }),
  )
  const invoiced = listed
    .filter(({ status, metadata }) => status === 'succeeded' && metadata.coach === String(ctx.coachId))
    .map(({ id, amount_received, currency }) => ({
      paymentIntentId: id,
      amount: fromMinorUnits(amount_received, currency),
    }))
  const ours = [...invoiced, ...(await listCharged(ctx, { accountId, since }))]
  const rows = await ctx.query<{ id: string; amount: number }>({
    name: 'stripe.booked',
    text: `select split_part(external_id, ':', 1) as id, sum(amount)::bigint as amount from ledger_entry
      where coach_id = $1 and kind = 'payment' and split_part(external_id, ':', 1) = any($2::text[])
      group by split_part(external_id, ':', 1)`,
    values: [ctx.coachId, ours.map(({ paymentIntentId }) => paymentIntentId)],
  })
  const booked = new Map(rows.map(({ id, amount }) => [id, amount]))
  return ours
    .map(({ paymentIntentId, amount }) => ({
      paymentIntentId,
      stripeAmount: amount,
      bookedAmount: booked.get(paymentIntentId) ?? 0,
    }))
    .filter(({ stripeAmount, bookedAmount }) => stripeAmount !== bookedAmount)
}

async function storeDifferences(ctx: Ctx, differences: Difference[]): Promise<void> {
  await ctx.write(async (tx) => {
    await tx.query({
      name: 'stripe.delete-differences',
      text: 'delete from stripe_difference where coach_id = $1',
      values: [ctx.coachId],
    })
    for (const { paymentIntentId, stripeAmount, bookedAmount } of differences) {
      ctx.platform.log.error(
        { account: ctx.coachId, paymentIntentId, stripeAmount, bookedAmount },
        'Stripe and the ledger differ',
      )
      await tx.query({
        name: 'stripe.add-difference',
        text: `insert into stripe_difference (coach_id, payment_intent_id, stripe_amount, booked_amount, found_at)
          values ($1, $2, $3, $4, $5)`,
        values: [ctx.coachId, paymentIntentId, stripeAmount, bookedAmount, ctx.now()],
      })
    }
  })
}

async function finish(ctx: WriteCtx, startedAt: Date): Promise<void> {
  await ctx.query({
    name: 'stripe.reconciled',
    text: 'update stripe_account set reconciled_at = $2 where coach_id = $1',
    values: [ctx.coachId, startedAt],
  })
  // Older ones can't come again.
  await ctx.query({
    name: 'stripe.delete-old-events',
    text: 'delete from stripe_event where coach_id = $1 and created_at < $2 and applied_at is not null',
    values: [ctx.coachId, new Date(startedAt.getTime() - 2 * keptDays * dayMs)],
  })
}
