import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { exportResources } from './export.ts'
import { NewFile, type NewShare } from './forms.ts'
import { resourcesExportUrl } from './list-state.ts'
import { listFiles } from './queries/files.ts'
import { listFolders } from './queries/folders.ts'
import { findOpenShare, listOpens, listShares } from './queries/shares.ts'
import { createFile, deleteResource, updateFile } from './services/files.ts'
import { createFolder } from './services/folders.ts'
import { createShare, openShare, revokeShare } from './services/shares.ts'

// Resources on other screens, in the search, in the export and in the demo practice.

const app = createTestApp()

const addLink = (coach: Coach, name: string, more: object = {}): Promise<number> =>
  inTenant(coach, async (tx) => {
    const { id } = await createFile(tx, NewFile.parse({ name, fileUrl: 'https://example.com/talk', ...more }))
    return id
  })
const share = (coach: Coach, id: number, input: NewShare): Promise<{ id: number }> =>
  inTenant(coach, (tx) => createShare(tx, id, input))
async function loadSlot<Data>(
  coach: Coach,
  slot: 'client.timeline' | 'dashboard.action',
  params = {},
): Promise<Data[]> {
  const parts = await fillSlot(await contextFor(coach), slot, params)
  return parts.filter(({ module }) => module === 'resources').map(({ data }) => data as Data)
}
async function listTimeline(coach: Coach, { id }: { id: number }): Promise<[string, string | null, string | null][]> {
  const [entries] = await loadSlot<TimelineEntry[]>(coach, 'client.timeline', { id: String(id), rows: '50' })
  return entries!.map(({ title, text, to }) => [title, text, to])
}
const later = (): void => void (app.clock.now = new Date(app.clock.now.getTime() + 60_000))

test("a client's timeline shows what was added for, shared with and opened by them", async () => {
  const coach = await createCoach({ plan: 'premium' })
  const [grace, ada] = [await createClient({ coach }), await createClient({ coach })]
  const id = await addLink(coach, 'Values *worksheet*', { clientId: grace.id })
  const to = `/resources/${id}`
  later()
  const { id: shareId } = await share(coach, id, { audience: 'client', clientId: grace.id })
  later()
  const ctx = await contextFor(coach)
  const visitor = { clientId: grace.id, password: '', device: { address: '127.0.0.1', userAgent: null } }
  await openShare(ctx, (await findOpenShare(ctx, shareId, grace.id))!, visitor)
  const name = String.raw`Values \*worksheet\*`
  expect(await listTimeline(coach, grace)).toEqual([
    ['Resource opened', name, to],
    ['Resource shared', name, to],
    ['Resource added', name, to],
  ])
  expect(await listTimeline(coach, ada)).toEqual([])
  await inTenant(coach, (tx) => deleteResource(tx, id))
  expect(await listTimeline(coach, grace)).toEqual([])
})

test('a share with all clients, or with a tag, is in the timeline of each such client until it ends', async () => {
  const coach = await createCoach({ plan: 'premium' })
  const grace = await createClient({ coach, tags: ['Spring group'] })
  const ada = await createClient({ coach })
  const [talk, plan] = [await addLink(coach, 'Talk'), await addLink(coach, 'Plan')]
  const { id: ofGroup } = await share(coach, talk, { audience: 'tag', tag: 'spring GROUP' })
  later()
  const { id: ofAll } = await share(coach, plan, { audience: 'all' })
  await share(coach, talk, { audience: 'link' })
  later()
  const talkShared = ['Resource shared', 'Talk', `/resources/${talk}`]
  const planShared = ['Resource shared', 'Plan', `/resources/${plan}`]
  expect(await listTimeline(coach, grace)).toEqual([planShared, talkShared])
  expect(await listTimeline(coach, ada)).toEqual([planShared])

  // For a client who came later it begins with the client, not before.
  const mara = await createClient({ coach })
  const [entries] = await loadSlot<TimelineEntry[]>(coach, 'client.timeline', { id: String(mara.id) })
  expect(entries!.map(({ title, at }) => [title, at])).toEqual([['Resource shared', app.clock.now.toISOString()]])

  await app.call('PATCH', `/api/clients/${ada.id}`, { as: coach, body: { tags: ['Spring group'] } })
  await inTenant(coach, (tx) => revokeShare(tx, ofAll))
  expect(await listTimeline(coach, ada)).toEqual([talkShared])
  await inTenant(coach, (tx) => revokeShare(tx, ofGroup))
  for (const client of [grace, ada, mara]) expect(await listTimeline(coach, client)).toEqual([])
})

