import type { Job } from '#modules/define.ts'
import { record } from '#modules/events.ts'
import { inTenant, type Platform } from '#tenants/platform.ts'
import { clientErased } from './events.ts'

export const trashDays = 30

export const jobs: Job[] = [{ name: 'crm.erase-trash', every: '23 3 * * *', run: eraseTrash }]

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
      for (const { id } of erased) await record({ ...tx, coachId }, clientErased, { clientId: id })
    })
  }
}
