import { AppError } from '#app/lib/errors.ts'
import { logActivity } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { tellCoach } from '../messages/tell-coach.ts'
import { planBookingRefund } from '../paid-bookings/refund-plan.ts'
import { getAppointmentType } from '../queries/types.ts'
import { findManagedBooking, type ManagedBooking } from '../queries/managed-booking.ts'
import { appointment as appointmentRecord, type AppointmentRecord } from '../records.ts'
import { lockAppointment, updateAppointment } from './appointments.ts'
import { moveBooking } from './bookings.ts'

/**
 * Cancels an appointment for its attendee; the time is free at once. Throws not_found, and conflict if it is too late.
 */
export async function cancelBooking(ctx: WriteCtx, id: number, { reason }: { reason: string | null }): Promise<void> {
  authorize(ctx, 'scheduling:booking:write')
  await lockOpenBooking(ctx, id)
  const cancelled = await updateAppointment(ctx, id, { status: 'cancelled' }, undefined, { byAttendee: true })
  await planBookingRefund(ctx, id, 'promised')
  await saveReason(ctx, id, 'cancellation_reason', reason)
  await tellCoach(ctx, 'coach_cancelled', cancelled, cancelled)
  await logChange(ctx, cancelled, {
    type: 'booking_cancelled',
    title: 'Session cancelled by the client',
    detail: reason,
  })
}

/**
 * Moves an appointment to another free time for its attendee; the old one is free at once. What the coach confirms has
 * to be confirmed again. Throws not_found, and conflict if it is too late or the time can't be booked.
 */
export async function rescheduleBooking(
  ctx: WriteCtx,
  id: number,
  { start, reason }: { start: Date; reason: string | null },
): Promise<void> {
  authorize(ctx, 'scheduling:booking:write')
  const { typeId, startTime, endTime } = await lockOpenBooking(ctx, id)
  // The same form sent twice.
  if (new Date(startTime).getTime() === start.getTime()) return
  if (typeId === null) throw new AppError('conflict', 'This session can’t be moved online.')
  const type = await getAppointmentType(ctx, typeId)
  const durationMinutes = chooseDuration(type.durations, { startTime, endTime })
  const moved = await moveBooking(ctx, id, { start, durationMinutes })
  if (type.confirmation === 'manual' && moved.status === 'confirmed')
    await updateAppointment(ctx, id, { status: 'scheduled' })
  await saveReason(ctx, id, 'move_reason', reason)
  await tellCoach(ctx, 'coach_moved', moved, { startTime, endTime })
  await logChange(ctx, moved, { type: 'booking_moved', title: 'Session moved by the client', detail: reason })
}

async function saveReason(
  ctx: WriteCtx,
  id: number,
  column: 'cancellation_reason' | 'move_reason',
  reason: string | null,
): Promise<void> {
  if (reason === null) return
  await ctx.query({
    name: `scheduling.save-${column}`,
    text: `update appointment set ${column} = $3 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, reason],
  })
}

/** As long as before, unless the type no longer offers that. */
export function chooseDuration(
  durations: number[],
  { startTime, endTime }: Pick<ManagedBooking, 'startTime' | 'endTime'>,
): number {
  const minutes = (new Date(endTime).getTime() - new Date(startTime).getTime()) / 60_000
  return durations.includes(minutes) ? minutes : durations[0]!
}

/** Checks again under the lock: the page may show an older state. */
async function lockOpenBooking(ctx: WriteCtx, id: number): Promise<ManagedBooking> {
  await lockAppointment(ctx, id)
  const booking = await findManagedBooking(ctx, id)
  if (!booking) throw appointmentRecord.notFound()
  if (booking.access !== 'open') throw new AppError('conflict', refusals[booking.access])
  return booking
}

const refusals = {
  cancelled: 'This session has already been cancelled.',
  over: 'This session has already begun.',
  late: 'It is too late to change this session online.',
}

type Change = { type: string; title: string; detail: string | null }

function logChange(ctx: WriteCtx, appointment: AppointmentRecord, { type, title, detail }: Change): Promise<void> {
  const { clientId, clientName, prospectName } = appointment
  const description = [clientName ?? prospectName, appointment.title, detail].filter(Boolean).join(', ')
  return logActivity(ctx, { type, title, description, clientId })
}
