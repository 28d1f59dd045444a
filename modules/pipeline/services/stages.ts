import { AppError } from '#app/lib/errors.ts'
import type { TenantTransaction } from '#tenants/platform.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import {
  mostStages,
  stageAliases,
  type NewStage,
  type StageAlias,
  type StageEdit,
  type StageOrder,
  type StageRef,
} from '../forms.ts'
import { stageOf, stagesInOrder } from '../queries/stages.ts'
import { onBoard, stageNotFound, stageRecordSql, type StageRecord } from '../output.ts'
import { note } from './activities.ts'

const defaults: Record<StageAlias, { name: string; color: string }> = {
  lead: { name: 'Lead', color: '#3B82F6' },
  qualified: { name: 'Qualified', color: '#8B5CF6' },
  proposal: { name: 'Proposal', color: '#D97706' },
  negotiation: { name: 'Negotiation', color: '#DB2777' },
  closed_won: { name: 'Closed Won', color: '#16A34A' },
}

/** The five stages that an account begins with. */
export async function addDefaultStages(tx: TenantTransaction, coachId: number): Promise<void> {
  for (const [position, alias] of stageAliases.entries()) {
    const { name, color } = defaults[alias]
    await tx.rows({
      name: 'pipeline.default-stage',
      text: `insert into pipeline_stage (coach_id, name, color, position, alias, created_at, updated_at)
        select id, $2, $3, $4, $5, created_at, created_at from account where id = $1`,
      values: [coachId, name, color, position, alias],
    })
  }
}

/** Adds a stage as the last one, or at `order`; one that is taken shifts the rest. */
export async function addStage(ctx: WriteCtx, { name, color, order }: NewStage): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await holdStages(ctx)
  needRoom(stages)
  const last = stages.reduce((most, stage) => Math.max(most, stage.position), -1)
  const position = order ?? last + 1
  await makeRoom(ctx, stages, position)
  const [added] = await ctx.rows<StageRecord>({
    name: 'pipeline.add-stage',
    text: `insert into pipeline_stage (coach_id, name, color, position, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning ${stageRecordSql}`,
    values: [ctx.coachId, name, color, position, ctx.now()],
  })
  return added!
}

/**
 * Changes the fields that are sent; an `order` that is taken shifts the rest. `seen` is the version that the screen showed:
 * throws conflict when somebody saved another name or color since. Throws not_found.
 */
export async function editStage(
  ctx: WriteCtx,
  id: number,
  { name, color, order }: StageEdit,
  seen?: number,
): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await holdStages(ctx)
  const stage = stages.find((one) => one.id === id)
  if (!stage) throw stageNotFound()
  if (seen !== undefined && seen !== stage.version) throw stageConflict()
  const edited = (name !== undefined && name !== stage.name) || (color !== undefined && color !== stage.color)
  if (!edited && (order === undefined || order === stage.position)) return stageOf(ctx, id)
  if (order !== undefined)
    await makeRoom(
      ctx,
      stages.filter((one) => one !== stage),
      order,
    )
  await ctx.rows({
    name: 'pipeline.edit-stage',
    text: 'update pipeline_stage set name = $2, color = $3, position = $4, updated_at = $5, version = $6 where id = $1',
    values: [
      id,
      name ?? stage.name,
      color ?? stage.color,
      order ?? stage.position,
      ctx.now(),
      stage.version + (edited ? 1 : 0),
    ],
  })
  return stageOf(ctx, id)
}

/**
 * Puts all stages into a new order. Throws not_found for a stage that isn't there, validation_failed unless each stage is
 * sent once and no order twice. Answers the stages with the orders 0…n-1.
 */
export async function reorderStages(ctx: WriteCtx, { stages: wanted }: StageOrder): Promise<StageRecord[]> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await holdStages(ctx)
  if (wanted.some(({ id }) => !stages.some((stage) => stage.id === id))) throw stageNotFound()
  const refuse = (message: string) => new AppError('validation_failed', message, { field: 'stages' })
  if (new Set(wanted.map(({ id }) => id)).size < wanted.length) throw refuse('Send each stage once')
  if (wanted.length < stages.length) throw refuse('Send all stages')
  if (new Set(wanted.map(({ order }) => order)).size < wanted.length) throw refuse('Send each order once')
  await ctx.rows({
    name: 'pipeline.reorder',
    text: `update pipeline_stage set position = sorted.at - 1, updated_at = $2
      from unnest($1::bigint[]) with ordinality sorted (id, at) where pipeline_stage.id = sorted.id and position <> sorted.at - 1`,
    values: [wanted.toSorted((a, b) => a.order - b.order).map(({ id }) => id), ctx.now()],
  })
  return stagesInOrder(ctx)
}

