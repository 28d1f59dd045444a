import { getSale, type OnlinePayment } from '#modules/billing/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { findReadyAccount } from '../queries/account.ts'
import { listPages } from '../services/checkout.ts'
import { isChargeable } from '../vendor/amounts.ts'

/** Whether a visitor can pay so much by card now. `amount`: cents. */
export async function canPaySale(ctx: Ctx, amount: number): Promise<boolean> {
  return isChargeable(amount, ctx.account.currency) && (await findReadyAccount(ctx)) !== null
}

/** Null unless this sale can be paid by card now. */
export async function getSalePayment(
  ctx: Ctx,
  { id, token }: Record<string, string | undefined>,
): Promise<OnlinePayment | null> {
  if (!(await findReadyAccount(ctx))) return null
  const isOnItsWay = (await listPages(ctx, { kind: 'sale', id: Number(id) })).some(
    ({ state }) => state === 'processing',
  )
  if (isOnItsWay) return { action: null }
  const { amount, currency } = await getSale(ctx, Number(id))
  return isChargeable(amount, currency) ? { action: `/sale/${token}/pay` } : null
}
