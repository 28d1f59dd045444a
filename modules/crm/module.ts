import { subscribe } from '../core/events.ts'
import { defineModule } from '../core/manifest.ts'
import { automationActions, automationTriggers } from './automations.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { jobs } from './jobs.ts'
import { metrics } from './metrics.ts'
import {
  clientCreated,
  clientUpdated,
  clientArchived,
  clientUnarchived,
  clientDeleted,
  clientRestored,
  clientsMerged,
  interactionCreated,
} from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import { countClients, totalClientsQuery } from './queries/counts.ts'
import {
  Activity,
  Client,
  ClientImport,
  ClientChange,
  ClientInteraction,
  ClientMerge,
  ClientView,
  ImportedClient,
} from './schema.ts'
import { search } from './search.ts'
import { recordKinds } from './trash.ts'
import { eraseMerged, followMerge } from './services/merge.ts'
import { seed } from './seed/seed.ts'

export default defineModule({
  id: 'crm',
  title: 'Clients',
  isSwitchable: false,
  entities: [Client, Activity, ClientInteraction, ClientImport, ClientView, ClientChange, ClientMerge, ImportedClient],
  publishedEvents: [
    { event: clientCreated, label: 'Client added' },
    { event: clientUpdated, label: 'Client changed' },
    { event: clientArchived, label: 'Client archived' },
    { event: clientUnarchived, label: 'Client taken out of the archive' },
    { event: clientDeleted, label: 'Client deleted' },
    { event: clientRestored, label: 'Client restored' },
    { event: clientsMerged, label: 'Clients merged' },
    { event: interactionCreated, label: 'Interaction added' },
  ],
  automationActions,
  automationTriggers,
  migrations,
  permissions,
  routes: [
    { path: 'clients', file: 'routes/clients.tsx' },
    { path: 'clients/:id', file: 'routes/client.tsx' },
    { path: 'clients/:id/interactions', file: 'routes/interactions.tsx' },
    { path: 'clients/:id/merge', file: 'routes/merge.tsx' },
    { path: 'clients/import', file: 'routes/import.tsx', uploads: true },
    { path: 'clients/import/:id', file: 'routes/import-plan.tsx' },
    { path: 'clients/import/:id/errors', file: 'routes/import-errors.ts', layout: 'resource' },
    { path: 'clients/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
  ],
  operations,
  nav: [
    {
      label: 'Clients',
      to: '/clients',
      otherPaths: ['/history/client', '/history/client_interaction'],
      icon: 'users',
      section: 'main',
      order: 20,
      permission: 'crm:client:read',
      badge: countClients,
    },
  ],
  search,
  clientRecords: [
    { table: 'client_interaction', label: ['interaction', 'interactions'], parents: { appointment_id: 'appointment' } },
    { table: 'activity' },
    { table: 'client_merge', column: 'kept_id', onMerge: 'stay' },
    { table: 'client_merge', column: 'merged_id', onMerge: 'stay' },
    // The undo of an import finds the merged client in the trash, and the kept one changed.
    { table: 'imported_client', onMerge: 'stay' },
  ],
  beforeErase: [{ kind: 'client', run: eraseMerged }],
  subscribers: [subscribe('crm', clientsMerged, (ctx, { mergedClientId }) => followMerge(ctx, mergedClientId))],
  recordKinds,
  contributions,
  metrics,
  counts: { totalClients: totalClientsQuery },
  jobs,
  seed,
  practiceExport,
})
