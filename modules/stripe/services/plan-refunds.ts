import { AppError } from '#app/lib/errors.ts'
import type { RefundSource } from '#modules/billing/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { listPayments } from '../queries/payments.ts'
import { requestRefund } from './queue.ts'

type PlannedRefund = {
  invoiceId: number
  accountId: string
  paymentIntentId: string
  amount: number
  source: RefundSource
}

/** Sends back a part of what was paid online, the newest payment first. The invoice is locked. Throws conflict. */
export async function planRefund(
  ctx: WriteCtx,
  { invoiceId, amount }: { invoiceId: number; amount: number },
): Promise<void> {
  if (!ctx.platform.config.stripe) throw cannotGoBack('Card payments are not available now.')
  let left = amount
  for (const payment of await listPayments(ctx, invoiceId)) {
    const part = Math.min(left, payment.left)
    if (part > 0) await addRefund(ctx, { ...payment, invoiceId, amount: part, source: 'invoice' })
    left -= Math.max(part, 0)
  }
  if (left > 0) throw cannotGoBack('A part of it has gone back to the card in another way.')
}

const cannotGoBack = (why: string): AppError =>
  new AppError('conflict', `${why} Choose how else you paid the money back.`)

/** Sends back what was paid above the balance, such as a card payment after one in cash. */
export async function refundExcess(ctx: WriteCtx, refund: Omit<PlannedRefund, 'source'>): Promise<void> {
  await addRefund(ctx, { ...refund, source: 'excess' })
}

async function addRefund(ctx: WriteCtx, refund: PlannedRefund): Promise<void> {
  const { invoiceId, accountId, paymentIntentId, amount, source } = refund
  const [added] = await ctx.query<{ id: number }>({
    name: 'stripe.add-refund',
    text: `insert into stripe_refund (coach_id, invoice_id, account_id, payment_intent_id, amount, source, created_at)
      values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    values: [ctx.coachId, invoiceId, accountId, paymentIntentId, amount, source, ctx.now()],
  })
  await requestRefund(ctx, added!.id)
}
