import { expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { createCoach, inTenant, contextFor, type Coach, createClient } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewInteraction } from './forms.ts'
import { archiveClient } from './services/clients.ts'
import { createInteraction, deleteInteraction } from './services/interactions.ts'
import { loadTimeline } from './timeline-loader.server.ts'

const app = createTestApp()
const note = (of: Coach, clientId: number, name: string, at: string, content: string | null = null) =>
  inTenant(of, (ctx) => createInteraction(ctx, clientId, NewInteraction.parse({ name, content, interactionDate: at })))
const shown = async (of: Coach, clientId: number, query = '') =>
  loadTimeline(await contextFor(of), clientId, new URLSearchParams(query))
const titles = async (of: Coach, clientId: number, query = '') =>
  (await shown(of, clientId, query)).days.map(({ day, entries }) =>
    [day, ...entries.map(({ title }) => title)].join(': '),
  )

test("entries are grouped by day in the coach's time zone, newest first", async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  const coach = await createCoach({ timezone: 'Pacific/Auckland' })
  const client = await createClient({ coach })
  // In Auckland it is already the 11th, and the 10th started at 11:00 UTC on the 9th.
  await note(coach, client.id, 'late', '2026-03-10T10:59:59Z')
  await note(coach, client.id, 'early', '2026-03-09T11:00:00Z')
  await note(coach, client.id, 'the day before', '2026-03-09T10:59:59Z')
  await inTenant(coach, (ctx) => archiveClient(ctx, client.id))

  expect(await titles(coach, client.id)).toEqual([
    'Today: Client archived: Client added',
    'Yesterday: late: early',
    'Mar 9, 2026: the day before',
  ])
})

test('a filter is exact among many other kinds, and loads more until the end', async () => {
  app.clock.now = new Date('2026-01-01T14:00:00Z')
  const coach = await createCoach()
  const client = await createClient({ coach })
  for (let day = 1; day <= 20; day++)
    await note(coach, client.id, `Note ${day}`, `2026-02-${String(day).padStart(2, '0')}T17:00:00Z`)

  expect(await shown(coach, client.id)).toMatchObject({ kinds: ['activity', 'interaction'], kind: null, nextShown: 30 })
  expect((await titles(coach, client.id, 'shown=30')).length).toBe(21)
  expect(await shown(coach, client.id, 'shown=30')).toMatchObject({ nextShown: null })
  expect(await shown(coach, client.id, 'kind=activity')).toMatchObject({
    kind: 'activity',
    nextShown: null,
    days: [{ entries: [{ title: 'Client added' }] }],
  })
  for (const odd of [
    'kind=nothing',
    "kind=' or 1=1",
    'kind=',
    'shown=-5',
    'shown=x',
    'shown=1e9',
    'shown=99999999999999999999',
  ]) {
    expect((await shown(coach, client.id, odd)).kind).toBe(null)
  }
})

test('excerpts are plain text, even of malicious markup, and deleted records are left out', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  await note(coach, client.id, 'Formatted', '2026-03-01T17:00:00Z', '# Plan\n• **call** \\*Ada\\* at 100%')
  const bomb = await note(coach, client.id, 'Bomb', '2026-03-02T17:00:00Z', '*'.repeat(50_000))
  const [, formatted] = (await shown(coach, client.id, 'kind=interaction')).days
  expect(formatted!.entries[0]!.text).toBe('Plan • call *Ada* at 100%')

  await inTenant(coach, (ctx) => deleteInteraction(ctx, { clientId: client.id, id: bomb.id }))
  expect((await titles(coach, client.id, 'kind=interaction')).length).toBe(1)
})

test("no module returns anything about another coach's client", async () => {
  const [owner, stranger] = [await createCoach(), await createCoach()]
  const client = await createClient({ coach: owner })
  await note(owner, client.id, 'Private', '2026-03-01T17:00:00Z')
  expect(await shown(stranger, client.id)).toEqual({ kinds: [], kind: null, days: [], nextShown: null })
  const contributions = modules
    .flatMap((module) => module.contributions ?? [])
    .filter(({ slot }) => slot === 'client.timeline')
  expect(contributions.length).toBeGreaterThan(1)
  for (const { load } of contributions)
    expect(await load(await contextFor(stranger), { id: String(client.id) })).toEqual([])
})
