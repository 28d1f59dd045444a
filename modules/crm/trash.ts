import { publish } from '#modules/core/events.ts'
import type { RecordKind } from '#modules/core/manifest.ts'
import { clientErased } from './events.ts'
import { deleteImports } from './import/service.ts'
import { isClientInTrash } from './joins.ts'
import { deleteChanges } from './services/bulk.ts'
import { client, interaction } from './records.ts'
import { restoreClient } from './services/clients.ts'
import { restoreInteractionById } from './services/interactions.ts'

const clientKind = client.recordKind({
  permission: 'crm:client',
  isPerson: true,
  title: 'r.name',
  to: `'/clients/' || r.id`,
  fields: {
    archived_at: { label: 'Archived', as: 'time' },
    merged_with_id: { label: 'Merged with', of: 'client' },
  },
  restore: restoreClient,
  eraseNote: 'Purchases stay in your records without notes; past import files are deleted.',
  onErase: async (ctx, { id, deletedAt }) => {
    await deleteImports(ctx, { until: deletedAt, statuses: ['done', 'undone'] })
    await deleteChanges(ctx, deletedAt)
    await publish(ctx, clientErased, { clientId: id })
  },
})

export const recordKinds: RecordKind[] = [
  clientKind,
  interaction.recordKind({
    permission: 'crm:interaction',
    title: 'r.name',
    to: `'/clients/' || r.client_id || '?dialog=interaction&interaction=' || r.id`,
    hidden: isClientInTrash('r'),
    restore: restoreInteractionById,
  }),
]

const pickLabels = (...columns: string[]): RecordKind['fields'] =>
  Object.fromEntries(columns.map((column) => [column, clientKind.fields[column]!]))

/** Fields that clients and prospects share, for their history. */
export const personFields = pickLabels('name', 'email', 'phone', 'location', 'profession', 'timezone')
export const fourFFields = pickLabels('future_goals', 'frustrations', 'fears', 'failures')
