import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { visibleAppointmentsSql } from '../records.ts'

/** `id`: for its history; null for one that was never saved, whose version is 1. */
export type Agenda = { id: number | null; content: string | null; version: number }

const unsaved: Agenda = { id: null, content: null, version: 1 }

/** The agenda of a session that the caller has found. */
export async function getAgenda(ctx: Ctx, appointmentId: number): Promise<Agenda> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<Agenda>({
    name: 'scheduling.agenda',
    text: 'select id, content, version from session_agenda where coach_id = $1 and appointment_id = $2',
    values: [ctx.coachId, appointmentId],
  })
  return found ?? unsaved
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
