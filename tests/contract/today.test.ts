import { beforeEach, expect, test } from 'vitest'
import type { TodayPart } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { sendOwnMessage } from '#modules/messages/services/messages.ts'
import { contextFor, createClient, createCoach, switchModules, type Coach } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The list of today, with the parts of all modules.

const app = createTestApp()
let coach: Coach
let clientId: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ plan: 'pro', timezone: 'America/New_York' })
  clientId = (await createClient({ coach, name: 'Grace Hopper' })).id
})

const post = async (path: string, body: object) => {
  const { status, body: made } = await app.call('POST', `/api${path}`, { as: coach, body })
  expect([path, status]).toEqual([path, 201])
  return made
}

/** The titles and details of what waits, by part. */
async function list(of = coach): Promise<Record<string, string[]>> {
  const filled = await fillSlot(await contextFor(of), 'today')
  const parts = filled.flatMap(({ data }) => (data as TodayPart | null) ?? [])
  return Object.fromEntries(
    parts.map(({ title, items }) => [
      title,
      items.map(({ title: name, detail, isLate }) => `${name}: ${detail}${isLate ? ' (late)' : ''}`),
    ]),
  )
}

const session = (title: string, startTime: string, endTime: string) =>
  post('/appointments', { title, clientId, startTime, endTime })

test('sessions that are not over on the coach’s day, due tasks, unread messages and overdue invoices wait', async () => {
  const lines = [{ description: 'Session', quantity: 1, unitPrice: '150.00' }]
  app.clock.now = new Date('2026-03-08T14:00:00Z')
  for (const dueDate of ['2026-03-09', '2026-03-10'])
    await post('/invoices', { clientId, description: 'Session', lines, dueDate: `${dueDate}T12:00:00Z` })
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  await session('Over', '2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z')
  await session('Late evening', '2026-03-11T03:00:00Z', '2026-03-11T03:30:00Z')
  await session('Tomorrow', '2026-03-11T14:00:00Z', '2026-03-11T15:00:00Z')
  await post('/tasks', { title: 'Read the plan', dueDate: '2026-03-10' })
  await post('/tasks', { title: 'Send the plan', clientId, owner: 'client', dueDate: '2026-03-08' })
  await post('/tasks', { title: 'Later', dueDate: '2026-03-11' })
  await (await clientContextFor(coach, clientId)).write((ctx) => sendOwnMessage(ctx, { content: 'See you at eleven' }))
  expect(await list()).toEqual({
    Sessions: ['11:00 PM Late evening: Grace Hopper · 30 min'],
    Tasks: ['Send the plan: Grace Hopper’s task, due Sun (late)', 'Read the plan: Due today'],
    'Unread messages': ['Grace Hopper: See you at eleven'],
    'Overdue invoices': [expect.stringMatching(/^Invoice .+: Grace Hopper, \$150\.00 due \(late\)$/)],
  })
})

test('nothing of another coach, of a client in the trash or of a module that is switched off waits', async () => {
  await post('/tasks', { title: 'Call', clientId, dueDate: '2026-03-10' })
  await (await clientContextFor(coach, clientId)).write((ctx) => sendOwnMessage(ctx, { content: 'Hello' }))
  expect(Object.keys(await list())).toEqual(['Tasks', 'Unread messages'])
  expect(await list(await createCoach())).toEqual({})
  await switchModules(coach, { messages: false })
  expect(Object.keys(await list())).toEqual(['Tasks'])
  await app.call('DELETE', `/api/clients/${clientId}`, { as: coach })
  expect(await list()).toEqual({})
})
