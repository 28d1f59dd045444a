import type { Ctx } from '#tenants/context.ts'

/** A card payment of an invoice. `left`: cents of it that can be sent back; what was above the balance is not in it. */
export type CardPayment = { paymentIntentId: string; invoiceId: number; accountId: string; left: number }

/** The card payments of an invoice, newest first. */
export async function listPayments(ctx: Pick<Ctx, 'coachId' | 'query'>, invoiceId: number): Promise<CardPayment[]> {
  return ctx.query<CardPayment>({
    name: 'stripe.payments',
    text: `select l.external_id as "paymentIntentId", l.invoice_id as "invoiceId", coalesce(c.account_id, own.account_id) as "accountId",
        (l.amount - coalesce((select sum(r.amount) from stripe_refund r
          where r.coach_id = $1 and r.payment_intent_id = l.external_id and r.state <> 'failed'
            and r.source <> 'excess'), 0))::bigint as left
      from ledger_entry l
        left join lateral (select s.account_id from stripe_checkout s
          where s.coach_id = $1 and s.invoice_id = l.invoice_id and s.state = 'paid' order by s.id desc limit 1) c on true
        left join lateral (select s.account_id from stripe_charge p
          join stripe_subscription s on s.coach_id = $1 and s.id = p.subscription_row_id
          where p.coach_id = $1 and p.invoice_id = l.invoice_id) own on true
      where coalesce(c.account_id, own.account_id) is not null and l.coach_id = $1 and l.invoice_id = $2 and l.kind = 'payment' and l.external_id is not null
      order by l.id desc`,
    values: [ctx.coachId, invoiceId],
  })
}

/** The invoice that a payment was for; null if it isn't one of ours. */
export async function findPayment(
  ctx: Pick<Ctx, 'coachId' | 'query'>,
  paymentIntentId: string,
): Promise<{ invoiceId: number } | null> {
  const [payment] = await ctx.query<{ invoiceId: number }>({
    name: 'stripe.payment-invoice',
    text: `select coalesce(
        (select l.invoice_id from ledger_entry l where l.coach_id = $1 and l.external_id = $2),
        (select r.invoice_id from stripe_refund r where r.coach_id = $1 and r.payment_intent_id = $2 limit 1))
      as "invoiceId"`,
    values: [ctx.coachId, paymentIntentId],
  })
  return payment?.invoiceId ? payment : null
}
