import type { WriteCtx } from '#tenants/context.ts'
import { getVersion } from '../queries/appointments.ts'
import type { AppointmentRecord } from '../records.ts'
import { insertMessage } from './plan.ts'

type CoachMessage = 'coach_booked' | 'coach_moved' | 'coach_cancelled'

/** Emails the coach what a client did, in the transaction in which they did it. `before`: the times until then. */
export async function tellCoach(
  ctx: WriteCtx,
  kind: CoachMessage,
  { id }: Pick<AppointmentRecord, 'id'>,
  { startTime, endTime }: Pick<AppointmentRecord, 'startTime' | 'endTime'>,
): Promise<void> {
  const told = { startTime, endTime, place: null, email: ctx.account.email, tentative: false }
  const sequence = await getVersion(ctx, id)
  await insertMessage(ctx, id, { kind, sequence, leadMinutes: 0, told, dueAt: ctx.now() })
}
