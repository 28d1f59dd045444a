import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ValueSetter } from '../fields.ts'
import { isVisible } from '../joins.ts'
import { joinClient } from '#modules/crm/index.ts'
import { goal, type GoalOut, type GoalRecord, type GoalValueRecord } from '../records.ts'
import { authorizeRead } from './programs.ts'

export type GoalWithValue = GoalRecord & {
  version: number
  /** The current one; its start before the first value. */
  value: number
  valueAt: string | null
  setBy: ValueSetter | null
}

const goalColumns = `${goal.select}, g.version, coalesce(v.value, g.start_value) as value,
  ${isoTimestamp('v.created_at')} as "valueAt", v.set_by as "setBy"`
const goalTables = `goal g join program p on p.coach_id = $1 and p.id = g.program_id ${joinClient('p')}
  left join lateral (select value, created_at, set_by from goal_value
    where coach_id = $1 and goal_id = g.id order by created_at desc, id desc limit 1) v on true`

/** The goals of programs, the oldest first. */
export async function listGoals(ctx: Ctx, programIds: number[]): Promise<GoalWithValue[]> {
  authorizeRead(ctx)
  if (!programIds.length) return []
  return ctx.query<GoalWithValue>({
    name: 'programs.goals',
    text: `select ${goalColumns} from ${goalTables}
      where g.coach_id = $1 and g.program_id = any($2::bigint[]) and g.deleted_at is null and ${isVisible}
      order by g.id`,
    values: [ctx.coachId, programIds],
  })
}

/** A page of the goals of all programs, or of one, newest first. */
export async function listNewestGoals(
  ctx: Ctx,
  { programId, ...page }: Page & { programId?: number | undefined } = {},
): Promise<GoalOut[]> {
  authorize(ctx, 'programs:program:read')
  const rows = await listNewest<GoalWithValue>(ctx, {
    name: 'programs.goal-list',
    select: goalColumns,
    from: goalTables,
    where: {
      isVisible: `g.deleted_at is null and ${isVisible}`,
      program: programId !== undefined && ['g.program_id = ?', programId],
    },
    time: 'g.created_at',
    id: 'g.id',
    ...page,
  })
  return rows.map(toGoalOut)
}

export const toGoalOut = ({ version: _version, ...record }: GoalWithValue): GoalOut => record

/** Throws not_found. */
export async function getGoal(ctx: Ctx, id: number): Promise<GoalWithValue> {
  authorize(ctx, 'programs:program:read')
  const [row] = await ctx.query<GoalWithValue>({
    name: 'programs.goal',
    text: `select ${goalColumns} from ${goalTables}
      where g.coach_id = $1 and g.id = $2 and g.deleted_at is null and ${isVisible}`,
    values: [ctx.coachId, id],
  })
  if (!row) throw goal.notFound()
  return row
}

/** A page of the values of a goal, newest first. Throws not_found. */
export async function listGoalValues(ctx: Ctx, goalId: number, page: Page = {}): Promise<GoalValueRecord[]> {
  await getGoal(ctx, goalId)
  return listNewest<GoalValueRecord>(ctx, {
    name: 'programs.value-list',
    select: `v.coach_id as "coachId", ${valueColumns}`,
    from: 'goal_value v',
    where: { goal: ['v.goal_id = ?', goalId] },
    time: 'v.created_at',
    id: 'v.id',
    ...page,
  })
}

export async function getGoalValue(ctx: Ctx, id: number): Promise<GoalValueRecord> {
  authorize(ctx, 'programs:program:read')
  const [row] = await ctx.query<GoalValueRecord>({
    name: 'programs.value',
    text: `select v.coach_id as "coachId", ${valueColumns} from goal_value v where v.coach_id = $1 and v.id = $2`,
    values: [ctx.coachId, id],
  })
  return row!
}

const valueColumns = `v.id, v.goal_id as "goalId", v.value, v.set_by as "setBy", ${isoTimestamp('v.created_at')} as "createdAt"`

export type GoalValueRow = { id: number; goalId: number; value: number; setBy: ValueSetter; createdAt: string }

/** The values of goals, the latest of each first; at most `rows` of each. */
export async function listValues(ctx: Ctx, goalIds: number[], rows: number): Promise<GoalValueRow[]> {
  authorizeRead(ctx)
  if (!goalIds.length) return []
  return ctx.query<GoalValueRow>({
    name: 'programs.goal-values',
    text: `select ${valueColumns}
      from (select *, row_number() over (partition by goal_id order by created_at desc, id desc) as number
        from goal_value where coach_id = $1 and goal_id = any($2::bigint[])) v
      where v.coach_id = $1 and v.number <= $3 order by goal_id, number`,
    values: [ctx.coachId, goalIds, rows],
  })
}
