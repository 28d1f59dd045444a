import { isoTimestamp, type ReadPool } from '#db/read-pool.ts'
import type { TenantTransaction } from './platform.ts'

/** Jobs of a queue in one state. `overdue`: seconds that the oldest one has waited; null unless they wait. */
export type QueuedJobs = { name: string; state: JobState; count: number; overdue: number | null }
/** Waiting for the first attempt or the next one, running, or failed permanently. */
export type JobState = 'created' | 'retry' | 'active' | 'failed'

/** Jobs that wait, run or have failed permanently, which the queue keeps for weeks. */
export const listQueuedJobs = (readPool: ReadPool): Promise<QueuedJobs[]> =>
  readPool.queryGlobal<QueuedJobs>({
    name: 'job-queue.counts',
    text: `select name, state::text as state, count(*)::int as count,
        case when state in ('created', 'retry')
          then greatest(0, extract(epoch from now() - min(start_after)))::float8 end as overdue
      from pgboss.job where state in ('created', 'retry', 'active', 'failed') and name !~ '^__'
      group by name, state order by name, state`,
  })

/**
 * A job of which an attempt has failed. `at`: of the last failure, or of the next attempt while it is retried. `problem`:
 * from the log, without personal data.
 */
export type FailedJob = {
  id: string
  queue: string
  state: 'failed' | 'retry'
  coachId: number | null
  attempts: number
  maxAttempts: number
  createdAt: string
  at: string
  problem: string | null
}

/** The jobs of some queues, or of all, of which an attempt has failed, newest first. */
export const listFailedJobs = (
  readPool: ReadPool,
  { queues, rows, skip = 0 }: { queues: string[] | null; rows: number; skip?: number },
): Promise<FailedJob[]> =>
  readPool.queryGlobal<FailedJob>(
    {
      name: 'job-queue.failed',
      text: `select id, name as queue, state::text as state, (data ->> 'coachId')::bigint as "coachId",
          retry_count + 1 as attempts, retry_limit + 1 as "maxAttempts",
          ${isoTimestamp('created_on')} as "createdAt",
          ${isoTimestamp(`case state when 'failed' then completed_on else start_after end`)} as at,
          concat_ws(': ', nullif(output #>> '{details,type}', 'Error'),
            coalesce(output #>> '{details,message}', output #>> '{details,code}', output ->> 'message')) as problem
        from pgboss.job where ($1::text[] is null or name = any($1)) and name !~ '^__' and state in ('failed', 'retry')
        order by created_on desc, id desc limit $2 offset $3`,
      values: [queues, rows, skip],
    },
    { alone: true },
  )

/** Locks the failed ones of some jobs, or all failed jobs of some queues, at most `max`: for `retryJobs`. */
export const lockFailedJobs = (
  tx: Pick<TenantTransaction, 'query'>,
  { id = null, queues = null, max = 1 }: { id?: string | null; queues?: string[] | null; max?: number },
): Promise<{ id: string; queue: string }[]> =>
  tx.query({
    name: 'job-queue.lock-failed',
    text: `select id, name as queue from pgboss.job
      where state = 'failed' and ($1::uuid is null or id = $1) and ($2::text[] is null or name = any($2))
        and name !~ '^__' order by created_on, id limit $3 for update skip locked`,
    values: [id, queues, max],
  })
