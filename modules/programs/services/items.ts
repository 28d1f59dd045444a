import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { requireClient, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { itemCompleted, itemReopened, programUpdated } from '../events.ts'
import { limits } from '../fields.ts'
import type { NewProgramItem } from '../forms.ts'
import { assertKind } from '../parts.ts'
import { itemNotFound, listItems, type Item } from '../queries/items.ts'
import type { ProgramRow } from '../schema.ts'
import { lockProgram } from './programs.ts'
import { startItems } from './start-items.ts'

/**
 * The coach ticks an item, or takes it back. Idempotent: a second call keeps the first time. Throws not_found, plan_limit,
 * and validation_failed for one that another module says is done.
 */
export async function setItemDone(ctx: WriteCtx, id: number, isDone: boolean): Promise<void> {
  const { programId } = await findItem(ctx, id)
  await lockProgram(ctx, programId)
  await tick(ctx, await loadItem(ctx, programId, id), isDone)
}

/** The client in the portal ticks a checklist item of theirs. Idempotent. Throws not_found, validation_failed. */
export async function setOwnItemDone(ctx: WriteCtx, id: number, isDone: boolean): Promise<void> {
  requireClient(ctx, 'client:program:write')
  const { programId } = await findItem(ctx, id)
  const item = await loadItem(ctx, programId, id)
  if (item.kind !== 'check') throw notTicked()
  await tick(ctx, item, isDone)
}

const notTicked = () => new AppError('validation_failed', 'This item is counted once it is done.')

/** Row level security shows a client in the portal their own alone. Throws not_found. */
async function findItem(ctx: WriteCtx, id: number): Promise<{ programId: number }> {
  const [row] = await ctx.query<{ programId: number }>({
    name: 'programs.find-item',
    text: 'select program_id as "programId" from program_item where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!row) throw itemNotFound()
  return row
}

async function loadItem(ctx: WriteCtx, programId: number, id: number): Promise<Item> {
  const { items } = await listItems(ctx, [programId])
  const item = items.find((one) => one.id === id)
  if (!item) throw itemNotFound()
  return item
}

async function tick(ctx: WriteCtx, { id, programId, isTicked }: Item, isDone: boolean): Promise<void> {
  if (!isTicked) throw notTicked()
  // Two tabs wait for each other at the row: the second one changes nothing.
  const [changed] = await ctx.query<{ id: number }>({
    name: 'programs.set-done',
    text: `update program_item set done_at = case when $3 then $4::timestamptz end, updated_at = $4
      where coach_id = $1 and id = $2 and (done_at is null) = $3 returning id`,
    values: [ctx.coachId, id, isDone, ctx.now()],
  })
  if (changed) await publish(ctx, isDone ? itemCompleted : itemReopened, { programId, itemId: id })
}

/**
 * Adds an item at the end of a milestone of a client's program, and returns its id. Throws not_found, also for a milestone of
 * another program, plan_limit, and validation_failed beyond 30 items.
 */
export async function addProgramItem(ctx: WriteCtx, programId: number, input: NewProgramItem): Promise<number> {
  const row = await lockProgram(ctx, programId)
  const { milestones, items } = await listItems(ctx, [programId])
  if (!milestones.some(({ id }) => id === input.milestoneId))
    throw new AppError('not_found', 'Milestone not found', { subject: 'milestone' })
  assertKind(ctx, { kind: input.kind, choiceId: null })
  await assertStorage(ctx)
  const siblings = items.filter(({ milestoneId }) => milestoneId === input.milestoneId)
  if (siblings.length >= limits.items)
    throw new AppError('validation_failed', `A milestone has at most ${limits.items} items.`)
  const [last] = await ctx.query<{ position: number | null }>({
    name: 'programs.last-position',
    text: 'select max(position) as position from program_item where coach_id = $1 and milestone_id = $2',
    values: [ctx.coachId, input.milestoneId],
  })
  const id = await insertRow(ctx, {
    table: 'program_item',
    name: 'programs.add-item',
    row: {
      clientId: row.client.id,
      programId,
      position: (last!.position ?? 0) + 1,
      ...input,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
  await raiseVersion(ctx, row)
  await publish(ctx, programUpdated, { programId })
  await startItems(ctx, programId)
  return id
}

/** Removes an item from a client's program; its task or form stays. Throws not_found, also the second time, and plan_limit. */
export async function deleteProgramItem(ctx: WriteCtx, itemId: number): Promise<void> {
  const { programId } = await findItem(ctx, itemId)
  const row = await lockProgram(ctx, programId)
  const [deleted] = await ctx.query({
    name: 'programs.delete-item',
    text: 'delete from program_item where coach_id = $1 and id = $2 returning id',
    values: [ctx.coachId, itemId],
  })
  if (!deleted) throw itemNotFound()
  await raiseVersion(ctx, row)
  await publish(ctx, programUpdated, { programId })
}

/** Dates that were shifted before can't be shifted back any more: the items are others now. */
async function raiseVersion(ctx: WriteCtx, row: ProgramRow): Promise<void> {
  ctx.em.assign(row, { version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
}
