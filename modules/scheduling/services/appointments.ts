import { AppError } from '#app/lib/errors.ts'
import { assertNotReadOnly, Client, lockCurrentClient, logActivity } from '#modules/crm/index.ts'
import { publish } from '#modules/core/events.ts'
import { runHook } from '#modules/core/hooks.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import {
  appointmentCreated,
  appointmentDeleted,
  appointmentUpdated,
  appointmentRestored,
  sessionCompleted,
} from '../events.ts'
import { endsBeforeStart, attendeeRequired, type AppointmentEdit, type NewAppointment } from '../forms.ts'
import type { Answer } from '../booking-fields.ts'
import { assertAttendeeChange, followCompletion } from '../hooks.ts'
import { planFirstMessages, planMessages, readPlanState } from '../messages/plan.ts'
import { toCoachMessage } from '../messages/tell-coach.ts'
import { planBookingRefund } from '../paid-bookings/refund-plan.ts'
import { lockProspect } from '../prospects.ts'
import { getAppointment } from '../queries/appointments.ts'
import { getSeriesRule } from '../queries/series.ts'
import { getAppointmentType } from '../queries/types.ts'
import { appointment as appointmentRecord, type AppointmentRecord } from '../records.ts'
import { getOwnFields } from '../recurrence/own-fields.ts'
import { Appointment, AppointmentType, type AppointmentRow } from '../schema.ts'
import { createNotesInteraction, joinNotes, toSessionNotes } from './session-notes.ts'

/**
 * Adds an appointment; it may overlap others, and be completed if it has started. Throws not_found for the client, the
 * prospect or the type.
 */
export async function createAppointment(
  ctx: WriteCtx,
  { notify, ...input }: NewAppointment,
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  if (notify) requireVerifiedEmail(ctx)
  return insertAppointment(ctx, { ...input, bookedOnline: false, location: null, answers: [] }, { notify })
}

/** With the fields that only visitors fill in. */
type BookedAppointment = Omit<NewAppointment, 'notify'> & {
  bookedOnline: boolean
  location: string | null
  answers: Answer[]
}
type Occurrence = { seriesId: number; occurrenceDate: string }

/**
 * As `createAppointment`, for those that visitors book too. `attendee`: locked by the caller, or new in this
 * transaction, with a type that exists. `hasPaid`: whatever the plan has room for, because the money is there.
 */
export async function insertAppointment(
  ctx: WriteCtx,
  input: BookedAppointment,
  {
    notify = input.bookedOnline,
    occurrence,
    attendee = 'unchecked',
    hasPaid = false,
  }: {
    notify?: boolean
    occurrence?: Occurrence
    attendee?: 'unchecked' | 'locked' | 'new'
    hasPaid?: boolean
  } = {},
): Promise<AppointmentRecord> {
  if (!hasPaid) await assertStorage(ctx)
  if (attendee === 'unchecked') {
    await lockAttendee(ctx, input)
    if (input.appointmentTypeId !== null) await getAppointmentType(ctx, input.appointmentTypeId)
  }
  if (input.clientId !== null && attendee !== 'new' && !hasPaid) await assertNotReadOnly(ctx, input.clientId)
  const now = ctx.now()
  const isCompleted = input.status === 'completed' && input.startTime <= now
  const id = await insertRow(ctx, {
    table: 'appointment',
    name: 'scheduling.add',
    row: {
      ...input,
      seriesId: occurrence?.seriesId ?? null,
      occurrenceDate: occurrence?.occurrenceDate ?? null,
      answers: JSON.stringify(input.answers),
      uidNamesHost: false,
      timezone: input.timezone ?? ctx.account.timezone,
      completedAt: isCompleted ? now : null,
      createdAt: now,
      updatedAt: now,
    },
  })
  const [appointment, state] = await Promise.all([getAppointment(ctx, id), notify ? readPlanState(ctx, id) : undefined])
  const others = input.bookedOnline ? [toCoachMessage(ctx, 'coach_booked', 1, appointment)] : []
  await planFirstMessages(ctx, id, { state, others })
  await publish(ctx, appointmentCreated, { appointmentId: appointment.id })
  if (isCompleted) await publishCompleted(ctx, appointment)
  return appointment
}

/**
 * Changes the given fields. `status: completed` after the start completes the session; another status reverts that.
 * Throws not_found, validation_failed, and conflict if the appointment was edited after `expectedVersion`, or if a
 * module keeps something that is the present attendee's. `isOwn`: the change is for this session alone, so that changes
 * of its series leave these fields. `byAttendee`: the coach declines nothing.
 */
