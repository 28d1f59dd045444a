import { escapeMarkup } from '#app/lib/markup.ts'
import { formatMoney } from '#app/lib/money.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { subscriptionsUrl } from './list-state.ts'
import { describeTerms, type Terms } from './terms.ts'

type Row = Terms & {
  id: number
  at: string
  what: keyof typeof titles
  subscriptionId: number
  productName: string
  /** Cents that could not be charged. */
  charged: number | null
}

/**
 * When a client's subscriptions were offered, began and ended, and the charges that are not paid: at most `rows`,
 * newest first. Their payments are those of invoices.
 */
export async function listSubscriptionTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  authorize(ctx, 'stripe:subscription:read')
  const found = await ctx.query<Row>({
    name: 'stripe.subscription-timeline',
    text: `with own as (select * from stripe_subscription where coach_id = $1 and client_id = $2)
      select e.id, ${isoTimestamp('e.time')} as at, e.what, own.id as "subscriptionId", own.product_name as "productName",
        e.charged, own.kind, own.frequency, own.parts, own.amount, own.currency
      from (
        select id, id as owner, created_at as time, 'offered' as what, null::bigint as charged from own
        union all select id, id, started_at, 'began', null from own where started_at is not null
        union all select id, id, ended_at, case state when 'completed' then 'completed' else 'cancelled' end, null
          from own where ended_at is not null
        union all select c.id, c.subscription_row_id, c.created_at, 'failed', c.amount
          from stripe_charge c join own on own.id = c.subscription_row_id where c.coach_id = $1 and c.state = 'failed'
      ) e join own on own.id = e.owner
      order by e.time desc, e.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
  return found.map(({ id, at, what, subscriptionId, productName, charged, ...terms }) => ({
    key: `subscription-${what} ${id}`,
    at,
    kind: 'subscription',
    title: `${titles[what]} ${productName}`,
    text: escapeMarkup(charged === null ? describeTerms(terms) : formatMoney(charged, terms.currency)),
    to: subscriptionsUrl.href({ dialog: 'subscription', subscription: subscriptionId }),
  }))
}

const titles = {
  offered: 'Payments offered for',
  began: 'Payments began for',
  completed: 'All paid for',
  cancelled: 'Payments ended for',
  failed: 'Payment failed for',
}
