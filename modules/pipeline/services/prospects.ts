import { Product, getProduct } from '#modules/billing/index.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { prospectCreated, prospectDeleted, prospectMoved, prospectRestored, prospectUpdated } from '../events.ts'
import { prospectFieldNames, prospectFields, type ProspectField } from '../fields.ts'
import type { NewProspect, ProspectEdit } from '../forms.ts'
import { getProspect } from '../queries/prospects.ts'
import { onBoardSql, prospect as prospectRecord, type ProspectRecord } from '../records.ts'
import { PipelineStage, Prospect, type ProspectRow } from '../schema.ts'
import { logProspectActivity } from './activities.ts'
import { markDisplaced, positionGap } from './displacement.ts'
import { lockStage } from './stage-locks.ts'

/** Adds a prospect as the last of its stage. Throws not_found for the stage or the product. */
export async function createProspect(
  ctx: WriteCtx,
  { stageId, productId, ...fields }: NewProspect,
): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  await assertStorage(ctx)
  const stage = await lockStage(ctx, stageId)
  if (productId !== null) await getProduct(ctx, productId)
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'prospect',
    name: 'pipeline.create-prospect',
    row: {
      ...fields,
      stageId: stage.id,
      productId,
      position: await insertPosition(ctx, stage.id, null, 0),
      createdAt: now,
      updatedAt: now,
    },
  })
  await logProspectActivity(ctx, [id], {
    type: 'created',
    description: `Added to ${stage.name}`,
    metadata: { to: stage.id },
  })
  await publish(ctx, prospectCreated, { prospectId: id })
  return getProspect(ctx, id)
}

const stageReference = (ctx: WriteCtx, id: number) =>
  ctx.em.getReference(PipelineStage, [ctx.coachId, id], { wrapped: true })
const productReference = (ctx: WriteCtx, id: number | null) =>
  id === null ? null : ctx.em.getReference(Product, [ctx.coachId, id], { wrapped: true })

/**
 * Changes the given fields. A `stageId` moves the prospect to `position` in that stage, or to its end; a `position`
 * alone moves it within its stage. Throws not_found for the prospect, the stage or the product, and conflict if the
 * prospect was edited, or moved elsewhere, since the version and stage in `expected`.
 */
export async function updateProspect(
  ctx: WriteCtx,
  id: number,
  input: ProspectEdit,
  expected?: { version: number; stageId: number | null },
): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  await assertStorage(ctx)
  // Lock order: stage, then prospect, to avoid deadlocks.
  const { stageId, position } = input
  const moves = stageId !== undefined || position !== undefined
  const target = moves ? await lockStage(ctx, stageId ?? (await getProspect(ctx, id)).stageId) : null
  const prospect = await lockForUpdate(ctx, id)
  if (expected) assertUnchanged(prospect, expected, target)

  const fields = changedFields(prospect, input)
  if (fields.length) await updateFields(ctx, prospect, fields, input)
  if (target && changesPosition(prospect, target, input)) await moveToStage(ctx, prospect, target, position ?? null)
  return getProspect(ctx, id)
}

/** A move to the same stage in both tabs is no conflict. */
function assertUnchanged(
  prospect: ProspectRow,
  expected: { version: number; stageId: number | null },
  target: { id: number } | null,
): void {
  const stageId = prospect.stage?.id ?? null
  const movedElsewhere = target !== null && stageId !== expected.stageId && stageId !== target.id
  prospectRecord.assertVersion(prospect, movedElsewhere ? 0 : expected.version)
}

