import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { loadTaskSessions, toTaskView } from './format.ts'
import { tasksUrl, type TaskFilters } from './list-state.ts'
import { getTaskForEdit, listTasksPage } from './queries/tasks.ts'

/** Most clients that the form lists. Beyond that, the coach searches. */
const maxClients = 100

export async function loadTasks(ctx: Ctx, url: string) {
  const { dialog, task: id, ...state } = tasksUrl.parse(url)
  const [{ tasks, count, counts }, [client], selected] = await Promise.all([
    listTasksPage(ctx, state),
    state.client ? listClientNames(ctx, [state.client]) : [],
    id ? getTaskForEdit(ctx, id) : null,
  ])
  const sessions = await loadTaskSessions(ctx, tasks)
  return {
    state,
    dialog,
    count,
    counts,
    tasks: tasks.map((task) => toTaskView(ctx, task, sessions)),
    client: client && !client.inTrash ? { id: client.id, name: client.name } : null,
    selected,
    isMissing: id !== null && !selected,
    choices:
      dialog === 'add' || dialog === 'edit' ? await loadClients(ctx, selected?.clientId ?? state.client ?? null) : null,
  }
}

export type TasksPage = Awaited<ReturnType<typeof loadTasks>>
export type { TaskFilters }

/** The choices of the form, with the client that is chosen. */
async function loadClients(ctx: Ctx, chosen: number | null) {
  const options = await listClientOptions(ctx, { rows: maxClients + 1 })
  const listed = options.slice(0, maxClients).map(({ id, name }) => ({ id, name }))
  const isListed = chosen === null || listed.some(({ id }) => id === chosen)
  const [client] = isListed ? [] : (await listClientNames(ctx, [chosen])).filter(({ inTrash }) => !inTrash)
  return {
    clients: client ? [{ id: client.id, name: client.name }, ...listed] : listed,
    hasMore: options.length > maxClients,
  }
}
