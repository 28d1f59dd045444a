import type { PlaceChoice } from '../booking/places.ts'
import type { Answer } from '../booking-fields.ts'

/**
 * `open`: the visitor pays. `released`: not paid in time, or given up. `lost`: paid when it could no longer be booked,
 * so the money goes back.
 */
export const paidBookingStates = ['open', 'released', 'booked', 'lost'] as const
export type PaidBookingState = (typeof paidBookingStates)[number]

/** The refund of the whole payment. `failed`: the coach has to send it back by hand. */
export const refundStates = ['due', 'sent', 'failed'] as const
export type RefundState = (typeof refundStates)[number]

/** The visitor's own texts and choices. */
export type BookingDetails = { phone: string; place: PlaceChoice | null; notes: string | null; answers: Answer[] }
