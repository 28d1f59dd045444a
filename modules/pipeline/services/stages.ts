import { AppError } from '#app/lib/errors.ts'
import { insertRows } from '#db/insert-rows.ts'
import type { TenantTransaction } from '#tenants/platform.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { NewStage, StageEdit, StageOrder, StageRef } from '../forms.ts'
import { formatProspectCount } from '../format.ts'
import { getStage, listStages } from '../queries/stages.ts'
import { onBoardSql, stage as stageRecord, type StageRecord } from '../records.ts'
import { maxStages, stageAliases, type StageAlias } from '../stages.ts'
import { moveProspects, restoreDisplacedProspects } from './displacement.ts'
import { findStage, lockDeletedStage, lockStages, type LockedStage } from './stage-locks.ts'

const defaultStages: Record<StageAlias, { name: string; color: string }> = {
  lead: { name: 'Lead', color: '#3B82F6' },
  qualified: { name: 'Qualified', color: '#8B5CF6' },
  proposal: { name: 'Proposal', color: '#D97706' },
  negotiation: { name: 'Negotiation', color: '#DB2777' },
  closed_won: { name: 'Closed Won', color: '#16A34A' },
}

/** Adds the five initial stages of a new account. */
export async function createDefaultStages(tx: TenantTransaction, coachId: number, now: Date): Promise<void> {
  const stages = stageAliases.map((alias, position) => ({
    coach_id: coachId,
    ...defaultStages[alias],
    position,
    alias,
    created_at: now,
    updated_at: now,
  }))
  await tx.query(insertRows('pipeline_stage', stages))
}

/** Adds a stage at the end, or at `order`; one that is taken shifts the others. Throws conflict at the limit. */
export async function createStage(ctx: WriteCtx, { name, color, order }: NewStage): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await lockStages(ctx)
  assertStageLimit(stages)
  const last = Math.max(-1, ...stages.map((stage) => stage.position))
  const position = order ?? last + 1
  await shiftStagesFrom(ctx, stages, position)
  const [added] = await ctx.query<StageRecord>({
    name: 'pipeline.create-stage',
    text: `insert into pipeline_stage (coach_id, name, color, position, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5) returning ${stageRecord.select}`,
    values: [ctx.coachId, name, color, position, ctx.now()],
  })
  return added!
}

/**
 * Changes the given fields; an `order` that is taken shifts the others. Throws not_found, and conflict if the name or
 * color was edited after `expectedVersion`.
 */
export async function updateStage(
  ctx: WriteCtx,
  id: number,
  { name, color, order }: StageEdit,
  expectedVersion?: number,
): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await lockStages(ctx)
  const stage = stages.find((candidate) => candidate.id === id)
  if (!stage) throw stageRecord.notFound()
  stageRecord.assertVersion(stage, expectedVersion)
  const edited = (name !== undefined && name !== stage.name) || (color !== undefined && color !== stage.color)
  if (!edited && (order === undefined || order === stage.position)) return getStage(ctx, id)
  const others = stages.filter((other) => other !== stage)
  if (order !== undefined) await shiftStagesFrom(ctx, others, order)
  await ctx.query({
    name: 'pipeline.update-stage',
    text: 'update pipeline_stage set name = $3, color = $4, position = $5, updated_at = $6, version = $7 where coach_id = $1 and id = $2',
    values: [
      ctx.coachId,
      id,
      name ?? stage.name,
      color ?? stage.color,
      order ?? stage.position,
      ctx.now(),
      stage.version + (edited ? 1 : 0),
    ],
  })
  return getStage(ctx, id)
}

/**
 * Reorders all stages and returns them with the orders 0…n-1. Throws not_found for an unknown stage, and
 * validation_failed unless each stage is sent once and no order twice.
 */
export async function reorderStages(ctx: WriteCtx, { stages: orders }: StageOrder): Promise<StageRecord[]> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await lockStages(ctx)
  if (orders.some(({ id }) => !stages.some((stage) => stage.id === id))) throw stageRecord.notFound()
  const invalid = (message: string) => new AppError('validation_failed', message, { field: 'stages' })
  if (new Set(orders.map(({ id }) => id)).size < orders.length) throw invalid('Send each stage once')
  if (orders.length < stages.length) throw invalid('Send all stages')
  if (new Set(orders.map(({ order }) => order)).size < orders.length) throw invalid('Send each order once')
  await ctx.query({
    name: 'pipeline.reorder',
    text: `update pipeline_stage set position = sorted.rank - 1, updated_at = $3
      from unnest($2::bigint[]) with ordinality sorted (id, rank)
      where pipeline_stage.coach_id = $1 and pipeline_stage.id = sorted.id and position <> sorted.rank - 1`,
    values: [ctx.coachId, orders.toSorted((a, b) => a.order - b.order).map(({ id }) => id), ctx.now()],
  })
  return listStages(ctx)
}

