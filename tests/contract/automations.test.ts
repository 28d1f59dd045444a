import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { insertRows } from '#db/insert-rows.ts'
import type { ActionInput } from '#modules/automations/services/automations.ts'
import { limits } from '#modules/automations/fields.ts'
import { countRuns, getAutomation, listAutomations } from '#modules/automations/queries/automations.ts'
import { listRuns } from '#modules/automations/queries/runs.ts'
import {
  createAutomation,
  deleteAutomation,
  restoreAutomation,
  saveAction,
  saveFilters,
  switchAutomation,
  updateAutomation,
} from '#modules/automations/services/automations.ts'
import { describeAutomation } from '#modules/automations/services/catalog.ts'
import { deleteOldRuns, watchClock, watchCoach } from '#modules/automations/services/clock.ts'
import { dryRun } from '#modules/automations/services/dry-run.ts'
import { sendRunEmail } from '#modules/automations/services/email.ts'
import { findLoop } from '#modules/automations/services/loops.ts'
import { executeRun } from '#modules/automations/services/run.ts'
import { retryRun } from '#modules/automations/services/runs.ts'
import { findAnsweredForm, submitAnswers } from '#modules/forms/services/answering.ts'
import { createInvoice } from '#modules/billing/services/invoices.ts'
import { NewInvoice } from '#modules/billing/invoices/forms.ts'
import { recordPayment } from '#modules/billing/services/invoice-payments.ts'
import { publish } from '#modules/core/events.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { convertProspect, undoConversion } from '#modules/pipeline/services/conversion.ts'
import { sessionCompleted } from '#modules/scheduling/events.ts'
import { listTasks } from '#modules/tasks/index.ts'
import { createEndpoint } from '#modules/webhooks/services/endpoints.ts'
import { listDeliveries } from '#modules/webhooks/queries/webhooks.ts'
import { visitorContext } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createInteraction,
  inTenant,
  setPlan,
  switchModules,
  type Coach,
} from '#tests/support/factories.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

// The module automations with those that have triggers and actions: crm, billing, pipeline, scheduling, forms, tasks,
// webhooks.

const app = createTestApp()
let coach: Coach
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ plan: 'pro', businessName: 'Ada Coaching', timezone: 'America/New_York' })
})

type Options = { actions: Omit<ActionInput, 'id'>[]; filters?: Record<string, string>; days?: number; name?: string }

/** An automation that is switched on. */
const automate = (trigger: string, { actions, filters, days, name = trigger }: Options, own = coach) =>
  inTenant(own, async (tx) => {
    const { id } = await createAutomation(tx, { name, trigger })
    if (days) await updateAutomation(tx, id, { days })
    if (filters) await saveFilters(tx, id, filters)
    for (const action of actions) await saveAction(tx, id, { id: null, ...action })
    await switchAutomation(tx, id, true)
    return id
  })

const task = (title = 'Call {{client name}}', more: object = {}) => ({
  action: 'tasks.create-task',
  settings: { title, owner: 'coach', ...more },
})
const email = (subject: string, body = 'Hello {{client first name}},') => ({
  action: 'automations.send-email',
  settings: { subject, body },
})

const select = async <Row extends object>(text: string, own = coach): Promise<Row[]> =>
  (await contextFor(own)).query<Row>({ text, values: [own.id] })

/** Does the jobs that wait, as the worker does. */
async function work(own = coach): Promise<void> {
  for (;;) {
    const runs = await select<{ id: number }>(
      `select id from automation_run where coach_id = $1 and state = 'waiting' order by id`,
      own,
    )
    for (const { id } of runs) await executeRun(app.platform, { coachId: own.id, runId: id })
    const emails = await select<{ id: number }>(
      `select id from automation_email where coach_id = $1 and state = 'waiting' order by id`,
      own,
    )
    for (const { id } of emails) await sendRunEmail(app.platform, { coachId: own.id, emailId: id })
    if (!runs.length && !emails.length) return
  }
}

const runs = async (id: number, own = coach) => listRuns(await contextFor(own), id, { rows: 100 })
/** Without those whose conditions did not apply. */
const acted = async (id: number) => (await runs(id)).filter(({ state }) => state !== 'skipped')
const tasks = async (own = coach) => (await listTasks(await contextFor(own))).map(({ title }) => title)
const mails = async (to: string) => (await listOutbox(app.platform.config, 100)).filter((mail) => mail.to === to)
const call = async (method: string, path: string, body?: object) => {
  const response = await app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })
  expect([response.status, response.body]).toEqual([expect.toSatisfy((status) => status < 300), response.body])
  return response.body
}

const book = (person: object, more: object = {}) =>
  call('POST', '/appointments', {
    title: 'First talk',
    startTime: '2026-03-12T14:00:00Z',
    endTime: '2026-03-12T15:00:00Z',
    ...person,
    ...more,
  })
