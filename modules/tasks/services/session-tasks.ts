import type { NewSessionTask, SessionTask, SessionTasks } from '#modules/core/manifest.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { publish } from '#modules/core/events.ts'
import { assertNotReadOnly, lockCurrentClient } from '#modules/crm/index.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { taskCreated } from '../events.ts'
import { tasksUrl } from '../list-state.ts'

/** The tasks that sessions make, for the module that has the sessions' summaries. */
export const sessionTasks: SessionTasks = {
  add: addSessionTasks,
  takeBack: takeBackSessionTasks,
  erase: eraseSessionTasks,
  list: listSessionTasks,
  listOpen: listOpenSessionTasks,
  toHref: (id) => tasksUrl.href({ dialog: 'edit', task: id }),
  toggle: tasksUrl.href(),
}

async function addSessionTasks(
  ctx: WriteCtx,
  { appointmentId, clientId }: { appointmentId: number; clientId: number },
  tasks: NewSessionTask[],
): Promise<void> {
  authorize(ctx, 'tasks:task:write')
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  for (const { key, title, owner, dueDate, line } of tasks) {
    const [added] = await ctx.query<{ id: number }>({
      name: 'tasks.add-from-session',
      text: `insert into task (coach_id, title, owner, client_id, due_date, reminder, source, appointment_id, line,
          source_key, created_at, updated_at)
        values ($1, $2, $3, $4, $5, 'due', 'session', $6, $7, $8, $9, $9)
        on conflict (coach_id, appointment_id, source_key) where source_key is not null do nothing returning id`,
      values: [ctx.coachId, title, owner, clientId, dueDate, appointmentId, line, key, ctx.now()],
    })
    if (added) await publish(ctx, taskCreated, { taskId: added.id })
  }
}

async function takeBackSessionTasks(ctx: WriteCtx, appointmentId: number): Promise<void> {
  authorize(ctx, 'tasks:task:write')
  await ctx.query({
    name: 'tasks.take-back',
    text: `delete from task where coach_id = $1 and appointment_id = $2 and source = 'session' and version = 1
      and done_at is null and deleted_at is null`,
    values: [ctx.coachId, appointmentId],
  })
}

async function eraseSessionTasks(
  ctx: Pick<WriteCtx, 'query' | 'coachId'>,
  { appointmentIds, clientId }: { appointmentIds: number[]; clientId: number | null },
): Promise<void> {
  await ctx.query({
    name: 'tasks.erase-of-sessions',
    text: `delete from task where coach_id = $1 and source = 'session'
      and (appointment_id = any($2::bigint[]) or client_id = $3)`,
    values: [ctx.coachId, appointmentIds, clientId],
  })
}

const sessionTaskColumns = `id, appointment_id as "appointmentId", source_key as key, title, owner,
  due_date::text as "dueDate", ${isoTimestamp('done_at')} as "doneAt"`

async function listSessionTasks(ctx: Ctx, appointmentIds: number[]): Promise<SessionTask[]> {
  authorize(ctx, 'tasks:task:read')
  return ctx.query<SessionTask>({
    name: 'tasks.of-session',
    text: `select ${sessionTaskColumns} from task where coach_id = $1 and appointment_id = any($2::bigint[]) and source = 'session'
        and deleted_at is null order by id`,
    values: [ctx.coachId, appointmentIds],
  })
}

async function listOpenSessionTasks(ctx: Ctx, clientId: number, rows: number): Promise<SessionTask[]> {
  authorize(ctx, 'tasks:task:read')
  return ctx.query<SessionTask>({
    name: 'tasks.open-of-sessions',
    text: `select ${sessionTaskColumns} from task where coach_id = $1 and client_id = $2 and source = 'session'
        and done_at is null and deleted_at is null
      order by due_date, created_at, id limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}
