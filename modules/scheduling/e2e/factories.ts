import { NewAppointment } from '#modules/scheduling/forms.ts'
import type { AppointmentRecord } from '#modules/scheduling/index.ts'
import * as appointments from '#modules/scheduling/services/appointments.ts'
import { inTenant, type For } from '#tests/support/factories.ts'

/** A session of one hour that begins in an hour. Needs a `clientId` or a `prospectId`. */
export function createAppointment({ coach, ...fields }: For<typeof NewAppointment>): Promise<AppointmentRecord> {
  return inTenant(coach, (ctx) => {
    const hourFromNow = (hours: number) => new Date(ctx.now().getTime() + hours * 3_600_000).toISOString()
    const input = { title: 'Session', startTime: hourFromNow(1), endTime: hourFromNow(2), ...fields }
    return appointments.createAppointment(ctx, NewAppointment.parse(input))
  })
}
