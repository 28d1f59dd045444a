import { LockMode } from '@mikro-orm/core'
import { AppError } from '#app/lib/errors.ts'
import { Product, productOf } from '#modules/billing/index.ts'
import { record } from '#modules/core/events.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { prospectAdded, prospectDeleted, prospectMoved, prospectRestored } from '../events.ts'
import { prospectFields, type NewProspect, type ProspectEdit, type ProspectField } from '../forms.ts'
import { prospectOf } from '../queries/prospects.ts'
import { columnOf, onBoard, prospectNotFound, type ProspectRecord } from '../output.ts'
import { PipelineStage, Prospect, type ProspectRow } from '../schema.ts'
import { note } from './activities.ts'
import { displace, gap, holdStage } from './stages.ts'

/** Adds a prospect as the last of its stage. Throws not_found for the stage or the product. */
export async function addProspect(ctx: WriteCtx, input: NewProspect): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  const stage = await holdStage(ctx, input.stageId)
  if (input.productId !== null) await productOf(ctx, input.productId)
  const [prospect] = await ctx.rows<{ id: number }>({
    name: 'pipeline.add-prospect',
    text: insertSql,
    values: [
      ctx.coachId,
      stage.id,
      await placeIn(ctx, stage.id, null, 0),
      ctx.now(),
      ...prospectFields.map((field) => input[field]),
    ],
  })
  const { id } = prospect!
  await note(ctx, [id], { type: 'created', description: `Added to ${stage.name}`, metadata: { to: stage.id } })
  await record(ctx, prospectAdded, { prospectId: id })
  return prospectOf(ctx, id)
}

const insertSql = `insert into prospect (coach_id, stage_id, position, created_at, updated_at, ${prospectFields.map((field) => columnOf[field]).join(', ')})
  values ($1, $2, $3, $4, $4, ${prospectFields.map((_, at) => `$${at + 5}`).join(', ')}) returning id`

/**
 * Changes the fields that are sent. A `stageId` moves it there, to `position` or to the end; a `position` alone moves it
 * inside its stage. `seen` is what the screen showed: throws conflict when somebody saved since, or when both moved it since,
 * to different stages. Throws not_found for the prospect, the stage or the product.
 */
export async function editProspect(
  ctx: WriteCtx,
  id: number,
  input: ProspectEdit,
  seen?: { version: number; stageId: number | null },
): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  // The stage is held before the prospect, by everybody: so nobody waits for somebody who waits for them.
  const { stageId, position } = input
  const moves = stageId !== undefined || position !== undefined
  const target = moves ? await holdStage(ctx, stageId ?? (await prospectOf(ctx, id)).stageId) : null
  const prospect = await held(ctx, id)
  if (seen && (seen.version !== prospect.version || (target && isElsewhere(prospect, [seen.stageId, target.id])))) {
    throw new AppError('conflict', 'This prospect was changed in another tab meanwhile.')
  }

  const fields = changed(prospect, input)
  if (fields.includes('productId') && input.productId) await productOf(ctx, input.productId)
  if (fields.length) {
    const { productId: _product, ...words } = Object.fromEntries(fields.map((field) => [field, input[field]])) as Pick<
      ProspectEdit,
      ProspectField
    >
    ctx.em.assign(prospect, { ...words, version: prospect.version + 1, updatedAt: ctx.now() })
    if (fields.includes('productId'))
      prospect.product = input.productId
        ? ctx.em.getReference(Product, [ctx.coachId, input.productId], { wrapped: true })
        : null
    await ctx.em.flush()
    await note(ctx, [id], {
      type: 'edited',
      description: `Edited ${listed(fields.map((field) => fieldWords[field]))}`,
      metadata: { fields },
    })
  }
  if (target && placeIsNew(prospect, target, input)) await place(ctx, prospect, target, position ?? null)
  return prospectOf(ctx, id)
}

const isElsewhere = ({ stage }: ProspectRow, stages: (number | null)[]): boolean => !stages.includes(stage?.id ?? null)

function placeIsNew(prospect: ProspectRow, target: { id: number }, { stageId, position }: ProspectEdit): boolean {
  const stays = prospect.stage?.id === target.id
  // A place alone is one in the stage where the prospect was: if it was moved on meanwhile, nothing is meant by it.
  return stageId === undefined ? stays : !stays || position !== undefined
}

async function place(
  ctx: WriteCtx,
  prospect: ProspectRow,
  to: { id: number; name: string },
  at: number | null,
): Promise<void> {
  const from = prospect.stage?.id ?? null
  prospect.position = await placeIn(ctx, to.id, at, prospect.id)
  prospect.displacedFrom = null
  prospect.displacedBy = []
  if (from !== to.id)
    ctx.em.assign(prospect, {
      stage: ctx.em.getReference(PipelineStage, [ctx.coachId, to.id], { wrapped: true }),
      updatedAt: ctx.now(),
    })
  await ctx.em.flush()
  if (from === to.id) return
  const [left] = await ctx.rows<{ name: string }>({
    name: 'pipeline.left-stage',
    text: 'select name from pipeline_stage where id = $1',
    values: [from],
  })
  await note(ctx, [prospect.id], {
    type: 'moved',
    description: `Moved from ${left?.name ?? 'a deleted stage'} to ${to.name}`,
    metadata: { from, to: to.id },
  })
  await record(ctx, prospectMoved, { prospectId: prospect.id, from, to: to.id })
}

