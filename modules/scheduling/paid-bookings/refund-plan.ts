import type { WriteCtx } from '#tenants/context.ts'

export const refundQueue = 'scheduling.refund-booking'

/** Seconds in which the coach can take a cancellation back. */
const undoSeconds = 60

/**
 * Plans the refund of a cancelled session. `promised`: its attendee cancelled in time. `declined`: it was a request
 * that the coach had not confirmed, so all of it goes back, unless the coach takes it back.
 */
export async function planBookingRefund(
  ctx: WriteCtx,
  appointmentId: number,
  why: 'promised' | 'declined',
): Promise<void> {
  const [due] = await ctx.query<{ id: number; saleId: number }>({
    name: 'scheduling.plan-booking-refund',
    text: `update paid_booking set refund_state = 'due', updated_at = $4
      where coach_id = $1 and appointment_id = $2 and (refund_state is null or refund_state = 'due')
        and ($3 or refund = 'automatic')
      returning id, sale_id as "saleId"`,
    values: [ctx.coachId, appointmentId, why === 'declined', ctx.now()],
  })
  if (!due) return
  const startAfter = why === 'declined' ? { startAfter: undoSeconds } : {}
  await ctx.enqueue(refundQueue, { coachId: ctx.coachId, paidBookingId: due.id, saleId: due.saleId }, startAfter)
}

/** Stripe or the bank has refused it: the coach sends the money back by hand. */
export async function failBookingRefund(ctx: WriteCtx, { saleId }: { saleId: number }): Promise<void> {
  await ctx.query({
    name: 'scheduling.fail-booking-refund',
    text: `update paid_booking set refund_state = 'failed', updated_at = $3
      where coach_id = $1 and sale_id = $2 and refund_state = 'sent'`,
    values: [ctx.coachId, saleId, ctx.now()],
  })
}
