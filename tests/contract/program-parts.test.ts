import { beforeEach, expect, test } from 'vitest'
import { findAnsweredForm, submitAnswers } from '#modules/forms/services/answering.ts'
import { NewTemplate } from '#modules/programs/forms.ts'
import { getProgress } from '#modules/programs/progress.ts'
import { listItems, toCounted } from '#modules/programs/queries/items.ts'
import { getProgramRow } from '#modules/programs/queries/programs.ts'
import { setItemDone, setOwnItemDone } from '#modules/programs/services/items.ts'
import { assignProgram } from '#modules/programs/services/programs.ts'
import { shiftDates } from '#modules/programs/services/shift-dates.ts'
import { planStarts, startDue, startItems } from '#modules/programs/services/start-items.ts'
import { createTemplate } from '#modules/programs/services/templates.ts'
import { listTasks } from '#modules/tasks/index.ts'
import { completeOwnTask } from '#modules/tasks/services/own-tasks.ts'
import { listDeliveries } from '#modules/webhooks/queries/webhooks.ts'
import { createEndpoint } from '#modules/webhooks/services/endpoints.ts'
import { contextFor, createClient, createCoach, inTenant, switchModules } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

// Programs together with tasks, forms, sessions, resources and webhooks.

const app = createTestApp()
const dayMs = 86_400_000
const startOfTests = app.clock.now
beforeEach(() => void (app.clock.now = startOfTests))

async function start() {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const call = async (method: string, path: string, body?: object) =>
    (await app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })).body
  const form = await call('POST', '/forms', { name: 'Intake', template: 'intake' })
  const file = await call('POST', '/files', { name: 'Reading', fileUrl: 'https://example.com/reading' })
  const template = await inTenant(coach, (tx) =>
    createTemplate(
      tx,
      NewTemplate.parse({
        name: 'All',
        milestones: [
          {
            title: 'First',
            week: 1,
            items: [
              { kind: 'task', title: 'Walk', days: 3 },
              { kind: 'form', title: 'Answer', choiceId: form.id },
              { kind: 'session', title: 'Meet' },
              { kind: 'resource', title: 'Read', choiceId: file.id },
            ],
          },
          {
            title: 'Second',
            week: 2,
            items: [
              { kind: 'task', title: 'Run', days: 3 },
              { kind: 'session', title: 'Meet again' },
            ],
          },
        ],
      }),
    ),
  )
  const program = await inTenant(coach, (tx) =>
    assignProgram(tx, { templateId: template.id, clientId: client.id, startDate: '2026-03-10' }),
  )
  const load = async () => (await listItems(await contextFor(coach), [program.id])).items
  const progress = async () => {
    const ctx = await contextFor(coach)
    const { progress: entries } = await getProgramRow(ctx, program.id)
    return getProgress(toCounted(await load()), entries, ctx.now().toISOString())
  }
  const complete = async (startTime: string, endTime: string) => {
    const session = await call('POST', '/appointments', { title: 'Meet', clientId: client.id, startTime, endTime })
    await call('POST', `/appointments/${session.id}/complete`, { notes: null })
  }
  const listDue = async () => (await listTasks(await contextFor(coach))).map(({ title, dueDate }) => [title, dueDate])
  return { coach, client, call, program, load, listDue, progress, complete }
}

test('a share that the coach has limited stays so, and each form is answered by itself', async () => {
  const { coach, client, call, program, load } = await start()
  const [, form, , resource] = await load()
  const limited = { audience: 'client', clientId: client.id, password: 'a long and rare word', expiresInDays: 3 }
  const [{ id: resourceId }] = await call('GET', '/files')
  const share = await call('POST', `/files/${resourceId}/shares`, limited)
  await inTenant(coach, (tx) => tx.query(again(program.id)))
  await inTenant(coach, (tx) => startItems(tx, program.id))
  const [, secondForm, , sameResource] = await load()
  expect(sameResource!.recordId).toBe(resource!.recordId)
  expect((await call('GET', `/files/${resourceId}/shares`))[0]).toEqual(share)
  expect(secondForm!.recordId).not.toBe(form!.recordId)
})

/** Forgets what was given. */
const again = (programId: number) => ({
  name: 'test.start-again',
  text: `update program_item set started_at = null, record_id = null where program_id = $1 and kind in ('form', 'resource')`,
  values: [programId],
})

test('a resource that became the file of one client is not given to another one', async () => {
  const { coach, call, program, load } = await start()
  const owner = await createClient({ coach })
  const [{ id }] = await call('GET', '/files')
  expect((await call('PATCH', `/files/${id}`, { clientId: owner.id })).clientId).toBe(owner.id)
  const former = (await call('GET', `/files/${id}/shares`)).length
  await inTenant(coach, (tx) => tx.query(again(program.id)))
  await inTenant(coach, (tx) => startItems(tx, program.id))
  expect((await load())[3]).toMatchObject({ kind: 'resource', recordId: null })
  expect(await call('GET', `/files/${id}/shares`)).toHaveLength(former)
})

