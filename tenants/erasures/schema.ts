import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, lengthChecks } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'

/** How many records of one kind were permanently deleted with a person, and how many stayed. */
export type ErasureCount = { label: [one: string, many: string]; deleted: number; kept: number }

/** Says what was permanently deleted with a person, and names nobody. */
export const ErasureReport = defineEntity({
  name: 'ErasureReport',
  tableName: 'erasure_report',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** The kind of record: `client`. */
    kind: p.text(),
    /** The id that the record had. */
    recordNumber: p.bigint('number'),
    trashedAt: p.datetime(3),
    erasedAt: p.datetime(3),
    counts: p.json().$type<ErasureCount[]>(),
  },
  checks: [
    ...lengthChecks('erasure_report', 60, ['kind']),
    check('erasure_report_counts_array', `jsonb_typeof(counts) = 'array'`),
  ],
  ...tenantPolicy('erasure_report'),
})
