import { isoTimestamp } from '#db/read-pool.ts'
import type { SessionTask } from '#modules/core/manifest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { appointment, visibleAppointmentsSql, type AgendaRecord } from '../records.ts'
import { getAppointment } from './appointments.ts'

/** `id`: for its history; null for one that was never saved, whose version is 1. */
export type Agenda = { id: number | null; content: string | null; version: number; updatedAt: string | null }

const unsaved: Agenda = { id: null, content: null, version: 1, updatedAt: null }

/** The agenda of a session that the caller has found. */
export async function getAgenda(ctx: Ctx, appointmentId: number): Promise<Agenda> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<Agenda>({
    name: 'scheduling.agenda',
    text: `select id, content, version, ${isoTimestamp('updated_at')} as "updatedAt"
      from session_agenda where coach_id = $1 and appointment_id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return found ?? unsaved
}

/** More than a session can go through. */
const shownCommitments = 20

/** The open tasks from the client's sessions; null without the module that keeps tasks. */
export async function listCommitments(ctx: Ctx, clientId: number): Promise<SessionTask[] | null> {
  return (await ctx.extensions.sessionTasks?.listOpen(ctx, clientId, shownCommitments)) ?? null
}

/** The agenda of a session as the API returns it. Throws not_found, also for a session with a prospect. */
export async function loadAgenda(ctx: Ctx, appointmentId: number): Promise<AgendaRecord> {
  const { clientId } = await getAppointment(ctx, appointmentId)
  if (clientId === null) throw appointment.notFound()
  const [{ content, updatedAt }, tasks] = await Promise.all([
    getAgenda(ctx, appointmentId),
    listCommitments(ctx, clientId),
  ])
  const commitments =
    tasks?.map(({ id, title, owner, dueDate, appointmentId: from }) => ({
      id,
      title,
      owner,
      dueDate,
      appointmentId: from,
    })) ?? null
  return { coachId: ctx.coachId, appointmentId, commitments, content, updatedAt }
}

/** `agenda`: its points. */
export type LastSession = { id: number; title: string; startTime: string; endTime: string; agenda: string | null }

/** The client's latest session that began before `before` and is not cancelled; null before the first one. */
export async function findLastSession(
  ctx: Ctx,
  { clientId, before }: { clientId: number; before: Date },
): Promise<LastSession | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<LastSession>({
    name: 'scheduling.last-session',
    text: `select a.id, a.title, ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime",
        (select g.content from session_agenda g where g.coach_id = $1 and g.appointment_id = a.id) as agenda
      ${visibleAppointmentsSql} and a.client_id = $2 and a.start_time < $3 and a.status <> 'cancelled'
      order by a.start_time desc, a.id desc limit 1`,
    values: [ctx.coachId, clientId, before],
  })
  return found ?? null
}
