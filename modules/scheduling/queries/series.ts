import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '../prospects.ts'
import type { Frequency, WallTime } from '../recurrence/rule.ts'
import {
  listedAppointmentSql,
  visibleAppointmentsSql,
  type AppointmentRecord,
  type ListedAppointment,
} from '../records.ts'

export type SeriesRule = Frequency & WallTime & { durationMinutes: number }

export async function getSeriesRule(ctx: Ctx, seriesId: number): Promise<SeriesRule> {
  const [rule] = await ctx.query<SeriesRule>({
    name: 'scheduling.series-rule',
    text: `select s.unit, s.interval, s.start_minute as "startMinute", s.duration_minutes as "durationMinutes", s.timezone
      from appointment_series s where s.coach_id = $1 and s.id = $2`,
    values: [ctx.coachId, seriesId],
  })
  return rule!
}

export type SeriesSummary = Frequency & { count: number; lastStart: string }

/** How a series repeats, how many sessions it has and when the last one begins. */
export async function getSeriesSummary(ctx: Ctx, seriesId: number): Promise<SeriesSummary | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [summary] = await ctx.query<SeriesSummary>({
    name: 'scheduling.series-summary',
    text: `select s.unit, s.interval, count(*)::int as count, ${isoTimestamp('max(a.start_time)')} as "lastStart"
      from appointment_series s
      join appointment a on a.coach_id = $1 and a.series_id = s.id and a.deleted_at is null ${joinClient('a')} ${joinProspect('a')}
      where s.coach_id = $1 and s.id = $2 and c.deleted_at is null and p.deleted_at is null
      group by s.coach_id, s.id`,
    values: [ctx.coachId, seriesId],
  })
  return summary ?? null
}

export type Overlap = {
  /** The first other appointment at the same time. */
  other: ListedAppointment
  /** How many of the sessions overlap another one. */
  count: number
}

/** Finds what the session overlaps, or with `ofSeries` any session of its series that is to come, except cancelled ones. */
export async function findOverlap(
  ctx: Ctx,
  { id, seriesId }: Pick<AppointmentRecord, 'id' | 'seriesId'>,
  { ofSeries = false } = {},
): Promise<Overlap | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const series = ofSeries ? seriesId : null
  const found = await ctx.query<ListedAppointment & { own: number }>({
    name: 'scheduling.overlap',
    text: `with own as (
        select id, start_time, end_time from appointment
        where coach_id = $1 and (id = $2 or series_id = $3 and start_time > $4) and deleted_at is null and status <> 'cancelled')
      select other.*, own.id as own from own cross join lateral (
        select ${listedAppointmentSql} ${visibleAppointmentsSql} and a.status <> 'cancelled' and a.id <> $2
          and ($3::bigint is null or a.series_id is distinct from $3)
          and a.start_time < own.end_time and a.end_time > own.start_time) other
      order by own.start_time, other.start, other.id`,
    values: [ctx.coachId, id, series, ctx.now()],
  })
  const [first] = found
  if (!first) return null
  const { own: _own, ...other } = first
  return { other, count: new Set(found.map(({ own }) => own)).size }
}