const invoice = (clientId: number, more: object = {}) =>
  inTenant(coach, (tx) =>
    createInvoice(
      tx,
      NewInvoice.parse({
        clientId,
        description: 'Coaching',
        lines: [{ description: 'Session', unitPrice: 15_000 }],
        ...more,
      }),
    ),
  )
const pay = (id: number) => inTenant(coach, (tx) => recordPayment(tx, id, { amount: 15_000, method: 'cash' }))
const stages = (): Promise<{ id: number; name: string }[]> => call('GET', '/pipeline/stages')
const move = (prospectId: number, stageId: number) => call('PATCH', `/prospects/${prospectId}`, { stageId })

/** Passes days, does what is due then, and returns the number of runs. */
async function countRunsAfter(days: number, id: number): Promise<number> {
  app.clock.now = new Date(app.clock.now.getTime() + days * dayMs)
  await watchClock(app.platform)
  await work()
  return (await runs(id)).length
}

describe('a trigger', () => {
  test('is a session that is booked or completed, of this type alone', async () => {
    const [first, other] = [
      await call('POST', '/appointment-types', { name: 'First talk' }),
      await call('POST', '/appointment-types', { name: 'Coaching' }),
    ]
    const filters = { type: String(first.id) }
    const booked = await automate('scheduling.session-booked', {
      actions: [task('Prepare {{session title}}')],
      filters,
    })
    const done = await automate('scheduling.session-completed', { actions: [task('Note {{session time}}')], filters })
    const { id: clientId } = await createClient({ coach, timezone: 'Europe/Paris' })
    await book({ clientId }, { appointmentTypeId: other.id })
    const { id } = await book({ clientId }, { appointmentTypeId: first.id })
    await work()
    expect(await tasks()).toEqual(['Prepare First talk'])
    expect((await runs(booked)).map(({ state, problem }) => [state, problem])).toEqual([
      ['done', null],
      ['skipped', 'A condition did not apply.'],
    ])
    app.clock.now = new Date('2026-03-12T16:00:00Z')
    await call('POST', `/appointments/${id}/complete`, {})
    await work()
    expect(await tasks()).toContain('Note Mar 12, 2026, 3:00 PM (Central European Standard Time)')
    expect(await runs(done)).toMatchObject([{ state: 'done', title: 'First talk' }])
  })

  test('is an invoice that is paid in full, once', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('billing.invoice-paid', { actions: [task('Thank for {{invoice total}}')] })
    const sent = await invoice(clientId)
    await inTenant(coach, (tx) => recordPayment(tx, sent.id, { amount: 5000, method: 'cash' }))
    await work()
    expect(await runs(id)).toEqual([])
    await inTenant(coach, (tx) => recordPayment(tx, sent.id, { amount: 10_000, method: 'cash' }))
    await work()
    expect(await tasks()).toEqual(['Thank for 150.00 USD'])
  })

  test('is an invoice that is overdue, from the next day of the coach, once, and not if it is paid by then', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('billing.invoice-overdue', { actions: [task('Remind of {{due date}}')] })
    const late = await invoice(clientId, { dueDate: '2026-03-12T16:00:00Z' })
    const paid = await invoice(clientId, { dueDate: '2026-03-12T16:00:00Z' })
    // Midnight in New York.
    app.clock.now = new Date('2026-03-13T03:59:00Z')
    await watchClock(app.platform)
    expect(await runs(id)).toEqual([])
    app.clock.now = new Date('2026-03-13T04:01:00Z')
    await watchClock(app.platform)
    await watchClock(app.platform)
    expect(await runs(id)).toHaveLength(2)
    await pay(paid.id)
    await work()
    expect(await tasks()).toEqual(['Remind of March 12, 2026'])
    expect((await runs(id)).map(({ state }) => state).toSorted()).toEqual(['done', 'skipped'])
    expect(late.id).not.toBe(paid.id)
  })

  test('is a prospect that moves to a stage', async () => {
    const [lead, second, third] = await stages()
    const id = await automate('pipeline.stage-changed', {
      actions: [task('{{client name}} is in {{stage}}')],
      filters: { stage: String(third!.id) },
    })
    const prospect = await createProspect({ coach, name: 'Noor van Dijk', stageId: lead!.id })
    await move(prospect.id, second!.id)
    await move(prospect.id, third!.id)
    await work()
    expect(await tasks()).toEqual([`Noor van Dijk is in ${third!.name}`])
    expect((await runs(id)).map(({ state }) => state)).toEqual(['done', 'skipped'])
  })

  test('is a form that is answered', async () => {
    const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
    const form = await call('POST', '/forms', { name: 'Intake', template: 'intake' })
    await automate('forms.form-answered', {
      actions: [task('Read {{form}} of {{client name}}')],
      filters: { form: String(form.id) },
    })
    const { id } = await call('POST', '/form-submissions', { formId: form.id, clientId })
    const { account } = await contextFor(coach)
    const visitor = visitorContext(app.platform, account, { requestId: 'visit' }, ['forms:answer:write'])
    const { version, formVersionId } = (await findAnsweredForm(visitor, id))!
    const sent = { coached: ['No'], goals: ['A team of my own'], profession: ['Engineer'], readiness: ['9'] }
    await submitAnswers(visitor, id, { version, formVersionId, sent })
    await work()
    expect(await tasks()).toEqual(['Read Intake of Grace Hopper'])
  })

  test('is that there was no contact for some days, once for each silence', async () => {
    const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
    await createClient({ coach, name: 'Archived', status: 'completed' })
    const id = await automate('crm.no-contact', { actions: [task()], days: 10 })
    const passDays = (days: number) => countRunsAfter(days, id)
    expect([await passDays(9), await passDays(1), await passDays(1)]).toEqual([0, 1, 1])
    await createInteraction({ coach, clientId, interactionDate: app.clock.now.toISOString() })
    expect([await passDays(5), await passDays(5), await passDays(1)]).toEqual([1, 2, 2])
    expect(await tasks()).toEqual(['Call Grace Hopper', 'Call Grace Hopper'])
  })

  test('is the same silence again after its days are changed', async () => {
    await createClient({ coach, name: 'Grace Hopper' })
    const id = await automate('crm.no-contact', { actions: [task()], days: 10 })
    const passDays = (days: number) => countRunsAfter(days, id)
    expect(await passDays(10)).toBe(1)
    await inTenant(coach, (tx) => updateAutomation(tx, id, { days: 20 }))
    expect([await passDays(9), await passDays(1), await passDays(1)]).toEqual([1, 2, 2])
    expect(await tasks()).toEqual(['Call Grace Hopper', 'Call Grace Hopper'])
  })
})

