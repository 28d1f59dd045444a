import { AppError } from '#app/lib/errors.ts'
import type { MergeUndo } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'

/**
 * Throws conflict if money was booked for the client who was kept because of records that would move back: the
 * invoices and payments can't be divided.
 */
export async function assertNoNewMoney(ctx: WriteCtx, { keptId, moved, lastIds }: MergeUndo): Promise<void> {
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'billing.money-since-merge',
    text: `select exists (select 1 from sale where coach_id = $1 and id = any($2::bigint[]) and invoice_id > $3::bigint)
        or exists (select 1 from purchase where coach_id = $1 and id = any($4::bigint[]) and invoice_id > $3::bigint)
        or exists (select 1 from ledger_entry where coach_id = $1 and id = any($5::bigint[])
            and invoice_id is null and purchase_id is null)
          and exists (select 1 from ledger_entry where coach_id = $1 and client_id = $6 and id > $7::bigint
            and invoice_id is null and purchase_id is null) as found`,
    values: [
      ctx.coachId,
      moved.sale ?? [],
      lastIds.invoice ?? 0,
      moved.purchase ?? [],
      moved.ledger_entry ?? [],
      keptId,
      lastIds.ledger_entry ?? 0,
    ],
  })
  if (row!.found) throw moneySinceMerge()
}

export const moneySinceMerge = (): AppError =>
  new AppError(
    'conflict',
    'Payments have come in since the merge for what this client had, so it can’t be undone any more.',
  )
