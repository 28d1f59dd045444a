import type { Job, JobData } from '#modules/core/manifest.ts'
import { dayMs } from '#app/lib/time.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { checkConnection } from './services/check.ts'
import { queues, requestCheck } from './services/queue.ts'
import { sendReconnectEmail } from './services/reconnect-email.ts'
import { revoke } from './services/oauth.ts'
import { applyEvent } from './services/webhooks.ts'

export const jobs: Job[] = [
  { name: queues.check, concurrency: 2, run: (platform, data) => asCoach(platform, data, checkConnection) },
  {
    name: queues.event,
    kind: 'webhook',
    concurrency: 2,
    run: (platform, data) => asCoach(platform, data, (ctx) => applyEvent(ctx, Number(data.eventId))),
  },
  {
    name: queues.email,
    kind: 'email',
    retryLimit: 40,
    run: (platform, data) => asCoach(platform, data, sendReconnectEmail),
  },
  // About ten hours.
  { name: queues.revoke, keepsData: true, retryLimit: 40, run: revoke },
  { name: 'zoom.daily', keepsData: true, every: '23 4 * * *', run: checkAll },
]

async function asCoach(platform: Platform, { coachId }: JobData, work: (ctx: Ctx) => Promise<unknown>): Promise<void> {
  const ctx = await loadCoachContext(platform, Number(coachId), `zoom-${String(coachId)}`)
  if (ctx) await work(ctx)
}

/** Days that Zoom repeats events, and more. */
const eventDays = 30

/** Zoom ends a connection that nobody has used for 90 days. Also forgets old events. */
export async function checkAll(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id: coachId, removedAt }) =>
    withTenant(platform, coachId, async (tx) => {
      await tx.query({
        name: 'zoom.delete-events',
        text: 'delete from zoom_event where coach_id = $1 and created_at < $2',
        values: [coachId, new Date(platform.now().getTime() - eventDays * dayMs)],
      })
      const [connection] = await tx.query({
        name: 'zoom.connection-to-check',
        text: `select id from zoom_connection where coach_id = $1 and state <> 'needs_reconnect'`,
        values: [coachId],
      })
      if (connection && !removedAt) await requestCheck({ ...tx, coachId })
    }),
  )
}
