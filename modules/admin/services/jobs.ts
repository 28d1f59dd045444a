import { AppError } from '#app/lib/errors.ts'
import { writeAsTenant, type WriteCtx } from '#tenants/context.ts'
import { lockFailedJobs } from '#tenants/job-queue.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import { jobKinds, type JobFilter } from '../fields.ts'
import { formatQueue } from '../format.ts'
import { coachNotFound } from '../output.ts'
import { findCoach } from '../queries/coaches.ts'
import { listQueueNames } from '../queries/jobs.ts'
import { recordAction } from './audit-log.ts'

/** Runs a failed job once more. Throws conflict for one that no longer is. */
export async function retryJob(ctx: WriteCtx, id: string): Promise<void> {
  authorizeAdmin(ctx, 'admin:job:write')
  const [job] = await lockFailedJobs(ctx, { id })
  if (!job) throw new AppError('conflict', 'This job is no longer failed. Reload the page to see its state.')
  await ctx.retryJobs(job.queue, [job.id])
  recordAction(ctx, 'jobs_retried', { target: null, after: { jobs: formatQueue(job.queue) } })
}

/** The most jobs that one click runs. */
const maxJobs = 1000

/** Runs the failed jobs once more, the oldest first, at most 1,000. Returns how many. Throws conflict if there are none. */
export async function retryJobs(ctx: WriteCtx, kind: JobFilter): Promise<number> {
  authorizeAdmin(ctx, 'admin:job:write')
  const jobs = await lockFailedJobs(ctx, { queues: await listQueueNames(ctx, kind), max: maxJobs })
  if (!jobs.length) throw new AppError('conflict', 'There are no failed jobs.')
  for (const [queue, own] of Map.groupBy(jobs, (job) => job.queue))
    await ctx.retryJobs(
      queue,
      own.map(({ id }) => id),
    )
  recordAction(ctx, 'jobs_retried', {
    target: null,
    after: { jobs: `${jobKinds[kind]}: ${jobs.length.toLocaleString('en-US')}` },
  })
  return jobs.length
}

/** Sends a failed webhook delivery of a coach once more. Throws not_found, and conflict for one that no longer is failed. */
export async function retryDelivery(ctx: WriteCtx, { coachId, id }: { coachId: number; id: number }): Promise<void> {
  authorizeAdmin(ctx, 'admin:job:write')
  const { platform } = ctx
  const target = await findCoach(ctx, coachId)
  if (!target || !platform.extensions.deliveryLog) throw coachNotFound()
  const { retry } = platform.extensions.deliveryLog
  const delivery = await writeAsTenant(ctx, coachId, (tx) => retry(tx, { platform, coachId, id }))
  recordAction(ctx, 'delivery_retried', { target, after: { delivery } })
}
