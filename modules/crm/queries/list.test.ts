import { expect, test } from 'vitest'
import { createCoach, inTenant, contextFor, type Coach, createClient } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { contributions } from '../contributions.ts'
import { clientsUrl } from '../list-state.ts'
import { archiveClient, deleteClient } from '../services/clients.ts'
import { getClientList } from './list.ts'

const app = createTestApp()
const listed = async (of: Coach, query: string) =>
  getClientList(await contextFor(of), clientsUrl.parse(`http://localhost/clients?${query}`))
const getNames = async (of: Coach, query: string) => (await listed(of, query)).rows.map(({ name }) => name).join(' ')

test('the list is sorted by each column in both directions, with accents in dictionary order', async () => {
  const coach = await createCoach()
  await createClient({ coach, name: 'Zoe', progress: 10 })
  await createClient({ coach, name: 'åsa', progress: 90, status: 'pending' })
  await createClient({ coach, name: 'Bea', progress: 50, status: 'completed' })
  expect(await getNames(coach, '')).toBe('Bea åsa Zoe')
  expect(await getNames(coach, 'sort=joined')).toBe('Zoe åsa Bea')
  expect(await getNames(coach, 'sort=name')).toBe('åsa Bea Zoe')
  expect(await getNames(coach, 'sort=-name')).toBe('Zoe Bea åsa')
  expect(await getNames(coach, 'sort=status')).toBe('Zoe Bea åsa')
  expect(await getNames(coach, 'sort=-progress&view=cards')).toBe('åsa Bea Zoe')
})

test('pages of fifty list every client once', async () => {
  const coach = await createCoach()
  for (let n = 0; n < 53; n++) await createClient({ coach, name: `Client ${n}` })
  const [first, second] = [await listed(coach, 'sort=status'), await listed(coach, 'sort=status&page=2')]
  expect([first.rows.length, second.rows.length, first.matchCount]).toEqual([50, 3, 53])
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(53)
})

test('the archive has its own list and count, and a search has the count of its matches', async () => {
  const coach = await createCoach()
  const archived = await createClient({ coach, name: 'Archived' })
  const deleted = await createClient({ coach, name: 'Deleted' })
  await createClient({ coach, name: 'Here' })
  await inTenant(coach, (ctx) => archiveClient(ctx, archived.id))
  await inTenant(coach, (ctx) => deleteClient(ctx, deleted.id))
  expect(await getNames(coach, '')).toBe('Here')
  expect(await getNames(coach, 'show=archive')).toBe('Archived')
  expect((await listed(coach, '')).counts).toEqual({ current: 1, archive: 1 })
  expect((await listed(coach, 'q=here')).matchCount).toBe(1)
  expect((await listed(coach, 'show=archive&q=here')).matchCount).toBe(0)
})

test("new clients are counted in the month of the coach's time zone", async () => {
  const coach = await createCoach({ timezone: 'Pacific/Auckland' })
  const stat = contributions.find(({ widget }) => widget === 'total-clients')!
  for (const at of ['2026-02-28T10:59:59Z', '2026-02-28T11:00:00Z']) {
    app.clock.now = new Date(at)
    await createClient({ coach, name: at })
  }
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  expect(await stat.load(await contextFor(coach), {})).toEqual({ total: 2, added: 1, limit: null })
})
