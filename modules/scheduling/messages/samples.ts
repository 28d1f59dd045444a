import { addDays, localDate, zonedToInstant } from '#app/lib/time.ts'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { findMessageAppointment } from '../queries/message-appointment.ts'
import type { MessageKind } from './kinds.ts'
import type { MessageAppointment } from './message.ts'
import type { TextKind } from './texts.ts'

/** The kind of message that has a text. */
export const toMessageKind = (kind: TextKind): MessageKind => (kind === 'request' ? 'confirmation' : kind)

/** The appointment of a preview or a test, or a sample with the id 0. Throws not_found. */
export async function loadSample(ctx: Ctx, kind: TextKind, appointmentId: number | null) {
  const found =
    appointmentId === null ? getSample(ctx) : await findMessageAppointment(ctx, { appointmentId, kind: 'cancellation' })
  if (!found) throw new AppError('not_found', 'Session not found')
  const appointment = { ...found, tentative: kind === 'request' }
  const { startTime, endTime, place, attendeeEmail } = appointment
  const message = { kind: toMessageKind(kind), sequence: 0, email: attendeeEmail ?? '', startTime, endTime, place }
  return { message, appointment }
}

/** An hour in a week, at ten. */
function getSample({ account: { timezone }, now }: Ctx): MessageAppointment {
  const start = zonedToInstant(addDays(localDate(now(), timezone), 7), '10:00', timezone)
  return {
    id: 0,
    title: 'Coaching',
    attendeeName: 'Ada Lovelace',
    attendeeEmail: 'ada@example.com',
    startTime: start.toISOString(),
    endTime: new Date(start.getTime() + 3_600_000).toISOString(),
    timezone,
    place: 'https://meet.example.com/room',
    status: 'confirmed',
    tentative: false,
    version: 1,
    cancellationReason: null,
    sessionsLeft: '3 of 12 sessions left',
    rules: { reminderMinutes: [], followUpMinutes: null, tellsCoach: true },
  }
}
