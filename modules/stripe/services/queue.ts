import type { WriteCtx } from '#tenants/context.ts'

/**
 * Jobs with a coach's id. `plan`: compares the coach's own plan with Stripe. By the id of their row: `event` applies an
 * event, `refund` sends money back, `expire` closes a payment page.
 */
export const queues = { plan: 'stripe.plan', event: 'stripe.event', refund: 'stripe.refund', expire: 'stripe.expire' }

type Queue = Pick<WriteCtx, 'coachId' | 'enqueue'>

export const requestEvent = ({ coachId, enqueue }: Queue, eventId: number): Promise<void> =>
  enqueue(queues.event, { coachId, eventId })

export const requestRefund = ({ coachId, enqueue }: Queue, refundRowId: number): Promise<void> =>
  enqueue(queues.refund, { coachId, refundRowId })

export const requestExpiry = ({ coachId, enqueue }: Queue, checkoutId: number): Promise<void> =>
  enqueue(queues.expire, { coachId, checkoutId })

/** The plan of a closed account is cancelled, so that it is not charged again. */
export const requestPlanSync = ({ coachId, enqueue }: Queue): Promise<void> => enqueue(queues.plan, { coachId })
