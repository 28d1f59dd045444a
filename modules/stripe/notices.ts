import { formatMoney } from '#app/lib/money.ts'
import { formatDate } from '#app/lib/time.ts'
import type { InvoiceNotice } from '#modules/billing/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { listCheckouts } from './services/checkout.ts'

type Row = { kind: 'refund' | 'dispute' | 'outside'; state: string; amount: number; answerBy: Date | string | null }

/** How the online payments of an invoice stand. */
export async function listNotices(ctx: Ctx, invoiceId: number): Promise<InvoiceNotice[]> {
  const [checkouts, rows] = await Promise.all([
    listCheckouts(ctx, invoiceId),
    ctx.query<Row>({
      name: 'stripe.notices',
      text: `select 'refund' as kind, state, amount, null::timestamptz as "answerBy" from stripe_refund
          where coach_id = $1 and invoice_id = $2
        union all
        select 'dispute', status, amount, answer_by from stripe_dispute where coach_id = $1 and invoice_id = $2
        union all
        select 'outside', '', -l.amount, null from ledger_entry l
          where l.coach_id = $1 and l.invoice_id is null and split_part(l.external_id, ':', 1) in (
            select refund_id from stripe_refund
              where coach_id = $1 and invoice_id = $2 and source <> 'excess' and state = 'succeeded'
            union all
            select dispute_id from stripe_dispute where coach_id = $1 and invoice_id = $2)`,
      values: [ctx.coachId, invoiceId],
    }),
  ])
  return [
    ...checkouts.flatMap(({ state, amount }) => describeCheckout(state, formatMoney(amount, ctx.account.currency))),
    ...rows.flatMap((row) => describe[row.kind](ctx, row)),
  ]
}

/** Money that went back after the invoice had been refunded in another way. */
const describeOutside = ({ account }: Ctx, { amount }: Row): InvoiceNotice[] => [
  {
    tone: 'warning',
    text: `${formatMoney(amount, account.currency)} more went back than was left of this invoice. It is in your books, but not on this invoice.`,
  },
]

const describe = { refund: describeRefund, dispute: describeDispute, outside: describeOutside }

function describeCheckout(state: string, amount: string): InvoiceNotice[] {
  if (state === 'processing')
    return [{ tone: 'info', text: `A bank debit of ${amount} is on its way. It takes some days.` }]
  if (state === 'failed') return [{ tone: 'warning', text: `The client’s bank did not pay ${amount}.` }]
  return []
}

function describeRefund({ account }: Ctx, { state, amount }: Row): InvoiceNotice[] {
  if (state === 'pending')
    return [{ tone: 'info', text: `A refund of ${formatMoney(amount, account.currency)} is on its way.` }]
  if (state === 'failed')
    return [
      {
        tone: 'danger',
        text: `A refund of ${formatMoney(amount, account.currency)} did not reach the client. Pay it back in another way.`,
      },
    ]
  return []
}

function describeDispute({ account }: Ctx, { state, amount, answerBy }: Row): InvoiceNotice[] {
  const money = formatMoney(amount, account.currency)
  if (state === 'won') return [{ tone: 'info', text: `You won the dispute about ${money}.` }]
  if (state === 'lost') return [{ tone: 'danger', text: `The client’s bank took ${money} back.` }]
  if (state === 'warning_closed')
    return [{ tone: 'info', text: `The question about ${money} is closed. Nothing was taken.` }]
  // The bank may have given the money back at once.
  if (state === 'prevented')
    return [{ tone: 'info', text: `The dispute about ${money} was prevented. There is nothing to do.` }]
  if (state.endsWith('under_review'))
    return [
      {
        tone: 'info',
        text: `The bank is looking at your answer to the dispute about ${money}. There is nothing to do.`,
      },
    ]
  const until = answerBy ? ` until ${formatDate(answerBy, account.timezone)}` : ''
  const asked = state === 'warning_needs_response' ? 'The client’s bank asks about' : 'The client disputes'
  return [{ tone: 'danger', text: `${asked} ${money}. Answer in the Stripe Dashboard${until}.` }]
}
