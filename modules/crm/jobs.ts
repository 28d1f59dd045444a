import type { Job } from '#modules/define.ts'
import { record } from '#modules/events.ts'
import { inTenant, type Platform } from '#tenants/platform.ts'
import { clientErased } from './events.ts'
import { importJob } from './services/import.ts'
import { trashDays } from './trash.ts'

export const jobs: Job[] = [
  { name: 'crm.erase-trash', every: '23 3 * * *', run: eraseTrash },
  { name: 'crm.import', run: importJob },
]

/** Erases what lay 30 days in the trash, practice by practice. */
export async function eraseTrash(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - trashDays * 86_400_000)
  const coaches = await platform.reads.look<{ id: number }>({ name: 'crm.every-coach', text: 'select id from every_coach()' })
  for (const { id: coachId } of coaches) {
    await inTenant(platform, coachId, async (tx) => {
      const erased = await tx.rows<{ id: number }>({
        name: 'crm.erase-trash',
        text: 'delete from client where deleted_at <= $1 returning id',
        values: [before],
      })
      // The files of imports are kept no longer than that either.
      await tx.rows({ name: 'crm.erase-imports', text: `delete from client_import where created_at <= $1 and status <> 'running'`, values: [before] })
      for (const { id } of erased) await record({ ...tx, coachId }, clientErased, { clientId: id })
    })
  }
}
