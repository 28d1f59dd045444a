import type { WriteCtx } from '#tenants/context.ts'

/** Jobs with a coach's id. `check`: looks whether the connection works. `event`: applies an event of Zoom. */
export const queues = { check: 'zoom.check', event: 'zoom.event', email: 'zoom.email', revoke: 'zoom.revoke' }

type Queue = Pick<WriteCtx, 'coachId' | 'enqueue'>

export const requestCheck = (ctx: Queue, { afterSeconds = 0 } = {}): Promise<void> =>
  ctx.enqueue(queues.check, { coachId: ctx.coachId }, { startAfter: afterSeconds })

export const requestEvent = ({ coachId, enqueue }: Queue, eventId: number): Promise<void> =>
  enqueue(queues.event, { coachId, eventId })
