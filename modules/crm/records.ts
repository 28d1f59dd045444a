import { z } from 'zod'
import type { Input } from '#app/lib/fields.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { clientFields, interactionFields, type ClientField } from './fields.ts'

const nullableTimestamp = (column: string) => ({ output: z.iso.datetime().nullable(), sql: isoTimestamp(column) })

/** `totalSpent`: cents. */
export const client = defineRecord({
  kind: 'client',
  label: 'Client',
  fields: clientFields,
  computed: {
    convertedAt: nullableTimestamp('converted_at'),
    convertedFromProspectId: { output: z.int().nullable(), sql: 'converted_from_prospect_id' },
    totalSpent: { output: z.int().describe('Cents'), sql: 'total_spent' },
    archivedAt: nullableTimestamp('archived_at'),
    updatedAt: timestamp('updated_at'),
  },
})

export const interaction = defineRecord({
  kind: 'client_interaction',
  label: 'Interaction',
  fields: interactionFields,
  computed: { updatedAt: timestamp('updated_at') },
})

export const ActivityOut = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  clientId: z.int().nullable(),
  createdAt: z.iso.datetime(),
})

export const ClientOut = client.output
export const InteractionOut = interaction.output
export type ClientRecord = z.output<typeof ClientOut>
export type InteractionRecord = z.output<typeof InteractionOut>
export type ActivityRecord = z.output<typeof ActivityOut>
export type ClientValues = { [N in ClientField]: Input<(typeof clientFields)[N]> }
