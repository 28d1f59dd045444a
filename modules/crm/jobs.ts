import { dayMs } from '#app/lib/time.ts'
import type { Job } from '#modules/core/manifest.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { runImportJob } from './import/import-job.ts'
import { deleteChanges } from './services/bulk.ts'
import { followMerges } from './services/merge.ts'
import { deleteImports } from './import/service.ts'

export const jobs: Job[] = [
  { name: 'crm.erase-imports', every: '23 3 * * *', run: deleteOldImports },
  { name: 'crm.follow-merges', every: '41 3 * * *', run: followMerges },
  { name: 'crm.import', concurrency: 2, run: runImportJob },
]

const retentionDays = 30

/** Deletes old imports with their files, and what would undo old changes. */
export async function deleteOldImports(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - retentionDays * dayMs)
  await forEachCoach(platform, ({ id: coachId }) =>
    withTenant(platform, coachId, async (tx) => {
      await deleteImports({ ...tx, coachId }, { until: before })
      await deleteChanges({ ...tx, coachId }, before)
    }),
  )
}
