import { Readable } from 'node:stream'
import { withContent } from '#tenants/files/files.ts'
import { createUpload } from '#tenants/files/uploads.ts'
import { contextFor, getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { getSharePath } from '../public-link.ts'
import { findOpenShare } from '../queries/shares.ts'
import { createFromContent, createLink } from '../services/files.ts'
import { createFolder } from '../services/folders.ts'
import { createShare, openShare } from '../services/shares.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has long texts, a share and somebody who opened it. */
    resource: number
    resourceFolder: number
    startedUpload: number
    /** The path of the page of a share with a password. */
    sharePage: string
  }
}

export const screens: Screen[] = [
  { name: 'portal-files', route: '/portal/files', path: '/portal/files', as: 'client', host: 'full' },
  { name: 'resources', route: '/resources', path: '/resources', as: 'full' },
  { name: 'resources-empty', route: '/resources', path: '/resources', as: 'newcomer' },
  { name: 'resources-none-found', route: '/resources', path: '/resources?q=zzz', as: 'full' },
  { name: 'resources-upload', route: '/resources', path: '/resources?dialog=upload', as: 'full' },
  {
    name: 'resources-discard-upload',
    route: '/resources',
    path: ({ startedUpload }) => `/resources?dialog=discard&upload=${startedUpload}`,
    as: 'full',
  },
  { name: 'resources-link', route: '/resources', path: '/resources?dialog=link', as: 'full' },
  { name: 'resources-folders', route: '/resources', path: '/resources?dialog=folders', as: 'full' },
  {
    name: 'resources-delete',
    route: '/resources',
    path: ({ resource }) => `/resources?dialog=delete&resource=${resource}`,
    as: 'full',
  },
  { name: 'resource', route: '/resources/:id', path: ({ resource }) => `/resources/${resource}`, as: 'full' },
  {
    name: 'resource-version',
    route: '/resources/:id',
    path: ({ resource }) => `/resources/${resource}?dialog=version`,
    as: 'full',
  },
  { name: 'shared', route: '/shared/:token', path: ({ sharePage }) => sharePage, as: 'visitor', host: 'full' },
  { name: 'shared-ended', route: '/shared/:token', path: '/shared/x', as: 'visitor', host: 'full', status: 404 },
  {
    name: 'resource-history',
    route: '/history/resource/:id',
    path: ({ resource }) => `/history/resource/${resource}`,
    as: 'full',
  },
  {
    name: 'resource-folder-history',
    route: '/history/resource_folder/:id',
    path: ({ resourceFolder }) => `/history/resource_folder/${resourceFolder}`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const ctx = await contextFor(full)
  const [client] = await getClients(full)
  const folder = await inTenant(full, (tx) => createFolder(tx, { name: longText.slice(0, 100) }))
  const file = await withContent(ctx, Readable.from([Buffer.from('Values\n')]), {}, (tx, content) =>
    createFromContent(
      tx,
      { name: `${longText.slice(0, 200)}.txt`, content },
      { clientId: client!.id, folderId: folder.id, tags: [longText.slice(0, 40), 'habit'] },
    ),
  )
  await inTenant(full, (tx) =>
    createLink(tx, { name: 'A talk', fileUrl: 'https://example.com/talk', type: 'video', tags: [] }),
  )
  const share = await inTenant(full, (tx) => createShare(tx, file.id, { audience: 'client', clientId: client!.id }))
  const secret = await inTenant(full, (tx) => createShare(tx, file.id, { audience: 'link', password: 'open sesame' }))
  const open = await findOpenShare(ctx, share.id, client!.id)
  await openShare(ctx, open!, { clientId: client!.id, password: '', device: { userAgent: null, address: '127.0.0.1' } })
  const upload = await createUpload(ctx, { name: `${longText.slice(0, 200)}.pdf`, size: 10 })
  return {
    resource: file.id,
    resourceFolder: folder.id,
    startedUpload: upload.id,
    sharePage: getSharePath(ctx, secret.id, null),
  }
}
