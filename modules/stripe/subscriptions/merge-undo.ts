import { moneySinceMerge } from '#modules/billing/index.ts'
import type { MergeUndo } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'

/** Throws conflict if a subscription that goes back was charged since the merge. */
export async function assertNotCharged(ctx: WriteCtx, { moved, lastIds }: MergeUndo): Promise<void> {
  const ids = moved.stripe_subscription
  if (!ids?.length) return
  const charged = await ctx.query({
    name: 'stripe.charged-since-merge',
    text: `select 1 from stripe_charge where coach_id = $1 and subscription_row_id = any($2::bigint[])
        and invoice_id > $3::bigint limit 1`,
    values: [ctx.coachId, ids, lastIds.invoice ?? 0],
  })
  if (charged.length) throw moneySinceMerge()
}
