import { formatCalendarDate, localDate } from '#app/lib/time.ts'
import { findAppointmentNotes } from '#modules/crm/index.ts'
import type { SessionTask, TaskSessions, TodayPart } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import { statusLabels } from './fields.ts'
import { formatAttendeeTime, formatDateTimeRange } from './format.ts'
import { findLastSession, getAgenda, listCommitments, type LastSession } from './queries/agendas.ts'
import { getAppointmentDetails } from './queries/appointments.ts'
import { appointment as appointmentRecord } from './records.ts'

/** All that the coach needs in the minute before a session. Throws not_found, also for a session with a prospect. */
export async function loadPreparation(ctx: Ctx, id: number) {
  const session = await getAppointmentDetails(ctx, id)
  const { clientId, clientName, clientZone, title, startTime, endTime, meetingUrl, description, status } = session
  if (clientId === null) throw appointmentRecord.notFound()
  const begins = new Date(startTime)
  const before = begins < ctx.now() ? begins : ctx.now()
  const [agenda, last, commitments] = await Promise.all([
    getAgenda(ctx, id),
    findLastSession(ctx, { clientId, before }),
    loadCommitments(ctx, clientId),
  ])
  const [lastSession, parts] = await Promise.all([
    last && loadLastSession(ctx, clientId, last),
    fillSlot(ctx, 'session.preparation', {
      client: String(clientId),
      since: last?.endTime ?? '',
      last: last ? String(last.id) : '',
    }),
  ])
  const today = localDate(ctx.now(), ctx.account.timezone)
  return {
    id,
    title,
    date: localDate(startTime, ctx.account.timezone),
    when: formatDateTimeRange(startTime, endTime, ctx.account, today),
    clientTime: formatAttendeeTime(startTime, clientName!, clientZone, ctx.account),
    client: { id: clientId, name: clientName! },
    status: statusLabels[status],
    description,
    joinUrl: new Date(endTime) > ctx.now() && status !== 'cancelled' ? meetingUrl : null,
    agenda: { id: agenda.id, version: agenda.version, values: { content: agenda.content ?? '' } },
    commitments,
    lastSession,
    parts: parts.flatMap(({ key, data }) => {
      const part = data as TodayPart | null
      return part ? [{ key: `${key} ${part.title}`, ...part }] : []
    }),
  }
}
export type Preparation = Awaited<ReturnType<typeof loadPreparation>>

async function loadLastSession(ctx: Ctx, clientId: number, { id, title, startTime, endTime, agenda }: LastSession) {
  return {
    id,
    title,
    when: formatDateTimeRange(startTime, endTime, ctx.account, localDate(ctx.now(), ctx.account.timezone)),
    notes: await findAppointmentNotes(ctx, { clientId, appointmentId: id }),
    agenda,
  }
}

/** The tasks of the client's sessions that are open; null without the module that keeps tasks. */
async function loadCommitments(ctx: Ctx, clientId: number) {
  const tasks = await listCommitments(ctx, clientId)
  if (!tasks) return null
  const ids = [...new Set(tasks.map(({ appointmentId }) => appointmentId))]
  const filled = ids.length ? await fillSlot(ctx, 'task.session', { ids: ids.join(',') }) : []
  const sessions: TaskSessions = Object.assign({}, ...filled.map(({ data }) => data))
  return tasks.map((task) => toCommitment(ctx, task, sessions[task.appointmentId]))
}

function toCommitment(ctx: Ctx, task: SessionTask, session: TaskSessions[number] | undefined) {
  const { id, title, owner, dueDate } = task
  const { toHref, toggle } = ctx.extensions.sessionTasks!
  return {
    id,
    title,
    owner,
    due: dueDate && formatCalendarDate(dueDate, { month: 'short', day: 'numeric' }),
    isOverdue: dueDate !== null && dueDate < localDate(ctx.now(), ctx.account.timezone),
    to: toHref(id),
    toggle,
    session: session?.label ?? null,
  }
}
export type Commitment = ReturnType<typeof toCommitment>
