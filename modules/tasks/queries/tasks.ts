import { localDate } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { matchesSearch } from '#db/search-sql.ts'
import { clientIdsByName, isClientInTrash, joinClient } from '#modules/crm/index.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { TaskOwner, TaskSource } from '../fields.ts'
import { pageSize, type TaskFilters, type View } from '../list-state.ts'
import { task, type TaskRecord } from '../records.ts'

/** Tasks of a client in the trash are hidden with the client. */
const isCurrent = `t.deleted_at is null and not ${isClientInTrash('t')}`

const getToday = (ctx: Ctx): string => localDate(ctx.now(), ctx.account.timezone)

type ListFilter = {
  status?: 'open' | 'overdue' | 'done' | undefined
  owner?: TaskOwner | undefined
  clientId?: number | undefined
}

/** Newest first. */
export async function listTasks(
  ctx: Ctx,
  { status, owner, clientId, ...page }: Page & ListFilter = {},
): Promise<TaskRecord[]> {
  authorize(ctx, 'tasks:task:read')
  return listNewest(ctx, {
    name: 'tasks.list',
    select: task.select,
    from: 'task t',
    where: {
      isCurrent,
      open: status === 'open' && 't.done_at is null',
      overdue: status === 'overdue' && ['t.done_at is null and t.due_date < ?::date', getToday(ctx)],
      done: status === 'done' && 't.done_at is not null',
      owner: owner !== undefined && ['t.owner = ?', owner],
      client: clientId !== undefined && ['t.client_id = ?', clientId],
    },
    time: 't.created_at',
    id: 't.id',
    ...page,
  })
}

/** Throws not_found, also for a task in the trash. */
export async function getTask(ctx: Ctx, id: number): Promise<TaskRecord> {
  const row = await getTaskForEdit(ctx, id)
  if (!row) throw task.notFound()
  const { version: _version, ...record } = row
  return record
}

