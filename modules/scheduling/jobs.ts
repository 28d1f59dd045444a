import type { Job } from '#modules/core/manifest.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { messageQueue } from './messages/plan.ts'
import { replanMessages, replanQueue } from './messages/replan.ts'
import { sendMessage } from './messages/send.ts'
import { sendTestMessage, testQueue } from './messages/send-test.ts'
import { endPaidBooking, endQueue, forgetPaidBookings } from './paid-bookings/paid-bookings.ts'
import { emailLostBooking, lostQueue, refundPaidBooking } from './paid-bookings/refund.ts'
import { refundQueue } from './paid-bookings/refund-plan.ts'
import { deleteExpiredHolds } from './services/bookings.ts'

export const jobs: Job[] = [
  { name: 'scheduling.expire-holds', every: '7 * * * *', keepsData: true, run: expireHolds },
  {
    name: messageQueue,
    kind: 'email',
    batchSize: 20,
    // The mail server may be away for eight hours.
    retryLimit: 40,
    run: (platform, { coachId, messageId }) => sendMessage(platform, Number(coachId), Number(messageId)),
  },
  {
    name: endQueue,
    keepsData: true,
    run: async (platform, { coachId, paidBookingId }) => {
      const ctx = await loadCoachContext(platform, Number(coachId), 'end-paid-booking')
      await ctx?.write((tx) => endPaidBooking(tx, Number(paidBookingId)))
    },
  },
  {
    name: refundQueue,
    keepsData: true,
    retryLimit: 40,
    run: (platform, { coachId, paidBookingId, saleId }) =>
      refundPaidBooking(platform, {
        coachId: Number(coachId),
        paidBookingId: Number(paidBookingId),
        saleId: Number(saleId) || null,
      }),
  },
  {
    name: lostQueue,
    kind: 'email',
    retryLimit: 40,
    run: (platform, { coachId, paidBookingId }) =>
      emailLostBooking(platform, { coachId: Number(coachId), paidBookingId: Number(paidBookingId) }),
  },
  { name: replanQueue, run: (platform, { coachId }) => replanMessages(platform, Number(coachId)) },
  {
    name: testQueue,
    kind: 'email',
    run: (platform, { coachId, kind, appointmentId }) =>
      sendTestMessage(platform, Number(coachId), { kind: String(kind), appointmentId: Number(appointmentId) || null }),
  },
]

/** Bookings delete expired holds too: this is for coaches without any. */
export async function expireHolds(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id: coachId }) =>
    withTenant(platform, coachId, async (tx) => {
      const ctx = { ...tx, coachId, now: platform.now }
      await deleteExpiredHolds(ctx)
      await forgetPaidBookings(ctx)
    }),
  )
}
