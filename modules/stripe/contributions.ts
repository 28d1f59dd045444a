import type { Contribution } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { listCountries } from './countries.ts'
import { findAccount, getAccountState } from './queries/account.ts'
import { stateTexts } from './status.ts'

const permission = 'stripe:account:write'

export const contributions: Contribution[] = [
  { slot: 'settings.pane', widget: 'stripe-account', order: 30, permission, load: getAccountCard },
]

/** The state of the connection with Stripe. */
export async function getAccountCard(ctx: Ctx) {
  const account = await findAccount(ctx)
  const state = getAccountState(ctx, account)
  return {
    state,
    status: state === 'unavailable' || state === 'not_connected' ? null : stateTexts[state],
    isKnown: Boolean(account?.accountId),
    countries: state === 'not_connected' && !account?.accountId ? listCountries() : [],
  }
}
export type AccountCard = Awaited<ReturnType<typeof getAccountCard>>
