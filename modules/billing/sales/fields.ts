import type { Fields } from '#app/lib/fields.ts'

/**
 * `page`: a visitor chose it on the public page. `link`: the coach offered it to a client. `booking`: it was paid while
 * booking.
 */
export const saleSources = ['page', 'link', 'booking'] as const
export type SaleSource = (typeof saleSources)[number]

export const saleStates = ['open', 'paid', 'withdrawn'] as const
export type SaleState = (typeof saleStates)[number]

/** The form of a visitor who buys. Plain data: the page uses it too. */
export const buyerFields = {
  name: { kind: 'line', label: 'Name', required: 'Enter your name' },
  email: { kind: 'email', label: 'Email', required: 'Enter your email address' },
} as const satisfies Fields
