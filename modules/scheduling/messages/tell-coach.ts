import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { getVersion } from '../queries/appointments.ts'
import type { AppointmentRecord } from '../records.ts'
import { insertMessages, type NewMessage } from './plan.ts'

type CoachMessage = 'coach_booked' | 'coach_moved' | 'coach_cancelled'
type Times = Pick<AppointmentRecord, 'startTime' | 'endTime'>

/** Emails the coach what a client did, in the transaction in which they did it. `times`: those until then. */
export async function tellCoach(
  ctx: WriteCtx,
  kind: CoachMessage,
  { id }: Pick<AppointmentRecord, 'id'>,
  times: Times,
): Promise<void> {
  await insertMessages(ctx, id, [toCoachMessage(ctx, kind, await getVersion(ctx, id), times)])
}

/** `sequence`: the version of the appointment. */
export function toCoachMessage(
  ctx: Ctx,
  kind: CoachMessage,
  sequence: number,
  { startTime, endTime }: Times,
): NewMessage {
  const told = { startTime, endTime, place: null, email: ctx.account.email, tentative: false }
  return { kind, sequence, leadMinutes: 0, told, dueAt: ctx.now() }
}
