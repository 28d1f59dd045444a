import type { Platform } from '#tenants/platform.ts'

/** The queues of $1 that have a job to run now. Conditions as in pg-boss' own statement. */
const dueQueues = `
select name from unnest($1::text[]) as queue (name)
 where exists (
   select 1 from pgboss.job j
    where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= pgboss.job_now())`

/**
 * Between starting and waking two workers of a queue: if they asked at the same moment, both would begin jobs of one
 * group.
 */
export const staggerMs = 100
/** For a statement on a connection that has been cut. */
const maxAskMs = 10_000

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
      // On the connections of the queue: while requests use up theirs, emails are still sent.
      const due = boss.getDb().executeSql(dueQueues, [[...workers.keys()]])
      const { rows } = await Promise.race([due, failLate()])
      for (const { name } of rows) wake(name)
    } catch (error) {
      boss.emit('error', error as Error)
    } finally {
      isAsking = false
    }
  }
  const wake = (name: string) =>
    workers.get(name)?.forEach((id, index) => setTimeout(() => boss.notifyWorker(id), index * staggerMs).unref())
  const timer = setInterval(() => void ask(), 1_000)
  timer.unref()
  boss.once('stopped', () => clearInterval(timer))
}

function failLate(): Promise<never> {
  const error = new Error('The database did not say in time which queues have jobs.')
  return new Promise((_, reject) => setTimeout(() => reject(error), maxAskMs).unref())
}
