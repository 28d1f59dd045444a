import { dateOf, instantOf, timeOf } from '#app/lib/time.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { AppointmentForm } from '../forms.ts'
import { appointmentOf } from '../queries/appointments.ts'
import type { AppointmentRecord } from '../output.ts'
import { addAppointment, editAppointment } from './appointments.ts'
import { typeNamed } from './types.ts'

// From screens, which know the days and times of the coach's clock, and name types that are yet to be added.

/** As `addAppointment`. */
export async function scheduleByClock(
  ctx: WriteCtx,
  { attendee, type, date, startTime, endDate, endTime, ...rest }: AppointmentForm,
): Promise<AppointmentRecord> {
  const zone = ctx.account.timezone
  const start = instantOf(date, startTime, zone)
  return addAppointment(ctx, {
    ...rest,
    ...attendee,
    appointmentTypeId: await typeIdOf(ctx, type),
    startTime: start,
    endTime: instantOf(endDate ?? date, endTime, zone, start),
    timezone: zone,
  })
}

/** As `editAppointment`. Times that stay on the clock stay the instants that they are, also where the clock shows them twice. */
export async function editByClock(
  ctx: WriteCtx,
  id: number,
  input: Partial<AppointmentForm>,
  seen?: number,
): Promise<AppointmentRecord> {
  const { attendee, type, date, startTime, endDate, endTime, ...rest } = input
  const zone = ctx.account.timezone
  const before = await appointmentOf(ctx, id)
  const was = {
    date: dateOf(before.startTime, zone),
    startTime: timeOf(before.startTime, zone),
    endDate: dateOf(before.endTime, zone),
    endTime: timeOf(before.endTime, zone),
  }
  const first = date ?? was.date
  const stays = first === was.date && (startTime ?? was.startTime) === was.startTime
  const start = stays ? new Date(before.startTime) : instantOf(first, startTime ?? was.startTime, zone)
  // Of an end that isn't named the day moves along with the day of the start.
  const last = endDate ?? first
  const sameEnd = endTime === undefined || (last === was.endDate && endTime === was.endTime)
  // A type in the trash was shown as none: who leaves it so gets it back with the type.
  const sameType = type === undefined || (type === null && before.appointmentTypeId === null)
  const end = sameEnd && stays ? new Date(before.endTime) : instantOf(last, endTime ?? was.endTime, zone, start)
  return editAppointment(
    ctx,
    id,
    {
      ...rest,
      ...attendee,
      ...(sameType ? {} : { appointmentTypeId: await typeIdOf(ctx, type) }),
      startTime: start,
      endTime: end,
      ...(stays ? {} : { timezone: zone }),
    },
    seen,
  )
}

async function typeIdOf(ctx: WriteCtx, type: AppointmentForm['type']): Promise<number | null> {
  if (type === null) return null
  return type.id ?? typeNamed(ctx, type.name)
}
