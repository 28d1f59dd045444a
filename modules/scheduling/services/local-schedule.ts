import { localDate, zonedToInstant, localTime } from '#app/lib/time.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { Scope } from '../fields.ts'
import type { AppointmentForm, NewAppointments } from '../forms.ts'
import { getAppointment } from '../queries/appointments.ts'
import type { AppointmentRecord } from '../records.ts'
import { createAppointments, updateAppointments } from './series.ts'
import { findOrCreateType } from './types.ts'

// Converts the local days and times of the forms, and adds new appointment types.

export async function createAppointmentFromForm(
  ctx: WriteCtx,
  {
    attendee,
    type,
    date,
    startTime,
    endDate,
    endTime,
    ...rest
  }: AppointmentForm & Pick<NewAppointments, 'notify' | 'recurrence'>,
): Promise<AppointmentRecord> {
  const zone = ctx.account.timezone
  const start = zonedToInstant(date, startTime, zone)
  return createAppointments(ctx, {
    ...rest,
    ...attendee,
    appointmentTypeId: await resolveTypeId(ctx, type),
    startTime: start,
    endTime: zonedToInstant(endDate ?? date, endTime, zone, start),
    timezone: zone,
  })
}

/** Unchanged local times keep their instants, because a daylight saving change repeats some of them. */
export async function updateAppointmentFromForm(
  ctx: WriteCtx,
  id: number,
  input: Partial<AppointmentForm>,
  expectedVersion?: number,
  scope: Scope = 'this',
): Promise<AppointmentRecord> {
  const { attendee, type, date, startTime, endDate, endTime, ...rest } = input
  const zone = ctx.account.timezone
  const before = await getAppointment(ctx, id)
  const current = {
    date: localDate(before.startTime, zone),
    startTime: localTime(before.startTime, zone),
    endDate: localDate(before.endTime, zone),
    endTime: localTime(before.endTime, zone),
  }
  const startDate = date ?? current.date
  const isSameStart = startDate === current.date && (startTime ?? current.startTime) === current.startTime
  const start = isSameStart
    ? new Date(before.startTime)
    : zonedToInstant(startDate, startTime ?? current.startTime, zone)
  // Without an end date, the end moves to the day of the start.
  const newEndDate = endDate ?? startDate
  const isSameEnd = endTime === undefined || (newEndDate === current.endDate && endTime === current.endTime)
  // The form shows a trashed type as none; keep it, so that it returns when the type is restored.
  const isSameType = type === undefined || (type === null && before.appointmentTypeId === null)
  const end =
    isSameEnd && isSameStart
      ? new Date(before.endTime)
      : zonedToInstant(newEndDate, endTime ?? current.endTime, zone, start)
  return updateAppointments(
    ctx,
    id,
    {
      ...rest,
      ...attendee,
      ...(isSameType ? {} : { appointmentTypeId: await resolveTypeId(ctx, type) }),
      startTime: start,
      endTime: end,
      ...(isSameStart || (await isBookedOnline(ctx, id)) ? {} : { timezone: zone }),
    },
    { scope, expectedVersion },
  )
}

/** The zone of such an appointment stays the one that the visitor chose. */
async function isBookedOnline(ctx: WriteCtx, id: number): Promise<boolean> {
  const [found] = await ctx.query<{ bookedOnline: boolean }>({
    name: 'scheduling.is-booked-online',
    text: 'select booked_online as "bookedOnline" from appointment where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  return found?.bookedOnline ?? false
}

async function resolveTypeId(ctx: WriteCtx, type: AppointmentForm['type']): Promise<number | null> {
  if (type === null) return null
  return type.id ?? findOrCreateType(ctx, type.name)
}
