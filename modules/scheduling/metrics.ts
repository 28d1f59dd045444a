import { localDate } from '#app/lib/time.ts'
import { clientIdsInTrash, joinClient } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import type { DateSpan, Metric, MetricRows } from '../core/metrics.ts'
import { listWorkingTime } from './availability/working-time.ts'
import type { Schedule } from './availability/slots.ts'
import { joinProspect, prospectIdsInTrash } from './prospects.ts'

const permission = 'scheduling:appointment:read'

const minutes = `round(date_part('epoch', a.end_time - a.start_time) / 60)::bigint`

/** As `visibleAppointmentsSql`, for thousands of rows. */
const isVisible = `(a.client_id is null or a.client_id not in (${clientIdsInTrash}))
      and (a.prospect_id is null or a.prospect_id not in (${prospectIdsInTrash}))`

/** Sessions that start in the period. */
const sessions = (only?: string): MetricRows => ({
  ...(only ? { only } : {}),
  from: `from appointment a ${joinClient('a')} ${joinProspect('a')}
    where a.coach_id = $1 and a.deleted_at is null and a.start_time >= $2 and a.start_time < $3
      and ${isVisible}`,
  id: 'a.id',
  at: 'a.start_time',
  value: '1',
  title: 'a.title',
  detail: `coalesce(c.name, p.name) || ', ' || a.status`,
  to: `'/calendar?dialog=appointment&appointment=' || a.id`,
})

const completed = 'a.completed_at is not null'
const booked = `a.status <> 'cancelled'`

export const metrics: Metric[] = [
  {
    name: 'retention',
    section: 'clients',
    order: 10,
    label: 'Retention',
    definition:
      'Of the clients with a completed session in the period before, the share that had one in this period too.',
    unit: 'count',
    share: { value: 'Came back', whole: 'Clients before' },
    chart: 'periods',
    permission,
    rows: (_ctx, { before }) => ({
      from: `from (
          select a.client_id, max(a.start_time) as last_at, bool_or(a.start_time >= $2 and a.start_time < $3) as came_back
          from appointment a
          where a.coach_id = $1 and a.deleted_at is null and a.client_id is not null and ${completed}
            and (a.start_time >= $2 and a.start_time < $3 or a.start_time >= $4 and a.start_time < $5)
          group by a.client_id having bool_or(a.start_time >= $4 and a.start_time < $5)
        ) s ${joinClient('s')} where c.deleted_at is null`,
      values: [before.start, before.end],
      id: 's.client_id',
      at: 's.last_at',
      value: 'case when s.came_back then 1 else 0 end',
      whole: '1',
      title: 'c.name',
      detail: `case when s.came_back then 'came back' else 'no session in this period' end`,
      to: `'/clients/' || c.id`,
    }),
  },
  {
    name: 'active-clients',
    section: 'clients',
    order: 30,
    label: 'Active clients',
    definition: 'Clients with a completed session in the period.',
    unit: 'count',
    permission,
    rows: () => ({
      from: `from (
          select a.client_id, max(a.start_time) as last_at, count(*) as sessions from appointment a
          where a.coach_id = $1 and a.deleted_at is null and a.client_id is not null and ${completed}
            and a.start_time >= $2 and a.start_time < $3
          group by a.client_id
        ) s ${joinClient('s')} where c.deleted_at is null`,
      id: 's.client_id',
      at: 's.last_at',
      value: '1',
      title: 'c.name',
      detail: `s.sessions || case s.sessions when 1 then ' session' else ' sessions' end`,
      to: `'/clients/' || c.id`,
    }),
  },
  {
    name: 'utilization',
    section: 'sessions',
    order: 10,
    label: 'Utilization',
    definition:
      'Booked time as a share of the working hours of the default schedule, as they are set now, with its overrides.' +
      ' Sessions outside of the working hours count too, so it can be more than 100%.',
    unit: 'minutes',
    share: { value: 'Booked', whole: 'Working hours' },
    addsUpByDay: true,
    chart: 'time',
    permission,
    rows: workingDays,
  },
  {
    name: 'booked-time',
    section: 'sessions',
    order: 20,
    label: 'Booked time',
    definition: 'The length of all sessions that start in the period, except cancelled ones.',
    unit: 'minutes',
    addsUpByDay: true,
    permission,
    rows: () => ({ ...sessions(booked), value: minutes }),
  },
  {
    name: 'completed-sessions',
    section: 'sessions',
    order: 30,
    label: 'Completed sessions',
    definition: 'Sessions that start in the period and were marked as completed.',
    unit: 'count',
    addsUpByDay: true,
    chart: 'time',
    permission,
    rows: () => sessions(completed),
  },
  {
    name: 'cancellations',
    section: 'sessions',
    order: 40,
    label: 'Cancellations',
    definition: 'Of the sessions that were to start in the period, the share that was cancelled.',
    unit: 'count',
    share: { value: 'Cancelled', whole: 'Sessions' },
    addsUpByDay: true,
    permission,
    rows: () => ({ ...sessions(), value: `case a.status when 'cancelled' then 1 else 0 end`, whole: '1' }),
  },
]

/** A row for each day with working hours or sessions. */
async function workingDays(ctx: Ctx, { from, to }: DateSpan): Promise<MetricRows> {
  const { timezone } = ctx.account
  const schedule = await findDefaultHours(ctx)
  const days = schedule
    ? listWorkingTime({ ...schedule, timezone: schedule.timezone ?? timezone }, { from, to, timezone })
    : listWorkingTime({ timezone, hours: [], overrides: [] }, { from, to, timezone })
  return {
    from: `from unnest($4::timestamptz[], $5::bigint[], $6::text[]) with ordinality as d (start, working, date, number)
      left join (
        select width_bucket(a.start_time, $4::timestamptz[]) as number, count(*) as sessions, sum(${minutes})::bigint as booked
        from appointment a where a.coach_id = $1 and a.deleted_at is null and a.start_time >= $2 and a.start_time < $3
          and ${isVisible} and ${booked}
        group by 1
      ) s on s.number = d.number
      where (d.working > 0 or s.booked > 0)`,
    values: [
      days.map(({ start }) => start),
      days.map(({ minutes: working }) => working),
      days.map(({ start }) => localDate(start, timezone)),
    ],
    id: 'd.number',
    at: 'd.start',
    value: 'coalesce(s.booked, 0)',
    whole: 'd.working',
    title: `to_char(d.date::date, 'FMDay, Mon FMDD, YYYY')`,
    detail: `case coalesce(s.sessions, 0) when 0 then 'no sessions' when 1 then '1 session' else s.sessions || ' sessions' end`,
    to: `'/calendar?view=day&date=' || d.date`,
  }
}

type Hours = Pick<Schedule, 'hours' | 'overrides'> & { timezone: string | null }

async function findDefaultHours(ctx: Ctx): Promise<Hours | null> {
  const [schedule] = await ctx.query<Hours>({
    name: 'scheduling.default-hours',
    text: `select s.timezone, (
        select coalesce(json_agg(json_build_object(
          'weekday', r.weekday, 'startMinute', r.start_minute, 'endMinute', r.end_minute)), '[]')
        from availability_range r where r.coach_id = $1 and r.schedule_id = s.id) as hours, (
        select coalesce(json_agg(json_build_object(
          'date', o.date, 'startMinute', o.start_minute, 'endMinute', o.end_minute)), '[]')
        from availability_override o where o.coach_id = $1 and o.schedule_id = s.id) as overrides
      from availability_schedule s where s.coach_id = $1 and s.deleted_at is null and s.is_default`,
    values: [ctx.coachId],
  })
  return schedule ?? null
}
