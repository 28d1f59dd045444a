import { defineEntity, p } from '@mikro-orm/core'
import { check, columns } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'

/** A file with everything of the practice, which the coach has asked for. Its bytes are in the store. */
export const PracticeExport = defineEntity({
  name: 'PracticeExport',
  tableName: 'practice_export',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Percent. */
    progress: p.integer().default(0),
    /** The name of its bytes in the store; null until all of them are there. */
    key: p.text().nullable(),
    /** Bytes. */
    size: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    failedAt: p.datetime(3).nullable(),
  },
  checks: [
    check('practice_export_progress_range', 'progress >= 0 and progress <= 100'),
    check('practice_export_key_format', `key ~ '^[0-9]+/[0-9a-f]{32}$' and split_part(key, '/', 1) = coach_id::text`),
    check('practice_export_complete', 'num_nulls(key, size, finished_at, expires_at) in (0, 4)'),
    check('practice_export_failed', 'num_nonnulls(key, failed_at) <= 1'),
  ],
  ...tenantPolicy('practice_export'),
})
