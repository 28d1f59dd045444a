import { formatMoney } from '#app/lib/money.ts'
import type { Ctx } from '#tenants/context.ts'

/** The payments that Stripe and the books counted differently last night. */
export async function listDifferences(
  ctx: Ctx,
): Promise<{ paymentIntentId: string; stripe: string; booked: string }[]> {
  const rows = await ctx.query<{ paymentIntentId: string; stripeAmount: number; bookedAmount: number }>({
    name: 'stripe.differences',
    text: `select payment_intent_id as "paymentIntentId", stripe_amount as "stripeAmount", booked_amount as "bookedAmount"
      from stripe_difference where coach_id = $1 order by id limit 100`,
    values: [ctx.coachId],
  })
  return rows.map(({ paymentIntentId, stripeAmount, bookedAmount }) => ({
    paymentIntentId,
    stripe: formatMoney(stripeAmount, ctx.account.currency),
    booked: formatMoney(bookedAmount, ctx.account.currency),
  }))
}
