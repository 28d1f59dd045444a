import { clientErased } from '#modules/crm/index.ts'
import { subscribe } from '../core/events.ts'
import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { fileSharing } from './file-sharing.ts'
import { makePreview, previewQueue } from './previews/previews.ts'
import { resourceCreated } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import { programPart } from './program-part.ts'
import { Resource, ResourceFolder, ResourceOpen, ResourceShare, ResourceVersion } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { deleteOrphanedFiles } from './services/files.ts'
import { sendShareEmail, shareQueue } from './services/shares.ts'
import { recordKinds } from './trash.ts'

export default defineModule({
  id: 'resources',
  title: 'Resources',
  dependsOn: ['crm'],
  entities: [ResourceFolder, Resource, ResourceVersion, ResourceShare, ResourceOpen],
  publishedEvents: [{ event: resourceCreated, label: 'Resource added' }],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'portal/files', file: 'routes/portal-files.tsx', layout: 'portal' },
    { path: 'resources', file: 'routes/resources.tsx' },
    { path: 'resources/upload', file: 'routes/upload.ts', layout: 'resource', uploads: true },
    { path: 'resources/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
    { path: 'resources/:id', file: 'routes/resource.tsx' },
    { path: 'shared/:token', file: 'routes/shared.tsx', layout: 'public' },
    { path: 'shared/:token/file', file: 'routes/shared-file.ts', layout: 'resource' },
  ],
  nav: [
    {
      label: 'Resources',
      to: '/resources',
      otherPaths: ['/history/resource', '/history/resource_folder'],
      icon: 'folder',
      section: 'main',
      order: 65,
      permission: 'resources:resource:read',
    },
  ],
  clientRecords: [
    { table: 'resource', label: ['resource', 'resources'] },
    { table: 'resource_share', label: ['shared resource', 'shared resources'], parents: { resource_id: 'resource' } },
    { table: 'resource_open', parents: { share_id: 'resource_share' } },
  ],
  recordKinds,
  fileSharing,
  programPart,
  search,
  contributions,
  jobs: [
    {
      name: previewQueue,
      // So that the pictures of one coach wait for each other, and those of others don't wait for them.
      concurrency: 2,
      run: (platform, { coachId, resourceId, fileId }) =>
        makePreview(platform, { coachId: Number(coachId), resourceId: Number(resourceId), fileId: Number(fileId) }),
    },
    {
      name: shareQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, { coachId, shareId, clientId }) =>
        sendShareEmail(platform, { coachId: Number(coachId), shareId: Number(shareId), clientId: Number(clientId) }),
    },
  ],
  seed,
  subscribers: [subscribe('resources', clientErased, (ctx) => deleteOrphanedFiles(ctx), { keepsData: true })],
  practiceExport,
})
