import { localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatDateTimeRange } from './format.ts'
import { getManagePath } from './messages/manage-link.ts'
import { listUpcomingSessions } from './queries/client-sessions.ts'

const shownSessions = 5

/** The client's next sessions, in their time zone, for the portal; null without one. */
export async function loadPortalSessions(ctx: Ctx) {
  const sessions = await listUpcomingSessions(ctx, shownSessions)
  if (!sessions.length) return null
  const { timezone } = ctx.client!
  const today = localDate(ctx.now(), timezone)
  return {
    zone: timezone,
    sessions: sessions.map(({ id, title, startTime, endTime, meetingUrl, location }) => ({
      id,
      title,
      when: formatDateTimeRange(startTime, endTime, { ...ctx.account, timezone }, today),
      joinUrl: meetingUrl,
      place: location,
      manageTo: getManagePath(ctx, id),
    })),
  }
}
export type PortalSessions = NonNullable<Awaited<ReturnType<typeof loadPortalSessions>>>
