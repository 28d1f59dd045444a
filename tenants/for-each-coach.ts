import type { Platform } from './platform.ts'

export type ListedCoach = { id: number; removedAt: Date | null }

/**
 * Runs `work` for one coach after the other, removed ones too, but not for those without a module that the job needs. A
 * failure is logged and doesn't stop the others; it throws at the end, so that the job is retried.
 */
export async function forEachCoach(platform: Platform, work: (coach: ListedCoach) => Promise<void>): Promise<void> {
  const coaches = await platform.readPool.queryGlobal<ListedCoach>({
    name: 'coach.list',
    text: 'select id, removed_at as "removedAt" from list_coaches()',
  })
  const without = await listCoachesWithout(platform)
  let failures = 0
  for (const coach of coaches) {
    if (without.has(coach.id)) continue
    try {
      await work(coach)
    } catch (error) {
      failures++
      platform.log.error({ err: error, account: coach.id }, 'a job failed for one coach')
    }
  }
  if (failures) throw new Error(`The job failed for ${failures} of ${coaches.length} coaches.`)
}

async function listCoachesWithout({ readPool, neededModules, now }: Platform): Promise<Set<number>> {
  if (!neededModules) return new Set()
  const rows = await readPool.queryGlobal<{ id: number }>({
    name: 'coach.list-without',
    text: 'select id from list_coaches_without($1, $2)',
    values: [neededModules, now()],
  })
  return new Set(rows.map(({ id }) => id))
}
