import type { WriteCtx } from '#tenants/context.ts'

/**
 * Jobs with a coach's id. `offer`: emails the link of a subscription. `failure`: tells the client of a charge that
 * failed.
 */
export const subscriptionQueues = { offer: 'stripe.email-offer', failure: 'stripe.email-failure' }

type Queue = Pick<WriteCtx, 'coachId' | 'enqueue'>

export const requestOfferEmail = ({ coachId, enqueue }: Queue, subscriptionId: number): Promise<void> =>
  enqueue(subscriptionQueues.offer, { coachId, subscriptionId })

export const requestFailureEmail = ({ coachId, enqueue }: Queue, chargeRowId: number): Promise<void> =>
  enqueue(subscriptionQueues.failure, { coachId, chargeRowId })
