import type { Ctx, WriteCtx } from '#tenants/context.ts'

export const queues = { run: 'automations.run', email: 'automations.email' }

type RunQueue = Pick<WriteCtx, 'enqueueAll'> & Pick<Ctx, 'coachId'>

/** The runs of one coach are made one after the other in a process, so that those of others don't wait. */
export const enqueueRuns = ({ coachId, enqueueAll }: RunQueue, runIds: number[]): Promise<void> =>
  enqueueAll(
    queues.run,
    runIds.map((runId) => ({ data: { coachId, runId }, group: { id: String(coachId) } })),
  )
