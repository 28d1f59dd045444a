import { LockMode } from '@mikro-orm/core'
import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/read-pool.ts'
import { addInteraction, Client, holdCurrentClient, logActivity, NewInteraction } from '#modules/crm/index.ts'
import { holdProspect, Prospect } from '#modules/pipeline/index.ts'
import { record } from '#modules/core/events.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import {
  appointmentAdded,
  appointmentDeleted,
  appointmentEdited,
  appointmentRestored,
  sessionCompleted,
} from '../events.ts'
import { Completion, endsTooEarly, nobodyChosen, type AppointmentEdit, type NewAppointment } from '../forms.ts'
import { appointmentOf } from '../queries/appointments.ts'
import { typeOf } from '../queries/types.ts'
import { appointmentNotFound, type AppointmentRecord } from '../output.ts'
import { Appointment, AppointmentType, type AppointmentRow } from '../schema.ts'

/** Schedules an appointment, whatever else lies at that time. One that is over already may be added as completed. Throws not_found for client, prospect or type. */
export async function addAppointment(ctx: WriteCtx, input: NewAppointment): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  await holdAttendee(ctx, input)
  if (input.appointmentTypeId !== null) await typeOf(ctx, input.appointmentTypeId)
  const now = ctx.now()
  const held = input.status === 'completed' && input.startTime <= now
  const [added] = await ctx.rows<{ id: number }>({
    name: 'scheduling.add',
    text: `insert into appointment (coach_id, client_id, prospect_id, appointment_type_id, title, description, start_time, end_time, timezone, status, meeting_url, completed_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) returning id`,
    values: [
      ctx.coachId,
      input.clientId,
      input.prospectId,
      input.appointmentTypeId,
      input.title,
      input.description,
      input.startTime,
      input.endTime,
      input.timezone ?? ctx.account.timezone,
      input.status,
      input.meetingUrl,
      held ? now : null,
      now,
    ],
  })
  const appointment = await appointmentOf(ctx, added!.id)
  await record(ctx, appointmentAdded, { appointmentId: appointment.id })
  if (held) await tellCompleted(ctx, appointment)
  return appointment
}

/**
 * Changes the fields that are sent. `status: completed` after the start completes the session, and another status takes that
 * back. `seen` is the version that the screen showed: throws conflict when somebody saved since. Throws not_found,
 * validation_failed.
 */
export async function editAppointment(
  ctx: WriteCtx,
  id: number,
  input: AppointmentEdit,
  seen?: number,
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  // Whom it is with is held before the appointment (decision 81).
  await holdAttendee(ctx, input)
  if (typeof input.appointmentTypeId === 'number') await typeOf(ctx, input.appointmentTypeId)
  const appointment = await held(ctx, id)
  if (seen !== undefined && seen !== appointment.version)
    throw new AppError('conflict', 'This appointment was changed in another tab meanwhile.')

  const now = ctx.now()
  const changes = changed(ctx, appointment, input)
  if (!Object.keys(changes).length && !completes(appointment, input, now)) return appointmentOf(ctx, id)
  ctx.em.assign(appointment, { ...changes, version: appointment.version + 1, updatedAt: now })
  if (appointment.endTime <= appointment.startTime)
    throw new AppError('validation_failed', endsTooEarly, { field: 'endTime' })
  if (appointment.client == null && appointment.prospect == null)
    throw new AppError('validation_failed', nobodyChosen, { field: 'clientId' })
  const completing = completes(appointment, input, now)
  if (completing) appointment.completedAt = now
  if (appointment.status !== 'completed') appointment.completedAt = null
  // Of what was noted while it was with a prospect; now there is a client.
  const notes = appointment.client ? (appointment.sessionNotes ?? null) : null
  if (notes !== null) appointment.sessionNotes = null
  await ctx.em.flush()
  if (appointment.client && notes !== null) await noteSession(ctx, appointment.client.id, sessionOf(appointment, notes))
  const edited = await appointmentOf(ctx, id)
  await record(ctx, appointmentEdited, { appointmentId: id })
  if (completing) await tellCompleted(ctx, edited)
  return edited
}

function completes({ completedAt, startTime }: AppointmentRow, { status }: AppointmentEdit, now: Date): boolean {
  return status === 'completed' && !completedAt && startTime <= now
}

function changed(
  ctx: WriteCtx,
  appointment: AppointmentRow,
  { clientId, prospectId, appointmentTypeId, ...sent }: AppointmentEdit,
) {
  const words = Object.entries(sent).filter(([name, value]) => {
    const before = appointment[name as keyof typeof sent] ?? null
    if (value === undefined || (name === 'timezone' && value === null)) return false
    return value instanceof Date && before instanceof Date ? value.getTime() !== before.getTime() : value !== before
  })
  const client =
    typeof clientId === 'number'
      ? clientId
      : clientId === null || typeof prospectId === 'number'
        ? null
        : (appointment.client?.id ?? null)
  const prospect =
    typeof prospectId === 'number'
      ? prospectId
      : prospectId === null || typeof clientId === 'number'
        ? null
        : (appointment.prospect?.id ?? null)
  const type = appointmentTypeId === undefined ? (appointment.appointmentType?.id ?? null) : appointmentTypeId
  return {
    ...(Object.fromEntries(words) as Partial<typeof sent>),
    ...(client === (appointment.client?.id ?? null)
      ? {}
      : { client: client === null ? null : ctx.em.getReference(Client, [ctx.coachId, client], { wrapped: true }) }),
    ...(prospect === (appointment.prospect?.id ?? null)
      ? {}
      : {
          prospect:
            prospect === null ? null : ctx.em.getReference(Prospect, [ctx.coachId, prospect], { wrapped: true }),
        }),
    ...(type === (appointment.appointmentType?.id ?? null)
      ? {}
      : {
          appointmentType:
            type === null ? null : ctx.em.getReference(AppointmentType, [ctx.coachId, type], { wrapped: true }),
        }),
  }
}

