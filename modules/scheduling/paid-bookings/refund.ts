import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { localDate } from '#app/lib/time.ts'
import type { OnlineSales } from '#modules/core/manifest.ts'
import { logActivity } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { formatDateTimeRange } from '../format.ts'
import { getFormerSales } from './online-sales.ts'
import { findPaidBooking, getEnd, type PaidBooking } from './paid-bookings.ts'
import type { RefundState } from './states.ts'

export const lostQueue = 'scheduling.email-lost-booking'

type Target = { coachId: number; paidBookingId: number }
type Booking = Pick<PaidBooking, 'id' | 'saleId' | 'state'>

/**
 * Sends a payment back that is due, once, also when its session has been erased. The coach sends by hand what can't go
 * back to the card.
 */
export async function refundPaidBooking(
  platform: Platform,
  { coachId, paidBookingId, saleId }: Target & { saleId: number | null },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `booking-refund-${paidBookingId}`)
  const sales = ctx && getFormerSales(ctx)
  if (!ctx || !sales) return
  const booking = await findPaidBooking(ctx, 'id', paidBookingId)
  if (!booking)
    return saleId === null ? undefined : sendBack(ctx, sales, { id: paidBookingId, saleId, state: 'booked' })
  if (booking.refundState !== 'due') return
  if (booking.state === 'booked' && (await ctx.write((tx) => dropRefundIfRestored(tx, booking)))) return
  await sendBack(ctx, sales, booking)
}

async function sendBack(ctx: Ctx, sales: OnlineSales, booking: Booking): Promise<void> {
  try {
    await ctx.write(async (tx) => {
      await sales.refund(tx, booking.saleId)
      await setRefund(tx, booking, 'sent')
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    await ctx.write((tx) => leaveToCoach(tx, sales, booking))
  }
}

/** The coach can take a cancellation back. */
async function isCancelled(ctx: Ctx, appointmentId: number): Promise<boolean> {
  const [found] = await ctx.query<{ isCancelled: boolean }>({
    name: 'scheduling.is-cancelled',
    text: `select status = 'cancelled' or deleted_at is not null as "isCancelled" from appointment
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return found?.isCancelled ?? true
}

/** Returns whether the coach took the cancellation back. By the lock, one at the same time is seen or plans anew. */
async function dropRefundIfRestored(ctx: WriteCtx, booking: PaidBooking): Promise<boolean> {
  await ctx.query({
    name: 'scheduling.lock-booking-refund',
    text: 'select id from paid_booking where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, booking.id],
  })
  if (await isCancelled(ctx, booking.appointmentId!)) return false
  await setRefund(ctx, booking, null)
  return true
}

/** Does nothing when another worker has done the job. */
async function setRefund(ctx: WriteCtx, { id, state }: Booking, refund: RefundState | null): Promise<void> {
  const [changed] = await ctx.query({
    name: 'scheduling.set-booking-refund',
    text: `update paid_booking set refund_state = $3, updated_at = $4
      where coach_id = $1 and id = $2 and refund_state = 'due' returning id`,
    values: [ctx.coachId, id, refund, ctx.now()],
  })
  if (changed && state === 'lost') await ctx.enqueue(lostQueue, { coachId: ctx.coachId, paidBookingId: id })
}

async function leaveToCoach(ctx: WriteCtx, sales: OnlineSales, booking: Booking): Promise<void> {
  await setRefund(ctx, booking, 'failed')
  const { amount, currency, buyer } = await sales.get(ctx, booking.saleId)
  await logActivity(ctx, {
    type: 'refund_failed',
    title: 'Send a payment back',
    description: [formatMoney(amount, currency), buyer?.name, 'for a session that does not take place']
      .filter(Boolean)
      .join(', '),
    clientId: null,
  })
}

/** Tells a visitor whose time could not be booked when the payment arrived. */
export async function emailLostBooking(platform: Platform, { coachId, paidBookingId }: Target): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `lost-booking-${paidBookingId}`)
  const sales = ctx && getFormerSales(ctx)
  const booking = ctx && (await findPaidBooking(ctx, 'id', paidBookingId))
  const from = await getSender(platform, coachId)
  if (!ctx || !sales || !from || booking?.state !== 'lost') return
  const { amount, currency, buyer } = await sales.get(ctx, booking.saleId)
  if (!buyer) return
  const { startTime, timezone, refundState } = booking
  const settings = { ...ctx.account, timezone }
  const when = formatDateTimeRange(startTime, getEnd(booking), settings, localDate(ctx.now(), timezone))
  const money = formatMoney(amount, currency)
  const origin = coachOrigin(platform.config, ctx.account)
  await sendEmail(
    platform.config,
    {
      to: buyer.email,
      subject: 'Your time could not be booked, and your payment goes back',
      paragraphs: [
        `Hello ${buyer.name},`,
        `${when} could not be booked when your payment arrived.`,
        refundState === 'failed'
          ? `${from.name} sends the ${money} back to you.`
          : `All of the ${money} goes back to your card. This takes 5 to 10 days, and you don’t have to do anything.`,
      ],
      button: origin ? { label: 'Choose Another Time', url: `${origin}/book` } : null,
      from,
      replyTo: ctx.account.email,
    },
    platform.now(),
  )
}
