import type { Platform } from './platform.ts'

export type ListedCoach = { id: number; removedAt: Date | null }

/**
 * Runs `work` for one coach after the other, removed ones too. A failure is logged and doesn't stop the others; it
 * throws at the end, so that the job is retried.
 */
export async function forEachCoach(platform: Platform, work: (coach: ListedCoach) => Promise<void>): Promise<void> {
  const coaches = await platform.readPool.queryGlobal<ListedCoach>({
    name: 'coach.list',
    text: 'select id, removed_at as "removedAt" from list_coaches()',
  })
  let failures = 0
  for (const coach of coaches) {
    try {
      await work(coach)
    } catch (error) {
      failures++
      platform.log.error({ err: error, account: coach.id }, 'a job failed for one coach')
    }
  }
  if (failures) throw new Error(`The job failed for ${failures} of ${coaches.length} coaches.`)
}
