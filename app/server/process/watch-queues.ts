import type { Platform } from '#tenants/platform.ts'

/** The queues of $1 that have a job to run now. Conditions as in pg-boss' own statement. */
const dueQueues = `
select name from unnest($1::text[]) as queue (name)
 where exists (
   select from pgboss.job j
    where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= pgboss.job_now())`

/**
 * Wakes the workers of queues with jobs to run; `workers` has the ids for each queue. One statement a second asks for
 * all queues. If each of the hundred workers asked for itself, a product that does nothing would be busy with it.
 */
export function watchQueues({ boss }: Platform, workers: Map<string, string[]>): void {
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      const { rows } = await boss.getDb().executeSql(dueQueues, [[...workers.keys()]])
      for (const { name } of rows) for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
    } catch (error) {
      boss.emit('error', error as Error)
    }
    isAsking = false
  }
  const timer = setInterval(() => void ask(), 1_000)
  timer.unref()
  boss.once('stopped', () => clearInterval(timer))
}
