import { expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { aCoach, aHouse, asCoach, ctxFor, type Coach } from '#tests/support/test-app.ts'
import { NewClient, NewInteraction } from './forms.ts'
import { addClient, archiveClient } from './services/clients.ts'
import { addInteraction, deleteInteraction } from './services/interactions.ts'
import { timelineOf } from './timeline-loader.server.ts'

const house = aHouse()

const aClient = (of: Coach) =>
  asCoach(of, (ctx) => addClient(ctx, NewClient.parse({ name: 'Ada Lovelace', email: 'ada@example.com' })))
const note = (of: Coach, clientId: number, name: string, at: string, content: string | null = null) =>
  asCoach(of, (ctx) => addInteraction(ctx, clientId, NewInteraction.parse({ name, content, interactionDate: at })))
const shown = async (of: Coach, clientId: number, query = '') =>
  timelineOf(await ctxFor(of), clientId, new URLSearchParams(query))
const titles = async (of: Coach, clientId: number, query = '') =>
  (await shown(of, clientId, query)).days.map(({ day, entries }) =>
    [day, ...entries.map(({ title }) => title)].join(': '),
  )

test('what happened stands under the days of the coach, newest first', async () => {
  house.clock.now = new Date('2026-03-10T14:00:00Z')
  const coach = await aCoach(house, { timezone: 'Pacific/Auckland' })
  const client = await aClient(coach)
  // In Auckland it is the 11th already, and the 10th began at 11:00 UTC of the 9th.
  await note(coach, client.id, 'late', '2026-03-10T10:59:59Z')
  await note(coach, client.id, 'early', '2026-03-09T11:00:00Z')
  await note(coach, client.id, 'the day before', '2026-03-09T10:59:59Z')
  await asCoach(coach, (ctx) => archiveClient(ctx, client.id))

  expect(await titles(coach, client.id)).toEqual([
    'Today: Client archived: Client added',
    'Yesterday: late: early',
    'Mar 9, 2026: the day before',
  ])
})

test('a filter is exact, however many there are of other kinds, and shows more until there are no more', async () => {
  house.clock.now = new Date('2026-01-01T14:00:00Z')
  const coach = await aCoach(house)
  const client = await aClient(coach)
  for (let day = 1; day <= 20; day++)
    await note(coach, client.id, `Note ${day}`, `2026-02-${String(day).padStart(2, '0')}T17:00:00Z`)

  expect(await shown(coach, client.id)).toMatchObject({ kinds: ['activity', 'interaction'], kind: null, more: 30 })
  expect((await titles(coach, client.id, 'shown=30')).length).toBe(21)
  expect(await shown(coach, client.id, 'shown=30')).toMatchObject({ more: null })
  expect(await shown(coach, client.id, 'kind=activity')).toMatchObject({
    kind: 'activity',
    more: null,
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

test('excerpts are words alone, also of a bomb, and what is deleted is not told', async () => {
  const coach = await aCoach(house)
  const client = await aClient(coach)
  await note(coach, client.id, 'Formatted', '2026-03-01T17:00:00Z', '# Plan\n• **call** \\*Ada\\* at 100%')
  const bomb = await note(coach, client.id, 'Bomb', '2026-03-02T17:00:00Z', '*'.repeat(50_000))
  const [, formatted] = (await shown(coach, client.id, 'kind=interaction')).days
  expect(formatted!.entries[0]!.text).toBe('Plan • call *Ada* at 100%')

  await asCoach(coach, (ctx) => deleteInteraction(ctx, { clientId: client.id, id: bomb.id }))
  expect((await titles(coach, client.id, 'kind=interaction')).length).toBe(1)
})

test('of another coach’s client no module tells anything', async () => {
  const [owner, stranger] = [await aCoach(house), await aCoach(house)]
  const client = await aClient(owner)
  await note(owner, client.id, 'Private', '2026-03-01T17:00:00Z')
  expect(await shown(stranger, client.id)).toEqual({ kinds: [], kind: null, days: [], more: null })
  const contributions = modules
    .flatMap((module) => module.contributions ?? [])
    .filter(({ slot }) => slot === 'client.timeline')
  expect(contributions.length).toBeGreaterThan(1)
  for (const { load } of contributions)
    expect(await load(await ctxFor(stranger), { id: String(client.id) })).toEqual([])
})
