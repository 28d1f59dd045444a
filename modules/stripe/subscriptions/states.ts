/**
 * `offered`: the client hasn't begun. `past_due`: a payment has failed, Stripe tries again. `unpaid`: Stripe has
 * stopped trying.
 * `completed`: all parts are paid. `withdrawn`: cancelled before the client began.
 */
export const subscriptionStates = [
  'offered',
  'active',
  'paused',
  'past_due',
  'unpaid',
  'completed',
  'cancelled',
  'withdrawn',
] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

export const stateLabels: Record<SubscriptionState, string> = {
  offered: 'Offered',
  active: 'Active',
  paused: 'Paused',
  past_due: 'Payment failed',
  unpaid: 'Unpaid',
  completed: 'Completed',
  cancelled: 'Cancelled',
  withdrawn: 'Withdrawn',
}

/** `failed`: not paid yet. `paid`: it is booked. `void`: nobody will pay it. */
export const chargeStates = ['failed', 'paid', 'void'] as const
export type ChargeState = (typeof chargeStates)[number]
export const chargeLabels: Record<ChargeState, string> = { failed: 'Failed', paid: 'Paid', void: 'Void' }

export const subscriptionKinds = ['installment', 'recurring'] as const
export type SubscriptionKind = (typeof subscriptionKinds)[number]
export const kindLabels: Record<SubscriptionKind, string> = { installment: 'Installments', recurring: 'Recurring' }

export const frequencies = ['weekly', 'monthly'] as const
export type Frequency = (typeof frequencies)[number]
export const frequencyLabels: Record<Frequency, string> = { weekly: 'Weekly', monthly: 'Monthly' }
