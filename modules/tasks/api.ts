import { parseId } from '#app/lib/url.ts'
import { getClient } from '#modules/crm/index.ts'
import { resource } from '#tenants/api/resource.ts'
import { NewTask, TaskEdit, TaskFilter } from './forms.ts'
import { getTask, listTasks } from './queries/tasks.ts'
import { task } from './records.ts'
import { completeTask, createTask, deleteTask, reopenTask, restoreTask, updateTask } from './services/tasks.ts'

export const operations = resource({
  path: '/tasks',
  noun: 'task',
  output: task.output,
  get: getTask,
  list: {
    description: 'Newest first.',
    query: TaskFilter,
    run: async (ctx, page, { clientId, ...filter }) => {
      const client = clientId === undefined ? null : await getClient(ctx, parseId(clientId))
      return listTasks(ctx, { ...filter, ...page, clientId: client?.id })
    },
  },
  create: {
    description: '`owner` is by default the coach; a task of a client needs `clientId`.',
    body: NewTask,
    run: createTask,
  },
  update: { body: TaskEdit, run: updateTask },
  delete: { run: deleteTask },
  restore: restoreTask,
  actions: {
    complete: { summary: 'Complete a task', description: 'A second call keeps the first `doneAt`.', run: completeTask },
    reopen: { summary: 'Reopen a completed task', run: reopenTask },
  },
})