describe('conditions', () => {
  test('on tags and the program type of the client apply together', async () => {
    const inProgram = { program: 'Leadership', tags: ['VIP'] }
    const { id: clientId } = await createClient({ coach, ...inProgram })
    await createClient({ coach, tags: ['New'] })
    const id = await automate('scheduling.session-booked', {
      actions: [task()],
      filters: { tag: 'vip', 'without-tag': 'new', program: 'leadership' },
    })
    const { id: other } = await createClient({ coach, ...inProgram, tags: ['vip', 'new'] })
    await book({ clientId })
    await book({ clientId: other })
    await work()
    expect((await runs(id)).map(({ state }) => state)).toEqual(['skipped', 'done'])
    const ctx = await contextFor(coach)
    const { conditions } = await describeAutomation(ctx, await getAutomation(ctx, id))
    expect(conditions.map(({ text }) => text)).toContain('The client has the program type “Leadership”')
  })

  test('can only have values that there are, and those that the next trigger lacks go', async () => {
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    const save = (filters: Record<string, string>) => inTenant(coach, (tx) => saveFilters(tx, id, filters))
    await expect(save({ type: '999' })).rejects.toMatchObject({ code: 'validation_failed' })
    await createClient({ coach, tags: ['vip'] })
    const type = await call('POST', '/appointment-types', { name: 'First talk' })
    await save({ type: String(type.id), tag: 'vip', 'without-tag': '', unknown: 'x' })
    await inTenant(coach, (tx) => updateAutomation(tx, id, { trigger: 'billing.invoice-paid' }))
    expect((await getAutomation(await contextFor(coach), id)).filters).toEqual({ tag: 'vip' })
  })
})

