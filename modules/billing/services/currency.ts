import { currencyName, isPayable, isWholeCurrency, wholeAmountMessage } from '#app/lib/currencies.ts'
import { AppError } from '#app/lib/errors.ts'
import { assertCurrency, runHook } from '#modules/core/hooks.ts'
import { setCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'

/** Throws validation_failed for a part of the smallest unit. `amount`: hundredths. */
export function assertPayable(amount: number, currency: string, field = 'amount'): void {
  if (isPayable(amount, currency)) return
  throw new AppError('validation_failed', wholeAmountMessage(currency), { field })
}

/**
 * Chooses the currency of the practice. Throws conflict once something was sold or invoiced, and for a currency without
 * a smaller unit while products, or what other modules sell, cost a part of one.
 */
export async function chooseCurrency(ctx: WriteCtx, currency: string): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  if (!(await setCurrency(ctx, currency, async () => !(await hasSales(ctx)))))
    throw new AppError('conflict', 'The currency is fixed: something was sold or invoiced already.', {
      subject: 'currency',
    })
  await runHook(ctx, assertCurrency, { currency })
  if (!isWholeCurrency(currency)) return
  const [found] = await ctx.query<{ count: number }>({
    name: 'billing.prices-with-cents',
    text: 'select count(*) from product where coach_id = $1 and deleted_at is null and price <> trunc(price)',
    values: [ctx.coachId],
  })
  if (found!.count > 0)
    throw new AppError(
      'conflict',
      `${currencyName(currency)} has no smaller unit. Make the prices of all products whole amounts first.`,
      { subject: 'currency' },
    )
}

/** Whether something was sold or invoiced, drafts and the trash included: their amounts are in the currency of then. */
export async function hasSales(ctx: Ctx): Promise<boolean> {
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'billing.has-sales',
    text: `select exists (select 1 from purchase where coach_id = $1)
        or exists (select 1 from invoice where coach_id = $1)
        or exists (select 1 from sale where coach_id = $1)
        or exists (select 1 from ledger_entry where coach_id = $1) as found`,
    values: [ctx.coachId],
  })
  return row!.found
}