export async function updateAppointment(
  ctx: WriteCtx,
  id: number,
  input: AppointmentEdit,
  expectedVersion?: number,
  { isOwn = true, byAttendee = false } = {},
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  await assertStorage(ctx)
  // Lock order: attendee, then appointment (decision 0030).
  await lockAttendee(ctx, input)
  if (typeof input.appointmentTypeId === 'number') await getAppointmentType(ctx, input.appointmentTypeId)
  const appointment = await lockAppointment(ctx, id)
  appointmentRecord.assertVersion(appointment, expectedVersion)

  const now = ctx.now()
  const changes = toChanges(ctx, appointment, input)
  const isDeclined = isDeclining(appointment, changes, byAttendee)
  if (!Object.keys(changes).length && !isCompleting(appointment, input, now)) return getAppointment(ctx, id)
  for (const clientId of new Set([appointment.client?.id, input.clientId]))
    if (typeof clientId === 'number') await assertNotReadOnly(ctx, clientId)
  await checkAttendeeChange(ctx, id, changes)
  ctx.em.assign(appointment, { ...changes, version: appointment.version + 1, updatedAt: now })
  if (appointment.endTime <= appointment.startTime)
    throw new AppError('validation_failed', endsBeforeStart, { field: 'endTime' })
  if (isOwn && appointment.series)
    appointment.ownFields = getOwnFields(
      appointment,
      Object.keys(changes),
      await getSeriesRule(ctx, appointment.series.id),
    )
  if (appointment.client == null && appointment.prospectId == null)
    throw new AppError('validation_failed', attendeeRequired, { field: 'clientId' })
  const completing = isCompleting(appointment, input, now)
  if (completing) appointment.completedAt = now
  if (appointment.status !== 'completed') appointment.completedAt = null
  clearReasons(appointment, changes)
  // Notes of a prospect's session become an interaction once there is a client.
  const notes = appointment.client ? (appointment.sessionNotes ?? null) : null
  if (notes !== null) appointment.sessionNotes = null
  await ctx.em.flush()
  if (appointment.client && notes !== null)
    await createNotesInteraction(ctx, appointment.client.id, toSessionNotes(appointment, notes))
  const edited = await getAppointment(ctx, id)
  await planMessages(ctx, id)
  if (isDeclined) await planBookingRefund(ctx, id, 'declined')
  await publish(ctx, appointmentUpdated, { appointmentId: id })
  if (completing) await publishCompleted(ctx, edited)
  return edited
}

/** The attendee's reasons belong to the cancellation and the time that they gave them for. */
function clearReasons(appointment: AppointmentRow, changes: object): void {
  if (appointment.status !== 'cancelled') appointment.cancellationReason = null
  if ('startTime' in changes) appointment.moveReason = null
}

async function checkAttendeeChange(ctx: WriteCtx, id: number, changes: object): Promise<void> {
  if (!('client' in changes) && !('prospectId' in changes)) return
  await runHook(ctx, assertAttendeeChange, { appointmentIds: [id], isSamePerson: false })
  // It was about the person who had the session before.
  await ctx.query({
    name: 'scheduling.delete-agenda',
    text: 'delete from session_agenda where coach_id = $1 and appointment_id = $2',
    values: [ctx.coachId, id],
  })
}

/** A booking that the coach hasn't confirmed. */
const isRequest = ({ bookedOnline, status }: AppointmentRow): boolean => bookedOnline && status === 'scheduled'

const isDeclining = (appointment: AppointmentRow, { status }: AppointmentEdit, byAttendee: boolean): boolean =>
  !byAttendee && status === 'cancelled' && isRequest(appointment)

function isCompleting({ completedAt, startTime }: AppointmentRow, { status }: AppointmentEdit, now: Date): boolean {
  return status === 'completed' && !completedAt && startTime <= now
}

/** The differences from the stored appointment, as columns and references. */
function toChanges(
  ctx: WriteCtx,
  appointment: AppointmentRow,
  { clientId, prospectId, appointmentTypeId, ...sent }: AppointmentEdit,
) {
  const fields = Object.entries(sent).filter(([name, value]) => {
    const before = appointment[name as keyof typeof sent] ?? null
    if (value === undefined || (name === 'timezone' && value === null)) return false
    return value instanceof Date && before instanceof Date ? value.getTime() !== before.getTime() : value !== before
  })
  const before = {
    client: appointment.client?.id ?? null,
    prospect: appointment.prospectId ?? null,
    type: appointment.appointmentType?.id ?? null,
  }
  // A client replaces the prospect, and the other way round.
  const client = clientId ?? (clientId === null || typeof prospectId === 'number' ? null : before.client)
  const prospect = prospectId ?? (prospectId === null || typeof clientId === 'number' ? null : before.prospect)
  const type = appointmentTypeId === undefined ? before.type : appointmentTypeId
  return {
    ...(Object.fromEntries(fields) as Partial<typeof sent>),
    ...(client === before.client ? {} : { client: clientReference(ctx, client) }),
    ...(prospect === before.prospect ? {} : { prospectId: prospect }),
    ...(type === before.type ? {} : { appointmentType: typeReference(ctx, type) }),
  }
}

const clientReference = (ctx: WriteCtx, id: number | null) =>
  id === null ? null : ctx.em.getReference(Client, [ctx.coachId, id], { wrapped: true })
