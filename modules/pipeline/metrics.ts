import type { Metric, MetricGroup, MetricRows } from '../core/metrics.ts'

const permission = 'pipeline:prospect:read'

const byStage: MetricGroup = {
  name: 'stage',
  label: 'Stage',
  key: 's.id::text',
  title: 's.name',
  order: 'min(s.position), min(s.id)',
}

const toProspect = `case when p.converted_at is null then '/pipeline?dialog=edit&prospect=' || p.id
  else '/history/prospect/' || p.id end`

const joinStage = 'left join pipeline_stage s on s.coach_id = $1 and s.id = p.stage_id'

/** Prospects outside the trash, converted ones too. */
const prospects = (condition: string): MetricRows => ({
  from: `from prospect p ${joinStage} where p.coach_id = $1 and p.deleted_at is null and ${condition}`,
  id: 'p.id',
  at: 'p.created_at',
  value: '1',
  title: 'p.name',
  detail: `case when p.converted_at is null then s.name else 'converted' end`,
  to: toProspect,
})

/** SQL: an activity whose `to` is the stage that the prospect came to. */
const entersStage = (alias: string): string => `${alias}.type in ('created', 'moved', 'restored')`

const bySource: MetricGroup = {
  name: 'source',
  label: 'Source',
  key: `coalesce(p.source, '')`,
  title: `coalesce(p.source, 'No source')`,
}
const added = 'p.created_at >= $2 and p.created_at < $3'

export const metrics: Metric[] = [
  {
    name: 'forecast',
    section: 'pipeline',
    order: 10,
    label: 'Forecast',
    definition:
      'The values of the prospects on the board now, each times its probability. No period: it is what to expect from today.',
    unit: 'money',
    isOfNow: true,
    groups: [byStage],
    chart: 'group',
    permission,
    rows: () => ({
      // The period's parameters must occur in the text.
      ...prospects('p.converted_at is null and $2::timestamptz <= $3::timestamptz'),
      // Rounded in each row, so that the rows add up.
      value: 'round(p.value * p.probability / 100.0)::bigint',
      detail: `concat_ws(', ', s.name, p.probability || '%')`,
    }),
  },
  {
    name: 'new-prospects',
    section: 'pipeline',
    order: 20,
    label: 'New prospects',
    definition: 'Prospects added in the period, also those that have become clients. Those in the trash don’t count.',
    unit: 'count',
    addsUpByDay: true,
    groups: [bySource],
    permission,
    rows: () => prospects(added),
  },
  {
    name: 'conversion',
    section: 'pipeline',
    order: 30,
    label: 'Conversion',
    definition:
      'Of the prospects added in the period, the share that became clients before it ended, so that every period gets the' +
      ' same time.',
    unit: 'count',
    share: { value: 'Became clients', whole: 'Prospects added' },
    groups: [bySource],
    permission,
    rows: () => ({
      ...prospects(added),
      value: 'case when p.converted_at < $3 then 1 else 0 end',
      whole: '1',
      detail: `case when p.converted_at < $3 then 'became a client' when p.converted_at is null then s.name
        else 'became a client later' end`,
    }),
  },
  {
    name: 'converted-prospects',
    section: 'pipeline',
    order: 40,
    label: 'Converted prospects',
    definition: 'Prospects who became clients in the period, whenever they were added.',
    unit: 'count',
    addsUpByDay: true,
    permission,
    rows: () => ({
      ...prospects('p.converted_at >= $2 and p.converted_at < $3'),
      at: 'p.converted_at',
      detail: 'p.source',
    }),
  },
  {
    name: 'stage-conversion',
    section: 'pipeline',
    order: 50,
    label: 'Conversion by stage',
    definition:
      'Of the prospects that first came to a stage in the period, the share that went on to a later stage or became a client' +
      ' before it ended. Stages are in the order of the board now.',
    unit: 'count',
    share: { value: 'Went on', whole: 'Came to the stage' },
    hasNoTotal: true,
    groups: [byStage],
    chart: 'group',
    permission,
    rows: () => ({
      from: `from (
          select min(a.id) as id, a.prospect_id, (a.metadata ->> 'to')::bigint as stage_id, min(a.created_at) as at
          from pipeline_activity a
          where a.coach_id = $1 and ${entersStage('a')} and a.created_at < $3
          group by 2, 3 having min(a.created_at) >= $2
        ) e
        join pipeline_stage s on s.coach_id = $1 and s.id = e.stage_id
        join prospect p on p.coach_id = $1 and p.id = e.prospect_id
        where s.deleted_at is null and p.deleted_at is null`,
      id: 'e.id',
      at: 'e.at',
      value: `case when p.converted_at < $3 or exists (
          select 1 from pipeline_activity l
            join pipeline_stage t on t.coach_id = $1 and t.id = (l.metadata ->> 'to')::bigint
          where l.coach_id = $1 and l.prospect_id = e.prospect_id and l.id > e.id and l.created_at < $3
            and ${entersStage('l')} and t.deleted_at is null and t.position > s.position
        ) then 1 else 0 end`,
      whole: '1',
      title: 'p.name',
      detail: 's.name',
      to: toProspect,
    }),
  },
]
