import { expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewTask } from '../forms.ts'
import { getTask, listDueTasks, listTasks, listTasksPage } from '../queries/tasks.ts'
import { completeTask, createTask, deleteTask, reopenTask, restoreTask, updateTask } from './tasks.ts'

const app = createTestApp()

const create = (coach: Coach, fields: object = {}) =>
  inTenant(coach, (ctx) => createTask(ctx, NewTask.parse({ title: 'Call', ...fields })))

const listTitles = async (coach: Coach, view: 'mine' | 'clients' | 'overdue' | 'done', filters: object = {}) => {
  const page = await listTasksPage(await contextFor(coach), { view, q: '', client: null, page: 1, ...filters })
  return page.tasks.map(({ title }) => title)
}

test('a task is the coach’s, is reminded of on its due date and has no client unless they say otherwise', async () => {
  const coach = await createCoach()
  expect(await create(coach)).toMatchObject({
    title: 'Call',
    owner: 'coach',
    clientId: null,
    dueDate: null,
    reminder: 'due',
    doneAt: null,
    source: 'manual',
    appointmentId: null,
  })
})

test('an update changes only the fields that are sent', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const created = await create(coach, { notes: 'Twice', clientId: client.id, dueDate: '2026-03-14', owner: 'client' })
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  const updated = await inTenant(coach, (ctx) => updateTask(ctx, created.id, { title: 'Rest' }))
  expect(updated).toEqual({ ...created, title: 'Rest', updatedAt: app.clock.now.toISOString() })
})

test('a task that a client does needs the client, also after a change', async () => {
  const coach = await createCoach()
  await expect(create(coach, { owner: 'client' })).rejects.toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'clientId' }],
  })
  const client = await createClient({ coach })
  const { id } = await create(coach, { clientId: client.id })
  await inTenant(coach, (ctx) => updateTask(ctx, id, { owner: 'client' }))
  await expect(inTenant(coach, (ctx) => updateTask(ctx, id, { clientId: null }))).rejects.toMatchObject({
    code: 'validation_failed',
  })
})

test('completing twice keeps the first time, and reopening takes it back', async () => {
  const coach = await createCoach()
  const { id } = await create(coach)
  const first = await inTenant(coach, (ctx) => completeTask(ctx, id))
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  expect(await inTenant(coach, (ctx) => completeTask(ctx, id))).toEqual(first)
  expect((await inTenant(coach, (ctx) => reopenTask(ctx, id))).doneAt).toBeNull()
})

test('the tabs show what is open, overdue in the coach’s time zone, and done', async () => {
  const coach = await createCoach({ timezone: 'Pacific/Auckland' })
  const client = await createClient({ coach, name: 'Grace Hopper' })
  // 11 March in Auckland.
  await create(coach, { title: 'Late', dueDate: '2026-03-10' })
  await create(coach, { title: 'Today', dueDate: '2026-03-11' })
  await create(coach, { title: 'Some day' })
  await create(coach, { title: 'Hers', owner: 'client', clientId: client.id, dueDate: '2026-03-09' })
  const done = await create(coach, { title: 'Over', dueDate: '2026-03-01' })
  await inTenant(coach, (ctx) => completeTask(ctx, done.id))
  expect(await listTitles(coach, 'mine')).toEqual(['Late', 'Today', 'Some day'])
  expect(await listTitles(coach, 'clients')).toEqual(['Hers'])
  expect(await listTitles(coach, 'overdue')).toEqual(['Hers', 'Late'])
  expect(await listTitles(coach, 'done')).toEqual(['Over'])
  expect(await listTitles(coach, 'clients', { q: 'HOPPER' })).toEqual(['Hers'])
  expect(await listTitles(coach, 'mine', { client: client.id })).toEqual([])
  const { tasks, count } = await listDueTasks(await contextFor(coach), 2)
  expect([tasks.map(({ title }) => title), count]).toEqual([['Hers', 'Late'], 3])
})

test('the second of two tabs is rejected', async () => {
  const coach = await createCoach()
  const { id } = await create(coach)
  const save = (title: string) => inTenant(coach, (ctx) => updateTask(ctx, id, { title }, 1))
  await save('First')
  await expect(save('Second')).rejects.toMatchObject({ code: 'conflict', subject: 'task' })
})

test('a deleted task can be restored, and the tasks of a client in the trash are hidden', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const { id } = await create(coach, { clientId: client.id })
  await inTenant(coach, (ctx) => deleteTask(ctx, id))
  expect(await listTasks(await contextFor(coach))).toEqual([])
  await expect(inTenant(coach, (ctx) => deleteTask(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
  await inTenant(coach, (ctx) => restoreTask(ctx, id))
  expect(await listTasks(await contextFor(coach))).toHaveLength(1)
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  expect(await listTasks(await contextFor(coach))).toEqual([])
  expect(await listTitles(coach, 'mine')).toEqual([])
  await expect(inTenant(coach, (ctx) => completeTask(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
})

test('another coach finds nothing, and nobody gives a task to another coach’s client', async () => {
  const [owner, other] = [await createCoach(), await createCoach()]
  const { id } = await create(owner)
  const client = await createClient({ coach: owner })
  await expect(getTask(await contextFor(other), id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(inTenant(other, (ctx) => completeTask(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
  await expect(create(other, { clientId: client.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('reading and writing need the permission', async () => {
  const coach = await createCoach()
  const { id } = await create(coach)
  const withoutPermission = { ...(await contextFor(coach)), can: () => false }
  await expect(getTask(withoutPermission, id)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(inTenant(coach, (ctx) => deleteTask({ ...ctx, can: () => false }, id))).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('the API lists by status, owner and client, completes and reopens', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const result = await app.call(method, `/api/tasks${path}`, { as: coach, ...(body ? { body } : {}) })
    return { ...result, titles: Array.isArray(result.body) ? result.body.map(({ title }) => title) : null }
  }
  const { body: late } = await call('POST', '', { title: 'Late', dueDate: '2026-03-01' })
  await call('POST', '', { title: 'Hers', owner: 'client', clientId: client.id })
  expect((await call('GET', '?status=open')).titles).toEqual(['Hers', 'Late'])
  expect((await call('GET', '?status=overdue')).titles).toEqual(['Late'])
  expect((await call('GET', '?owner=client')).titles).toEqual(['Hers'])
  expect((await call('GET', `?clientId=${client.id}&status=done`)).titles).toEqual([])
  expect((await call('GET', '?clientId=999999')).status).toBe(404)
  expect((await call('POST', `/${late.id}/complete`)).body.doneAt).toBe(app.clock.now.toISOString())
  expect((await call('GET', '?status=done')).titles).toEqual(['Late'])
  expect((await call('POST', `/${late.id}/reopen`)).body.doneAt).toBeNull()
  expect((await call('POST', '', { title: 'When?', dueDate: '2026-02-30' })).status).toBe(422)
})