/** Moves a prospect to the trash. Throws not_found, also the second time. */
export async function deleteProspect(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'pipeline:prospect:write')
  const prospect = await held(ctx, id)
  prospect.deletedAt = ctx.now()
  await ctx.em.flush()
  await note(ctx, [id], { type: 'deleted', description: 'Moved to the trash' })
  await record(ctx, prospectDeleted, { prospectId: id })
}

/** Takes a prospect out of the trash, back to its place. While its stage is gone it stands in the first one, and goes back with its stage. Throws not_found. */
export async function restoreProspect(ctx: WriteCtx, id: number): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  const [found] = await ctx.rows<{ deleted: boolean; stageId: number }>({
    name: 'pipeline.place-to-restore',
    text: `select prospect.deleted_at is not null as deleted, coalesce(
        (select stage.id from pipeline_stage stage where stage.id = prospect.stage_id and stage.deleted_at is null),
        (select first.id from pipeline_stage first where first.deleted_at is null order by first.position, first.id limit 1)) as "stageId"
      from prospect where prospect.id = $1 and prospect.converted_at is null`,
    values: [id],
  })
  if (!found) throw prospectNotFound()
  if (!found.deleted) return prospectOf(ctx, id)

  const stage = await holdStage(ctx, found.stageId)
  const prospect = await ctx.em.findOne(
    Prospect,
    { coachId: ctx.coachId, id, convertedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!prospect) throw prospectNotFound()
  if (!prospect.deletedAt) return prospectOf(ctx, id)
  if (prospect.stage?.id !== stage.id) {
    prospect.position = await placeIn(ctx, stage.id, null, id)
    if (prospect.stage) await displace(ctx, [id], prospect.stage.id)
    prospect.stage = ctx.em.getReference(PipelineStage, [ctx.coachId, stage.id], { wrapped: true })
  }
  prospect.deletedAt = null
  await ctx.em.flush()
  await note(ctx, [id], { type: 'restored', description: `Back in ${stage.name}`, metadata: { to: stage.id } })
  await record(ctx, prospectRestored, { prospectId: id })
  return prospectOf(ctx, id)
}

/** Nobody deletes or converts the prospect until the transaction ends. Throws not_found. */
export async function holdProspect(ctx: WriteCtx, id: number): Promise<void> {
  const [prospect] = await ctx.rows({
    name: 'pipeline.hold-prospect',
    text: `select id from prospect where id = $1 and ${onBoard} for share`,
    values: [id],
  })
  if (!prospect) throw prospectNotFound()
}

/** The prospect, held until the transaction ends. Throws not_found for one that is in the trash or converted. */
async function held(ctx: WriteCtx, id: number): Promise<ProspectRow> {
  const prospect = await ctx.em.findOne(
    Prospect,
    { coachId: ctx.coachId, id, deletedAt: null, convertedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!prospect) throw prospectNotFound()
  return prospect
}

function changed(prospect: ProspectRow, input: ProspectEdit): ProspectField[] {
  return prospectFields.filter((field) => {
    const sent = input[field]
    if (sent === undefined) return false
    if (field === 'productId') return sent !== (prospect.product?.id ?? null)
    if (sent instanceof Date) return sent.getTime() !== prospect.nextFollowUp?.getTime()
    return sent !== (prospect[field] ?? null)
  })
}

const fieldWords: Record<ProspectField, string> = {
  name: 'the name',
  email: 'the email',
  phone: 'the phone',
  location: 'the location',
  profession: 'the profession',
  timezone: 'the time zone',
  company: 'the company',
  title: 'the title',
  value: 'the value',
  probability: 'the probability',
  source: 'the source',
  notes: 'the notes',
  futureGoals: 'future goals',
  frustrations: 'frustrations',
  fears: 'fears',
  failures: 'past failures',
  productId: 'the product',
  nextFollowUp: 'the follow-up',
}

const list = new Intl.ListFormat('en-US')
const listed = (words: string[]): string => list.format(words)

/** A position behind `at` others of the stage, `but` not counted; null: behind all of them. */
async function placeIn(ctx: WriteCtx, stageId: number, at: number | null, but: number): Promise<number> {
  const others = `prospect where stage_id = $1 and ${onBoard} and id <> $2`
  if (at !== null) {
    const near = await ctx.rows<{ position: number }>({
      name: 'pipeline.neighbours',
      text: `select position from ${others} order by position, id offset $3 limit 2`,
      values: [stageId, but, Math.max(0, at - 1)],
    })
    const [before, after] = at === 0 ? [undefined, near[0]] : near
    if (before && after) {
      const middle = before.position + Math.floor((after.position - before.position) / 2)
      if (middle > before.position) return middle
      await spread(ctx, stageId)
      return placeIn(ctx, stageId, at, but)
    }
    if (after) return after.position - gap
    if (before) return before.position + gap
  }
  const [last] = await ctx.rows<{ position: number | null }>({
    name: 'pipeline.last',
    text: `select max(position) as position from ${others}`,
    values: [stageId, but],
  })
  return (last?.position ?? 0) + gap
}

/** Gives the prospects of a stage room between them again. */
async function spread(ctx: WriteCtx, stageId: number): Promise<void> {
  await ctx.rows({
    name: 'pipeline.spread',
    text: `update prospect set position = sorted.at * ${gap}
      from (select id, row_number() over (order by position, id) as at from prospect where stage_id = $1 and ${onBoard}) sorted where prospect.id = sorted.id`,
    values: [stageId],
  })
}