/** Puts a stage behind `place` others. `opened` is where the screen showed it: throws conflict when it stands elsewhere since. Throws not_found. */
export async function placeStage(ctx: WriteCtx, id: number, place: number, opened?: number): Promise<void> {
  await holdStages(ctx)
  const ids = (await stagesInOrder(ctx)).map((stage) => stage.id)
  if (opened !== undefined && ![opened, place].includes(ids.indexOf(id))) throw stageConflict()
  const wanted = ids.filter((other) => other !== id)
  wanted.splice(place, 0, id)
  if (wanted.join() !== ids.join())
    await reorderStages(ctx, { stages: wanted.map((stage, order) => ({ id: stage, order })) })
}

/**
 * Moves a stage to the trash, and its prospects to `moveTo`. Throws not_found for either stage, validation_failed when it is
 * the same, conflict for the last stage and for one with prospects that have nowhere to go. Answers how many moved.
 */
export async function deleteStage(
  ctx: WriteCtx,
  id: number,
  { moveTo }: { moveTo?: StageRef | undefined } = {},
): Promise<{ moved: number }> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await holdStages(ctx)
  const stage = stages.find((one) => one.id === id)
  if (!stage) throw stageNotFound()
  const target = moveTo === undefined ? undefined : stageBy(stages, moveTo)
  if (target === stage)
    throw new AppError('validation_failed', 'Choose another stage for the prospects', { field: 'moveTo' })
  if (stages.length === 1)
    throw new AppError('conflict', 'The last stage can’t be deleted. A pipeline needs at least one.')

  const moved = await ctx.rows<{ id: number }>({
    name: 'pipeline.of-stage',
    text: `select id from prospect where stage_id = $1 and ${onBoard} order by id for update`,
    values: [id],
  })
  if (moved.length && !target)
    throw new AppError(
      'conflict',
      `${stage.name} still holds ${counted(moved.length)}. Choose the stage that they move to.`,
    )
  if (moved.length && target)
    await moveAll(
      ctx,
      stage,
      target,
      moved.map((prospect) => prospect.id),
    )
  await ctx.rows({
    name: 'pipeline.delete-stage',
    text: 'update pipeline_stage set deleted_at = $2 where id = $1',
    values: [id, ctx.now()],
  })
  return { moved: moved.length }
}

/**
 * Takes a stage out of the trash, back to its place, and brings back the prospects that its deletion moved and nobody moved
 * since, those in the trash and those that other deletions moved on, too, in whatever order stages are restored. One that isn't
 * in the trash stays as it is. Throws not_found, conflict when there is no room for one more.
 */
export async function restoreStage(ctx: WriteCtx, id: number): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await holdStages(ctx)
  if (stages.some((stage) => stage.id === id)) return stageOf(ctx, id)
  const [stage] = await ctx.rows<HeldStage>({
    name: 'pipeline.deleted-stage',
    text: `select ${heldColumns} from pipeline_stage where id = $1 and deleted_at is not null for no key update`,
    values: [id],
  })
  if (!stage) throw stageNotFound()
  needRoom(stages)
  await makeRoom(ctx, stages, stage.position)
  await ctx.rows({
    name: 'pipeline.restore-stage',
    text: 'update pipeline_stage set deleted_at = null where id = $1',
    values: [id],
  })
  const back = await ctx.rows<{ id: number }>({
    name: 'pipeline.bring-back',
    // What was deleted from under it later than this stage is no place of its own.
    text: `update prospect set stage_id = $1, displaced_by = (${wayBack})[:array_position(${wayBack}, $1) - 1], displaced_from_id = null, updated_at = $2
      where $1 = any(${wayBack}) and converted_at is null returning id`,
    values: [id, ctx.now()],
  })
  await note(
    ctx,
    back.map((prospect) => prospect.id),
    { type: 'moved', description: `Back in ${stage.name}, which was restored`, metadata: { to: id } },
  )
  return stageOf(ctx, id)
}

export type HeldStage = {
  id: number
  name: string
  color: string
  position: number
  alias: StageAlias | null
  version: number
}
const heldColumns = 'id, name, color, position, alias, version'

