import type { WriteCtx } from '#tenants/context.ts'

/** Jobs with a coach's id: `write` sends changed appointments to Google, `sync` also reads what changed there. */
export const queues = { write: 'google.write', sync: 'google.sync', email: 'google.email', revoke: 'google.revoke' }

type Queue = Pick<WriteCtx, 'coachId' | 'enqueue'>

export const requestSync = (ctx: Queue, { afterSeconds = 0 } = {}): Promise<void> =>
  ctx.enqueue(queues.sync, { coachId: ctx.coachId }, { startAfter: afterSeconds })

export const requestWrite = (ctx: Queue): Promise<void> => ctx.enqueue(queues.write, { coachId: ctx.coachId })
