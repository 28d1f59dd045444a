import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx } from '#tenants/context.ts'
import { listFailedJobs, listQueuedJobs, type FailedJob } from '#tenants/job-queue.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { JobFilter } from '../fields.ts'

/** The jobs of a queue that wait, run and have failed. `overdue`: seconds that the oldest has waited. */
export type QueueCounts = { queue: string; waiting: number; running: number; failed: number; overdue: number }

/** The queues that have such jobs. */
export async function listQueues(ctx: Ctx, kind: JobFilter): Promise<QueueCounts[]> {
  authorizeAdmin(ctx, 'admin:job:read')
  const jobs = await listQueuedJobs(ctx.platform.readPool)
  return [...Map.groupBy(jobs, ({ name }) => name)]
    .filter(([name]) => kind === 'all' || getKind(ctx, name) === kind)
    .map(([queue, states]) => {
      const sum = (...named: string[]) =>
        states.filter(({ state }) => named.includes(state)).reduce((total, { count }) => total + count, 0)
      return {
        queue,
        waiting: sum('created', 'retry'),
        running: sum('active'),
        failed: sum('failed'),
        overdue: Math.max(0, ...states.map(({ overdue }) => overdue ?? 0)),
      }
    })
}

/** `coachEmail`: null without a coach, or for one who was removed. */
export type FailedJobOverview = FailedJob & { coachEmail: string | null }

/** A page of the jobs of which an attempt has failed, newest first. */
export async function listFailures(
  ctx: Ctx,
  kind: JobFilter,
  page: { rows: number; skip: number },
): Promise<FailedJobOverview[]> {
  authorizeAdmin(ctx, 'admin:job:read')
  const jobs = await listFailedJobs(ctx.platform.readPool, { queues: await listQueueNames(ctx, kind), ...page })
  const ids = new Set(jobs.flatMap(({ coachId }) => coachId ?? []))
  const emails = new Map(await Promise.all([...ids].map(async (id) => [id, await findEmail(ctx, id)] as const)))
  return jobs.map((job) => ({ ...job, coachEmail: (job.coachId && emails.get(job.coachId)) || null }))
}

async function findEmail({ platform, requestId }: Ctx, coachId: number): Promise<string | null> {
  const coach = await loadCoachContext(platform, coachId, requestId)
  return coach?.account.email ?? null
}

/** The queues of a kind; null: all. */
export async function listQueueNames(ctx: Ctx, kind: JobFilter): Promise<string[] | null> {
  if (kind === 'all') return null
  const queues = await ctx.platform.boss.getQueues()
  return queues.map(({ name }) => name).filter((name) => getKind(ctx, name) === kind)
}

/** The emails of the platform itself are in queues that begin with `mail.`. */
const getKind = ({ platform }: Ctx, queue: string): JobFilter =>
  queue.startsWith('mail.') ? 'email' : (platform.extensions.jobs.find(({ name }) => name === queue)?.kind ?? 'all')
