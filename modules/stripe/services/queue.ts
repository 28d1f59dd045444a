import type { WriteCtx } from '#tenants/context.ts'

/** Jobs with a coach's id. `event`: applies an event, by the id of its row. */
export const queues = { event: 'stripe.event' }

type Queue = Pick<WriteCtx, 'coachId' | 'enqueue'>

export const requestEvent = ({ coachId, enqueue }: Queue, eventId: number): Promise<void> =>
  enqueue(queues.event, { coachId, eventId })
