import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { PaymentMethod } from '../fields.ts'

/** A payment of an invoice. `balance`: what was left to pay after it, in cents like `amount`. */
export type Receipt = {
  invoiceId: number
  amount: number
  method: PaymentMethod
  occurredAt: string
  balance: number
}

/** Throws not_found, also for an entry that is no payment of an invoice. */
export async function getReceipt(ctx: Ctx, entryId: number): Promise<Receipt> {
  authorize(ctx, 'billing:invoice:read')
  const [receipt] = await ctx.query<Receipt>({
    name: 'billing.receipt',
    text: `select e.invoice_id as "invoiceId", e.amount, e.method, ${isoTimestamp('e.occurred_at')} as "occurredAt",
        greatest(i.total - (
          select coalesce(sum(amount), 0) from ledger_entry
          where coach_id = $1 and invoice_id = e.invoice_id and id <= e.id
        ) - (
          select coalesce(sum(total), 0) from invoice
          where coach_id = $1 and credited_invoice_id = e.invoice_id and created_at <= e.created_at
        ), 0)::bigint as balance
      from ledger_entry e join invoice i on i.coach_id = $1 and i.id = e.invoice_id
      where e.coach_id = $1 and e.id = $2 and e.kind = 'payment'`,
    values: [ctx.coachId, entryId],
  })
  if (!receipt) throw new AppError('not_found', 'Receipt not found', { subject: 'receipt' })
  return receipt
}
