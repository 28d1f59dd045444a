import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { automationFields, type StoredAction, type StoredFilters } from './fields.ts'

const StoredActionOut: z.ZodType<StoredAction> = z.object({
  id: z.string(),
  action: z.string(),
  settings: z.record(z.string(), z.string()),
})
const StoredFiltersOut: z.ZodType<StoredFilters> = z.record(z.string(), z.string())

export const automation = defineRecord({
  kind: 'automation',
  label: 'Automation',
  alias: 'o',
  fields: automationFields,
  computed: {
    trigger: { output: z.string(), sql: 'o.trigger' },
    days: { output: z.int().nullable(), sql: 'o.days' },
    filters: { output: StoredFiltersOut, sql: 'o.filters' },
    actions: { output: z.array(StoredActionOut), sql: 'o.actions' },
    enabledAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('o.enabled_at') },
    updatedAt: timestamp('o.updated_at'),
  },
})
export type AutomationRecord = z.output<typeof automation.output>
