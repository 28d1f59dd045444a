import type { z } from 'zod'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { entryFields } from './fields.ts'

/** Hours of coaching that took place elsewhere. */
export const entry = defineRecord({
  kind: 'hours_entry',
  label: 'Hours entry',
  fields: entryFields,
  computed: { updatedAt: timestamp('updated_at') },
})
export type EntryRecord = z.output<typeof entry.output>
