import type { TimeSettings } from '#app/lib/clock.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { AccountRow, AccountState } from './queries/account.ts'
import type { AccountError } from './states.ts'
import type { StripeError } from './vendor/errors.ts'

/** Tells the coach why a call failed and how to go on. */
export function describeFailure({ kind }: Pick<StripeError, 'kind'>): string {
  if (kind === 'busy') return 'Stripe asks us to wait. Try again in a minute.'
  if (kind === 'down') return 'Stripe can’t be reached. Try again in a minute.'
  if (kind === 'revoked') return 'The account is no longer connected. Connect again.'
  return 'Stripe refused the request. Check your account in the Stripe Dashboard.'
}

/** Tells a client, who has no account at Stripe, the same. */
export function describeFailureToPayer({ kind }: Pick<StripeError, 'kind'>): string {
  if (kind === 'busy' || kind === 'down') return 'Try again in a minute.'
  return 'Ask the sender of the invoice how else you can pay.'
}

/** A badge and a sentence for each state of the account. */
export const stateTexts: Record<
  Exclude<AccountState, 'unavailable' | 'not_connected'>,
  { tone: 'success' | 'warning' | 'danger'; label: string; text: string }
> = {
  ready: { tone: 'success', label: 'Ready', text: 'Clients can pay your invoices by card.' },
  action_needed: {
    tone: 'warning',
    label: 'Action needed',
    text: 'Stripe needs something from you before clients can pay by card.',
  },
  checking: {
    tone: 'warning',
    label: 'Being checked',
    text: 'Stripe is checking your details. There is nothing to do.',
  },
  restricted: {
    tone: 'danger',
    label: 'Restricted',
    text: 'Stripe has restricted card payments. Its Dashboard says why.',
  },
}

/** Says when Stripe was last reached, and in plain language why it can't be now and what to do. */
export function describeHealth(
  { syncedAt, reconciledAt, failingSince, lastError }: Health,
  settings: TimeSettings,
): { text: string; isFailing: boolean } {
  const reachedAt = [syncedAt, reconciledAt]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1)
  const reached = reachedAt ? `Last reached: ${formatDateTime(reachedAt, settings)}.` : 'Not reached yet.'
  if (!failingSince || !lastError) return { text: reached, isFailing: false }
  return {
    text: `${reached} ${errorTexts[lastError]} Since ${formatDateTime(failingSince, settings)}.`,
    isFailing: true,
  }
}

type Health = Pick<AccountRow, 'syncedAt' | 'reconciledAt' | 'failingSince' | 'lastError'>

const errorTexts: Record<AccountError, string> = {
  busy: 'Stripe asks us to wait. There is nothing to do.',
  down: 'Stripe can’t be reached. There is nothing to do. Payments are checked again once Stripe can be reached.',
  refused:
    'Stripe refuses to tell us about the account. Look at it in the Stripe Dashboard, or disconnect and connect again.',
}

/** Says that Stripe has ended the connection. */
export const describeEnd = (endedAt: string, settings: TimeSettings): string =>
  `The connection ended on ${formatDateTime(endedAt, settings)}, by Stripe or by you at Stripe. Clients can’t pay by card until you connect again.`