test('the dashboard leads to the upload', async () => {
  expect(await loadSlot(await createCoach(), 'dashboard.action')).toEqual([
    { label: 'Upload Resource', to: '/resources?dialog=upload', icon: 'folder' },
  ])
})

test('the search finds resources by name, and none of the trash or of a client in it', async () => {
  const coach = await createCoach({ plan: 'premium' })
  const client = await createClient({ coach, name: 'Grace Hopper' })
  const [general, own, deleted] = [
    await addLink(coach, 'Übung: Werte'),
    await addLink(coach, 'Übung für Grace', { clientId: client.id }),
    await addLink(coach, 'Übung, alt'),
  ]
  await inTenant(coach, (tx) => deleteResource(tx, deleted))
  const search = async (as: Coach) => {
    const { body } = await app.call('GET', '/api/search?q=ubung', { as })
    return body.map((hit: Record<string, unknown>) => [hit.type, hit.title, hit.subtitle, hit.to])
  }
  expect(await search(coach)).toEqual([
    ['resource', 'Übung für Grace', 'Grace Hopper', `/resources/${own}`],
    ['resource', 'Übung: Werte', null, `/resources/${general}`],
  ])
  await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
  expect(await search(coach)).toEqual([['resource', 'Übung: Werte', null, `/resources/${general}`]])
  expect(await search(await createCoach())).toEqual([])
})

test('the export has a line for each resource that the filters show, and no cell that is a formula', async () => {
  const coach = await createCoach({ plan: 'premium' })
  const client = await createClient({ coach, name: 'Grace Hopper' })
  const folder = await inTenant(coach, (tx) => createFolder(tx, { name: 'Worksheets' }))
  const talk = await addLink(coach, 'Talk, part 1', { type: 'video', clientId: client.id, isShared: true })
  await inTenant(coach, (tx) => updateFile(tx, talk, { folderId: folder.id, tags: ['values', 'spring'] }))
  await addLink(coach, '=1+1')
  const write = async (query: string) => {
    const filters = resourcesExportUrl.parse(`http://localhost/resources/export?${query}`)
    return text(Readable.from(exportResources(await contextFor(coach), filters)))
  }
  const head = '\ufeffName,Type,Client,Folder,Tags,Bytes,Address,Shared,Uploaded\r\n'
  const video =
    '"Talk, part 1",Video,Grace Hopper,Worksheets,"values, spring",,https://example.com/talk,yes,2026-03-10\r\n'
  expect(await write('')).toBe(`${head}${video}'=1+1,Link,,,,,https://example.com/talk,no,2026-03-10\r\n`)
  expect(await write('type=video&tag=VALUES')).toBe(head + video)
  // By type, as the list.
  expect(await write('q=vid')).toBe(head + video)
  expect(await write('q=nothing')).toBe(head)
})

test.each(['first', 'second'] as const)(
  'the %s demo practice has a folder of materials, seeded once',
  async (which) => {
    const coach = await createCoach({ plan: 'premium' })
    const ctx = await contextFor(coach)
    for (const id of ['crm', 'resources', 'resources'])
      await modules.find((module) => module.id === id)!.seed!(ctx, { which, now: app.clock.now })
    const [folder, ...others] = await listFolders(ctx)
    expect(others).toEqual([])
    const files = await listFiles(ctx)
    const inFolder = files.filter(({ folderId }) => folderId === folder!.id)
    expect(inFolder.length).toBe(which === 'first' ? 4 : 1)
    for (const { type, size, tags } of inFolder)
      expect([type, size! > 0, tags.length > 0]).toEqual(['document', true, true])
    expect(files.filter(({ type }) => type === 'link')).toHaveLength(1)
    const shared = files.filter(({ isShared }) => isShared)
    expect(shared).toHaveLength(1)
    expect(await listShares(ctx, shared[0]!.id)).toMatchObject([{ audience: 'client' }])
    expect(await listOpens(ctx, shared[0]!.id)).toHaveLength(1)
  },
)
