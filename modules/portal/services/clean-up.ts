import { dayMs } from '#app/lib/time.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { idleDays } from '../fields.ts'

/** Links stay a while, so that the coach sees when the client was last sent one. */
const linkDays = 90
const removedDays = 1

/** Deletes sessions that have ended, old links, and passkeys that were removed: a day later their emails are sent. */
export async function cleanUp(platform: Platform): Promise<void> {
  const now = platform.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  await forEachCoach(platform, async ({ id }) => {
    await withTenant(platform, id, async (tx) => {
      await tx.query({
        name: 'portal.delete-sessions',
        text: 'delete from portal_session where coach_id = $1 and (expires_at <= $2 or last_seen_at <= $3)',
        values: [id, now, daysAgo(idleDays)],
      })
      await tx.query({
        name: 'portal.delete-links',
        text: 'delete from portal_link where coach_id = $1 and expires_at <= $2',
        values: [id, daysAgo(linkDays)],
      })
      await tx.query({
        name: 'portal.delete-passkeys',
        text: 'delete from portal_passkey where coach_id = $1 and removed_at <= $2',
        values: [id, daysAgo(removedDays)],
      })
    })
  })
}
