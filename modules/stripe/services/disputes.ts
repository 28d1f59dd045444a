import { lockBalance, recordDispute } from '#modules/billing/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { fromMinorUnits } from '../vendor/amounts.ts'
import { callStripe } from '../vendor/client.ts'
import { findOrBookPayment } from './payments.ts'

/** Notes a payment that the client's bank wants back; a lost one is booked. Throws StripeError. */
export async function applyDispute(ctx: Ctx, disputeId: string, accountId: string): Promise<void> {
  const dispute = await callStripe(ctx.platform.config, (stripe) =>
    stripe.disputes.retrieve(disputeId, {}, { stripeAccount: accountId }),
  )
  const intentId = typeof dispute.payment_intent === 'string' ? dispute.payment_intent : dispute.payment_intent?.id
  const payment = intentId ? await findOrBookPayment(ctx, intentId, accountId) : null
  if (!payment) return
  const { invoiceId } = payment
  const amount = fromMinorUnits(dispute.amount, dispute.currency)
  const dueBy = dispute.evidence_details?.due_by
  await ctx.write(async (tx) => {
    // The invoice first: events of a dispute come at once. Older news changes none that has ended.
    await lockBalance(tx, invoiceId)
    await tx.query({
      name: 'stripe.store-dispute',
      text: `insert into stripe_dispute (coach_id, invoice_id, dispute_id, status, amount, answer_by, created_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (coach_id, dispute_id) do update set status = excluded.status, answer_by = excluded.answer_by
          where stripe_dispute.status not in ('won', 'lost') or (stripe_dispute.status = 'won' and excluded.status = 'lost')`,
      values: [
        ctx.coachId,
        invoiceId,
        disputeId,
        dispute.status,
        amount,
        dueBy ? new Date(dueBy * 1000) : null,
        tx.now(),
      ],
    })
    if (dispute.status === 'lost') await recordDispute(tx, invoiceId, { amount, externalId: disputeId })
  })
}
