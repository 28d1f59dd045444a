/** Whether an account takes card payments, as Stripe names it. */
export const cardPaymentStates = ['active', 'pending', 'restricted', 'unsupported'] as const
export type CardPaymentState = (typeof cardPaymentStates)[number]

/** Why Stripe could not be asked about an account. */
export const accountErrors = ['busy', 'down', 'refused'] as const
export type AccountError = (typeof accountErrors)[number]

/**
 * `replaced`: it is to be closed, because the amount has changed. `processing`: the client has agreed to a bank debit,
 * which takes days.
 */
export const checkoutStates = ['open', 'replaced', 'processing', 'paid', 'failed', 'expired'] as const
export type CheckoutState = (typeof checkoutStates)[number]

/** `pending`: not known yet. `failed`: the money stays, or has come back. */
export const refundStates = ['pending', 'succeeded', 'failed'] as const
export type RefundState = (typeof refundStates)[number]
