import { formatMoney } from '#app/lib/money.ts'
import type { Ctx } from '#tenants/context.ts'
import type { RefundRule } from '../booking-fields.ts'
import { formatMinutes } from '../format.ts'
import { getFormerSales } from './online-sales.ts'
import { findPaidBooking } from './paid-bookings.ts'
import type { RefundState } from './states.ts'

/** The rule that a visitor reads before paying. `notice`: minutes before the start until which it can be cancelled. */
export function describeRefundRule(rule: RefundRule, notice: number | null): string {
  if (rule === 'manual') return 'If you cancel, ask whether your payment goes back: it doesn’t by itself.'
  const until = notice ? `at least ${formatMinutes(notice)} before it begins` : 'before it begins'
  return `If you cancel ${until}, all of your payment goes back to your card.`
}

export type BookingPayment = { amount: string; refund: RefundRule; refundState: RefundState | null }

/** The payment of an appointment that was paid when it was booked; null for others. */
export async function findBookingPayment(ctx: Ctx, appointmentId: number): Promise<BookingPayment | null> {
  const booking = await findPaidBooking(ctx, 'appointment_id', appointmentId)
  const sales = getFormerSales(ctx)
  if (!booking || !sales) return null
  const { amount, currency } = await sales.get(ctx, booking.saleId)
  return { amount: formatMoney(amount, currency), refund: booking.refund, refundState: booking.refundState }
}

/** For the coach. */
export const describeBookingPayment = ({ amount, refundState }: BookingPayment): string =>
  refundState === null ? amount : `${amount}, ${refundTexts[refundState]}`

const refundTexts = {
  due: 'going back to the client',
  sent: 'sent back to the client',
  failed: 'to be sent back to the client by hand',
}