describe('an action', () => {
  test('sends an email once, in the name of the coach, with the times of the client', async () => {
    const { id: clientId } = await createClient({
      coach,
      name: 'Grace {{coach name}}',
      email: 'grace@example.com',
      timezone: 'Europe/Paris',
    })
    const body =
      'Hello {{client first name}},\n\nsee you on {{session time}}.\nWhere: {{session place}}\n\n{{coach name}}'
    const id = await automate('scheduling.session-booked', {
      actions: [email('{{session title}} – {{client name}}', body)],
    })
    await book({ clientId })
    await work()
    expect(await mails('grace@example.com')).toMatchObject([
      {
        from: expect.stringContaining('Ada Coaching <'),
        replyTo: coach.email,
        // A value is never read as a placeholder.
        subject: 'First talk – Grace {{coach name}}',
        text: expect.stringContaining(
          'Hello Grace,\n\nsee you on Mar 12, 2026, 3:00 PM (Central European Standard Time).\n\nAda Coaching',
        ),
      },
    ])
    expect(await runs(id)).toMatchObject([{ emails: [{ email: 'grace@example.com', state: 'sent' }] }])
  })

  test('sends no email twice, and one that the mail server did not take again', async () => {
    const { id: clientId } = await createClient({ coach, email: 'once@example.com' })
    await automate('scheduling.session-booked', { actions: [email('Once')] })
    await book({ clientId })
    const [run] = await select<{ id: number }>('select id from automation_run where coach_id = $1')
    await executeRun(app.platform, { coachId: coach.id, runId: run!.id })
    const [queued] = await select<{ id: number }>('select id from automation_email where coach_id = $1')
    const send = (platform = app.platform) => sendRunEmail(platform, { coachId: coach.id, emailId: queued!.id })
    const server = await mailServer()
    await server.close()
    const unreachable = { ...app.platform, config: { ...app.platform.config, smtpUrl: server.url } }
    await expect(send(unreachable)).rejects.toThrow('The mail server did not take an email.')
    await concurrently(5, () => send())
    expect(await mails('once@example.com')).toHaveLength(1)
  })

  test('creates a task for the coach or the client, with its due date', async () => {
    const { id: clientId } = await createClient({ coach })
    await automate('scheduling.session-booked', { actions: [task('Prepare', { owner: 'client', days: '3' })] })
    await book({ clientId })
    await work()
    expect(await listTasks(await contextFor(coach))).toMatchObject([
      { title: 'Prepare', owner: 'client', clientId, dueDate: '2026-03-13' },
    ])
  })

  test('adds a tag that the client does not have yet', async () => {
    const { id: clientId } = await createClient({ coach, tags: ['vip'] })
    const actions = ['VIP', 'booked'].map((tag) => ({ action: 'crm.add-tag', settings: { tag } }))
    await automate('scheduling.session-booked', { actions })
    await book({ clientId })
    await work()
    expect(await call('GET', `/clients/${clientId}`)).toMatchObject({ tags: ['vip', 'booked'] })
  })

  test('calls a webhook with ids, and shows why it can’t', async () => {
    const { id: endpointId } = await inTenant(coach, (tx) =>
      createEndpoint(tx, { url: 'https://hooks.example.com/', events: ['crm.client-archived'] }),
    )
    const { id: clientId } = await createClient({ coach })
    const settings = { endpoint: String(endpointId) }
    const id = await automate('scheduling.session-booked', { actions: [{ action: 'webhooks.call', settings }] })
    await book({ clientId })
    await work()
    const [delivery] = await listDeliveries(await contextFor(coach), endpointId, { rows: 10 })
    expect(JSON.parse(delivery!.body)).toMatchObject({
      type: 'automation.run',
      data: { automationId: id, trigger: 'scheduling.session-booked', clientId },
    })
    await inTenant(coach, (tx) =>
      tx.query({ text: 'update webhook_endpoint set disabled_at = now() where coach_id = $1', values: [coach.id] }),
    )
    await book({ clientId })
    await work()
    expect((await runs(id))[0]).toMatchObject({
      state: 'failed',
      results: [{ state: 'failed', text: 'Call https://hooks.example.com/: The webhook is switched off.' }],
    })
  })

  test('that fails does not stop the others, and is the only one that is done again', async () => {
    const server = await mailServer()
    await server.close()
    const { id: clientId } = await createClient({ coach, tags: Array.from({ length: 20 }, (_, index) => `t${index}`) })
    const id = await automate('scheduling.session-booked', {
      actions: [{ action: 'crm.add-tag', settings: { tag: 'vip' } }, task('Prepare')],
    })
    await book({ clientId })
    await work()
    expect(await runs(id)).toMatchObject([
      { state: 'failed', results: [{ text: 'Add the tag “vip”: The client has 20 tags already.' }, { state: 'done' }] },
    ])
    await call('PATCH', `/clients/${clientId}`, { tags: ['t1'] })
    const [run] = await runs(id)
    await inTenant(coach, (tx) => retryRun(tx, run!.id))
    await work()
    expect(await runs(id)).toMatchObject([{ state: 'done' }])
    expect(await tasks()).toEqual(['Prepare'])
    await expect(inTenant(coach, (tx) => retryRun(tx, run!.id))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is not done again when there is no reason left', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    const session = await book({ clientId })
    await switchModules(coach, { tasks: false })
    await work()
    await switchModules(coach, { tasks: true })
    await call('PATCH', `/appointments/${session.id}`, { status: 'cancelled' })
    const [run] = await runs(id)
    expect(run!.state).toBe('failed')
    await inTenant(coach, (tx) => retryRun(tx, run!.id))
    await work()
    expect(await runs(id)).toMatchObject([
      { state: 'skipped', problem: 'It was no longer so when the automation ran.' },
    ])
    expect(await tasks()).toEqual([])
  })

  test('for clients is left out for a prospect, and so is an email without an address', async () => {
    const prospect = await createProspect({ coach, name: 'Noor', email: null })
    const id = await automate('scheduling.session-booked', {
      actions: [{ action: 'crm.add-tag', settings: { tag: 'vip' } }, email('Hello'), task()],
    })
    await book({ prospectId: prospect.id })
    await work()
    expect((await runs(id))[0]).toMatchObject({
      state: 'done',
      results: [
        { state: 'skipped', text: 'Add a tag: for clients only.' },
        { state: 'skipped', text: 'Send an email: there is no email address.' },
        { state: 'done' },
      ],
    })
  })

  test('has placeholders that its trigger knows, and all that it needs', async () => {
    const id = await automate('billing.invoice-paid', { actions: [task()] })
    const save = (settings: Record<string, string>) =>
      inTenant(coach, (tx) => saveAction(tx, id, { id: null, action: 'automations.send-email', settings }))
    await expect(save({ subject: '', body: '{{session title}}' })).rejects.toMatchObject({
      issues: [
        { path: 'setting-subject', message: 'Enter a subject' },
        { path: 'setting-body', message: 'There is no placeholder {{session title}} here' },
      ],
    })
    const [stage] = await stages()
    const move = { action: 'pipeline.move-to-stage', settings: { stage: String(stage!.id) } }
    await expect(inTenant(coach, (tx) => saveAction(tx, id, { id: null, ...move }))).rejects.toThrow(
      'not possible here',
    )
  })
})

describe('a run', () => {
  test('happens once, when its job comes many times at once', async () => {
    const { id: clientId } = await createClient({ coach, email: 'many@example.com' })
    const id = await automate('scheduling.session-booked', { actions: [task('Prepare'), email('Hello')] })
    await book({ clientId })
    const [run] = await runs(id)
    await concurrently(10, () => executeRun(app.platform, { coachId: coach.id, runId: run!.id }))
    await work()
    expect(await tasks()).toEqual(['Prepare'])
    expect(await mails('many@example.com')).toHaveLength(1)
  })

  test('goes on where a worker was killed', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('scheduling.session-booked', { actions: [task('One'), task('Two')] })
    await book({ clientId })
    await work()
    // As if the worker had been killed before the second action, which did not happen then.
    await inTenant(coach, (tx) =>
      tx.query({
        text: `update automation_run set state = 'waiting', results = jsonb_build_array(results -> 0) where coach_id = $1`,
        values: [coach.id],
      }),
    )
    await work()
    expect((await tasks()).toSorted()).toEqual(['One', 'Two', 'Two'])
    expect((await runs(id))[0]!.results).toHaveLength(2)
  })

  test('is added if and only if its change commits, and once for two automations each', async () => {
    const ids = [
      await automate('scheduling.session-completed', { actions: [task()] }),
      await automate('scheduling.session-completed', { actions: [task()] }),
    ]
    const rolledBack = inTenant(coach, async (tx) => {
      await publish(tx, sessionCompleted, { appointmentId: 1 })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect([(await runs(ids[0]!)).length, (await runs(ids[1]!)).length]).toEqual([0, 0])
    await inTenant(coach, (tx) => publish(tx, sessionCompleted, { appointmentId: 1 }))
    await work()
    expect([...(await runs(ids[0]!)), ...(await runs(ids[1]!))]).toMatchObject([
      { state: 'skipped', problem: 'It was deleted in the meantime, or does not count.' },
      { state: 'skipped' },
    ])
  })

  test('that the clock begins is added once, when many workers look at once', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('billing.invoice-overdue', { actions: [task()] })
    await invoice(clientId, { dueDate: '2026-03-10T16:00:00Z' })
    app.clock.now = new Date('2026-03-11T14:00:00Z')
    await concurrently(5, () => watchClock(app.platform))
    expect(await runs(id)).toHaveLength(1)
  })

  test('is stopped when the automation is switched off, deleted, or not in the plan any more', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    const problem = async () => (await runs(id))[0]!.problem
    await book({ clientId })
    await inTenant(coach, (tx) => switchAutomation(tx, id, false))
    await work()
    expect(await problem()).toBe('The automation was switched off.')
    await book({ clientId })
    expect(await runs(id)).toHaveLength(1)
    await inTenant(coach, (tx) => switchAutomation(tx, id, true))
    await book({ clientId })
    await setPlan(coach, 'free')
    app.clock.now = new Date(app.clock.now.getTime() + 20 * dayMs)
    await work()
    expect(await problem()).toBe('Automations are part of the Pro and Premium plans.')
    expect(await tasks()).toEqual([])
  })

  test('is stopped when its automation begins with something else since', async () => {
    const { id: clientId } = await createClient({ coach })
    const ids = [
      await automate('scheduling.session-booked', { actions: [task()] }),
      await automate('scheduling.session-booked', { actions: [{ action: 'crm.add-tag', settings: { tag: 'x' } }] }),
    ]
    await call('PATCH', `/clients/${clientId}`, { tags: Array.from({ length: 20 }, (_, index) => `t${index}`) })
    await book({ clientId })
    const [waiting, failed] = (await Promise.all(ids.map((id) => runs(id)))).map(([run]) => run!.id)
    await executeRun(app.platform, { coachId: coach.id, runId: failed! })
    for (const id of ids) await inTenant(coach, (tx) => updateAutomation(tx, id, { trigger: 'billing.invoice-paid' }))
    await inTenant(coach, (tx) => retryRun(tx, failed!))
    await work()
    const problem = 'The automation begins when something else happens by now.'
    expect(await runs(ids[0]!)).toMatchObject([{ id: waiting, state: 'stopped', problem }])
    expect(await runs(ids[1]!)).toMatchObject([{ id: failed, state: 'stopped', problem }])
    expect(await tasks()).toEqual([])
  })

  test('is erased with its person, and after 90 days', async () => {
    const [kept, erased] = [await createClient({ coach }), await createClient({ coach })]
    const id = await automate('scheduling.session-booked', { actions: [email('Hello')] })
    await book({ clientId: kept.id })
    await book({ clientId: erased.id })
    await work()
    await call('DELETE', `/clients/${erased.id}`)
    await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'client'), erased.id))
    expect(await runs(id)).toMatchObject([{ personName: kept.name }])
    app.clock.now = new Date(app.clock.now.getTime() + 91 * dayMs)
    await deleteOldRuns(app.platform)
    expect(await runs(id)).toEqual([])
  })
})

