import { escapeMarkup } from '#app/lib/markup.ts'
import type { Contribution, QuickAction, TodayPart } from '#modules/core/manifest.ts'
import type { ClientLink, TimelineEntry } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { readPreparation } from '#modules/core/slots.ts'
import { toTaskView, type TaskView } from './format.ts'
import { tasksUrl } from './list-state.ts'
import {
  listDoneSince,
  listDueTasks,
  listOpenTasksOfClient,
  listOtherOpenTasks,
  listTasksByTime,
  type ListedTask,
} from './queries/tasks.ts'
import { loadPortalTasks, portalPage } from './portal.ts'

const permission = 'tasks:task:read'
const cardRows = 5
const todayRows = 10

const addAction: QuickAction = { label: 'Add Task', to: '/tasks?dialog=add', icon: 'list-checks' }
const clientLinks: ClientLink[] = [
  { label: 'Tasks', icon: 'list-checks', to: '/tasks?client={id}', placement: 'menu-and-details' },
]

export const contributions: Contribution[] = [
  { slot: 'portal.home', widget: 'portal-tasks', order: 30, permission: 'client:task:write', load: loadPortalTasks },
  { slot: 'portal.page', order: 30, permission: 'client:task:write', load: portalPage },
  { slot: 'dashboard.main', widget: 'due-tasks', order: 15, permission, load: loadDueTasks },
  { slot: 'today', order: 30, permission, load: loadToday },
  { slot: 'session.preparation', order: 10, permission, load: (ctx, params) => loadDone(ctx, params) },
  { slot: 'session.preparation', order: 40, permission, load: (ctx, params) => loadOtherOpen(ctx, params) },
  { slot: 'dashboard.action', order: 35, permission: 'tasks:task:write', load: async () => addAction },
  { slot: 'client.card', widget: 'open-tasks', order: 5, permission, load: (ctx, { id }) => loadOpen(ctx, Number(id)) },
  { slot: 'client.menu', order: 40, permission, load: async () => clientLinks },
  {
    slot: 'client.timeline',
    order: 50,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
]

async function loadDueTasks(ctx: Ctx) {
  const { tasks, count } = await listDueTasks(ctx, cardRows)
  return { tasks: tasks.map((task) => toTaskView(ctx, task)), more: count - tasks.length }
}
export type DueTasks = Awaited<ReturnType<typeof loadDueTasks>>

async function loadToday(ctx: Ctx): Promise<TodayPart | null> {
  const { tasks, count } = await listDueTasks(ctx, todayRows)
  if (!tasks.length) return null
  const items = tasks.map((task) => {
    const { id, title, owner, client, due, isOverdue } = toTaskView(ctx, task)
    const who = client && (owner === 'client' ? `${client.name}’s task` : client.name)
    const when = isOverdue ? `due ${due === 'Yesterday' ? 'yesterday' : due}` : 'due today'
    const detail = who ? `${who}, ${when}` : when.replace(/^d/, 'D')
    return { key: String(id), title, detail, to: `/tasks?dialog=edit&task=${id}`, isLate: isOverdue }
  })
  const more = count > tasks.length ? { label: `All ${count} tasks`, to: '/tasks' } : null
  return { title: 'Tasks', items, more }
}

type Params = Record<string, string | undefined>

/** The promises that were kept since the last session, and the other tasks that were done. */
async function loadDone(ctx: Ctx, params: Params): Promise<TodayPart | null> {
  const { clientId, since, period } = readPreparation(params)
  const { tasks, count } = await listDoneSince(ctx, { clientId, since, rows: cardRows })
  const more = { label: `All ${count} tasks that are done`, to: tasksUrl.href({ view: 'done', client: clientId }) }
  return toPart(ctx, `Done ${period}`, tasks, count > tasks.length ? more : null, ({ doneOn }) => doneOn)
}

async function loadOtherOpen(ctx: Ctx, params: Params): Promise<TodayPart | null> {
  const { clientId } = readPreparation(params)
  const { tasks, count } = await listOtherOpenTasks(ctx, clientId, cardRows)
  const more = { label: 'All tasks', to: tasksUrl.href({ client: clientId }) }
  const toWhen = ({ due, isOverdue }: TaskView) => due && `${isOverdue ? 'was due' : 'due'} ${due}`
  return toPart(ctx, 'Other open tasks', tasks, count > tasks.length ? more : null, toWhen)
}

function toPart(
  ctx: Ctx,
  title: string,
  tasks: ListedTask[],
  more: TodayPart['more'],
  toWhen: (task: TaskView) => string | null,
): TodayPart | null {
  if (!tasks.length) return null
  const items = tasks.map((task) => {
    const view = toTaskView(ctx, task)
    const detail = [view.owner === 'client' ? view.client!.name : 'You', toWhen(view)].filter(Boolean).join(', ')
    const to = tasksUrl.href({ dialog: 'edit', task: view.id })
    return { key: String(view.id), title: view.title, detail, to, isLate: view.isOverdue }
  })
  return { title, items, more }
}

async function loadOpen(ctx: Ctx, clientId: number) {
  const { tasks, count } = await listOpenTasksOfClient(ctx, clientId, cardRows)
  return { clientId, tasks: tasks.map((task) => toTaskView(ctx, task)), more: count - tasks.length }
}
export type OpenTasks = Awaited<ReturnType<typeof loadOpen>>

async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const tasks = await listTasksByTime(ctx, clientId, rows)
  return tasks.flatMap(({ id, title, createdAt, doneAt }) => {
    const added = {
      key: `task ${id}`,
      at: createdAt,
      kind: 'task',
      title: 'Task added',
      text: escapeMarkup(title),
      to: `/tasks?dialog=edit&task=${id}`,
    }
    return doneAt === null
      ? [added]
      : [{ ...added, key: `task ${id} done`, at: doneAt, title: 'Task completed' }, added]
  })
}
