import { publish } from '#modules/core/events.ts'
import { requireClient, type WriteCtx } from '#tenants/context.ts'
import { taskCompleted, taskReopened } from '../events.ts'
import { task } from '../records.ts'

/** The client in the portal completes a task of theirs. Idempotent. Throws not_found. */
export const completeOwnTask = (ctx: WriteCtx, id: number): Promise<void> => setDone(ctx, id, true)

/** The client reopens a task of theirs. Idempotent. Throws not_found. */
export const reopenOwnTask = (ctx: WriteCtx, id: number): Promise<void> => setDone(ctx, id, false)

async function setDone(ctx: WriteCtx, id: number, isDone: boolean): Promise<void> {
  const client = requireClient(ctx, 'client:task:write')
  const now = ctx.now()
  const [row] = await ctx.query<{ changed: boolean }>({
    name: 'tasks.set-own-done',
    text: `update task t set done_at = case when $4 then coalesce(t.done_at, $5) end,
        updated_at = case when (t.done_at is null) = $4 then $5 else t.updated_at end
      from (select id, (done_at is null) = $4 as changed from task
        where coach_id = $1 and id = $2 and client_id = $3 and owner = 'client' and deleted_at is null for update) before
      where t.coach_id = $1 and t.id = before.id returning before.changed`,
    values: [ctx.coachId, id, client.id, isDone, now],
  })
  if (!row) throw task.notFound()
  if (row.changed) await publish(ctx, isDone ? taskCompleted : taskReopened, { taskId: id })
}
