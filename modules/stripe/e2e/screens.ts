import { getSubscriptionPath } from '#modules/stripe/subscriptions/link.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** The path of the client's page of a subscription with the longest texts. */
    subscriptionPage: string
    subscription: number
  }
}

export const screens: Screen[] = [
  { name: 'card-payments', route: '/settings/payments', path: '/settings/payments', as: 'newcomer' },
  { name: 'card-payments-action-needed', route: '/settings/payments', path: '/settings/payments', as: 'full' },
  {
    name: 'subscribe',
    route: '/subscribe/:token',
    path: ({ subscriptionPage }) => subscriptionPage,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'subscribe-broken',
    route: '/subscribe/:token',
    path: '/subscribe/broken',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  {
    name: 'subscriptions',
    route: '/payments/subscriptions',
    path: '/payments/subscriptions',
    as: 'full',
  },
  {
    name: 'subscriptions-export',
    route: '/payments/subscriptions',
    path: '/payments/subscriptions?dialog=export',
    as: 'full',
  },
  { name: 'subscriptions-empty', route: '/payments/subscriptions', path: '/payments/subscriptions', as: 'newcomer' },
  {
    name: 'subscription',
    route: '/payments/subscriptions',
    path: ({ subscription }) => `/payments/subscriptions?dialog=subscription&subscription=${subscription}`,
    as: 'full',
  },
  {
    name: 'subscription-new',
    route: '/payments/subscriptions',
    path: '/payments/subscriptions?dialog=new',
    as: 'full',
  },
  {
    name: 'history-subscription',
    route: '/history/stripe_subscription/:id',
    path: ({ subscription }) => `/history/stripe_subscription/${subscription}`,
    as: 'full',
  },
]

/** An account for which Stripe waits for the coach, and a subscription that was offered before. */
export async function world({ full }: World): Promise<Partial<World>> {
  return inTenant(full, async (ctx) => {
    await ctx.query({
      text: `insert into stripe_account (coach_id, account_id, created_at) values ($1, 'acct_full', $2)`,
      values: [full.id, ctx.now()],
    })
    const [subscription] = await ctx.query<{ id: number }>({
      text: `insert into stripe_subscription (coach_id, client_id, product_id, product_name, kind, frequency, parts, currency,
          amount, created_at, updated_at)
        select c.coach_id, c.id, p.id, p.name, 'installment', 'monthly', 7, 'usd', 9999999999, $2, $2
        from client c join product p on p.coach_id = c.coach_id
        where c.coach_id = $1 order by length(p.name) desc, length(c.name) desc limit 1 returning id`,
      values: [full.id, ctx.now()],
    })
    return { subscription: subscription!.id, subscriptionPage: getSubscriptionPath(ctx, subscription!.id) }
  })
}
