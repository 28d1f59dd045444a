import { setTimeout as pause } from 'node:timers/promises'
import type { JobResult } from 'pg-boss'
import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'
import type { QueueSettings } from '#db/migrate.ts'
import { traceSpan } from '#db/tracing.ts'
import { extensions, modules, moduleEntities } from '#modules/registry.ts'
import { listNeeded } from '#modules/core/extensions.ts'
import type { Job, JobData } from '#modules/core/manifest.ts'
import { failExport, makeExport } from '#modules/core/practice-export/make-export.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { reminderQueue, sendClosingReminder } from '#tenants/accounts/closing.ts'
import { sendEmailChanged, sendEmailChangeLink } from '#tenants/accounts/email-change.ts'
import { sendVerificationEmail } from '#tenants/accounts/email-verification.ts'
import { sendInvitationEmail, sendResetEmail, deleteExpired } from '#tenants/accounts/jobs.ts'
import { runDomainCheck, sendDomainStopped } from '#tenants/domains/jobs.ts'
import { domainQueues } from '#tenants/domains/custom-domain.ts'
import { exportQueues, maxRunMs } from '#tenants/exports/exports.ts'
import { deleteExpiredExports, sendExportEmail } from '#tenants/exports/jobs.ts'
import { deleteExpiredUploads, deleteStoredBytes, reconcileFiles } from '#tenants/files/jobs.ts'
import { deleteQueue } from '#tenants/files/files.ts'
import type { FileKey } from '#tenants/files/store.ts'
import { sendSecurityEmail } from '#tenants/auth/security-email.ts'
import { findModuleSwitches } from '#tenants/module-switches/switches.ts'
import type { Platform } from '#tenants/platform.ts'
import { platformEntities } from '#tenants/schema.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { serializeError } from './error-serializer.ts'
import { staggerMs, watchQueues } from './watch-queues.ts'

/** A queue with more jobs than a batch is asked again immediately. The mail server may be away for eight hours. */
const emailSettings = { batchSize: 20, retryLimit: 40 }

/** `module`: that of a job which isn't the platform's. */
type OwnedJob = Omit<Job, 'keepsData'> & { module?: string; keepsData?: boolean }

const coreJobs: OwnedJob[] = [
  {
    name: 'mail.reset',
    ...emailSettings,
    run: (platform, data) => sendResetEmail(platform, { email: String(data.email) }),
  },
  {
    name: 'mail.invitation',
    ...emailSettings,
    run: (platform, data) =>
      sendInvitationEmail(platform, { coachId: Number(data.coachId), email: String(data.email) }),
  },
  {
    name: 'mail.verification',
    ...emailSettings,
    run: (platform, data) => sendVerificationEmail(platform, { coachId: Number(data.coachId) }),
  },
  {
    name: 'mail.email-change',
    ...emailSettings,
    run: (platform, data) =>
      sendEmailChangeLink(platform, { coachId: Number(data.coachId), side: data.side === 'old' ? 'old' : 'new' }),
  },
  {
    name: 'mail.email-changed',
    ...emailSettings,
    run: (platform, data) =>
      sendEmailChanged(platform, { oldEmail: String(data.oldEmail), newEmail: String(data.newEmail) }),
  },
  {
    name: 'mail.security',
    ...emailSettings,
    run: (platform, data) =>
      sendSecurityEmail(platform, { coachId: Number(data.coachId), eventId: Number(data.eventId) }),
  },
  {
    name: reminderQueue,
    ...emailSettings,
    run: (platform, data) => sendClosingReminder(platform, Number(data.coachId)),
  },
  {
    name: domainQueues.email,
    ...emailSettings,
    run: (platform, data) => sendDomainStopped(platform, { coachId: Number(data.coachId), id: Number(data.id) }),
  },
  {
    name: domainQueues.check,
    batchSize: 20,
    retryLimit: 40,
    run: (platform, data) => runDomainCheck(platform, { coachId: Number(data.coachId), at: Number(data.at) }),
  },
  {
    name: exportQueues.make,
    expireInSeconds: maxRunMs / 1000,
    run: (platform, data) => makeExport(platform, { coachId: Number(data.coachId), id: Number(data.id) }),
    giveUp: (platform, data) => failExport(platform, { coachId: Number(data.coachId), id: Number(data.id) }),
  },
  {
    name: exportQueues.email,
    ...emailSettings,
    run: (platform, data) => sendExportEmail(platform, { coachId: Number(data.coachId), id: Number(data.id) }),
  },
  {
    name: 'platform.delete-expired',
    every: '17 * * * *',
    run: (platform) => deleteExpired(platform, [...platformEntities, ...moduleEntities]),
  },
  { name: 'platform.erase-trash', every: '23 3 * * *', run: eraseTrash },
  {
    name: deleteQueue,
    batchSize: 20,
    retryLimit: 40,
    run: (platform, { key, storeId = null }) =>
      deleteStoredBytes(platform, { key: key as FileKey, storeId: storeId as string | null }),
  },
  { name: 'platform.delete-uploads', every: '47 * * * *', run: deleteExpiredUploads },
  { name: 'platform.delete-exports', every: '37 * * * *', run: deleteExpiredExports },
  {
    name: 'platform.reconcile-files',
    every: '53 3 * * *',
    run: async (platform) => void (await reconcileFiles(platform)),
  },
]

