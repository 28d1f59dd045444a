import { AppError } from '#app/lib/errors.ts'
import { addDays, dayStart, localDate } from '#app/lib/time.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { NewAnnouncement } from '../forms.ts'
import { Announcement } from '../schema.ts'
import { recordAction } from './audit-log.ts'

const announcement = { notFound: () => new AppError('not_found', 'Announcement not found') }

/** Shows coaches of these plans an announcement, from the first to the last day in the administrator's time zone. */
export async function createAnnouncement(ctx: WriteCtx, input: NewAnnouncement): Promise<void> {
  authorizeAdmin(ctx, 'admin:announcement:write')
  ctx.em.create(Announcement, { ...toColumns(ctx, input), version: 1, createdAt: ctx.now() })
  recordAction(ctx, 'announcement_added', { target: null, after: { announcement: input.title } })
}

/** Throws not_found, and conflict if another administrator has changed it since `version`. */
export async function updateAnnouncement(
  ctx: WriteCtx,
  id: number,
  input: NewAnnouncement,
  version: number,
): Promise<void> {
  authorizeAdmin(ctx, 'admin:announcement:write')
  const row = await lockRow(ctx, announcement, Announcement, { id })
  if (row.version !== version)
    throw new AppError('conflict', 'Another administrator has changed this announcement. Reload to see the changes.')
  const before = { announcement: row.title }
  const { startsAt, endsAt } = row
  const columns = toColumns(ctx, input)
  // Days that stay the same keep their instants, which may be of another administrator's time zone.
  const { timezone } = ctx.account
  if (input.from === localDate(startsAt, timezone)) columns.startsAt = startsAt
  if (input.until === localDate(new Date(endsAt.getTime() - 1), timezone)) columns.endsAt = endsAt
  ctx.em.assign(row, { ...columns, version: version + 1 })
  recordAction(ctx, 'announcement_changed', { target: null, before, after: { announcement: input.title } })
}

/** Throws not_found, also the second time. */
export async function deleteAnnouncement(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:announcement:write')
  const row = await lockRow(ctx, announcement, Announcement, { id })
  await ctx.em.nativeDelete(Announcement, { id })
  recordAction(ctx, 'announcement_deleted', { target: null, before: { announcement: row.title } })
}

/** Closes an announcement for the coach, also again. Throws not_found. */
export async function dismissAnnouncement(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'admin:announcement:read')
  if (!(await ctx.em.count(Announcement, { id }))) throw announcement.notFound()
  await ctx.query({
    name: 'announcement.dismiss',
    text: `insert into announcement_dismissal (coach_id, announcement_id, dismissed_at) values ($1, $2, $3)
      on conflict do nothing`,
    values: [ctx.coachId, id, ctx.now()],
  })
}

function toColumns({ account }: WriteCtx, { title, body, from, until, plans }: NewAnnouncement) {
  const zone = account.timezone
  return { title, body, startsAt: dayStart(from, zone), endsAt: dayStart(addDays(until, 1), zone), plans }
}