/**
 * Moves a stage behind `index` others. Throws not_found, and conflict if it is neither at `expectedIndex` nor already
 * at `index`.
 */
export async function moveStageTo(ctx: WriteCtx, id: number, index: number, expectedIndex?: number): Promise<void> {
  await lockStages(ctx)
  const ids = (await listStages(ctx)).map((stage) => stage.id)
  if (expectedIndex !== undefined && ![expectedIndex, index].includes(ids.indexOf(id))) throw stageConflict()
  const reordered = ids.filter((other) => other !== id)
  reordered.splice(index, 0, id)
  if (reordered.join() !== ids.join())
    await reorderStages(ctx, { stages: reordered.map((stage, order) => ({ id: stage, order })) })
}

/**
 * Moves a stage to the trash and its prospects to `moveTo`. Returns how many moved. Throws not_found for either stage,
 * validation_failed if they are the same, conflict for the last stage and for prospects without `moveTo`.
 */
export async function deleteStage(
  ctx: WriteCtx,
  id: number,
  { moveTo }: { moveTo?: StageRef | undefined } = {},
): Promise<{ moved: number }> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await lockStages(ctx)
  const stage = stages.find((candidate) => candidate.id === id)
  if (!stage) throw stageRecord.notFound()
  const target = moveTo === undefined ? undefined : findStage(stages, moveTo)
  if (target === stage)
    throw new AppError('validation_failed', 'Choose another stage for the prospects', { field: 'moveTo' })
  if (stages.length === 1)
    throw new AppError('conflict', 'The last stage can’t be deleted. A pipeline needs at least one.')

  const prospectIds = await lockStageProspects(ctx, id)
  if (prospectIds.length && !target) {
    const count = formatProspectCount(prospectIds.length)
    throw new AppError('conflict', `${stage.name} has ${count}. Choose a stage to move them to.`)
  }
  if (prospectIds.length && target) await moveProspects(ctx, stage, target, prospectIds)
  await ctx.query({
    name: 'pipeline.delete-stage',
    text: 'update pipeline_stage set deleted_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
  return { moved: prospectIds.length }
}

async function lockStageProspects(ctx: WriteCtx, stageId: number): Promise<number[]> {
  const prospects = await ctx.query<{ id: number }>({
    name: 'pipeline.lock-stage-prospects',
    text: `select id from prospect where coach_id = $1 and stage_id = $2 and ${onBoardSql} order by id for update`,
    values: [ctx.coachId, stageId],
  })
  return prospects.map(({ id }) => id)
}

/**
 * Takes a stage out of the trash, back to its position, with the prospects that its deletion displaced and nobody moved
 * since. A stage that is not in the trash stays unchanged. Throws not_found, and conflict if there are too many stages.
 */
export async function restoreStage(ctx: WriteCtx, id: number): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:write')
  const stages = await lockStages(ctx)
  if (stages.some((stage) => stage.id === id)) return getStage(ctx, id)
  const stage = await lockDeletedStage(ctx, id)
  assertStageLimit(stages)
  await shiftStagesFrom(ctx, stages, stage.position)
  await ctx.query({
    name: 'pipeline.restore-stage',
    text: 'update pipeline_stage set deleted_at = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  await restoreDisplacedProspects(ctx, stage)
  return getStage(ctx, id)
}

const stageConflict = () => new AppError('conflict', 'This stage was changed in another tab.', { subject: 'stage' })

function assertStageLimit(stages: LockedStage[]): void {
  if (stages.length >= maxStages)
    throw new AppError('conflict', `A pipeline can have at most ${maxStages.toLocaleString('en-US')} stages.`)
}

/** Makes `position` free by shifting the stages from there on, if it is taken. */
async function shiftStagesFrom(ctx: WriteCtx, others: LockedStage[], position: number): Promise<void> {
  if (!others.some((stage) => stage.position === position)) return
  const shifted = others.filter((stage) => stage.position >= position).map(({ id }) => id)
  await ctx.query({
    name: 'pipeline.shift-stages',
    text: 'update pipeline_stage set position = position + 1 where coach_id = $1 and id = any($2::bigint[])',
    values: [ctx.coachId, shifted],
  })
}