test('a run of a prospect becomes the client’s, and is erased with the client', async () => {
  const [first, second] = await stages()
  const id = await automate('pipeline.stage-changed', { actions: [task()] })
  const prospect = await createProspect({ coach, name: 'Noor van Dijk', stageId: first!.id })
  await move(prospect.id, second!.id)
  await work()
  const people = () => select('select person_kind as kind, person_id as id from automation_run where coach_id = $1')
  const client = await inTenant(coach, (tx) => convertProspect(tx, prospect.id))
  expect(await people()).toEqual([{ kind: 'client', id: client.id }])
  await inTenant(coach, (tx) => undoConversion(tx, { id: prospect.id, stageId: first!.id }))
  expect(await people()).toEqual([{ kind: 'prospect', id: prospect.id }])
  const again = await inTenant(coach, (tx) => convertProspect(tx, prospect.id))
  await call('DELETE', `/clients/${again.id}`)
  await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'client'), again.id))
  expect(await runs(id)).toEqual([])
})

describe('a chain', () => {
  const moveTo = (stage: { id: number }) => ({
    action: 'pipeline.move-to-stage',
    settings: { stage: String(stage.id) },
  })

  test('that comes back to an automation is stopped there, and shown before it happens', async () => {
    const [lead, second, third] = await stages()
    const when = (stage: { id: number }) => ({ stage: String(stage.id) })
    const there = await automate('pipeline.stage-changed', {
      name: 'There',
      actions: [moveTo(third!)],
      filters: when(second!),
    })
    const single = await listAutomations(await contextFor(coach))
    expect(findLoop(await contextFor(coach), single, single[0]!)).toBeNull()
    const back = await automate('pipeline.stage-changed', {
      name: 'Back',
      actions: [moveTo(second!)],
      filters: when(third!),
    })
    const all = await listAutomations(await contextFor(coach))
    const start = all.find(({ id }) => id === there)!
    expect(findLoop(await contextFor(coach), all, start)?.map(({ name }) => name)).toEqual(['There', 'Back', 'There'])

    const prospect = await createProspect({ coach, stageId: lead!.id })
    await move(prospect.id, second!.id)
    await work()
    expect(await acted(there)).toMatchObject([
      { state: 'stopped', problem: expect.stringContaining('set itself off again'), chain: ['There', 'Back'] },
      { state: 'done', chain: [] },
    ])
    expect(await acted(back)).toMatchObject([{ state: 'done', chain: ['There'] }])
  })

  test('of an automation with itself is stopped', async () => {
    const [lead, second, third] = await stages()
    const id = await automate('pipeline.stage-changed', { actions: [moveTo(second!), moveTo(third!)] })
    const prospect = await createProspect({ coach, stageId: lead!.id })
    await move(prospect.id, third!.id)
    await work()
    expect((await runs(id)).map(({ state }) => state)).toEqual(['stopped', 'stopped', 'done'])
  })

  test('of more than five automations is stopped', async () => {
    const all = await stages()
    const more = await call('POST', '/pipeline/stages', { name: 'Sixth', color: '#112233' })
    const line = [...all.slice(0, 5), more, await call('POST', '/pipeline/stages', { name: 'Last', color: '#112233' })]
    const ids: number[] = []
    for (const [index, stage] of line.slice(0, -1).entries())
      ids.push(
        await automate('pipeline.stage-changed', {
          actions: [moveTo(line[index + 1])],
          filters: { stage: String(stage.id) },
        }),
      )
    const prospect = await createProspect({ coach, stageId: more.id })
    await move(prospect.id, line[0]!.id)
    await work()
    const states = await Promise.all(ids.map(async (id) => (await acted(id))[0]?.state))
    expect(states).toEqual(['done', 'done', 'done', 'done', 'done', 'stopped'])
  })
})

