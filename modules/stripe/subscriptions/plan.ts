import { localDate } from '#app/lib/time.ts'
import { getProduct, type PaymentPlan } from '#modules/billing/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { findReadyAccount } from '../queries/account.ts'
import { isPayable, toTerms } from './offer.ts'
import { describePlan } from './terms.ts'

/** How a visitor would pay a product in parts or again and again; null if it can't be paid so now. */
export async function getPaymentPlan(ctx: Ctx, productId: number): Promise<PaymentPlan | null> {
  const terms = toTerms(await getProduct(ctx, productId), ctx.account.currency)
  if (!terms || !isPayable(terms) || !(await findReadyAccount(ctx))) return null
  return describePlan(terms, localDate(ctx.now(), ctx.account.timezone))
}
