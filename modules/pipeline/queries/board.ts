import { addDays, localDate, dayStart } from '#app/lib/time.ts'
import { matchesSearch, searchKey } from '#db/search-sql.ts'
import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { BoardFilters, FollowUp } from '../board-state.ts'
import { onBoardSql, type StageRecord } from '../records.ts'
import { rankedProspectsSql } from './prospects.ts'
import { stagesQuery } from './stages.ts'

export type BoardRow = {
  id: number
  name: string
  title: string | null
  company: string | null
  stageId: number
  /** Cents. */
  value: number
  probability: number
  nextFollowUp: Date | null
  /** The position in the stage, from 0, counting the cards that the filter hides too. */
  rank: number
}
export type Board = { stages: StageRecord[]; rows: BoardRow[]; total: number; sources: string[] }

/** The board, in one round trip. `total` counts the prospects regardless of the filters. */
export async function getBoard(ctx: Ctx, filters: BoardFilters): Promise<Board> {
  authorize(ctx, 'pipeline:prospect:read')
  authorize(ctx, 'pipeline:stage:read')
  const [stages, rows, [summary]] = (await ctx.queryAll([
    stagesQuery(ctx),
    cardsQuery(ctx, filters),
    summaryQuery(ctx),
  ])) as [StageRecord[], BoardRow[], [Pick<Board, 'total' | 'sources'>]]
  return { stages, rows, ...summary }
}

function cardsQuery(ctx: Ctx, { q, source, likely, followup }: BoardFilters): Query {
  const values: unknown[] = [ctx.coachId]
  const param = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(q ? [['q', matchesTermSql(param(q))]] : []),
    ...(source ? [['source', `lower(source) = lower(${param(source)})`]] : []),
    ...(likely ? [['likely', `probability >= ${param(Number(likely))}`]] : []),
    ...(followup ? [[followup, followUpSql[followup]((days) => param(startOfDay(ctx, days)))]] : []),
  ]
  return {
    name: ['pipeline.board', ...conditions.map(([name]) => name)].join('-'),
    text: `select id, name, title, company, stage_id as "stageId", value, probability,
        next_follow_up as "nextFollowUp", rank
      from ${rankedProspectsSql}
      ${conditions.length ? `where ${conditions.map(([, sql]) => sql).join(' and ')}` : ''} order by rank`,
    values,
  }
}

const matchesTermSql = (placeholder: string): string =>
  `(${matchesSearch(placeholder)} or strpos(search_key(coalesce(company, '') || ' ' || coalesce(title, '')),
    nullif(${searchKey(placeholder)}, '')) > 0)`

const followUpSql: Record<FollowUp, (day: (days: number) => string) => string> = {
  overdue: (day) => `next_follow_up < ${day(0)}`,
  today: (day) => `next_follow_up >= ${day(0)} and next_follow_up < ${day(1)}`,
  week: (day) => `next_follow_up >= ${day(0)} and next_follow_up < ${day(7)}`,
  none: () => 'next_follow_up is null',
}

/** The start of the coach's day, `days` from today. */
function startOfDay({ account: { timezone }, now }: Ctx, days: number): Date {
  return dayStart(addDays(localDate(now(), timezone), days), timezone)
}

const summaryQuery = ({ coachId }: Ctx): Query => ({
  name: 'pipeline.summary',
  text: `select count(*) as total,
      coalesce(array_agg(distinct source order by source) filter (where source is not null), '{}') as sources
    from prospect where coach_id = $1 and ${onBoardSql}`,
  values: [coachId],
})