const typeReference = (ctx: WriteCtx, id: number | null) =>
  id === null ? null : ctx.em.getReference(AppointmentType, [ctx.coachId, id], { wrapped: true })

/**
 * Completes a session, once: a second call returns the same. `notes` (light markup) become an interaction of the
 * client; those of a prospect are kept until there is one. Throws not_found, and conflict before the start or if
 * cancelled.
 */
export async function completeSession(
  ctx: WriteCtx,
  id: number,
  { notes }: { notes: string | null },
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const appointment = await lockAppointment(ctx, id)
  if (appointment.completedAt) return getAppointment(ctx, id)
  const now = ctx.now()
  if (appointment.status === 'cancelled') throw new AppError('conflict', 'This session was cancelled.')
  if (appointment.startTime > now) throw new AppError('conflict', 'This session has not started yet.')

  const { client } = appointment
  if (client) await assertNotReadOnly(ctx, client.id)
  ctx.em.assign(appointment, {
    status: 'completed',
    completedAt: now,
    version: appointment.version + 1,
    updatedAt: now,
    ...(client ? {} : { sessionNotes: joinNotes(appointment.sessionNotes, notes) }),
  })
  await ctx.em.flush()
  if (client && notes !== null) await createNotesInteraction(ctx, client.id, toSessionNotes(appointment, notes))
  const completed = await getAppointment(ctx, id)
  await publishCompleted(ctx, completed)
  return completed
}

/**
 * Adds notes (light markup) to a completed session: as an interaction of the client, or to those kept for a prospect.
 * Throws not_found, and conflict if the session is not completed.
 */
export async function addSessionNotes(
  ctx: WriteCtx,
  id: number,
  { notes }: { notes: string },
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  await assertStorage(ctx)
  const appointment = await lockAppointment(ctx, id)
  if (!appointment.completedAt) throw new AppError('conflict', 'This session is not completed.')

  const { client } = appointment
  if (client) {
    await createNotesInteraction(ctx, client.id, toSessionNotes(appointment, notes))
    return getAppointment(ctx, id)
  }
  ctx.em.assign(appointment, {
    sessionNotes: joinNotes(appointment.sessionNotes, notes),
    version: appointment.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await publish(ctx, appointmentUpdated, { appointmentId: id })
  return getAppointment(ctx, id)
}

/** Moves an appointment to the trash. Throws not_found, also the second time. */
export async function deleteAppointment(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const appointment = await lockAppointment(ctx, id)
  appointment.deletedAt = ctx.now()
  await ctx.em.flush()
  await planMessages(ctx, id)
  if (isRequest(appointment)) await planBookingRefund(ctx, id, 'declined')
  await publish(ctx, appointmentDeleted, { appointmentId: id })
}

/** Takes an appointment out of the trash. Throws not_found, also while its client or prospect is in the trash. */
export async function restoreAppointment(ctx: WriteCtx, id: number): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const [found] = await ctx.query<{ clientId: number | null; prospectId: number | null }>({
    name: 'scheduling.attendee',
    text: 'select client_id as "clientId", prospect_id as "prospectId" from appointment where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!found) throw appointmentRecord.notFound()
  await lockAttendee(ctx, found)
  const [restored] = await ctx.query({
    name: 'scheduling.restore',
    text: 'update appointment set deleted_at = null where coach_id = $1 and id = $2 and deleted_at is not null returning id',
    values: [ctx.coachId, id],
  })
  if (restored) {
    await planMessages(ctx, id)
    await publish(ctx, appointmentRestored, { appointmentId: id })
  }
  return getAppointment(ctx, id)
}

async function publishCompleted(
  ctx: WriteCtx,
  { id, title, clientId, clientName, prospectName }: AppointmentRecord,
): Promise<void> {
  await logActivity(ctx, {
    type: 'session_completed',
    title: 'Session completed',
    description: `${clientName ?? prospectName}, ${title}`,
    clientId,
  })
  await runHook(ctx, followCompletion, { appointmentId: id })
  await publish(ctx, sessionCompleted, { appointmentId: id })
}

/** Keeps the client or prospect from being deleted or converted until the transaction ends. Throws not_found. */
export async function lockAttendee(
  ctx: WriteCtx,
  { clientId, prospectId }: { clientId?: number | null | undefined; prospectId?: number | null | undefined },
): Promise<void> {
  if (typeof clientId === 'number') await lockCurrentClient(ctx, clientId)
  if (typeof prospectId === 'number') await lockProspect(ctx, prospectId)
}

/** Lock order: client, then appointment (decision 0030). Throws not_found. */
export async function lockAppointment(ctx: WriteCtx, id: number): Promise<AppointmentRow> {
  await lockAttendee(ctx, { clientId: (await getAppointment(ctx, id)).clientId })
  return lockRow(ctx, appointmentRecord, Appointment, { coachId: ctx.coachId, id, deletedAt: null })
}
