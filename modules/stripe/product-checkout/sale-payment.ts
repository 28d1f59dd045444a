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

/** The sales with an open page, or with a payment on its way. A page without a session was shown to nobody. */
export async function listPayingSales(ctx: Ctx): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>({
    name: 'stripe.paying-sales',
    text: `select distinct sale_id as id from stripe_checkout
      where coach_id = $1 and sale_id is not null and session_id is not null
        and state in ('open', 'replaced', 'processing')`,
    values: [ctx.coachId],
  })
  return rows.map(({ id }) => id)
}