describe('a dry run', () => {
  test('shows what would have been done in the last 30 days, and changes nothing', async () => {
    const { id: clientId } = await createClient({ coach, name: 'Grace Hopper', tags: ['vip'] })
    const { id: other } = await createClient({ coach })
    app.clock.now = new Date('2026-01-10T14:00:00Z')
    await book({ clientId })
    app.clock.now = new Date('2026-03-01T14:00:00Z')
    await book({ clientId })
    await book({ clientId: other })
    app.clock.now = new Date('2026-03-10T14:00:00Z')
    const id = await automate('scheduling.session-booked', {
      actions: [task(), email('Hello {{client first name}}', 'See you.')],
      filters: { tag: 'vip' },
    })
    const ctx = await contextFor(coach)
    const found = await dryRun(ctx, await getAutomation(ctx, id))
    expect(found).toMatchObject({ events: 2, matching: 1, isCut: false })
    expect(found!.rows).toMatchObject([
      {
        title: 'First talk',
        person: { kind: 'client', id: clientId },
        actions: [
          { text: 'Create the task “Call Grace Hopper”', problem: null },
          { text: 'Send the email “Hello Grace”', body: 'See you.' },
        ],
      },
    ])
    expect([await runs(id), await tasks()]).toEqual([[], []])
  })

  test('works for every trigger, and finds what the runs find', async () => {
    const [lead, second] = await stages()
    const prospect = await createProspect({ coach, stageId: lead!.id })
    const { id: clientId } = await createClient({ coach })
    app.clock.now = new Date('2026-03-02T14:00:00Z')
    await createClient({ coach })
    app.clock.now = new Date('2026-03-10T14:00:00Z')
    await move(prospect.id, second!.id)
    const { id: late } = await invoice(clientId, { dueDate: '2026-03-05T16:00:00Z' })
    const paid = await invoice(clientId, { dueDate: '2026-03-05T16:00:00Z' })
    await pay(paid.id)
    const ctx = await contextFor(coach)
    const counts = await Promise.all(
      ctx.extensions.automationTriggers.map(async ({ name, days }) => {
        const found = await dryRun(ctx, {
          ...({} as Awaited<ReturnType<typeof getAutomation>>),
          trigger: name,
          days: days ? 5 : null,
          filters: {},
          actions: [],
        })
        return [name, found!.events]
      }),
    )
    expect(Object.fromEntries(counts)).toEqual({
      'scheduling.session-booked': 0,
      'scheduling.session-completed': 0,
      'billing.invoice-paid': 1,
      'billing.invoice-overdue': 2,
      'pipeline.stage-changed': 1,
      'forms.form-answered': 0,
      'crm.no-contact': 1,
    })
    expect(late).not.toBe(paid.id)
  })
})

