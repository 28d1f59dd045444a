import { formatDay, localDate } from '#app/lib/time.ts'
import type { PortalLink } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { listOwnDoneTasks, listOwnOpenTasks, type ClientTask } from './queries/client-tasks.ts'

const homeRows = 5
const pageRows = 200
const doneRows = 50

export const portalPage = async (): Promise<PortalLink> => ({ label: 'Tasks', to: '/portal/tasks' })

/** The next tasks of the client in the portal; null without one. */
export async function loadPortalTasks(ctx: Ctx) {
  const { tasks, count } = await listOwnOpenTasks(ctx, homeRows)
  return count ? { tasks: tasks.map((task) => toView(ctx, task)), more: count - tasks.length } : null
}
export type PortalTasks = NonNullable<Awaited<ReturnType<typeof loadPortalTasks>>>

/** The page of the client's tasks. */
export async function loadPortalTasksPage(ctx: Ctx) {
  const [{ tasks: open }, done] = await Promise.all([listOwnOpenTasks(ctx, pageRows), listOwnDoneTasks(ctx, doneRows)])
  return { open: open.map((task) => toView(ctx, task)), done: done.map((task) => toView(ctx, task)) }
}

function toView(ctx: Ctx, { id, title, dueDate, doneAt }: ClientTask) {
  const { timezone } = ctx.client!
  const today = localDate(ctx.now(), timezone)
  const toNoon = (date: string) => new Date(`${date}T12:00:00Z`)
  return {
    id,
    title,
    due: dueDate && formatDay(toNoon(dueDate), toNoon(today), 'UTC'),
    isOverdue: doneAt === null && dueDate !== null && dueDate < today,
    doneOn: doneAt && formatDay(doneAt, ctx.now(), timezone),
  }
}
export type PortalTask = ReturnType<typeof toView>
