import { expect, test } from 'vitest'
import { listOutbox } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { testConfig } from '#tests/support/config.ts'
import { createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewTask } from '../forms.ts'
import { planReminders, reminderQueue, sendReminders } from './reminders.ts'
import { completeTask, createTask, updateTask } from './tasks.ts'

const app = createTestApp()

const create = (coach: Coach, fields: object) =>
  at('2026-03-09T12:00:00Z', () =>
    inTenant(coach, (ctx) => createTask(ctx, NewTask.parse({ title: 'Call', dueDate: '2026-03-11', ...fields }))),
  )

/** Runs `work` as if it were `time`. */
async function at<T>(time: string, work: () => Promise<T>): Promise<T> {
  const before = app.clock.now
  app.clock.now = new Date(time)
  try {
    return await work()
  } finally {
    app.clock.now = before
  }
}

/** Whether the hourly job puts the coach into the queue. */
async function isPlanned({ id }: Coach): Promise<boolean> {
  await app.platform.boss.deleteQueuedJobs(reminderQueue)
  await planReminders(app.platform)
  const jobs = await app.platform.boss.fetch<{ coachId: number }>(reminderQueue, { batchSize: 1000 })
  return jobs.some(({ data }) => data.coachId === id)
}

const send = ({ id }: Coach, platform: Platform = app.platform): Promise<void> =>
  sendReminders(platform, { coachId: id })

const listReminders = async ({ email }: Coach) =>
  (await listOutbox(app.platform.config, 100)).filter(
    ({ to, subject }) => to === email && /tasks? (is|are) due/.test(subject),
  )

test('the coach gets one email about what is due, on the day and by day, however many workers try', async () => {
  const coach = await createCoach({ timezone: 'UTC' })
  const client = await createClient({ coach, name: 'Grace Hopper' })
  await create(coach, { title: 'Send the plan' })
  await create(coach, {
    title: 'Write a letter',
    owner: 'client',
    clientId: client.id,
    dueDate: '2026-03-12',
    reminder: 'before',
  })
  await create(coach, { title: 'No reminder', reminder: 'none' })
  const done = await create(coach, { title: 'Done before' })
  await inTenant(coach, (ctx) => completeTask(ctx, done.id))
  expect(await at('2026-03-10T12:00:00Z', () => isPlanned(coach))).toBe(false)
  expect(await at('2026-03-11T07:59:00Z', () => isPlanned(coach))).toBe(false)
  await at('2026-03-11T08:03:00Z', async () => {
    expect(await isPlanned(coach)).toBe(true)
    await Promise.all(Array.from({ length: 5 }, () => send(coach)))
    expect(await isPlanned(coach)).toBe(false)
  })
  const [email, ...others] = await listReminders(coach)
  expect([email!.subject, others]).toEqual(['2 tasks are due', []])
  expect(email!.text).toContain('• Send the plan, due today\n• Write a letter, Grace Hopper does it, due Mar 12')
  expect(email!.text).toContain('/tasks')
})

test('a task that was added today is not reminded of, one that is moved is reminded of again', async () => {
  const coach = await createCoach({ timezone: 'UTC' })
  const { id } = await create(coach, {})
  await at('2026-03-11T09:00:00Z', async () => {
    await inTenant(coach, (ctx) => createTask(ctx, NewTask.parse({ title: 'Now', dueDate: '2026-03-11' })))
    await send(coach)
    await inTenant(coach, (ctx) => updateTask(ctx, id, { title: 'Call again' }))
    await send(coach)
  })
  expect((await listReminders(coach)).map(({ subject }) => subject)).toEqual(['A task is due'])
  await at('2026-03-11T09:00:00Z', () => inTenant(coach, (ctx) => updateTask(ctx, id, { dueDate: '2026-03-13' })))
  await at('2026-03-13T09:00:00Z', () => send(coach))
  // The outbox keeps emails for a day.
  expect((await listReminders(coach)).map(({ sentAt }) => sentAt)).toEqual(['2026-03-13T09:00:00.000Z'])
})

test('a reminder that could not be sent on its day is sent on the next one, then left out', async () => {
  const [late, missed] = [await createCoach({ timezone: 'UTC' }), await createCoach({ timezone: 'UTC' })]
  for (const coach of [late, missed]) await create(coach, {})
  await at('2026-03-12T09:00:00Z', () => send(late))
  await at('2026-03-13T09:00:00Z', () => send(missed))
  expect([(await listReminders(late)).length, (await listReminders(missed)).length]).toEqual([1, 0])
})

test('a reminder is sent again if the mail server was busy, not if it refused', async () => {
  const [busy, strict] = [await mailServer({ refuse: 1 }), await mailServer({ refuse: 1, refusal: 550 })]
  const through = ({ url }: { url: string }): Platform => ({ ...app.platform, config: testConfig({ SMTP_URL: url }) })
  const [delayed, refused] = [await createCoach({ timezone: 'UTC' }), await createCoach({ timezone: 'UTC' })]
  for (const coach of [delayed, refused]) await create(coach, {})
  await at('2026-03-11T09:00:00Z', async () => {
    await expect(send(delayed, through(busy))).rejects.toThrow('Try again later')
    await send(delayed, through(busy))
    await send(delayed, through(busy))
    await send(refused, through(strict))
    await send(refused, through(strict))
  })
  expect([busy.unread(), strict.unread()]).toEqual([1, 0])
  await busy.close()
  await strict.close()
})

test('the coach is not reminded if they have switched it off', () =>
  expectSwitchable('tasks.due', async () => {
    const coach = await createCoach({ timezone: 'UTC' })
    await create(coach, {})
    return {
      coach,
      send: async () => {
        await at('2026-03-11T09:00:00Z', () => send(coach))
        return (await listReminders(coach)).length
      },
    }
  }))
