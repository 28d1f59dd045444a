import { expect, test } from 'vitest'
import { aCoach, aHouse, asCoach, ctxFor, type Coach } from '#tests/support/test-app.ts'
import { contributions } from '../contributions.ts'
import { NewClient } from '../forms.ts'
import { listState } from '../list-state.ts'
import { addClient, archiveClient, deleteClient } from '../services/clients.ts'
import { clientList } from './list.ts'

const house = aHouse()

const aClient = (of: Coach, name: string, fields: Record<string, unknown> = {}) =>
  asCoach(of, (ctx) => addClient(ctx, NewClient.parse({ name, email: 'someone@example.com', ...fields })))
const listed = async (of: Coach, query: string) => clientList(await ctxFor(of), listState(new URLSearchParams(query)))
const namesOf = async (of: Coach, query: string) => (await listed(of, query)).rows.map(({ name }) => name).join(' ')

test('the list is ordered by each column, both ways, with accents where a dictionary has them', async () => {
  const coach = await aCoach(house)
  await aClient(coach, 'Zoe', { progress: 10 })
  await aClient(coach, 'åsa', { progress: 90, status: 'pending' })
  await aClient(coach, 'Bea', { progress: 50, status: 'completed' })
  expect(await namesOf(coach, '')).toBe('Bea åsa Zoe')
  expect(await namesOf(coach, 'sort=joined')).toBe('Zoe åsa Bea')
  expect(await namesOf(coach, 'sort=name')).toBe('åsa Bea Zoe')
  expect(await namesOf(coach, 'sort=-name')).toBe('Zoe Bea åsa')
  expect(await namesOf(coach, 'sort=status')).toBe('Zoe Bea åsa')
  expect(await namesOf(coach, 'sort=-progress&view=cards')).toBe('åsa Bea Zoe')
})

test('pages of fifty hold everybody once', async () => {
  const coach = await aCoach(house)
  for (let n = 0; n < 53; n++) await aClient(coach, `Client ${n}`)
  const [first, second] = [await listed(coach, 'sort=status'), await listed(coach, 'sort=status&page=2')]
  expect([first.rows.length, second.rows.length, first.matching]).toEqual([50, 3, 53])
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(53)
})

test('the archive has a list and a figure of its own, and a search counts what it finds', async () => {
  const coach = await aCoach(house)
  const archived = await aClient(coach, 'Archived')
  const deleted = await aClient(coach, 'Deleted')
  await aClient(coach, 'Here')
  await asCoach(coach, (ctx) => archiveClient(ctx, archived.id))
  await asCoach(coach, (ctx) => deleteClient(ctx, deleted.id))
  expect(await namesOf(coach, '')).toBe('Here')
  expect(await namesOf(coach, 'show=archive')).toBe('Archived')
  expect((await listed(coach, '')).figures).toEqual({ current: 1, archive: 1 })
  expect((await listed(coach, 'q=here')).matching).toBe(1)
  expect((await listed(coach, 'show=archive&q=here')).matching).toBe(0)
})

test('what was added this month is counted in the coach’s own month', async () => {
  const coach = await aCoach(house, { timezone: 'Pacific/Auckland' })
  const stat = contributions.find(({ widget }) => widget === 'total-clients')!
  for (const at of ['2026-02-28T10:59:59Z', '2026-02-28T11:00:00Z']) {
    house.clock.now = new Date(at)
    await aClient(coach, at)
  }
  house.clock.now = new Date('2026-03-10T14:00:00Z')
  expect(await stat.load(await ctxFor(coach), {})).toEqual({ total: 2, added: 1, limit: null })
})
