import { addToTotalSpent, type RecordsMoved } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { PaymentMethod } from '../fields.ts'
import type { LedgerKind } from '../ledger/kinds.ts'

/** `amount`: cents, above 0 for money that comes in. */
export type NewLedgerEntry = {
  kind: LedgerKind
  amount: number
  currency: string
  method: PaymentMethod
  occurredAt: Date
  clientId: number | null
  purchaseId?: number
  invoiceId?: number
  externalId?: string
}

/**
 * Books money, and keeps the client's total in step. The client and what is paid are locked already. Returns the
 * entry's id; null, and books nothing, if the payment provider's id is booked already.
 */
export async function recordEntry(ctx: WriteCtx, entry: NewLedgerEntry): Promise<number | null> {
  if (entry.amount === 0) return null
  const [booked] = await ctx.query<{ id: number }>({
    name: 'billing.record-entry',
    text: `insert into ledger_entry (coach_id, kind, amount, currency, method, occurred_at, client_id, purchase_id,
        invoice_id, external_id, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (coach_id, external_id) where external_id is not null do nothing returning id`,
    values: [
      ctx.coachId,
      entry.kind,
      entry.amount,
      entry.currency,
      entry.method,
      entry.occurredAt,
      entry.clientId,
      entry.purchaseId ?? null,
      entry.invoiceId ?? null,
      entry.externalId ?? null,
      ctx.now(),
    ],
  })
  if (!booked) return null
  await addToTotalSpent(ctx, entry.clientId, entry.amount)
  return booked.id
}

/** Moves the money of entries that went to another client from one total to the other. */
export async function moveTotal(ctx: WriteCtx, { fromId, toId, moved }: RecordsMoved): Promise<void> {
  const ids = moved.ledger_entry
  if (!ids?.length) return
  const [row] = await ctx.query<{ amount: number }>({
    name: 'billing.amount-of-entries',
    text: `select coalesce(sum(amount), 0)::bigint as amount from ledger_entry
      where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, ids],
  })
  await addToTotalSpent(ctx, fromId, -row!.amount)
  await addToTotalSpent(ctx, toId, row!.amount)
}
