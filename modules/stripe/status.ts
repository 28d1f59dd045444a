import type { AccountState } from './queries/account.ts'
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
