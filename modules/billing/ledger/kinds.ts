/**
 * `correction`: what was booked by mistake, above or below 0. `dispute`: a card payment that the client's bank took
 * back.
 */
export const ledgerKinds = ['payment', 'refund', 'correction', 'dispute'] as const
export type LedgerKind = (typeof ledgerKinds)[number]