test('progress counts tasks, answers and sessions that are done, and no resources', async () => {
  const { coach, client, call, load, progress, complete } = await start()
  const items = await load()
  expect(
    items.map(({ title, isCounted, isTicked, startedAt }) => [title, isCounted, isTicked, startedAt !== null]),
  ).toEqual([
    ['Walk', true, false, true],
    ['Answer', true, false, true],
    ['Meet', true, false, false],
    ['Read', false, false, true],
    ['Run', true, false, false],
    ['Meet again', true, false, false],
  ])
  expect(await progress()).toMatchObject({ done: 0, total: 5 })
  const ctx = await clientContextFor(coach, client.id)
  await ctx.write((tx) => completeOwnTask(tx, items[0]!.recordId!))
  expect(await progress()).toMatchObject({ done: 1 })
  const { version, formVersionId } = (await findAnsweredForm(await contextFor(coach), items[1]!.recordId!))!
  const sent = { coached: ['No'], goals: ['A team of my own'], profession: ['Engineer'], readiness: ['9'] }
  await submitAnswers(await contextFor(coach), items[1]!.recordId!, { version, formVersionId, sent })
  expect(await progress()).toMatchObject({ done: 2 })
  await complete('2026-03-09T10:00:00Z', '2026-03-09T11:00:00Z')
  expect(await progress()).toMatchObject({ done: 2 })
  await complete('2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z')
  expect((await load()).map(({ title, doneAt }) => [title, doneAt !== null])).toEqual([
    ['Walk', true],
    ['Answer', true],
    ['Meet', true],
    ['Read', false],
    ['Run', false],
    ['Meet again', false],
  ])
  // The client sees the same.
  const own = await listItems(ctx, [items[0]!.programId])
  expect(getProgress(toCounted(own.items), [], app.clock.now.toISOString())).toEqual(await progress())
  expect(own.items.find(({ title }) => title === 'Read')?.to).toMatch(/^\/shared\//)
  expect(await call('GET', '/tasks')).toMatchObject([{ title: 'Walk', source: 'program', owner: 'client' }])
})

test('what belongs to a milestone comes on the day that it begins, once', async () => {
  const { coach, load, listDue } = await start()
  const queued = async () => {
    await planStarts(app.platform)
    await Promise.all([1, 2].map(() => startDue(app.platform, { coachId: coach.id })))
    return (await load()).find(({ title }) => title === 'Run')!.startedAt !== null
  }
  expect(await queued()).toBe(false)
  app.clock.now = new Date(app.clock.now.getTime() + 7 * dayMs)
  expect(await queued()).toBe(true)
  await queued()
  expect(await listDue()).toEqual([
    ['Run', '2026-03-20'],
    ['Walk', '2026-03-13'],
  ])
})

test('open tasks move with their program, and earlier dates begin at once', async () => {
  const { program, coach, client, load, listDue } = await start()
  const shift = (version: number, days: number) =>
    inTenant(coach, (tx) => shiftDates(tx, { id: program.id, version, days }))
  await shift(1, 5)
  expect(await listDue()).toEqual([['Walk', '2026-03-18']])
  const ctx = await clientContextFor(coach, client.id)
  await ctx.write(async (tx) => completeOwnTask(tx, (await load())[0]!.recordId!))
  // The second milestone, 22 March, begins on the 10th: today.
  await shift(2, -12)
  expect(await listDue()).toEqual([
    ['Run', '2026-03-13'],
    ['Walk', '2026-03-18'],
  ])
})

test('an item whose record is deleted, or whose module is off, is ticked by the coach and not by the client', async () => {
  const { coach, client, call, load, progress } = await start()
  const [task, form] = await load()
  await call('DELETE', `/tasks/${task!.recordId}`)
  await inTenant(coach, (tx) => setItemDone(tx, task!.id, true))
  expect(await progress()).toMatchObject({ done: 1 })
  const ctx = await clientContextFor(coach, client.id)
  await expect(inTenant(coach, (tx) => setItemDone(tx, form!.id, true))).rejects.toMatchObject({
    code: 'validation_failed',
  })
  await expect(ctx.write((tx) => setOwnItemDone(tx, form!.id, true))).rejects.toMatchObject({
    code: 'validation_failed',
  })
  await switchModules(coach, { forms: false })
  await inTenant(coach, (tx) => setItemDone(tx, form!.id, true))
  expect(await progress()).toMatchObject({ done: 2 })
})

test('an item whose record comes back is as the record is, whatever was ticked in between', async () => {
  const { coach, call, load, progress } = await start()
  const [task] = await load()
  await call('DELETE', `/tasks/${task!.recordId}`)
  await inTenant(coach, (tx) => setItemDone(tx, task!.id, true))
  expect(await progress()).toMatchObject({ done: 1 })
  await call('POST', `/tasks/${task!.recordId}/restore`)
  expect((await load())[0]).toMatchObject({ doneAt: null, isTicked: false })
  expect(await progress()).toMatchObject({ done: 0 })
})

test('other programs learn once that a program was assigned and what fifty calls tick at once', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const endpoint = await inTenant(coach, (tx) =>
    createEndpoint(tx, {
      url: 'http://127.0.0.1:1/hook',
      events: ['programs.program-assigned', 'programs.item-completed'],
    }),
  )
  const program = await inTenant(coach, async (tx) => {
    const milestones = [{ title: 'One', week: 1, items: [{ kind: 'check', title: 'Write' }] }]
    const template = await createTemplate(tx, NewTemplate.parse({ name: 'Small', milestones }))
    return assignProgram(tx, { templateId: template.id, clientId: client.id, startDate: '2026-03-10' })
  })
  const { items } = await listItems(await contextFor(coach), [program.id])
  const portal = await clientContextFor(coach, client.id)
  const path = `/api/programs/${program.id}/items/${items[0]!.id}/complete`
  const results = await concurrently(50, async (index) => {
    if (index % 5) expect((await app.call('POST', path, { as: coach })).status).toBe(200)
    else await portal.write((tx) => setOwnItemDone(tx, items[0]!.id, true))
  })
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  const deliveries = await listDeliveries(await contextFor(coach), endpoint.id, { rows: 10 })
  expect(deliveries.map(({ event }) => event).sort()).toEqual(['programs.item-completed', 'programs.program-assigned'])
})

