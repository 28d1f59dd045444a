import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'

export const screens: Screen[] = [
  { name: 'card-payments', route: '/settings/payments', path: '/settings/payments', as: 'newcomer' },
  { name: 'card-payments-action-needed', route: '/settings/payments', path: '/settings/payments', as: 'full' },
]

/** An account for which Stripe waits for the coach. */
export async function world({ full }: World): Promise<Partial<World>> {
  await inTenant(full, (ctx) =>
    ctx.query({
      text: `insert into stripe_account (coach_id, account_id, created_at) values ($1, 'acct_full', $2)`,
      values: [full.id, ctx.now()],
    }),
  )
  return {}
}
