import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { beforeEach, expect, test } from 'vitest'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewFile } from './forms.ts'
import { listShares } from './queries/shares.ts'
import { action as resourceAction } from './routes/resource.tsx'
import { action as resourcesAction } from './routes/resources.tsx'
import { createFile } from './services/files.ts'
import { createFolder } from './services/folders.ts'

// The forms with checkboxes of one name.

const app = createTestApp()
let coach: Coach
beforeEach(async () => {
  coach = await createCoach()
})

const addLink = (name: string) =>
  inTenant(coach, async (tx) => (await createFile(tx, NewFile.parse({ name, fileUrl: 'https://example.com' }))).id)

async function submit(action: (args: ActionFunctionArgs) => Promise<unknown>, fields: [string, unknown][]) {
  const ctx = await contextFor(coach)
  const body = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  const request = new Request('http://localhost/resources', { method: 'POST', body })
  const context = {
    account: ctx.account,
    coach: () => ctx,
    write: ctx.write,
    cookies: { toast: (message: object) => JSON.stringify(message) },
  } as unknown as AppLoadContext
  const response = (await action({ request, params: {}, context } as ActionFunctionArgs)) as Response
  return response.headers.get('Set-Cookie')
}

test('all chosen resources are moved, tagged and deleted, and no other', async () => {
  const [plan, talk, kept] = [await addLink('Plan'), await addLink('Talk'), await addLink('Kept')]
  const folder = await inTenant(coach, (tx) => createFolder(tx, { name: 'Spring' }))
  // A narrow screen hides the table, whose boxes may be checked as well as those of the list.
  const ids: [string, unknown][] = [plan, talk, plan].map((id) => ['ids', id])
  const list = async (): Promise<{ id: number; folderId: number | null; tags: string[] }[]> =>
    (await app.call('GET', '/api/files', { as: coach })).body
  const read = async () =>
    (await list()).toSorted((a, b) => a.id - b.id).map(({ id, folderId, tags }) => [id, folderId, tags])

  await submit(resourcesAction, [...ids, ['folderId', folder.id], ['tag', ''], ['intent', 'bulk-move']])
  await submit(resourcesAction, [...ids, ['folderId', ''], ['tag', 'values'], ['intent', 'bulk-tag']])
  const unchanged = [kept, null, []]
  expect(await read()).toEqual([[plan, folder.id, ['values']], [talk, folder.id, ['values']], unchanged])
  const toast = await submit(resourcesAction, [...ids, ['folderId', ''], ['tag', ''], ['intent', 'bulk-delete']])
  expect(toast).toContain('Resources deleted')
  expect(await read()).toEqual([unchanged])
})

test('a resource is shared with each of the chosen clients', async () => {
  const [grace, ada] = [await createClient({ coach, name: 'Grace' }), await createClient({ coach, name: 'Ada' })]
  await createClient({ coach, name: 'Mara' })
  const id = await addLink('Talk')
  await submit(resourceAction, [
    ['intent', 'share'],
    ['id', id],
    ['audience', 'client'],
    ['clientIds', grace.id],
    ['clientIds', ada.id],
    ['expiresInDays', ''],
    ['maxOpens', ''],
    ['password', ''],
  ])
  const shares = await listShares(await contextFor(coach), id)
  expect(shares.map(({ clientName }) => clientName).toSorted()).toEqual(['Ada', 'Grace'])
})