describe('limits', () => {
  test('of automations, actions and runs of a day say what they are', async () => {
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    const add = () => inTenant(coach, (tx) => saveAction(tx, id, { id: null, ...task() }))
    for (let count = 1; count < limits.actions; count++) await add()
    await expect(add()).rejects.toThrow('at most 10 actions')
    const create = () => inTenant(coach, (tx) => createAutomation(tx, { name: 'More', trigger: 'crm.no-contact' }))
    for (let count = 2; count < limits.automations; count++) await create()
    const results = await concurrently(3, create)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(create()).rejects.toThrow('You have 50 automations')

    await inTenant(coach, (tx) =>
      tx.query(
        insertRows(
          'automation_run',
          Array.from({ length: limits.runsPerDay }, (_, index) => ({
            coach_id: coach.id,
            automation_id: id,
            trigger: 'scheduling.session-booked',
            event_key: `test ${index}`,
            payload: '{}',
            state: 'done',
            started_at: app.clock.now,
            created_at: app.clock.now,
          })),
        ),
      ),
    )
    const { id: clientId } = await createClient({ coach })
    await book({ clientId })
    await work()
    expect((await runs(id))[0]).toMatchObject({ state: 'stopped', problem: expect.stringContaining('500 times') })
    app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    await book({ clientId })
    await work()
    expect((await runs(id))[0]).toMatchObject({ state: 'done' })
    expect(await countRuns(await contextFor(coach))).toMatchObject([{ automationId: id, runs: limits.runsPerDay + 1 }])
  })

  test('of runs that are queued again are 500 each hour', async () => {
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    const lost = Array.from({ length: 501 }, (_, index) => ({
      coach_id: coach.id,
      automation_id: id,
      trigger: 'scheduling.session-booked',
      event_key: `test ${index}`,
      payload: '{}',
      created_at: app.clock.now,
    }))
    await inTenant(coach, (tx) => tx.query(insertRows('automation_run', lost)))
    app.clock.now = new Date(app.clock.now.getTime() + dayMs / 2)
    await watchCoach(await contextFor(coach))
    const jobs = await select(
      `select id from pgboss.job where name = 'automations.run' and (data ->> 'coachId')::int = $1`,
    )
    expect(jobs).toHaveLength(500)
  })

  test('of the plan: automations are part of Pro and Premium', async () => {
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    await setPlan(coach, 'free')
    app.clock.now = new Date(app.clock.now.getTime() + 20 * dayMs)
    const create = inTenant(coach, (tx) => createAutomation(tx, { name: 'More', trigger: 'crm.no-contact' }))
    await expect(create).rejects.toMatchObject({ code: 'plan_required' })
    await expect(inTenant(coach, (tx) => switchAutomation(tx, id, true))).rejects.toMatchObject({
      code: 'plan_required',
    })
    await inTenant(coach, (tx) => switchAutomation(tx, id, false))
  })
})

