import { formatDay, localDate } from '#app/lib/time.ts'
import type { TaskSessions } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import type { ListedTask } from './queries/tasks.ts'

/** A task as lists show it. `due`: 'Today', 'Mar 14'. */
export function toTaskView(ctx: Ctx, task: ListedTask, sessions: TaskSessions = {}) {
  const { id, title, owner, clientId, clientName, dueDate, doneAt, appointmentId, line } = task
  const session = appointmentId === null ? undefined : sessions[appointmentId]
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  const toNoon = (date: string) => new Date(`${date}T12:00:00Z`)
  return {
    id,
    title,
    owner,
    client: clientId === null ? null : { id: clientId, name: clientName! },
    due: dueDate && formatDay(toNoon(dueDate), toNoon(today), 'UTC'),
    isOverdue: doneAt === null && dueDate !== null && dueDate < today,
    session: session
      ? { label: session.label, to: line === null ? session.to : `${session.to}?line=${line}#line-${line}` }
      : null,
    doneOn: doneAt && formatDay(doneAt, ctx.now(), timezone),
  }
}
export type TaskView = ReturnType<typeof toTaskView>

/** The sessions that these tasks come from. */
export async function loadTaskSessions(ctx: Ctx, tasks: Pick<ListedTask, 'appointmentId'>[]): Promise<TaskSessions> {
  const ids = new Set(tasks.flatMap(({ appointmentId }) => appointmentId ?? []))
  if (!ids.size) return {}
  const parts = await fillSlot(ctx, 'task.session', { ids: [...ids].join(',') })
  return Object.assign({}, ...parts.map(({ data }) => data as TaskSessions))
}
