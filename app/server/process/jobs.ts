import { AppError } from '#app/lib/errors.ts'
import type { QueueSettings } from '#db/migrate.ts'
import { modules, moduleEntities } from '#modules/registry.ts'
import type { Job, JobData } from '#modules/core/manifest.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { sendInvitationEmail, sendResetEmail, deleteExpired } from '#tenants/accounts/jobs.ts'
import type { Platform } from '#tenants/platform.ts'
import { platformEntities } from '#tenants/schema.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { serializeError } from './error-serializer.ts'

const coreJobs: Job[] = [
  { name: 'mail.reset', run: (platform, data) => sendResetEmail(platform, { email: String(data.email) }) },
  {
    name: 'mail.invitation',
    run: (platform, data) =>
      sendInvitationEmail(platform, { coachId: Number(data.coachId), email: String(data.email) }),
  },
  {
    name: 'platform.delete-expired',
    every: '17 * * * *',
    run: (platform) => deleteExpired(platform, [...platformEntities, ...moduleEntities]),
  },
  { name: 'platform.erase-trash', every: '23 3 * * *', run: eraseTrash },
]

const subscriberJobs: Job[] = modules.flatMap((module) =>
  (module.subscribers ?? []).map((subscriber) => ({
    name: subscriber.name,
    run: async (platform: Platform, data: JobData) => {
      const ctx = await loadCoachContext(platform, Number(data.coachId), String(data.eventId))
      await ctx?.write((tx) => subscriber.handle(tx, data.payload))
    },
  })),
)

const jobs: Job[] = [...coreJobs, ...subscriberJobs, ...modules.flatMap((module) => module.jobs ?? [])]

/** The queues of all jobs; the database's owner creates them. */
export const queues: QueueSettings[] = jobs.map(({ name }) => ({ name }))

/** Starts a worker for each queue, and schedules the recurring jobs. */
export async function startWorkers(platform: Platform): Promise<void> {
  for (const job of jobs) {
    await platform.boss.work<JobData>(job.name, { batchSize: 1, pollingIntervalSeconds: 1 }, async ([entry]) => {
      const started = performance.now()
      try {
        await job.run(platform, entry?.data ?? {})
        platform.log.info({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done')
      } catch (error) {
        // Don't retry a job that was rejected: it would be rejected again.
        if (error instanceof AppError && error.status < 500)
          platform.log.warn({ job: job.name, code: error.code }, 'job rejected')
        else {
          platform.log.error({ err: error, job: job.name }, 'job failed')
          // The queue stores the thrown error for weeks, so it gets no more detail than the log.
          throw Object.assign(new Error('The job failed.'), { details: serializeError(error) })
        }
      }
    })
    if (job.every) await platform.boss.schedule(job.name, job.every, {}, { tz: 'UTC' })
  }
  await removeOldSchedules(platform)
}

/** Schedules are stored in the database: remove those of jobs that no longer exist. */
async function removeOldSchedules({ boss }: Platform): Promise<void> {
  for (const { name } of await boss.getSchedules())
    if (!jobs.some((job) => job.name === name && job.every)) await boss.unschedule(name)
}