async function updateFields(
  ctx: WriteCtx,
  prospect: ProspectRow,
  fields: EditedField[],
  input: ProspectEdit,
): Promise<void> {
  const changes = Object.fromEntries(fields.map((field) => [field, input[field]])) as Pick<ProspectEdit, EditedField>
  const { productId, ...columns } = changes
  if (productId) await getProduct(ctx, productId)
  ctx.em.assign(prospect, { ...columns, version: prospect.version + 1, updatedAt: ctx.now() })
  if (productId !== undefined) prospect.product = productReference(ctx, productId)
  await ctx.em.flush()
  await logProspectActivity(ctx, [prospect.id], {
    type: 'edited',
    description: `Edited ${formatList(fields.map((field) => prospectFields[field].label.toLowerCase()))}`,
    metadata: { fields },
  })
  await publish(ctx, prospectUpdated, { prospectId: prospect.id, fields })
}

function changesPosition(prospect: ProspectRow, target: { id: number }, { stageId, position }: ProspectEdit): boolean {
  const sameStage = prospect.stage?.id === target.id
  // A position without a stage refers to the stage the user saw; ignore it if the prospect has moved.
  return stageId === undefined ? sameStage : !sameStage || position !== undefined
}

async function moveToStage(
  ctx: WriteCtx,
  prospect: ProspectRow,
  to: { id: number; name: string },
  index: number | null,
): Promise<void> {
  const from = prospect.stage?.id ?? null
  prospect.position = await insertPosition(ctx, to.id, index, prospect.id)
  prospect.displacedBy = []
  if (from !== to.id)
    ctx.em.assign(prospect, {
      stage: stageReference(ctx, to.id),
      updatedAt: ctx.now(),
    })
  await ctx.em.flush()
  if (from === to.id) return
  const [previousStage] = await ctx.query<{ name: string }>({
    name: 'pipeline.stage-name',
    text: 'select name from pipeline_stage where coach_id = $1 and id = $2',
    values: [ctx.coachId, from],
  })
  await logProspectActivity(ctx, [prospect.id], {
    type: 'moved',
    description: `Moved from ${previousStage?.name ?? 'a deleted stage'} to ${to.name}`,
    metadata: { from, to: to.id },
  })
  await publish(ctx, prospectMoved, { prospectId: prospect.id, from, to: to.id })
}

/** Moves a prospect to the trash. Throws not_found, also the second time. */
export async function deleteProspect(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'pipeline:prospect:write')
  const prospect = await lockForUpdate(ctx, id)
  prospect.deletedAt = ctx.now()
  await ctx.em.flush()
  await logProspectActivity(ctx, [id], { type: 'deleted', description: 'Moved to the trash' })
  await publish(ctx, prospectDeleted, { prospectId: id })
}

/**
 * Takes a prospect out of the trash, back to its position. If its stage is in the trash, it goes to the first stage
 * until its own is restored. Throws not_found.
 */
export async function restoreProspect(ctx: WriteCtx, id: number): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  const { isDeleted, stageId } = await findStageToRestore(ctx, id)
  if (!isDeleted) return getProspect(ctx, id)

  const stage = await lockStage(ctx, stageId)
  const prospect = await lockRow(ctx, prospectRecord, Prospect, { coachId: ctx.coachId, id, convertedAt: null })
  if (!prospect.deletedAt) return getProspect(ctx, id)
  if (prospect.stage?.id !== stage.id) {
    prospect.position = await insertPosition(ctx, stage.id, null, id)
    if (prospect.stage) await markDisplaced(ctx, [id], prospect.stage.id)
    prospect.stage = stageReference(ctx, stage.id)
  }
  prospect.deletedAt = null
  await ctx.em.flush()
  await logProspectActivity(ctx, [id], {
    type: 'restored',
    description: `Restored to ${stage.name}`,
    metadata: { to: stage.id },
  })
  await publish(ctx, prospectRestored, { prospectId: id })
  return getProspect(ctx, id)
}