/** The task with its version, which the edit form sends back; null when it doesn't exist. */
export async function getTaskForEdit(ctx: Ctx, id: number): Promise<(TaskRecord & { version: number }) | null> {
  authorize(ctx, 'tasks:task:read')
  const [row] = await ctx.query<TaskRecord & { version: number }>({
    name: 'tasks.get',
    text: `select ${task.select}, t.version from task t where t.coach_id = $1 and t.id = $2 and ${isCurrent}`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

export type ListedTask = {
  id: number
  title: string
  owner: TaskOwner
  clientId: number | null
  clientName: string | null
  dueDate: string | null
  doneAt: string | null
  source: TaskSource
  appointmentId: number | null
  line: number | null
  notes: string | null
  createdAt: string
}
const listedColumns = `t.id, t.title, t.owner, t.client_id as "clientId", c.name as "clientName",
  t.due_date::text as "dueDate", ${isoTimestamp('t.done_at')} as "doneAt", t.source,
  t.appointment_id as "appointmentId", t.line, t.notes, ${isoTimestamp('t.created_at')} as "createdAt"`

/** SQL of the tabs; `today` is a placeholder. */
const toViewSql = (today: string): Record<View, string> => ({
  mine: `t.done_at is null and t.owner = 'coach'`,
  clients: `t.done_at is null and t.owner = 'client'`,
  overdue: `t.done_at is null and t.due_date < ${today}::date`,
  done: 't.done_at is not null',
})
const viewSql = toViewSql('$2')

/** By title, or by the name of the client. */
const filtered = `from task t ${joinClient('t')}
  where t.coach_id = $1 and t.deleted_at is null and c.deleted_at is null
    and case $3::text when 'mine' then ${viewSql.mine} when 'clients' then ${viewSql.clients}
      when 'overdue' then ${viewSql.overdue} else ${viewSql.done} end
    and ($4::text = '' or ${matchesSearch('$4', 't')} or t.client_id in (${clientIdsByName('$4')}))
    and ($5::bigint is null or t.client_id = $5)`

const filterValues = (ctx: Ctx, { view, q, client }: TaskFilters): unknown[] => [
  ctx.coachId,
  getToday(ctx),
  view,
  q,
  client,
]

/**
 * One page of a tab: what is due first, or what was done last. `count`: of all with these filters; `counts`: of the
 * tabs. `page` starts at 1.
 */
export async function listTasksPage(
  ctx: Ctx,
  { page, ...filters }: TaskFilters & { page: number },
): Promise<{ tasks: ListedTask[]; count: number; counts: Record<View, number> }> {
  authorize(ctx, 'tasks:task:read')
  const values = filterValues(ctx, filters)
  const [tasks, [found], [counts]] = (await ctx.queryAll([
    {
      name: 'tasks.page',
      text: `select ${listedColumns} ${filtered} order by t.done_at desc, t.due_date, t.created_at, t.id
        limit ${pageSize} offset $6`,
      values: [...values, (page - 1) * pageSize],
    },
    { name: 'tasks.page-count', text: `select count(*)::int as count ${filtered}`, values },
    {
      name: 'tasks.counts',
      text: `select ${Object.entries(viewSql)
        .map(([view, sql]) => `count(*) filter (where ${sql})::int as ${view}`)
        .join(', ')}
        from task t where t.coach_id = $1 and ${isCurrent} and ($3::bigint is null or t.client_id = $3)`,
      values: [ctx.coachId, getToday(ctx), filters.client],
    },
  ])) as [ListedTask[], [{ count: number }], [Record<View, number>]]
  return { tasks, count: found.count, counts }
}

/** Rows after an id, for the export: oldest first. */
export async function listTasksForExport(
  ctx: Ctx,
  filters: TaskFilters,
  after: number,
  rows: number,
): Promise<ListedTask[]> {
  authorize(ctx, 'tasks:task:read')
  return ctx.query<ListedTask>({
    name: 'tasks.export',
    text: `select ${listedColumns} ${filtered} and t.id > $6 order by t.id limit $7`,
    values: [...filterValues(ctx, filters), after, rows],
  })
}

/** Open tasks that are due today or were before, the oldest first; at most `rows`, and the number of all. */
export async function listDueTasks(ctx: Ctx, rows: number): Promise<{ tasks: ListedTask[]; count: number }> {
  return listOpen(ctx, { name: 'tasks.due', where: 't.due_date <= $2::date', value: getToday(ctx), rows })
}

/** The open tasks about a client, those that are due first; at most `rows`, and the number of all. */
export async function listOpenTasksOfClient(
  ctx: Ctx,
  clientId: number,
  rows: number,
): Promise<{ tasks: ListedTask[]; count: number }> {
  return listOpen(ctx, { name: 'tasks.open-of-client', where: 't.client_id = $2', value: clientId, rows })
}

async function listOpen(ctx: Ctx, list: { name: string; where: string; value: unknown; rows: number }) {
  authorize(ctx, 'tasks:task:read')
  const found = await ctx.query<ListedTask & { count: number }>({
    name: list.name,
    text: `select ${listedColumns}, count(*) over ()::int as count from task t ${joinClient('t')}
      where t.coach_id = $1 and t.deleted_at is null and t.done_at is null and c.deleted_at is null and ${list.where}
      order by t.due_date, t.created_at, t.id limit $3`,
    values: [ctx.coachId, list.value, list.rows],
  })
  return { tasks: found.map(({ count: _count, ...row }) => row), count: found[0]?.count ?? 0 }
}

/** The open tasks about a client that come from no session, those that are due first, and the number of all. */
export async function listOtherOpenTasks(
  ctx: Ctx,
  clientId: number,
  rows: number,
): Promise<{ tasks: ListedTask[]; count: number }> {
  const where = `t.client_id = $2 and t.source <> 'session'`
  return listOpen(ctx, { name: 'tasks.other-open-of-client', where, value: clientId, rows })
}

/** The tasks about a client that were done after `since` (null: ever), the latest first, and the number of all. */
export async function listDoneSince(
  ctx: Ctx,
  { clientId, since, rows }: { clientId: number; since: Date | null; rows: number },
): Promise<{ tasks: ListedTask[]; count: number }> {
  authorize(ctx, 'tasks:task:read')
  const found = await ctx.query<ListedTask & { count: number }>({
    name: 'tasks.done-since',
    text: `select ${listedColumns}, count(*) over ()::int as count from task t ${joinClient('t')}
      where t.coach_id = $1 and t.client_id = $2 and t.deleted_at is null and c.deleted_at is null
        and t.done_at > coalesce($3::timestamptz, '-infinity')
      order by t.done_at desc, t.id desc limit $4`,
    values: [ctx.coachId, clientId, since, rows],
  })
  return { tasks: found.map(({ count: _count, ...row }) => row), count: found[0]?.count ?? 0 }
}

/** A client's tasks for the timeline; at most `rows`, newest first. */
export async function listTasksByTime(ctx: Ctx, clientId: number, rows: number): Promise<ListedTask[]> {
  authorize(ctx, 'tasks:task:read')
  return ctx.query<ListedTask>({
    name: 'tasks.timeline',
    text: `select ${listedColumns} from task t ${joinClient('t')}
      where t.coach_id = $1 and t.client_id = $2 and t.deleted_at is null
      order by coalesce(t.done_at, t.created_at) desc, t.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}

/** Whether the coach has added any, also in the trash. */
export async function hasManualTasks(ctx: Ctx): Promise<boolean> {
  authorize(ctx, 'tasks:task:read')
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'tasks.any-manual',
    text: `select exists (select 1 from task where coach_id = $1 and source = 'manual') as found`,
    values: [ctx.coachId],
  })
  return row!.found
}
