import { formatDate } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'
import { summaryLink } from './sharing/public-link.ts'

const shownSummaries = 10

/** The summaries that were shared with the client in the portal, the latest session first; null without one. */
export async function loadPortalSummaries(ctx: Ctx) {
  const client = requireClient(ctx, 'client:summary:read')
  const rows = await ctx.query<{ id: number; title: string; startTime: string }>({
    name: 'summaries.of-client',
    text: `select s.id, a.title, ${isoTimestamp('a.start_time')} as "startTime" from session_summary s
      join appointment a on a.coach_id = $1 and a.id = s.appointment_id
      where s.coach_id = $1 and a.client_id = $2 and a.deleted_at is null and s.status = 'shared' and s.deleted_at is null
      order by a.start_time desc, s.id desc limit $3`,
    values: [ctx.coachId, client.id, shownSummaries],
  })
  if (!rows.length) return null
  return {
    summaries: rows.map(({ id, title, startTime }) => ({
      id,
      title,
      date: formatDate(startTime, client.timezone),
      to: summaryLink.getPath(ctx, id),
    })),
  }
}
export type PortalSummaries = NonNullable<Awaited<ReturnType<typeof loadPortalSummaries>>>
