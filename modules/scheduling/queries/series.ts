import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '../prospects.ts'
import type { Frequency, WallTime } from '../recurrence/rule.ts'

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

/** `weekdays`: of its sessions; 0 is Sunday. */
export type SeriesSummary = Frequency & { weekdays: number[]; count: number; lastStart: string }

/** How a series repeats, how many sessions it has and when the last one begins. */
export async function getSeriesSummary(ctx: Ctx, seriesId: number): Promise<SeriesSummary | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [summary] = await ctx.query<SeriesSummary>({
    name: 'scheduling.series-summary',
    text: `select s.unit, s.interval, count(*)::int as count,
        array_agg(distinct extract(dow from a.occurrence_date)::int) as weekdays, ${isoTimestamp('max(a.start_time)')} as "lastStart"
      from appointment_series s
      join appointment a on a.coach_id = $1 and a.series_id = s.id and a.deleted_at is null ${joinClient('a')} ${joinProspect('a')}
      where s.coach_id = $1 and s.id = $2 and c.deleted_at is null and p.deleted_at is null
      group by s.coach_id, s.id`,
    values: [ctx.coachId, seriesId],
  })
  return summary ?? null
}