/**
 * Marks a session as held, once: again, or at once, it answers the same. `notes` (light markup) become an interaction of the
 * client; those of a prospect wait until there is one. Throws not_found, and conflict before the start and for a cancelled one.
 */
export async function completeSession(
  ctx: WriteCtx,
  id: number,
  { notes }: { notes: string | null },
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const appointment = await held(ctx, id)
  if (appointment.completedAt) return appointmentOf(ctx, id)
  const now = ctx.now()
  if (appointment.status === 'cancelled') throw new AppError('conflict', 'This session was cancelled.')
  if (appointment.startTime > now) throw new AppError('conflict', 'This session has not started yet.')

  const { client } = appointment
  ctx.em.assign(appointment, {
    status: 'completed',
    completedAt: now,
    version: appointment.version + 1,
    updatedAt: now,
    ...(client ? {} : { sessionNotes: together(appointment.sessionNotes, notes) }),
  })
  await ctx.em.flush()
  if (client && notes !== null) await noteSession(ctx, client.id, sessionOf(appointment, notes))
  const completed = await appointmentOf(ctx, id)
  await tellCompleted(ctx, completed)
  return completed
}

/** Moves an appointment to the trash. Throws not_found, also the second time. */
export async function deleteAppointment(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const appointment = await held(ctx, id)
  appointment.deletedAt = ctx.now()
  await ctx.em.flush()
  await record(ctx, appointmentDeleted, { appointmentId: id })
}

/** Takes an appointment out of the trash; one that isn't in it stays as it is. Throws not_found, also while its client or prospect is in the trash. */
export async function restoreAppointment(ctx: WriteCtx, id: number): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const [found] = await ctx.rows<{ clientId: number | null; prospectId: number | null }>({
    name: 'scheduling.with-whom',
    text: 'select client_id as "clientId", prospect_id as "prospectId" from appointment where id = $1',
    values: [id],
  })
  if (!found) throw appointmentNotFound()
  await holdAttendee(ctx, found)
  const [restored] = await ctx.rows({
    name: 'scheduling.restore',
    text: 'update appointment set deleted_at = null where id = $1 and deleted_at is not null returning id',
    values: [id],
  })
  if (restored) await record(ctx, appointmentRestored, { appointmentId: id })
  return appointmentOf(ctx, id)
}

/** A prospect became a client: their appointments are the client's now, those in the trash too, and what was noted becomes interactions. */
export async function moveToClient(
  ctx: WriteCtx,
  { prospectId, clientId }: { prospectId: number; clientId: number },
): Promise<void> {
  const moved = await ctx.rows<{ id: number; title: string; startTime: string; notes: string | null }>({
    name: 'scheduling.move-to-client',
    text: `with before as (select id, session_notes from appointment where prospect_id = $1 for update)
      update appointment a set client_id = $2, prospect_id = null, session_notes = null, version = version + 1, updated_at = $3 from before
      where a.id = before.id and a.prospect_id = $1 returning a.id, a.title, ${utc('a.start_time')} as "startTime", before.session_notes as notes`,
    values: [prospectId, clientId, ctx.now()],
  })
  for (const { notes, ...session } of moved) if (notes !== null) await noteSession(ctx, clientId, { ...session, notes })
}

type NotedSession = { id: number; title: string; startTime: string; notes: string }
const sessionOf = ({ id, title, startTime }: AppointmentRow, notes: string): NotedSession => ({
  id,
  title,
  startTime: startTime.toISOString(),
  notes,
})

/** What was noted before the completion was taken back, and what is noted now. */
function together(before: string | null | undefined, notes: string | null): string | null {
  if (before == null || notes === null) return notes ?? before ?? null
  const both = Completion.safeParse({ notes: `${before}\n${notes}` })
  if (!both.success)
    throw new AppError('validation_failed', `With what was noted before: ${both.error.issues[0]!.message}`, {
      field: 'notes',
    })
  return both.data.notes
}

async function noteSession(ctx: WriteCtx, clientId: number, session: NotedSession): Promise<void> {
  const input = NewInteraction.parse({
    name: session.title,
    content: session.notes,
    interactionDate: session.startTime,
  })
  await addInteraction(ctx, clientId, input, { appointmentId: session.id })
}

async function tellCompleted(
  ctx: WriteCtx,
  { id, title, clientId, clientName, prospectName }: AppointmentRecord,
): Promise<void> {
  await logActivity(ctx, {
    type: 'session_completed',
    title: 'Session completed',
    description: `${clientName ?? prospectName}, ${title}`,
    clientId,
  })
  await record(ctx, sessionCompleted, { appointmentId: id })
}

/** Nobody deletes or converts whom the appointment is with until the transaction ends. Throws not_found. */
async function holdAttendee(
  ctx: WriteCtx,
  { clientId, prospectId }: { clientId?: number | null | undefined; prospectId?: number | null | undefined },
): Promise<void> {
  if (typeof clientId === 'number') await holdCurrentClient(ctx, clientId)
  if (typeof prospectId === 'number') await holdProspect(ctx, prospectId)
}

/** The appointment, held until the transaction ends; its client before it, as everywhere (decision 81). */
async function held(ctx: WriteCtx, id: number): Promise<AppointmentRow> {
  await holdAttendee(ctx, { clientId: (await appointmentOf(ctx, id)).clientId })
  const appointment = await ctx.em.findOne(
    Appointment,
    { coachId: ctx.coachId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!appointment) throw appointmentNotFound()
  return appointment
}
