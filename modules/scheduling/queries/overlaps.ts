import { localDate } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { formatDateTimeRange } from '../format.ts'
import { countsOtherCalendars } from './availability.ts'
import { visibleAppointmentsSql, type AppointmentRecord } from '../records.ts'

/** Something at the same time. `attendeeName`: null for a busy time; `title`: null for one of Google. */
type Overlap = { own: number; title: string | null; attendeeName: string | null; start: string; end: string }

/**
 * Says what the session overlaps, or with `ofSeries` any session of its series that is to come: another session or a
 * time of another calendar. `at`: a time to which it may be moved. Null if nothing.
 */
export async function describeOverlap(
  ctx: Ctx,
  { id, seriesId }: Pick<AppointmentRecord, 'id' | 'seriesId'>,
  { ofSeries = false, at }: { ofSeries?: boolean; at?: { start: Date; end: Date } } = {},
): Promise<string | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const found = await ctx.query<Overlap>({
    name: 'scheduling.overlap',
    text: `with own as (
        select id, coalesce($6, start_time) as start_time, coalesce($7, end_time) as end_time from appointment
        where coach_id = $1 and (id = $2 or series_id = $3 and start_time > $4) and deleted_at is null and status <> 'cancelled')
      select other.title, other."attendeeName", own.id as own,
        ${isoTimestamp('other.start_time')} as start, ${isoTimestamp('other.end_time')} as "end"
      from own cross join lateral (
        select a.title, coalesce(c.name, p.name) as "attendeeName", a.start_time, a.end_time, a.id
        ${visibleAppointmentsSql} and a.status <> 'cancelled' and a.id <> $2
          and ($3::bigint is null or a.series_id is distinct from $3)
          and a.start_time < own.end_time and a.end_time > own.start_time
        union all
        select e.title, null, b.start_time, b.end_time, b.id
        from busy_time b left join imported_event e on e.coach_id = $1 and e.id = b.imported_event_id
        where b.coach_id = $1 and b.appointment_id is null and b.hold_token_hash is null
          and b.start_time < own.end_time and b.end_time > own.start_time and ($5 or b.source is null)) other
      order by own.start_time, other."attendeeName" is null, other.start_time, other.id`,
    values: [
      ctx.coachId,
      id,
      ofSeries ? seriesId : null,
      ctx.now(),
      countsOtherCalendars(ctx),
      at?.start ?? null,
      at?.end ?? null,
    ],
  })
  const [first] = found
  if (!first) return null
  const count = new Set(found.map(({ own }) => own)).size
  const intro = count > 1 ? `${count} sessions overlap another one. The first: ` : ''
  const when = formatDateTimeRange(first.start, first.end, ctx.account, localDate(ctx.now(), ctx.account.timezone))
  return `${intro}${describe(first)} is at the same time: ${when}.`
}

function describe({ title, attendeeName }: Overlap): string {
  if (title === null) return 'A busy time in Google'
  return attendeeName === null ? `A busy time, ${title},` : `${title} with ${attendeeName}`
}
