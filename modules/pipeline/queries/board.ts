import { addDays, dateOf, dayStart } from '#app/lib/time.ts'
import { holds, searchKey } from '#db/columns.ts'
import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { BoardState, FollowUp } from '../board-state.ts'
import { onBoard, type StageRecord } from '../output.ts'
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
  /** The place in the stage, those that the filter hides counted too. */
  rank: number
}
export type Board = { stages: StageRecord[]; rows: BoardRow[]; all: number; sources: string[] }

/** The board as a screen shows it, in one round trip. */
export async function boardOf(ctx: Ctx, state: BoardState): Promise<Board> {
  authorize(ctx, 'pipeline:prospect:read')
  authorize(ctx, 'pipeline:stage:read')
  const [stages, rows, [about]] = (await ctx.rowsOf([stagesQuery, cardsQuery(ctx, state), aboutQuery])) as [
    StageRecord[],
    BoardRow[],
    [Pick<Board, 'all' | 'sources'>],
  ]
  return { stages, rows, ...about }
}

function cardsQuery(ctx: Ctx, { q, source, likely, followUp }: BoardState): Query {
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const wanted = [
    ...(q
      ? [
          `(${holds(use(q))} or strpos(search_key(coalesce(company, '') || ' ' || coalesce(title, '')), nullif(${searchKey(`$${values.length}`)}, '')) > 0)`,
        ]
      : []),
    ...(source ? [`lower(source) = lower(${use(source)})`] : []),
    ...(likely ? [`probability >= ${use(likely)}`] : []),
    ...(followUp ? [followUpSql[followUp]((days) => use(startOf(ctx, days)))] : []),
  ]
  return {
    name: `pipeline.board${q ? '-q' : ''}${source ? '-source' : ''}${likely ? '-likely' : ''}${followUp ? `-${followUp}` : ''}`,
    text: `select id, name, title, company, stage_id as "stageId", value, probability, next_follow_up as "nextFollowUp", rank
      from (select *, row_number() over (partition by stage_id order by position, id) - 1 as rank from prospect where ${onBoard}) placed
      ${wanted.length ? `where ${wanted.join(' and ')}` : ''} order by rank`,
    values,
  }
}

const followUpSql: Record<FollowUp, (day: (days: number) => string) => string> = {
  overdue: (day) => `next_follow_up < ${day(0)}`,
  today: (day) => `next_follow_up >= ${day(0)} and next_follow_up < ${day(1)}`,
  week: (day) => `next_follow_up >= ${day(0)} and next_follow_up < ${day(7)}`,
  none: () => 'next_follow_up is null',
}

/** When the coach's day that lies `days` ahead begins. */
function startOf({ account: { timezone }, now }: Ctx, days: number): Date {
  return dayStart(addDays(dateOf(now(), timezone), days), timezone)
}

const aboutQuery: Query = {
  name: 'pipeline.about',
  text: `select count(*) as all, coalesce(array_agg(distinct source order by source) filter (where source is not null), '{}') as sources from prospect where ${onBoard}`,
}