const subscriberJobs: OwnedJob[] = modules.flatMap((module) =>
  (module.subscribers ?? []).map((subscriber) => ({
    name: subscriber.name,
    module: module.id,
    keepsData: subscriber.keepsData,
    ...(subscriber.retryLimit === undefined ? {} : { retryLimit: subscriber.retryLimit }),
    run: async (platform: Platform, data: JobData) => {
      const ctx = await loadCoachContext(platform, Number(data.coachId), String(data.eventId))
      await ctx?.write((tx) => subscriber.handle(tx, data.payload))
    },
  })),
)

const moduleJobs = modules.flatMap(({ id, jobs = [] }) => jobs.map((job): OwnedJob => ({ ...job, module: id })))

const jobs: OwnedJob[] = [...coreJobs, ...subscriberJobs, ...moduleJobs]

/** The queues of all jobs; the database's owner creates them. */
export const queues: QueueSettings[] = jobs.map(({ name, retryLimit = 5, expireInSeconds = 900 }) => ({
  name,
  retryLimit,
  expireInSeconds,
}))

/** Starts the workers of each queue, and schedules the recurring jobs. */
export async function startWorkers(platform: Platform): Promise<void> {
  const workers = new Map<string, string[]>(jobs.map(({ name }) => [name, []]))
  const isStarting = ({ name, concurrency = 1 }: OwnedJob) => workers.get(name)!.length < concurrency
  for (let due = jobs; due.length; due = jobs.filter(isStarting)) {
    if (due !== jobs) await pause(staggerMs)
    for (const job of due) workers.get(job.name)!.push(await startWorker(platform, job))
  }
  watchQueues(platform, workers)
  await updateSchedules(platform)
}

function startWorker(platform: Platform, job: OwnedJob): Promise<string> {
  const { name, batchSize = 1, concurrency = 1 } = job
  return platform.boss.work(
    name,
    {
      batchSize,
      burstWhenBatchFull: true,
      // It is woken for each job. It also asks for itself, in case waking fails.
      pollingIntervalSeconds: 30,
      includeMetadata: true,
      ...(concurrency > 1 ? { groupConcurrency: 1 } : {}),
      perJobResults: true,
    },
    (entries: QueuedJob[]) => runBatch(platform, job, entries),
  )
}

type QueuedJob = { id: string; data: JobData; retryCount: number; retryLimit: number }

/** Runs the jobs of a batch, a few at once. One that fails doesn't fail the others. */
function runBatch(platform: Platform, job: OwnedJob, entries: QueuedJob[]): Promise<JobResult[]> {
  const limit = createSemaphore({ slots: 5, waiting: entries.length, busy: () => new Error('The batch is too large.') })
  return Promise.all(
    entries.map((entry) => limit(async () => ({ id: entry.id, ...(await runJob(platform, job, entry)) }))),
  )
}

async function runJob(
  platform: Platform,
  job: OwnedJob,
  { data, retryCount, retryLimit }: QueuedJob,
): Promise<Omit<JobResult, 'id'>> {
  const started = performance.now()
  try {
    await traceSpan(job.name, { kind: 'consumer', attributes: listAttributes(data) }, () =>
      runUnlessOff(platform, job, data ?? {}),
    )
    platform.log.info({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done')
    return { status: 'completed' }
  } catch (error) {
    // Don't retry a job that was rejected: it would be rejected again, unless only too much was going on at once.
    if (error instanceof AppError && error.status < 500 && error.code !== 'rate_limited') {
      platform.log.warn({ job: job.name, code: error.code }, 'job rejected')
      await giveUpJob(platform, job, data)
      return { status: 'completed' }
    }
    platform.log.error({ err: error, job: job.name }, 'job failed')
    if (retryCount >= retryLimit) await giveUpJob(platform, job, data)
    // The queue stores the output for weeks, so it gets no more detail than the log.
    return { status: 'failed', output: { message: 'The job failed.', details: serializeError(error) } }
  }
}

async function giveUpJob(platform: Platform, { name, giveUp }: OwnedJob, data: JobData): Promise<void> {
  try {
    await giveUp?.(platform, data)
  } catch (error) {
    platform.log.error({ err: error, job: name }, 'the failure of a job could not be written')
  }
}

/** The coach of a job, as in the log. */
const listAttributes = (data: JobData | null): Record<string, number> =>
  data?.coachId === undefined ? {} : { 'practice.coach': Number(data.coachId) }

/** Does nothing for a coach for whom the job's module is switched off. */
export async function runUnlessOff(platform: Platform, job: OwnedJob, data: JobData): Promise<void> {
  const { module, keepsData } = job
  if (!module || keepsData) return job.run(platform, data)
  if (data.coachId === undefined) {
    return job.run({ ...platform, neededModules: listNeeded(extensions.modules, module) }, data)
  }
  const found = await findModuleSwitches(platform, Number(data.coachId))
  if (platform.extensions.without(found?.off ?? []).modules.some(({ id }) => id === module))
    await job.run(platform, data)
}

/** Schedules are stored in the database: adds and changes those of recurring jobs, and removes those without a job. */
async function updateSchedules({ boss }: Platform): Promise<void> {
  const stored = await boss.getSchedules()
  for (const { name } of stored) if (!jobs.some((job) => job.name === name && job.every)) await boss.unschedule(name)
  // Most starts change none: writing each again would be a tenth of a warm start.
  for (const { name, every } of jobs)
    if (every && !stored.some((one) => one.name === name && one.cron === every && one.timezone === 'UTC'))
      await boss.schedule(name, every, {}, { tz: 'UTC' })
}
