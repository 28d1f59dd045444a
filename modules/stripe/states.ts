/** Whether an account takes card payments, in Stripe's words. */
export const cardPaymentStates = ['active', 'pending', 'restricted', 'unsupported'] as const
export type CardPaymentState = (typeof cardPaymentStates)[number]
