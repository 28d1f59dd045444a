import { assertNotReadOnly } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import type { AgendaEdit } from '../forms.ts'
import { getAgenda, type Agenda } from '../queries/agendas.ts'
import { getAppointment } from '../queries/appointments.ts'
import { appointment as appointmentRecord, sessionAgenda } from '../records.ts'
import { lockAppointment } from './appointments.ts'

/**
 * Replaces the points of a session's agenda; without `content` nothing changes. Throws not_found, also for a session with
 * a prospect, plan_limit, and conflict if they were saved after `expectedVersion`.
 */
export async function saveAgenda(
  ctx: WriteCtx,
  appointmentId: number,
  { content }: AgendaEdit,
  expectedVersion?: number,
): Promise<Agenda> {
  authorize(ctx, 'scheduling:appointment:write')
  if (content === undefined) {
    if ((await getAppointment(ctx, appointmentId)).clientId === null) throw appointmentRecord.notFound()
    return getAgenda(ctx, appointmentId)
  }
  await assertStorage(ctx)
  const { client } = await lockAppointment(ctx, appointmentId)
  if (client == null) throw appointmentRecord.notFound()
  await assertNotReadOnly(ctx, client.id)
  const current = await getAgenda(ctx, appointmentId)
  sessionAgenda.assertVersion(current, expectedVersion)
  await ctx.query({
    name: 'scheduling.save-agenda',
    text: `insert into session_agenda as g (coach_id, appointment_id, content, version, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5)
      on conflict (coach_id, appointment_id) do update set content = excluded.content, version = excluded.version,
        updated_at = excluded.updated_at`,
    values: [ctx.coachId, appointmentId, content, current.version + 1, ctx.now()],
  })
  return getAgenda(ctx, appointmentId)
}
