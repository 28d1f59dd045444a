import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'
import type { AccountError, CardPaymentState } from '../states.ts'

export type AccountRow = {
  id: number
  accountId: string | null
  cardPayments: CardPaymentState
  needsAction: boolean
  disconnectedAt: string | null
  syncedAt: string | null
  reconciledAt: string | null
  failingSince: string | null
  lastError: AccountError | null
  endedAt: string | null
}

/**
 * `unavailable`: the platform has no keys. `not_connected`: the coach has no account, or stopped using it.
 * `action_needed`: Stripe waits for the coach; `checking`: the coach waits for Stripe. `ready`: clients can pay by
 * card.
 */
export type AccountState = 'unavailable' | 'not_connected' | 'action_needed' | 'checking' | 'restricted' | 'ready'

export async function findAccount(ctx: Pick<Ctx, 'coachId' | 'query'>): Promise<AccountRow | null> {
  const [account] = await ctx.query<AccountRow>({
    name: 'stripe.account',
    text: `select id, account_id as "accountId", card_payments as "cardPayments", needs_action as "needsAction",
        ${isoTimestamp('disconnected_at')} as "disconnectedAt", ${isoTimestamp('synced_at')} as "syncedAt",
        ${isoTimestamp('reconciled_at')} as "reconciledAt", ${isoTimestamp('failing_since')} as "failingSince",
        last_error as "lastError", ${isoTimestamp('ended_at')} as "endedAt"
      from stripe_account where coach_id = $1`,
    values: [ctx.coachId],
  })
  return account ?? null
}

export function getAccountState({ platform }: Pick<Ctx, 'platform'>, account: AccountRow | null): AccountState {
  if (!platform.config.stripe) return 'unavailable'
  if (!account?.accountId || account.disconnectedAt) return 'not_connected'
  if (account.cardPayments === 'active') return 'ready'
  if (account.needsAction) return 'action_needed'
  return account.cardPayments === 'pending' ? 'checking' : 'restricted'
}

/** The id of the coach's account if clients can pay with it now; null otherwise. */
export async function findReadyAccount(ctx: Pick<Ctx, 'coachId' | 'query' | 'platform'>): Promise<string | null> {
  const account = await findAccount(ctx)
  return getAccountState(ctx, account) === 'ready' ? account!.accountId : null
}
