import { AppError } from '#app/lib/errors.ts'
import type { QueueSettings } from '#db/migrate.ts'
import { modules, moduleEntities } from '#modules/registry.ts'
import type { Job, JobData } from '#modules/core/manifest.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { mailInvitation, mailReset, sweep } from '#tenants/accounts/jobs.ts'
import type { Platform } from '#tenants/platform.ts'
import { houseEntities } from '#tenants/schema.ts'
import { ctxOf } from '#tenants/accounts/accounts.ts'
import { errorLine } from './error-serializer.ts'

const houseJobs: Job[] = [
  { name: 'mail.reset', run: (platform, data) => mailReset(platform, { email: String(data.email) }) },
  {
    name: 'mail.invitation',
    run: (platform, data) => mailInvitation(platform, { coachId: Number(data.coachId), email: String(data.email) }),
  },
  {
    name: 'house.sweep',
    every: '17 * * * *',
    run: (platform) => sweep(platform, [...houseEntities, ...moduleEntities]),
  },
  { name: 'house.erase-trash', every: '23 3 * * *', run: eraseTrash },
]

const subscriberJobs: Job[] = modules.flatMap((module) =>
  (module.subscribers ?? [])
    .filter(({ when }) => when === 'after')
    .map((subscriber) => ({
      name: subscriber.name,
      run: async (platform: Platform, data: JobData) => {
        const ctx = await ctxOf(platform, Number(data.coachId), String(data.eventId))
        await ctx?.write((tx) => subscriber.handle(tx, data.payload))
      },
    })),
)

const jobs: Job[] = [...houseJobs, ...subscriberJobs, ...modules.flatMap((module) => module.jobs ?? [])]

/** Every queue, for the owner to make. */
export const queues: QueueSettings[] = jobs.map(({ name }) => ({ name }))

/** Works the queues of all modules, and starts those jobs that run by the clock. */
export async function workJobs(platform: Platform): Promise<void> {
  for (const job of jobs) {
    await platform.boss.work<JobData>(job.name, { batchSize: 1, pollingIntervalSeconds: 1 }, async ([entry]) => {
      const started = performance.now()
      try {
        await job.run(platform, entry?.data ?? {})
        platform.log.info({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done')
      } catch (error) {
        // What was refused now is refused the next time too.
        if (error instanceof AppError && error.status < 500)
          platform.log.warn({ job: job.name, code: error.code }, 'job refused')
        else {
          platform.log.error({ err: error, job: job.name }, 'job failed')
          // The queue keeps what is thrown for weeks, beside all practices: as little of it as the log.
          throw Object.assign(new Error('The job failed.'), { why: errorLine(error) })
        }
      }
    })
    if (job.every) await platform.boss.schedule(job.name, job.every, {}, { tz: 'UTC' })
  }
}
