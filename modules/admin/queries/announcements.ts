import { isoTimestamp } from '#db/read-pool.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'

export type AnnouncementRow = {
  id: number
  title: string
  body: string
  startsAt: string
  endsAt: string
  plans: PlanName[]
  version: number
}

/** The most bars over a page. */
const maxShown = 3

/** The announcements to the coach's plan that are shown now and the coach hasn't closed, oldest first. */
export async function listCurrentAnnouncements(ctx: Ctx): Promise<{ id: number; title: string; body: string }[]> {
  authorize(ctx, 'admin:announcement:read')
  return ctx.query({
    name: 'announcement.current',
    text: `select a.id, a.title, a.body from announcement a
      where a.starts_at <= $2 and a.ends_at > $2 and $3 = any(a.plans) and not exists (
        select 1 from announcement_dismissal d where d.coach_id = $1 and d.announcement_id = a.id)
      order by a.starts_at, a.id limit $4`,
    values: [ctx.coachId, ctx.now(), ctx.plan, maxShown],
  })
}

/** All of them for administrators, newest first. `total`: without `rows` and `skip`. */
export async function listAnnouncements(
  ctx: Ctx,
  { id = null, rows = null, skip = 0 }: { id?: number | null; rows?: number | null; skip?: number } = {},
): Promise<(AnnouncementRow & { total: number })[]> {
  authorizeAdmin(ctx, 'admin:announcement:write')
  return ctx.query({
    name: 'admin.announcements',
    text: `select id, title, body, ${isoTimestamp('starts_at')} as "startsAt", ${isoTimestamp('ends_at')} as "endsAt",
        plans, version, count(*) over ()::int as total
      from announcement where $1::bigint is null or id = $1 order by id desc limit $2 offset $3`,
    values: [id, rows, skip],
  })
}
