import { isoTimestamp } from '#db/read-pool.ts'
import type {
  NewProgramRecord,
  ProgramPart,
  ProgramRecordItem,
  ProgramRecordState,
} from '#modules/core/program-parts.ts'
import { authorize, requireClient, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { tasksUrl } from './list-state.ts'
import { NewTask } from './forms.ts'
import { createTask, updateTask } from './services/tasks.ts'

/** The tasks of clients' programs. */
export const programPart: ProgramPart = { kind: 'task', label: 'Task', isCounted: true, start, reschedule, load }

async function start(ctx: WriteCtx, { clientId, title, owner, dueDate }: NewProgramRecord): Promise<number> {
  const { id } = await createTask(ctx, NewTask.parse({ clientId, title, owner, dueDate }), 'program')
  return id
}

/** Moves open tasks that are not in the trash. */
async function reschedule(ctx: WriteCtx, dates: { recordId: number; dueDate: string }[]): Promise<void> {
  authorize(ctx, 'tasks:task:write')
  const open = await ctx.query<{ id: number }>({
    name: 'tasks.open-of-program',
    text: `select id from task where coach_id = $1 and id = any($2::bigint[]) and done_at is null and deleted_at is null
      order by id`,
    values: [ctx.coachId, dates.map(({ recordId }) => recordId)],
  })
  for (const { id } of open) {
    const { dueDate } = dates.find(({ recordId }) => recordId === id)!
    await updateTask(ctx, id, { dueDate })
  }
}

type Row = { id: number; doneAt: string | null; owner: string }

/** Without those in the trash. A client sees their own tasks alone. */
async function load(ctx: Ctx, items: ProgramRecordItem[]): Promise<Record<number, ProgramRecordState>> {
  if (ctx.client) requireClient(ctx, 'client:task:write')
  else authorize(ctx, 'tasks:task:read')
  const rows = await ctx.query<Row>({
    name: 'tasks.of-programs',
    text: `select id, owner, ${isoTimestamp('done_at')} as "doneAt" from task
      where coach_id = $1 and id = any($2::bigint[]) and deleted_at is null`,
    values: [ctx.coachId, items.flatMap(({ recordId }) => recordId ?? [])],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return Object.fromEntries(
    items.flatMap(({ id, recordId }) => {
      const row = recordId === null ? undefined : byId.get(recordId)
      return row ? [[id, toState(ctx, row)]] : []
    }),
  )
}

const toState = (ctx: Ctx, { id, doneAt }: Row): ProgramRecordState => ({
  doneAt,
  to: ctx.client ? null : tasksUrl.href({ dialog: 'edit', task: id }),
  toggle: ctx.client ? '/portal/tasks' : '/tasks',
})
