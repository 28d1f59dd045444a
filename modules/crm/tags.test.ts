import { expect, test } from 'vitest'
import { getHistory } from '#modules/core/history.ts'
import { searchAll } from '#modules/core/search.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { clientsUrl } from './list-state.ts'
import { getClientList } from './queries/list.ts'
import { archiveClient, deleteClient } from './services/clients.ts'
import { recordKinds } from './trash.ts'

const app = createTestApp()
const patch = async (as: Coach, id: number, tags: unknown) =>
  app.call('PATCH', `/api/clients/${id}`, { as, body: { tags } })
const listed = async (as: Coach, query: string): Promise<string[]> => {
  const { rows } = await getClientList(await contextFor(as), clientsUrl.parse(`http://localhost/clients?${query}`))
  return rows.map(({ name }) => name).toSorted()
}

test('tags are trimmed and kept once, whatever their case', async () => {
  const as = await createCoach()
  const { body } = await app.call('POST', '/api/clients', {
    as,
    body: { name: 'Ada', email: 'ada@example.com', tags: [' VIP ', 'vip', 'in  person', ''] },
  })
  expect(body.tags).toEqual(['VIP', 'in person'])
  expect((await app.call('GET', `/api/clients/${body.id}`, { as })).body.tags).toEqual(['VIP', 'in person'])
  expect((await patch(as, body.id, [])).body.tags).toEqual([])
  expect((await app.call('PATCH', `/api/clients/${body.id}`, { as, body: { phone: '1' } })).body.tags).toEqual([])
})

test.each([
  ['21 tags', Array.from({ length: 21 }, (_, n) => `tag ${n}`), 'Use at most 20 tags'],
  ['a tag of 41 characters', ['x'.repeat(41)], 'Use at most 40 characters'],
  ['a comma', ['a, b'], 'A tag can’t have a comma'],
  ['text', 'VIP', 'Send a list of tags'],
  ['a line break', ['a\nb'], 'Use a single line'],
])('%s are refused', async (_name, tags, message) => {
  const as = await createCoach()
  const { id } = await createClient({ coach: as })
  const { status, body } = await patch(as, id, tags)
  expect([status, body.issues[0].message]).toEqual([422, message])
})

test('a tag finds its clients in any case, in the list, the API and the search', async () => {
  const as = await createCoach()
  const [ada, grace, mary] = [
    await createClient({ coach: as, name: 'Ada', tags: ['Überseher', 'VIP'] }),
    await createClient({ coach: as, name: 'Grace', tags: ['vip'], status: 'pending' }),
    await createClient({ coach: as, name: 'Mary', tags: ['Vip', 'VIP 2'] }),
  ]
  await createClient({ coach: as, name: 'Nobody', tags: ['VIP 2'] })
  await inTenant(as, (ctx) => archiveClient(ctx, mary.id))
  expect(await listed(as, 'tag=vIp')).toEqual(['Ada', 'Grace'])
  expect(await listed(as, 'tag=vip&status=pending')).toEqual(['Grace'])
  expect(await listed(as, 'tag=vip&q=grace')).toEqual(['Grace'])
  expect(await listed(as, 'tag=vip&show=archive')).toEqual(['Mary'])
  expect(await listed(as, 'tag=VI')).toEqual([])
  const found = await app.call('GET', '/api/clients?tag=vip&status=active', { as })
  expect(found.body.map(({ id }: { id: number }) => id)).toEqual([ada.id])
  expect((await app.call('GET', '/api/clients?status=none', { as })).status).toBe(422)
  expect((await searchAll(await contextFor(as), 'uberseher')).results).toMatchObject([
    { id: ada.id, type: 'client', subtitle: 'Überseher, VIP' },
  ])
  await patch(as, grace.id, [])
  expect(await listed(as, 'tag=vip')).toEqual(['Ada'])
})

test('tags are listed by name with the number of clients outside the trash', async () => {
  const [as, other] = [await createCoach(), await createCoach()]
  await createClient({ coach: as, tags: ['VIP', 'evenings'] })
  await createClient({ coach: as, tags: ['vip'] })
  const deleted = await createClient({ coach: as, tags: ['vip', 'gone'] })
  await inTenant(as, (ctx) => deleteClient(ctx, deleted.id))
  await createClient({ coach: other, tags: ['theirs'] })
  const { body } = await app.call('GET', '/api/client-tags', { as })
  expect(body.tags).toEqual([
    { tag: 'evenings', clients: 1 },
    { tag: expect.stringMatching(/^vip$/i), clients: 2 },
  ])
})

test('the history records what the tags were', async () => {
  const as = await createCoach()
  const { id } = await createClient({ coach: as, tags: ['VIP'] })
  await patch(as, id, ['VIP', 'evenings'])
  const { entries } = await getHistory(await contextFor(as), recordKinds[0]!, id)
  expect(entries[0]!.changes).toEqual([{ field: 'tags', label: 'Tags', from: ['VIP'], to: ['VIP', 'evenings'] }])
})
