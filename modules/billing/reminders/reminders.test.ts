import { expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { listOutbox } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { testConfig } from '#tests/support/config.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Tenant } from '#tests/support/factories.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewInvoice } from '../invoices/forms.ts'
import { listInvoiceTimeline } from '../queries/timeline.ts'
import { emailQueue, emailReminder, remindOfInvoice, sendInvoice } from '../services/invoice-emails.ts'
import { recordPayment } from '../services/invoice-payments.ts'
import { createInvoice, voidInvoice } from '../services/invoices.ts'
import { parseReminderDays } from './days.ts'
import { planReminders, reminderQueue, sendReminder } from './send.ts'
import { getReminderSettings, updateReminderSettings } from './settings.ts'

const app = createTestApp()
let sent = 0

/** A coach who reminds, and a sent invoice that was due three days ago. */
async function createOverdue({ reminds = true } = {}) {
  const coach = await createCoach({ timezone: 'UTC' })
  const email = `overdue${++sent}@example.com`
  const client = await createClient({ coach, email })
  if (reminds)
    await inTenant(coach, (ctx) => updateReminderSettings(ctx, { sendsReminders: true, reminderDays: [3, 7, 14] }))
  const { id } = await inTenant(coach, (ctx) =>
    createInvoice(
      ctx,
      NewInvoice.parse({
        clientId: client.id,
        description: 'Coaching',
        dueDate: '2026-03-07T12:00:00Z',
        lines: [{ description: 'Session', unitPrice: 15_000 }],
      }),
    ),
  )
  await inTenant(coach, (ctx) => sendInvoice(ctx, id))
  return { coach, client, email, id, send: (days = 3) => remind(coach, id, days) }
}

const remind = (coach: Tenant, invoiceId: number, days = 3): Promise<void> =>
  sendReminder(app.platform, { coachId: coach.id, invoiceId, days })

const countReminders = async (email: string): Promise<number> =>
  (await listOutbox(app.platform.config, 100)).filter(
    ({ to, subject }) => to === email && subject.startsWith('Reminder'),
  ).length

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

/** The reminders that the hourly job puts into the queue for the coach. */
async function listPlanned({ id }: Tenant): Promise<object[]> {
  await app.platform.boss.deleteQueuedJobs(reminderQueue)
  await planReminders(app.platform)
  const jobs = await app.platform.boss.fetch<{ coachId: number }>(reminderQueue, { batchSize: 1000 })
  return jobs.map(({ data }) => data).filter(({ coachId }) => coachId === id)
}

test('a reminder is sent once, however many workers try', async () => {
  const { coach, client, email, id, send } = await createOverdue()
  expect(await listPlanned(coach)).toEqual([{ coachId: coach.id, invoiceId: id, days: 3 }])
  await Promise.all(Array.from({ length: 5 }, () => send()))
  await send()
  expect(await countReminders(email)).toBe(1)
  const entries = await listInvoiceTimeline(await contextFor(coach), client.id, 10)
  expect(entries.map(({ title }) => title).sort()).toEqual(['Invoice INV-0001, $150.00', 'Reminder of INV-0001'])
  expect(await listPlanned(coach)).toEqual([])
})

test('nothing is sent for what was paid or made void before, to no client, and after the coach switched it off', async () => {
  const [paid, isVoid, deleted, off] = [
    await createOverdue(),
    await createOverdue(),
    await createOverdue(),
    await createOverdue(),
  ]
  await inTenant(paid.coach, (ctx) => recordPayment(ctx, paid.id, { method: 'cash' }))
  await inTenant(isVoid.coach, (ctx) => voidInvoice(ctx, isVoid.id))
  await inTenant(deleted.coach, (ctx) => deleteClient(ctx, deleted.client.id))
  await inTenant(off.coach, (ctx) => updateReminderSettings(ctx, { sendsReminders: false, reminderDays: [3] }))
  for (const { send, email } of [paid, isVoid, deleted, off]) {
    await send()
    expect(await countReminders(email)).toBe(0)
  }
})

test('reminders are off until the coach wants them, come by day, and late ones are left out', async () => {
  const { coach } = await createOverdue({ reminds: false })
  expect(await getReminderSettings(await contextFor(coach))).toMatchObject({
    sendsReminders: false,
    reminderDays: [3, 7, 14],
  })
  expect(await listPlanned(coach)).toEqual([])
  await inTenant(coach, (ctx) => updateReminderSettings(ctx, { sendsReminders: true, reminderDays: [3, 7] }))
  const plannedOn = (time: string) =>
    at(time, async () => (await listPlanned(coach)).map((job) => (job as { days: number }).days))
  expect(await plannedOn('2026-03-09T12:00:00Z')).toEqual([])
  expect(await plannedOn('2026-03-10T08:59:00Z')).toEqual([])
  expect(await plannedOn('2026-03-10T09:00:00Z')).toEqual([3])
  expect(await plannedOn('2026-03-12T12:00:00Z')).toEqual([3])
  expect(await plannedOn('2026-03-13T12:00:00Z')).toEqual([])
  expect(await plannedOn('2026-03-14T12:00:00Z')).toEqual([7])
  expect(await plannedOn('2026-03-30T12:00:00Z')).toEqual([])
})

test.each([
  ['3, 7, 14', [3, 7, 14]],
  ['14 3;3', [3, 14]],
  ['', null],
  ['0', null],
  ['91', null],
  ['1,2,3,4,5,6', null],
  ['3.5', null],
  ['soon', null],
])('the days %j are read as %j', (text, days) => {
  expect(parseReminderDays(text)).toEqual(days)
})

test('the coach reminds of an invoice once a day, also with fifty clicks', async () => {
  const { coach, email, id, send } = await createOverdue()
  const click = () => inTenant(coach, (ctx) => remindOfInvoice(ctx, id))
  const clicks = await Promise.allSettled(Array.from({ length: 50 }, click))
  expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(click()).rejects.toThrow('reminded of this invoice today. The next reminder can be sent tomorrow.')
  expect(await countReminders(email)).toBe(0)
  const start = app.clock.now
  try {
    app.clock.now = new Date('2026-03-11T12:00:00Z')
    await click()
    app.clock.now = new Date('2026-03-14T12:00:00Z')
    await send(7)
    expect(await countReminders(email)).toBe(1)
    await expect(click()).rejects.toThrow('reminded of this invoice today')
  } finally {
    app.clock.now = start
  }
})

test('the job reminds of no invoice on a day on which the coach did', async () => {
  const { coach, email, id, send } = await createOverdue()
  await at('2026-03-10T08:50:00Z', () => inTenant(coach, (ctx) => remindOfInvoice(ctx, id)))
  expect(await listPlanned(coach)).toEqual([])
  await send()
  expect(await countReminders(email)).toBe(0)
  await at('2026-03-11T09:00:00Z', () => send())
  expect(await countReminders(email)).toBe(1)
})

test('the job reminds no client who is read-only', async () => {
  const { coach, client, email, send } = await createOverdue()
  await inTenant(coach, async (ctx) => {
    const archivedAt = ctx.now()
    await ctx.query({
      text: 'update client set archived_at = $3 where coach_id = $1 and id = $2',
      values: [ctx.coachId, client.id, archivedAt],
    })
  })
  await setPlan(coach, 'free')
  for (let index = 0; index < plans.free.maxClients!; index++) await createClient({ coach })
  await send()
  expect(await countReminders(email)).toBe(0)
  await setPlan(coach, 'premium')
  await send()
  expect(await countReminders(email)).toBe(1)
})

test('a reminder that is retried at night waits for the day', async () => {
  const { email, send } = await createOverdue()
  await at('2026-03-10T22:00:00Z', () => send())
  expect(await countReminders(email)).toBe(0)
  await at('2026-03-11T09:00:00Z', () => send())
  expect(await countReminders(email)).toBe(1)
})

/** Requests a reminder. Returns how the job sends it, and its title in the timeline once it was sent. */
async function requestReminder() {
  const { coach, client, id, email } = await createOverdue()
  await app.platform.boss.deleteQueuedJobs(emailQueue)
  await inTenant(coach, (ctx) => remindOfInvoice(ctx, id))
  const [job] = await app.platform.boss.fetch<Parameters<typeof emailReminder>[1]>(emailQueue)
  return {
    email,
    run: (platform: Platform = app.platform) => emailReminder(platform, job!.data),
    isShown: async () => (await listTitles(coach, client.id)).length > 0,
    listTitles: () => listTitles(coach, client.id),
    /** A worker that has begun to send it and was killed. */
    begin: () =>
      inTenant(coach, (ctx) =>
        ctx.query({
          text: 'update invoice_reminder set started_at = $2 where coach_id = $1',
          values: [coach.id, ctx.now()],
        }),
      ),
  }
}

const listTitles = async (coach: Tenant, clientId: number): Promise<string[]> =>
  (await listInvoiceTimeline(await contextFor(coach), clientId, 10))
    .map(({ title }) => title)
    .filter((title) => title.startsWith('Reminder'))

test('a reminder whose worker was killed is not sent again, and shown as one that may not have been sent', async () => {
  const { email, run, begin, isShown, listTitles: list } = await requestReminder()
  await begin()
  await run()
  expect([await countReminders(email), await isShown()]).toEqual([0, false])
  await at('2026-03-10T15:30:00Z', async () =>
    expect(await list()).toEqual(['Reminder of INV-0001 may not have been sent']),
  )
})

test('a reminder that the coach asked for is sent once, however often its job runs', async () => {
  const { email, run, isShown } = await requestReminder()
  expect(await isShown()).toBe(false)
  await Promise.all(Array.from({ length: 5 }, () => run()))
  await run()
  expect(await countReminders(email)).toBe(1)
  expect(await isShown()).toBe(true)
})

test('a reminder that an older version has sent is in the timeline at its time', async () => {
  const { coach, client, id } = await createOverdue()
  await inTenant(coach, (ctx) => remindOfInvoice(ctx, id))
  await inTenant(coach, (ctx) =>
    ctx.query({ text: 'update invoice_reminder set sent_at = $2 where coach_id = $1', values: [coach.id, ctx.now()] }),
  )
  const entries = await listInvoiceTimeline(await contextFor(coach), client.id, 10)
  expect(entries.find(({ title }) => title === 'Reminder of INV-0001')?.at).toBe(app.clock.now.toISOString())
})

test('a reminder that the coach asked for is sent again if the mail server was busy, not if it refused', async () => {
  const [busy, strict] = [await mailServer({ refuse: 1 }), await mailServer({ refuse: 1, refusal: 550 })]
  const through = ({ url }: { url: string }): Platform => ({
    ...app.platform,
    config: testConfig({ SMTP_URL: url }),
  })
  const [delayed, refused] = [await requestReminder(), await requestReminder()]
  await expect(delayed.run(through(busy))).rejects.toThrow('Try again later')
  expect(await delayed.isShown()).toBe(false)
  await delayed.run(through(busy))
  expect([busy.unread(), await delayed.isShown()]).toEqual([1, true])
  await refused.run(through(strict))
  expect([strict.unread(), await refused.isShown()]).toEqual([0, false])
  await busy.close()
  await strict.close()
})