describe('an automation', () => {
  test('says which part of it is switched off, and its runs do, too', async () => {
    const { id: clientId } = await createClient({ coach })
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    await book({ clientId })
    await switchModules(coach, { tasks: false })
    await work()
    expect((await runs(id))[0]).toMatchObject({
      state: 'failed',
      results: [{ text: 'The part of the product that does this is not available.' }],
    })
    const ctx = await contextFor(coach)
    expect(await describeAutomation(ctx, await getAutomation(ctx, id))).toMatchObject({
      when: 'a session is booked',
      actions: [{ problem: expect.stringContaining('not available') }],
    })
    await expect(inTenant(coach, (tx) => switchAutomation(tx, id, true))).rejects.toThrow('not available')
    await switchModules(coach, { scheduling: false })
    const without = await contextFor(coach)
    expect(await describeAutomation(without, await getAutomation(without, id))).toMatchObject({ when: null })
    expect(await dryRun(without, await getAutomation(without, id))).toBeNull()
  })

  test('begins with what happens after it was switched on', async () => {
    const { id: clientId } = await createClient({ coach })
    await invoice(clientId, { dueDate: '2026-03-09T16:00:00Z' })
    const id = await automate('billing.invoice-overdue', { actions: [task()] })
    await watchClock(app.platform)
    expect(await runs(id)).toEqual([])
  })

  test('begins anew when its days are changed, and not when its name is', async () => {
    const id = await automate('crm.no-contact', { actions: [task()], days: 10 })
    const enabledAt = async () => (await getAutomation(await contextFor(coach), id)).enabledAt
    const first = app.clock.now.toISOString()
    app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    await inTenant(coach, (tx) => updateAutomation(tx, id, { name: 'Other', trigger: 'crm.no-contact', days: 10 }))
    expect(await enabledAt()).toBe(first)
    await inTenant(coach, (tx) => updateAutomation(tx, id, { days: 5 }))
    expect(await enabledAt()).toBe(app.clock.now.toISOString())
  })

  test('goes to the trash and back, and its history says what was changed', async () => {
    const id = await automate('scheduling.session-booked', { actions: [task()], name: 'Prepare' })
    await inTenant(coach, (tx) => deleteAutomation(tx, id))
    expect((await call('GET', '/trash')).map(({ title }: { title: string }) => title)).toEqual(['Prepare'])
    expect(await listAutomations(await contextFor(coach))).toEqual([])
    await inTenant(coach, (tx) => restoreAutomation(tx, id))
    expect(await getAutomation(await contextFor(coach), id)).toMatchObject({ enabledAt: expect.anything() })
    const history = JSON.stringify(await call('GET', `/history/automation/${id}`))
    expect(history).toContain('Create the task “Call {{client name}}”')
  })

  test('is not saved over a newer version', async () => {
    const id = await automate('scheduling.session-booked', { actions: [task()] })
    const { version } = await getAutomation(await contextFor(coach), id)
    const rename = (name: string) => inTenant(coach, (tx) => updateAutomation(tx, id, { name }, version))
    await rename('First')
    await expect(rename('Second')).rejects.toMatchObject({ code: 'conflict' })
  })
})