test('the API takes only choices of the coach, and keeps those that were deleted since', async () => {
  const { call } = await start()
  const { call: theirs } = await start()
  const add = (item: object) => ({ name: 'x', milestones: [{ title: 'x', week: 1, items: [{ title: 'x', ...item }] }] })
  const names = { form: 'Form', session: 'Appointment type', resource: 'Resource' }
  const paths = { form: '/forms', session: '/appointment-types', resource: '/files' }
  const create = async (as: typeof call, kind: keyof typeof paths): Promise<number> => {
    const own = { name: 'Own', template: 'intake', fileUrl: 'https://example.com/own' }
    return (await as('POST', paths[kind], own)).id
  }
  for (const kind of ['form', 'session', 'resource'] as const) {
    const choiceId = await create(call, kind)
    const template = await call('POST', '/program-templates', add({ kind, choiceId }))
    expect(template.milestones[0].items).toMatchObject([{ kind, choiceId }])
    for (const other of [await create(theirs, kind), 8_999_999_999_999])
      for (const [method, path] of [
        ['POST', '/program-templates'],
        ['PATCH', `/program-templates/${template.id}`],
      ] as const)
        expect(await call(method, path, add({ kind, choiceId: other }))).toMatchObject({
          code: 'not_found',
          message: `${names[kind]} not found`,
        })
    await call('DELETE', `${paths[kind]}/${choiceId}`)
    const again = await call('PATCH', `/program-templates/${template.id}`, { milestones: template.milestones })
    expect(again.milestones[0].items).toMatchObject([{ kind, choiceId }])
    expect((await call('POST', '/program-templates', add({ kind, choiceId }))).code).toBe('not_found')
  }
  const client = await call('POST', '/clients', { name: 'Ada', email: 'ada@example.com' })
  const file = await call('POST', '/files', { name: 'Hers', fileUrl: 'https://example.com', clientId: client.id })
  expect((await call('POST', '/program-templates', add({ kind: 'resource', choiceId: file.id }))).code).toBe(
    'not_found',
  )
  const empty = await call('POST', '/forms', { name: 'Empty' })
  expect(empty.questions).toEqual([])
  expect(await call('POST', '/program-templates', add({ kind: 'form', choiceId: empty.id }))).toMatchObject({
    code: 'not_found',
    message: 'Form not found',
  })
})

test('the API names the item of the template that lacks something, and keeps items whose module is off', async () => {
  const { coach, call } = await start()
  const [{ id, milestones }] = await call('GET', '/program-templates')
  const path = `/program-templates/${id}`
  const addItem = (item: object) => {
    const [first, second] = milestones
    const added = { ...second, items: [...second.items, { title: 'x', ...item }] }
    return call('PATCH', path, { milestones: [first, added] })
  }
  expect((await addItem({ kind: 'form' })).issues).toMatchObject([{ path: 'milestones.1.items.2.choiceId' }])
  await switchModules(coach, { forms: false })
  const { choiceId } = milestones[0].items[1]
  for (const item of [{ kind: 'form', choiceId }, { kind: 'form' }])
    expect((await addItem(item)).issues).toMatchObject([
      { path: 'milestones.1.items.2.kind', message: 'This kind of item is not available' },
    ])
  const { milestones: kept } = await addItem({ kind: 'check' })
  expect(kept[0].items[1]).toMatchObject({ kind: 'form', title: 'Answer', choiceId })
  expect(kept[1].items).toHaveLength(3)
})
