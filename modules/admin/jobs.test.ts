import { beforeAll, describe, expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { listAuditLog } from './queries/audit-log.ts'
import { listFailures, listQueues } from './queries/jobs.ts'
import { retryJob, retryJobs } from './services/jobs.ts'

const app = createTestApp()
// Modules with webhooks may be missing.
const webhookQueue = modules.flatMap(({ jobs = [] }) => jobs).find(({ kind }) => kind === 'webhook')!.name
let admin: Coach
let coach: Coach
beforeAll(async () => {
  admin = await createCoach({ isAdmin: true })
  coach = await createCoach()
})

/** Adds a job of which an attempt fails; without `retries` it was the last. */
async function addFailedJob(queue: string, { retries = 0, coachId = coach.id } = {}): Promise<string> {
  const { boss } = app.platform
  const id = (await boss.send(queue, { coachId }, { retryLimit: retries, retryDelay: 3600 }))!
  await boss.fetch(queue, { batchSize: 100 })
  await boss.fail(queue, id, {
    message: 'The job failed.',
    details: { type: 'Error', message: 'connect ECONNREFUSED' },
  })
  return id
}

const list = async (kind: 'all' | 'email' | 'webhook') =>
  listFailures(await contextFor(admin), kind, { rows: 100, skip: 0 })

describe('the list of failed jobs', () => {
  test('names the queue, the coach, the attempts and the reason, by kind', async () => {
    const receipt = await addFailedJob('billing.email-receipt')
    const reset = await addFailedJob('mail.reset', { retries: 3 })
    const event = await addFailedJob(webhookQueue)
    const export_ = await addFailedJob('platform.make-export', { coachId: 8_999_999 })
    const emails = await list('email')
    expect(
      emails.map(({ id, state, coachEmail, attempts, maxAttempts, problem }) => ({
        id,
        state,
        coachEmail,
        attempts: [attempts, maxAttempts],
        problem,
      })),
    ).toEqual([
      { id: reset, state: 'retry', coachEmail: coach.email, attempts: [1, 4], problem: 'connect ECONNREFUSED' },
      { id: receipt, state: 'failed', coachEmail: coach.email, attempts: [1, 1], problem: 'connect ECONNREFUSED' },
    ])
    expect((await list('webhook')).map(({ id }) => id)).toEqual([event])
    const all = await list('all')
    expect(all.map(({ id }) => id)).toEqual([export_, event, reset, receipt])
    expect(all[0]).toMatchObject({ queue: 'platform.make-export', coachEmail: null })
    const queues = await listQueues(await contextFor(admin), 'email')
    expect(queues.find(({ queue }) => queue === 'billing.email-receipt')).toMatchObject({ waiting: 0, failed: 1 })
    expect(queues.find(({ queue }) => queue === 'mail.reset')).toMatchObject({ waiting: 1, failed: 0, overdue: 0 })
  })

  test('is only for administrators, as is running a job again', async () => {
    const ctx = await contextFor(coach)
    await expect(listQueues(ctx, 'all')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(listFailures(ctx, 'all', { rows: 1, skip: 0 })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(inTenant(coach, (tx) => retryJobs(tx, 'all'))).rejects.toMatchObject({ code: 'forbidden' })
    const { id } = (await list('webhook'))[0]!
    await expect(inTenant(coach, (tx) => retryJob(tx, id))).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a failed job', () => {
  const getState = async (queue: string, id: string) => (await app.platform.boss.findJobs(queue, { id }))[0]!.state

  test('runs again once, even when clicked five times at once, and the audit log says so', async () => {
    const id = await addFailedJob('scheduling.send-message')
    const clicks = await concurrently(5, () => inTenant(admin, (tx) => retryJob(tx, id)))
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await getState('scheduling.send-message', id)).toBe('retry')
    await expect(inTenant(admin, (tx) => retryJob(tx, id))).rejects.toMatchObject({ code: 'conflict' })
    const entries = await listAuditLog(await contextFor(admin))
    expect(entries.filter(({ after }) => after?.jobs === 'Scheduling: send message')).toHaveLength(1)
  })

  test('runs again with all others of its kind', async () => {
    const [email, webhook] = [await addFailedJob('tasks.remind'), await addFailedJob('zoom.event')]
    const count = await inTenant(admin, (tx) => retryJobs(tx, 'email'))
    expect(count).toBeGreaterThan(0)
    expect([await getState('tasks.remind', email), await getState('zoom.event', webhook)]).toEqual(['retry', 'failed'])
    await expect(inTenant(admin, (tx) => retryJobs(tx, 'email'))).rejects.toMatchObject({ code: 'conflict' })
  })
})
