import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, requireClient, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { goalCreated, goalDeleted, goalRestored, goalUpdated } from '../events.ts'
import { limits, type ValueSetter } from '../fields.ts'
import type { GoalEdit, NewGoal } from '../forms.ts'
import { getGoal, listGoals, type GoalWithValue } from '../queries/goals.ts'
import { goal } from '../records.ts'
import { Goal } from '../schema.ts'
import { lockProgram } from './programs.ts'

/** Throws not_found, plan_limit, and validation_failed for equal values and beyond 20 goals. */
export async function createGoal(ctx: WriteCtx, programId: number, input: NewGoal): Promise<GoalWithValue> {
  const row = await lockProgram(ctx, programId)
  const { title, unit, start, target } = input
  assertMeasure({ start, target })
  await assertStorage(ctx)
  if ((await listGoals(ctx, [programId])).length >= limits.goals)
    throw new AppError('validation_failed', `A program has at most ${limits.goals} goals.`)
  const id = await insertRow(ctx, {
    table: 'goal',
    name: 'programs.insert-goal',
    row: {
      clientId: row.client.id,
      programId,
      title,
      unit,
      startValue: start,
      targetValue: target,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
  await publish(ctx, goalCreated, { programId, goalId: id })
  return getGoal(ctx, id)
}

function assertMeasure({ start, target }: { start: number; target: number }): void {
  if (start === target)
    throw new AppError('validation_failed', 'Enter a target other than the start', { field: 'target' })
}

/** Changes the fields that are sent. Throws not_found, plan_limit, validation_failed, conflict. */
export async function updateGoal(
  ctx: WriteCtx,
  id: number,
  input: GoalEdit,
  expectedVersion?: number,
): Promise<GoalWithValue> {
  authorize(ctx, 'programs:program:write')
  if (!Object.keys(input).length) return getGoal(ctx, id)
  const { programId } = await findGoal(ctx, id)
  await lockProgram(ctx, programId)
  const row = await lockRow(ctx, goal, Goal, { coachId: ctx.coachId, id, deletedAt: null })
  goal.assertVersion(row, expectedVersion)
  const { title = row.title, unit = row.unit, start = row.startValue, target = row.targetValue } = input
  assertMeasure({ start, target })
  await assertStorage(ctx)
  ctx.em.assign(row, {
    title,
    unit,
    startValue: start,
    targetValue: target,
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await publish(ctx, goalUpdated, { programId, goalId: id })
  return getGoal(ctx, id)
}

async function findGoal(ctx: WriteCtx, id: number): Promise<{ programId: number; clientId: number }> {
  const [row] = await ctx.query<{ programId: number; clientId: number }>({
    name: 'programs.find-goal',
    text: `select program_id as "programId", client_id as "clientId" from goal
      where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw goal.notFound()
  return row
}

/**
 * The coach enters the current value of a goal; returns the id of the value. Throws not_found, plan_limit, and
 * validation_failed beyond 1,000.
 */
export async function recordValue(ctx: WriteCtx, id: number, value: number): Promise<number> {
  const { programId, clientId } = await findGoal(ctx, id)
  await lockProgram(ctx, programId)
  return addValue(ctx, { id, programId, clientId, value, setBy: 'coach' })
}

/** Pages of the portal have no scripts that keep a button from being pressed twice. */
const doubleClickMs = 10_000

/**
 * The client in the portal enters the current value of a goal of theirs; the same one within ten seconds counts once.
 * Throws as `recordValue` does.
 */
export async function recordOwnValue(ctx: WriteCtx, id: number, value: number): Promise<void> {
  requireClient(ctx, 'client:program:write')
  // One after the other. Not the row of the goal, which clients may not lock.
  await ctx.query({
    name: 'programs.lock-own-value',
    text: `select pg_advisory_xact_lock(hashtext('goal-value ' || $1::text), $2::int)`,
    values: [ctx.coachId, id % 2_147_483_647],
  })
  // Row level security shows them their own goals alone.
  const { programId, clientId } = await findGoal(ctx, id)
  const [entered] = await ctx.query({
    name: 'programs.find-same-value',
    text: `select id from goal_value
      where coach_id = $1 and goal_id = $2 and set_by = 'client' and value = $3 and created_at > $4 limit 1`,
    values: [ctx.coachId, id, value, new Date(ctx.now().getTime() - doubleClickMs)],
  })
  if (!entered) await addValue(ctx, { id, programId, clientId, value, setBy: 'client' })
}

type NewValue = { id: number; programId: number; clientId: number; value: number; setBy: ValueSetter }

async function addValue(ctx: WriteCtx, { id, programId, clientId, value, setBy }: NewValue): Promise<number> {
  const [row] = await ctx.query<{ count: number }>({
    name: 'programs.count-values',
    text: 'select count(*)::int as count from goal_value where coach_id = $1 and goal_id = $2',
    values: [ctx.coachId, id],
  })
  if (row!.count >= limits.values)
    throw new AppError('validation_failed', `A goal has at most ${limits.values.toLocaleString('en-US')} values.`)
  const valueId = await insertRow(ctx, {
    table: 'goal_value',
    name: 'programs.insert-value',
    row: { clientId, goalId: id, value, setBy, createdAt: ctx.now() },
  })
  await publish(ctx, goalUpdated, { programId, goalId: id })
  return valueId
}

/** Moves a goal to the trash. Throws not_found, also the second time. */
export async function deleteGoal(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'programs:program:write')
  const { programId } = await getGoal(ctx, id)
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Goal, current, { deletedAt: ctx.now() }))) throw goal.notFound()
  await publish(ctx, goalDeleted, { programId, goalId: id })
}

/** Takes a goal out of the trash. Does nothing if it isn't there. Throws not_found, and conflict beyond 20 goals. */
export async function restoreGoal(ctx: WriteCtx, id: number): Promise<GoalWithValue> {
  authorize(ctx, 'programs:program:write')
  await assertRoom(ctx, id)
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  const changed = await ctx.em.nativeUpdate(Goal, trashed, { deletedAt: null })
  const restored = await getGoal(ctx, id)
  if (changed) await publish(ctx, goalRestored, { programId: restored.programId, goalId: id })
  return restored
}

/** Locks the program of a goal in the trash: two that are restored at the same time must not get past the limit. */
async function assertRoom(ctx: WriteCtx, id: number): Promise<void> {
  const [trashed] = await ctx.query<{ programId: number }>({
    name: 'programs.trashed-goal',
    text: `select p.id as "programId" from program p
      where p.coach_id = $1 and p.id = (
        select program_id from goal where coach_id = $1 and id = $2 and deleted_at is not null) for update`,
    values: [ctx.coachId, id],
  })
  if (!trashed) return
  // A second call may have waited for the first.
  const others = (await listGoals(ctx, [trashed.programId])).filter((one) => one.id !== id)
  if (others.length >= limits.goals)
    throw new AppError('conflict', `A program has at most ${limits.goals} goals. Delete one first.`)
}
