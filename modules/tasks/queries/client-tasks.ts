import { isoTimestamp } from '#db/read-pool.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'

export type ClientTask = { id: number; title: string; dueDate: string | null; doneAt: string | null }

const columns = `id, title, due_date::text as "dueDate", ${isoTimestamp('done_at')} as "doneAt"`

/** The open tasks of the client in the portal, the first due first, and their number. */
export async function listOwnOpenTasks(ctx: Ctx, rows: number): Promise<{ tasks: ClientTask[]; count: number }> {
  const client = requireClient(ctx, 'client:task:write')
  const tasks = await ctx.query<ClientTask & { count: number }>({
    name: 'tasks.own-open',
    text: `select ${columns}, count(*) over () as count from task
      where coach_id = $1 and client_id = $2 and owner = 'client' and done_at is null and deleted_at is null
      order by due_date nulls last, id limit $3`,
    values: [ctx.coachId, client.id, rows],
  })
  return { tasks: tasks.map(({ count: _, ...task }) => task), count: tasks[0]?.count ?? 0 }
}

/** The completed tasks of the client, the latest first. */
export async function listOwnDoneTasks(ctx: Ctx, rows: number): Promise<ClientTask[]> {
  const client = requireClient(ctx, 'client:task:write')
  return ctx.query<ClientTask>({
    name: 'tasks.own-done',
    text: `select ${columns} from task
      where coach_id = $1 and client_id = $2 and owner = 'client' and done_at is not null and deleted_at is null
      order by done_at desc, id desc limit $3`,
    values: [ctx.coachId, client.id, rows],
  })
}
