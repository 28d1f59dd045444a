import type { RecordKind } from '#modules/core/manifest.ts'
import { record } from '#modules/core/events.ts'
import { clientErased } from './events.ts'
import { restoreClient } from './services/clients.ts'
import { forgetImports } from './services/import.ts'
import { restoreInteractionAnywhere } from './services/interactions.ts'
import { clientInTrash } from './joins.ts'

/** What is known of a person, client or prospect, in the history of either. */
export const personFields = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  location: 'Location',
  profession: 'Profession',
  timezone: 'Timezone',
} satisfies RecordKind['fields']
export const fourFFields = {
  future_goals: { label: 'Future Goals', as: 'markup' },
  frustrations: { label: 'Frustrations', as: 'markup' },
  fears: { label: 'Fears', as: 'markup' },
  failures: { label: 'Past Failures', as: 'markup' },
} satisfies RecordKind['fields']

export const records: RecordKind[] = [
  {
    kind: 'client',
    label: 'Client',
    permission: { read: 'crm:client:read', write: 'crm:client:write' },
    title: 'r.name',
    to: `'/clients/' || r.id`,
    fields: {
      ...personFields,
      program: 'Program',
      status: {
        label: 'Status',
        words: { active: 'Active', inactive: 'Inactive', completed: 'Completed', pending: 'Pending' },
      },
      progress: 'Progress',
      goals: { label: 'Client Goals', as: 'markup' },
      notes: { label: 'Session Notes & Observations', as: 'markup' },
      ...fourFFields,
      archived_at: { label: 'Archived', as: 'time' },
    },
    restore: restoreClient,
    alsoErased:
      'Purchases stay in the books without their notes; the files of finished imports, which may hold the client, go as well.',
    erased: async (ctx, { id, deletedAt }) => {
      await forgetImports(ctx, { until: deletedAt, only: 'done' })
      await record(ctx, clientErased, { clientId: id })
    },
  },
  {
    kind: 'client_interaction',
    label: 'Interaction',
    permission: { read: 'crm:interaction:read', write: 'crm:interaction:write' },
    title: 'r.name',
    to: `'/clients/' || r.client_id || '?dialog=interaction&interaction=' || r.id`,
    hidden: clientInTrash('r'),
    fields: {
      client_id: { label: 'Client', of: 'client' },
      name: 'Title',
      interaction_date: { label: 'Date', as: 'time' },
      content: { label: 'Content', as: 'markup' },
      summary: { label: 'Summary', as: 'markup' },
      source: 'Source',
      appointment_id: { label: 'Appointment', of: 'appointment' },
    },
    restore: restoreInteractionAnywhere,
  },
]
