import {
  cancelOnlineRefund,
  lockBalance,
  recordOnlineRefund,
  reverseOnlineRefund,
  type RefundSource,
} from '#modules/billing/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { findOrBookPayment } from './payments.ts'
import type { RefundState } from '../states.ts'
import { fromMinorUnits, toMinorUnits } from '../vendor/amounts.ts'
import { callStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'

type Refund = {
  id: number
  invoiceId: number
  accountId: string
  paymentIntentId: string
  refundId: string | null
  amount: number
  state: RefundState
  source: RefundSource
}

const refundColumns = `id, invoice_id as "invoiceId", account_id as "accountId",
  payment_intent_id as "paymentIntentId", refund_id as "refundId", amount, state, source`

/** Asks Stripe to send the money back, once. Throws StripeError for what may work later. */
export async function sendRefund(ctx: Ctx, id: number): Promise<void> {
  const [refund] = await ctx.query<Refund & { currency: string }>({
    name: 'stripe.refund-to-send',
    text: `select r.id, r.invoice_id as "invoiceId", r.account_id as "accountId",
        r.payment_intent_id as "paymentIntentId", r.refund_id as "refundId", r.amount, r.state,
        r.source, i.currency
      from stripe_refund r join invoice i on i.coach_id = $1 and i.id = r.invoice_id
      where r.coach_id = $1 and r.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!refund || refund.refundId || refund.state !== 'pending') return
  const { accountId, paymentIntentId, amount, currency } = refund
  try {
    const sent = await callStripe(ctx.platform.config, (stripe) =>
      stripe.refunds.create(
        {
          payment_intent: paymentIntentId,
          amount: toMinorUnits(amount, currency),
          metadata: { coach: String(ctx.coachId), refund: String(id) },
        },
        { stripeAccount: accountId, idempotencyKey: `coach:${ctx.coachId}:refund:${id}` },
      ),
    )
    await applyRefund(ctx, sent.id, accountId)
  } catch (error) {
    if (!(error instanceof StripeError) || error.kind === 'busy' || error.kind === 'down') throw error
    ctx.platform.log.warn({ account: ctx.coachId, kind: error.kind, code: error.code }, 'Stripe refused a refund')
    await ctx.write(async (tx) => {
      await lockBalance(tx, refund.invoiceId)
      await changeState(tx, id, 'failed')
    })
  }
}

/** Makes our books agree with a refund at Stripe, also one that was made in its Dashboard. Throws StripeError. */
export async function applyRefund(ctx: Ctx, refundId: string, accountId: string): Promise<void> {
  const refund = await callStripe(ctx.platform.config, (stripe) =>
    stripe.refunds.retrieve(refundId, {}, { stripeAccount: accountId }),
  )
  const paymentIntentId = typeof refund.payment_intent === 'string' ? refund.payment_intent : refund.payment_intent?.id
  const payment = paymentIntentId ? await findOrBookPayment(ctx, paymentIntentId, accountId) : null
  if (!payment || !paymentIntentId) return
  const state = toState(refund.status)
  const amount = fromMinorUnits(refund.amount, refund.currency)
  const plannedId = refund.metadata?.coach === String(ctx.coachId) ? Number(refund.metadata.refund ?? 0) : 0
  await ctx.write(async (tx) => {
    // The invoice first: events of a refund come at once.
    await lockBalance(tx, payment.invoiceId)
    const known = await storeRefundId(tx, { refundId, plannedId, paymentIntentId })
    const id =
      known ??
      (await addMadeElsewhere(tx, { invoiceId: payment.invoiceId, accountId, paymentIntentId, refundId, amount }))
    await changeState(tx, id, state)
  })
}

const toState = (status: string | null): RefundState =>
  status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending'

/** The row of a refund that we asked for, or know already; null for one that was made elsewhere. */
async function storeRefundId(
  ctx: WriteCtx,
  { refundId, plannedId, paymentIntentId }: { refundId: string; plannedId: number; paymentIntentId: string },
): Promise<number | null> {
  const [row] = await ctx.query<{ id: number }>({
    name: 'stripe.store-refund-id',
    text: `update stripe_refund set refund_id = $2
      where coach_id = $1 and (refund_id = $2 or (refund_id is null and id = $3 and payment_intent_id = $4)) returning id`,
    values: [ctx.coachId, refundId, plannedId, paymentIntentId],
  })
  return row?.id ?? null
}

async function addMadeElsewhere(
  ctx: WriteCtx,
  refund: Pick<Refund, 'invoiceId' | 'accountId' | 'paymentIntentId' | 'amount'> & { refundId: string },
): Promise<number> {
  const { invoiceId, accountId, paymentIntentId, refundId, amount } = refund
  const [added] = await ctx.query<{ id: number }>({
    name: 'stripe.add-known-refund',
    text: `insert into stripe_refund
        (coach_id, invoice_id, account_id, payment_intent_id, refund_id, amount, source, created_at)
      values ($1, $2, $3, $4, $5, $6, 'dashboard', $7)
      on conflict (coach_id, refund_id) where refund_id is not null do update set amount = excluded.amount returning id`,
    values: [ctx.coachId, invoiceId, accountId, paymentIntentId, refundId, amount, ctx.now()],
  })
  return added!.id
}

/** Books what became of a refund: once, whichever news comes first. One that failed stays so. The invoice is locked. */
async function changeState(ctx: WriteCtx, id: number, state: RefundState): Promise<void> {
  const [refund] = await ctx.query<Refund>({
    name: 'stripe.lock-refund',
    text: `select ${refundColumns} from stripe_refund where coach_id = $1 and id = $2 for update`,
    values: [ctx.coachId, id],
  })
  if (!refund || refund.state === state || refund.state === 'failed' || state === 'pending') return
  await ctx.query({
    name: 'stripe.refund-state',
    text: 'update stripe_refund set state = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, state],
  })
  const { invoiceId, refundId, amount, source } = refund
  if (state === 'succeeded') return recordOnlineRefund(ctx, invoiceId, { amount, externalId: refundId!, source })
  if (refund.state === 'succeeded') return reverseOnlineRefund(ctx, invoiceId, refundId!)
  if (source === 'invoice') await cancelOnlineRefund(ctx, invoiceId, amount)
}

/** Applies all refunds of a charge that changed. */
export async function applyChargeRefunds(ctx: Ctx, chargeId: string, accountId: string): Promise<void> {
  const { config } = ctx.platform
  const options = { stripeAccount: accountId }
  const charge = await callStripe(config, (stripe) => stripe.charges.retrieve(chargeId, {}, options))
  const intentId = typeof charge.payment_intent === 'string' ? charge.payment_intent : charge.payment_intent?.id
  if (!intentId) return
  const refunds = await callStripe(config, (stripe) =>
    stripe.refunds.list({ payment_intent: intentId, limit: 100 }, options),
  )
  for (const { id } of refunds.data) await applyRefund(ctx, id, accountId)
}