const stageConflict = () => new AppError('conflict', 'This stage was changed in another tab meanwhile.')

function needRoom(stages: HeldStage[]): void {
  if (stages.length >= mostStages)
    throw new AppError('conflict', `A pipeline holds at most ${mostStages.toLocaleString('en-US')} stages.`)
}

/** All stages, held until the transaction ends: whoever adds, reorders, deletes or restores one does it alone. */
async function holdStages(ctx: WriteCtx): Promise<HeldStage[]> {
  // Where nothing is left to hold, the practice itself is held.
  await ctx.rows({
    name: 'pipeline.hold',
    text: `select pg_advisory_xact_lock(hashtext('pipeline'), $1::int)`,
    values: [ctx.coachId % 2_147_483_647],
  })
  return ctx.rows<HeldStage>({
    name: 'pipeline.hold-stages',
    text: `select ${heldColumns} from pipeline_stage where deleted_at is null order by id for no key update`,
  })
}

/** The stage that prospects go to, held until the transaction ends: who moves into it waits, and it isn't deleted meanwhile. Throws not_found. */
export async function holdStage(ctx: WriteCtx, ref: StageRef): Promise<HeldStage> {
  const { id, alias } = idOrAlias(ref)
  const [stage] = await ctx.rows<HeldStage>({
    name: 'pipeline.hold-stage',
    text: `select ${heldColumns} from pipeline_stage where deleted_at is null and (id = $1 or alias = $2) for no key update`,
    values: [id, alias],
  })
  if (!stage) throw stageNotFound()
  return stage
}

function stageBy(stages: HeldStage[], ref: StageRef): HeldStage {
  const { id, alias } = idOrAlias(ref)
  const stage = stages.find((one) => one.id === id || (alias !== null && one.alias === alias))
  if (!stage) throw stageNotFound()
  return stage
}

/** An id that nothing has for what is neither a positive integer nor an alias. */
function idOrAlias(ref: StageRef): { id: number; alias: string | null } {
  if (typeof ref === 'string' && !/^[1-9]\d{0,15}$/.test(ref)) return { id: 0, alias: ref }
  const id = Number(ref)
  return { id: Number.isSafeInteger(id) && id > 0 ? id : 0, alias: null }
}

/** Shifts the stages from `position` on, when it is taken. */
async function makeRoom(ctx: WriteCtx, others: HeldStage[], position: number): Promise<void> {
  if (!others.some((stage) => stage.position === position)) return
  const shifted = others.filter((stage) => stage.position >= position).map(({ id }) => id)
  await ctx.rows({
    name: 'pipeline.shift',
    text: 'update pipeline_stage set position = position + 1 where id = any($1::bigint[])',
    values: [shifted],
  })
}

/** SQL: the stages that were deleted from under a prospect, the first one first. */
const wayBack = 'array_remove(displaced_from_id || displaced_by, null)'

/** Prospects remember that `stageId` was deleted from under them, after all others. */
export async function displace(ctx: WriteCtx, ids: number[], stageId: number): Promise<void> {
  await ctx.rows({
    name: 'pipeline.displace',
    text: `update prospect set displaced_by = ${wayBack} || $2::bigint, displaced_from_id = null where id = any($1::bigint[])`,
    values: [ids, stageId],
  })
}

/** Behind those that are there, in the order that they have. */
async function moveAll(ctx: WriteCtx, from: HeldStage, to: HeldStage, ids: number[]): Promise<void> {
  await ctx.rows({
    name: 'pipeline.move-all',
    text: `update prospect set stage_id = $2, displaced_by = ${wayBack} || $1::bigint, displaced_from_id = null, updated_at = $3, position = sorted.at * ${gap} + coalesce(
        (select max(position) from prospect there where there.stage_id = $2 and there.deleted_at is null and there.converted_at is null), 0)
      from (select id, row_number() over (order by position, id) as at from prospect where id = any($4::bigint[])) sorted where prospect.id = sorted.id`,
    values: [from.id, to.id, ctx.now(), ids],
  })
  await note(ctx, ids, {
    type: 'moved',
    description: `Moved from ${from.name}, which was deleted, to ${to.name}`,
    metadata: { from: from.id, to: to.id },
  })
}

/** The room between two neighbours in a stage. */
export const gap = 65_536

const counted = (prospects: number): string =>
  prospects === 1 ? '1 prospect' : `${prospects.toLocaleString('en-US')} prospects`
