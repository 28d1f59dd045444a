import { NewAppointment } from '#modules/scheduling/forms.ts'
import type { AppointmentRecord } from '#modules/scheduling/index.ts'
import * as appointments from '#modules/scheduling/services/appointments.ts'
import { createClient, inTenant, type For, type Tenant } from '#tests/support/factories.ts'

/** A session of one hour that begins in an hour. Needs a `clientId` or a `prospectId`. */
export function createAppointment({ coach, ...fields }: For<typeof NewAppointment>): Promise<AppointmentRecord> {
  return inTenant(coach, (ctx) => {
    const hourFromNow = (hours: number) => new Date(ctx.now().getTime() + hours * 3_600_000).toISOString()
    const input = { title: 'Session', startTime: hourFromNow(1), endTime: hourFromNow(2), ...fields }
    return appointments.createAppointment(ctx, NewAppointment.parse(input))
  })
}

/** Adds clients until the plan has no room for another one. */
export async function fillPlan(coach: Tenant): Promise<void> {
  for (let added = 0; added < 100; added++) {
    const isAdded = await createClient({ coach, name: `Client ${added}`, email: `client${added}@example.com` }).then(
      () => true,
      () => false,
    )
    if (!isAdded) return
  }
  throw new Error('The plan has no limit.')
}
