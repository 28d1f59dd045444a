import { getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { NewTask } from '../forms.ts'
import { completeTask, createTask } from '../services/tasks.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has long texts. */
    task: number
  }
}

export const screens: Screen[] = [
  { name: 'portal-tasks', route: '/portal/tasks', path: '/portal/tasks', as: 'client', host: 'full' },
  { name: 'tasks', route: '/tasks', path: '/tasks', as: 'full' },
  { name: 'tasks-done', route: '/tasks', path: '/tasks?view=done', as: 'full' },
  { name: 'tasks-empty', route: '/tasks', path: '/tasks', as: 'newcomer' },
  { name: 'tasks-none-found', route: '/tasks', path: '/tasks?q=zzz', as: 'full' },
  { name: 'tasks-add', route: '/tasks', path: '/tasks?dialog=add', as: 'newcomer' },
  {
    name: 'tasks-edit',
    route: '/tasks',
    path: ({ task }) => `/tasks?dialog=edit&task=${task}`,
    as: 'full',
  },
  {
    name: 'tasks-delete',
    route: '/tasks',
    path: ({ task }) => `/tasks?dialog=delete&task=${task}`,
    as: 'full',
  },
  {
    name: 'tasks-history',
    route: '/history/task/:id',
    path: ({ task }) => `/history/task/${task}`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const [client] = await getClients(full)
  return inTenant(full, async (ctx) => {
    const add = (fields: object) => createTask(ctx, NewTask.parse(fields))
    const { id } = await add({ title: longText, notes: longText, clientId: client!.id, dueDate: '2026-01-05' })
    await add({ title: 'Prepare the next session', clientId: client!.id })
    const done = await add({ title: 'Send the reading list', clientId: client!.id, owner: 'client' })
    await completeTask(ctx, done.id)
    return { task: id }
  })
}
