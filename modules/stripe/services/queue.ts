import type { WriteCtx } from '#tenants/context.ts'

/**
 * Jobs with a coach's id. `event`: applies an event. `refund`: sends money back. `expire`: closes a payment page. Each
 * by the id of its row.
 */
export const queues = { event: 'stripe.event', refund: 'stripe.refund', expire: 'stripe.expire' }

type Queue = Pick<WriteCtx, 'coachId' | 'enqueue'>

export const requestEvent = ({ coachId, enqueue }: Queue, eventId: number): Promise<void> =>
  enqueue(queues.event, { coachId, eventId })

export const requestRefund = ({ coachId, enqueue }: Queue, refundRowId: number): Promise<void> =>
  enqueue(queues.refund, { coachId, refundRowId })

export const requestExpiry = ({ coachId, enqueue }: Queue, checkoutId: number): Promise<void> =>
  enqueue(queues.expire, { coachId, checkoutId })
