import type { FieldLabel, RecordKind } from '#modules/core/manifest.ts'
import { publish } from '#modules/core/events.ts'
import { clientErased } from './events.ts'
import { clientFieldNames, clientFields, columnName, interactionFields, type ClientField } from './fields.ts'
import { restoreClient } from './services/clients.ts'
import { deleteImports } from './import/service.ts'
import { restoreInteractionById } from './services/interactions.ts'
import { isClientInTrash } from './joins.ts'

function historyFields(...names: ClientField[]): RecordKind['fields'] {
  return Object.fromEntries(names.map((name) => [columnName(name), historyLabel(name)]))
}

function historyLabel(name: ClientField): FieldLabel {
  const field = clientFields[name]
  if ('richText' in field) return { label: field.label, as: 'markup' }
  return 'choices' in field ? { label: field.label, words: field.choices } : field.label
}

/** Fields that clients and prospects share, for their history. */
export const personFields = historyFields('name', 'email', 'phone', 'location', 'profession', 'timezone')
export const fourFFields = historyFields('futureGoals', 'frustrations', 'fears', 'failures')

export const recordKinds: RecordKind[] = [
  {
    kind: 'client',
    label: 'Client',
    permission: { read: 'crm:client:read', write: 'crm:client:write' },
    title: 'r.name',
    to: `'/clients/' || r.id`,
    fields: {
      ...historyFields(...clientFieldNames),
      archived_at: { label: 'Archived', as: 'time' },
    },
    restore: restoreClient,
    eraseNote: 'Purchases stay in your records without notes; past import files are deleted.',
    onErase: async (ctx, { id, deletedAt }) => {
      await deleteImports(ctx, { until: deletedAt, status: 'done' })
      await publish(ctx, clientErased, { clientId: id })
    },
  },
  {
    kind: 'client_interaction',
    label: 'Interaction',
    permission: { read: 'crm:interaction:read', write: 'crm:interaction:write' },
    title: 'r.name',
    to: `'/clients/' || r.client_id || '?dialog=interaction&interaction=' || r.id`,
    hidden: isClientInTrash('r'),
    fields: {
      client_id: { label: 'Client', of: 'client' },
      name: interactionFields.name.label,
      interaction_date: { label: interactionFields.interactionDate.label, as: 'time' },
      content: { label: interactionFields.content.label, as: 'markup' },
      summary: { label: 'Summary', as: 'markup' },
      source: 'Source',
      appointment_id: { label: 'Appointment', of: 'appointment' },
    },
    restore: restoreInteractionById,
  },
]
