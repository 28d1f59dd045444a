import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { assertNotReadOnly, Client, lockCurrentClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { taskCompleted, taskCreated, taskDeleted, taskReopened, taskRestored, taskUpdated } from '../events.ts'
import type { NewTask, TaskEdit } from '../forms.ts'
import { getTask } from '../queries/tasks.ts'
import { task, type TaskRecord } from '../records.ts'
import { Task, type TaskRow } from '../schema.ts'

/** Throws not_found and plan_limit for the client, and validation_failed for a client's task without one. */
export async function createTask(
  ctx: WriteCtx,
  { clientId, ...input }: NewTask,
  source: 'manual' | 'program' = 'manual',
): Promise<TaskRecord> {
  authorize(ctx, 'tasks:task:write')
  await assertStorage(ctx)
  if (clientId !== null) await lockCurrentClient(ctx, clientId)
  await assertWritable(ctx, clientId)
  assertOwner({ owner: input.owner, clientId })
  const now = ctx.now()
  const row = ctx.em.create(Task, {
    coachId: ctx.coachId,
    ...input,
    client: toClient(ctx, clientId),
    source,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, taskCreated, { taskId: row.id })
  return getTask(ctx, row.id)
}

const toClient = (ctx: WriteCtx, id: number | null) =>
  id === null ? null : ctx.em.getReference(Client, [ctx.coachId, id], { wrapped: true })

async function assertWritable(ctx: WriteCtx, clientId: number | null): Promise<void> {
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
}

function assertOwner({ owner, clientId }: { owner: string; clientId: number | null }): void {
  if (owner === 'client' && clientId === null)
    throw new AppError('validation_failed', 'Choose the client who does it', { field: 'clientId' })
}

/**
 * Changes only the fields that are sent. Throws not_found, plan_limit, validation_failed, and conflict if it was saved
 * after `expectedVersion`.
 */
export async function updateTask(
  ctx: WriteCtx,
  id: number,
  { clientId, ...input }: TaskEdit,
  expectedVersion?: number,
): Promise<TaskRecord> {
  authorize(ctx, 'tasks:task:write')
  await assertStorage(ctx)
  // Lock order: client, then task (decision 0030).
  if (typeof clientId === 'number') await lockCurrentClient(ctx, clientId)
  const row = await lockTask(ctx, id)
  task.assertVersion(row, expectedVersion)
  const before = row.client?.id ?? null
  const after = clientId === undefined ? before : clientId
  if (after !== before) await assertWritable(ctx, after)
  // A withdrawn consent removes the tasks of the client's sessions.
  if (after !== before && row.source === 'session')
    throw new AppError('validation_failed', 'A task from a session stays with its client', { field: 'clientId' })
  assertOwner({ owner: input.owner ?? row.owner, clientId: after })
  const { dueDate = row.dueDate, reminder = row.reminder } = input
  const isRescheduled = dueDate !== row.dueDate || reminder !== row.reminder
  ctx.em.assign(row, {
    ...input,
    ...(after === before ? {} : { client: toClient(ctx, after) }),
    ...(isRescheduled ? { remindedAt: null } : {}),
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await publish(ctx, taskUpdated, { taskId: id })
  return getTask(ctx, id)
}

/** Throws not_found, and plan_limit for a task of a client who is read-only. */
async function lockTask(ctx: WriteCtx, id: number): Promise<TaskRow> {
  // A task of a client in the trash is not found.
  const { clientId } = await getTask(ctx, id)
  await assertWritable(ctx, clientId)
  return lockRow(ctx, task, Task, { coachId: ctx.coachId, id, deletedAt: null })
}

/** Idempotent: a second call keeps the time of the first. Throws not_found and plan_limit. */
export async function completeTask(ctx: WriteCtx, id: number): Promise<TaskRecord> {
  authorize(ctx, 'tasks:task:write')
  const row = await lockTask(ctx, id)
  if (!row.doneAt) {
    ctx.em.assign(row, { doneAt: ctx.now(), updatedAt: ctx.now() })
    await ctx.em.flush()
    await publish(ctx, taskCompleted, { taskId: id })
  }
  return getTask(ctx, id)
}

/** Idempotent. Throws not_found and plan_limit. */
export async function reopenTask(ctx: WriteCtx, id: number): Promise<TaskRecord> {
  authorize(ctx, 'tasks:task:write')
  const row = await lockTask(ctx, id)
  if (row.doneAt) {
    ctx.em.assign(row, { doneAt: null, updatedAt: ctx.now() })
    await ctx.em.flush()
    await publish(ctx, taskReopened, { taskId: id })
  }
  return getTask(ctx, id)
}

/** Moves a task to the trash. Throws not_found, also the second time. */
export async function deleteTask(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'tasks:task:write')
  await getTask(ctx, id)
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Task, current, { deletedAt: ctx.now() }))) throw task.notFound()
  await publish(ctx, taskDeleted, { taskId: id })
}

/** Takes a task out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreTask(ctx: WriteCtx, id: number): Promise<TaskRecord> {
  authorize(ctx, 'tasks:task:write')
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(Task, trashed, { deletedAt: null })) await publish(ctx, taskRestored, { taskId: id })
  return getTask(ctx, id)
}
