import type { Job } from '#modules/core/manifest.ts'
import { inTenant, type Platform } from '#tenants/platform.ts'
import { forgetImports, importJob } from './services/import.ts'

export const jobs: Job[] = [
  { name: 'crm.erase-imports', every: '23 3 * * *', run: eraseImports },
  { name: 'crm.import', run: importJob },
]

const keptDays = 30

/** Erases the files of imports, as long after as what lies in the trash, practice by practice. */
export async function eraseImports(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - keptDays * 86_400_000)
  const coaches = await platform.reads.look<{ id: number }>({
    name: 'crm.every-coach',
    text: 'select id from every_coach()',
  })
  for (const { id: coachId } of coaches) {
    await inTenant(platform, coachId, (tx) => forgetImports(tx, { until: before }))
  }
}