/** Its own stage, or the first one while that is in the trash. */
async function findStageToRestore(ctx: WriteCtx, id: number): Promise<{ isDeleted: boolean; stageId: number }> {
  const [prospect] = await ctx.query<{ isDeleted: boolean; stageId: number }>({
    name: 'pipeline.stage-to-restore',
    text: `select prospect.deleted_at is not null as "isDeleted", coalesce(
        (select stage.id from pipeline_stage stage
          where stage.coach_id = $1 and stage.id = prospect.stage_id and stage.deleted_at is null),
        (select first.id from pipeline_stage first where first.coach_id = $1 and first.deleted_at is null
          order by first.position, first.id limit 1)) as "stageId"
      from prospect where prospect.coach_id = $1 and prospect.id = $2 and prospect.converted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!prospect) throw prospectRecord.notFound()
  return prospect
}

/** Keeps the prospect from being deleted or converted until the transaction ends. Throws not_found. */
export async function lockProspect(ctx: WriteCtx, id: number): Promise<void> {
  const [prospect] = await ctx.query({
    name: 'pipeline.lock-prospect',
    text: `select id from prospect where coach_id = $1 and id = $2 and ${onBoardSql} for share`,
    values: [ctx.coachId, id],
  })
  if (!prospect) throw prospectRecord.notFound()
}

/** Throws not_found if the prospect is in the trash or converted. */
function lockForUpdate(ctx: WriteCtx, id: number): Promise<ProspectRow> {
  return lockRow(ctx, prospectRecord, Prospect, { coachId: ctx.coachId, id, deletedAt: null, convertedAt: null })
}

/** A move to another stage is no edit. */
type EditedField = Exclude<ProspectField, 'stageId'>
const editedFields = prospectFieldNames.filter((name): name is EditedField => name !== 'stageId')

function changedFields(prospect: ProspectRow, input: ProspectEdit): EditedField[] {
  return editedFields.filter((field) => {
    const sent = input[field]
    if (sent === undefined) return false
    if (field === 'productId') return sent !== (prospect.product?.id ?? null)
    if (sent instanceof Date) return sent.getTime() !== prospect.nextFollowUp?.getTime()
    return sent !== (prospect[field] ?? null)
  })
}

const listFormat = new Intl.ListFormat('en-US')
const formatList = (items: string[]): string => listFormat.format(items)

/** A position after `index` other prospects of the stage, not counting `excludedId`; null: after all of them. */
async function insertPosition(
  ctx: WriteCtx,
  stageId: number,
  index: number | null,
  excludedId: number,
): Promise<number> {
  const others = `prospect where coach_id = $1 and stage_id = $2 and ${onBoardSql} and id <> $3`
  if (index !== null) {
    const neighbors = await ctx.query<{ position: number }>({
      name: 'pipeline.neighbors',
      text: `select position from ${others} order by position, id offset $4 limit 2`,
      values: [ctx.coachId, stageId, excludedId, Math.max(0, index - 1)],
    })
    const [before, after] = index === 0 ? [undefined, neighbors[0]] : neighbors
    if (before && after) {
      const middle = before.position + Math.floor((after.position - before.position) / 2)
      if (middle > before.position) return middle
      await respacePositions(ctx, stageId)
      return insertPosition(ctx, stageId, index, excludedId)
    }
    if (after) return after.position - positionGap
    if (before) return before.position + positionGap
  }
  const [last] = await ctx.query<{ position: number | null }>({
    name: 'pipeline.last-position',
    text: `select max(position) as position from ${others}`,
    values: [ctx.coachId, stageId, excludedId],
  })
  return (last?.position ?? 0) + positionGap
}

/** Renumbers the prospects of a stage, because two neighbors have no position left between them. */
async function respacePositions(ctx: WriteCtx, stageId: number): Promise<void> {
  await ctx.query({
    name: 'pipeline.respace-positions',
    text: `with sorted as (
        select id, row_number() over (order by position, id) as rank
        from prospect where coach_id = $1 and stage_id = $2 and ${onBoardSql})
      update prospect set position = sorted.rank * ${positionGap} from sorted
      where prospect.coach_id = $1 and prospect.id = sorted.id`,
    values: [ctx.coachId, stageId],
  })
}
