import { addDays, localDate, localTime, zonedToInstant } from '#app/lib/time.ts'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Email } from '#tenants/mail.ts'
import { findMessageAppointment } from '../queries/message-appointment.ts'
import { formatMessage, getPlaceholderValues, type Announced } from './format.ts'
import type { MessageKind } from './kinds.ts'
import type { MessageAppointment } from './message.ts'
import { formatSeriesMessage, getSeriesValues } from './series-message.ts'
import type { MessageText, PlaceholderValues, TextKind } from './texts.ts'

const isSeries = (kind: TextKind): boolean => kind.startsWith('series_')

/** The kind of message that has a text. */
export const toMessageKind = (kind: TextKind): MessageKind =>
  kind === 'request' ? 'confirmation' : (kind.replace('series_', '') as MessageKind)

/**
 * The appointment of a preview or a test, or a sample with the id 0; for a text about a series, with the same in the
 * next two weeks. Throws not_found.
 */
export async function loadSample(
  ctx: Ctx,
  kind: TextKind,
  appointmentId: number | null,
): Promise<[Announced, ...Announced[]]> {
  const found =
    appointmentId === null ? getSample(ctx) : await findMessageAppointment(ctx, { appointmentId, kind: 'cancellation' })
  if (!found) throw new AppError('not_found', 'Session not found')
  const announce = (weeks: number): Announced => {
    const appointment = { ...found, ...moveWeeks(found, weeks), tentative: kind === 'request' }
    const { startTime, endTime, place, attendeeEmail } = appointment
    const message = { kind: toMessageKind(kind), sequence: 0, email: attendeeEmail ?? '', startTime, endTime, place }
    return { message, appointment }
  }
  return [announce(0), ...(isSeries(kind) ? [announce(1), announce(2)] : [])]
}

/** At the same local time. */
function moveWeeks({ startTime, endTime, timezone }: MessageAppointment, weeks: number) {
  const [start, end] = [startTime, endTime].map((time) =>
    weeks
      ? zonedToInstant(addDays(localDate(time, timezone), 7 * weeks), localTime(time, timezone), timezone).toISOString()
      : time,
  )
  return { startTime: start!, endTime: end! }
}

type Sample = { announced: [Announced, ...Announced[]]; from: Email['from'] }

export const getSampleValues = (ctx: Ctx, kind: TextKind, { announced, from }: Sample): PlaceholderValues =>
  isSeries(kind) ? getSeriesValues(ctx, { announced, from }) : getPlaceholderValues(ctx, { ...announced[0], from })

export const formatSample = (
  ctx: Ctx,
  kind: TextKind,
  { announced, from, text }: Sample & { text: MessageText },
): Email =>
  isSeries(kind)
    ? formatSeriesMessage(ctx, { announced, from, text })
    : formatMessage(ctx, { ...announced[0], from, text })

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
    uidNamesHost: false,
    moveReason: null,
    sessionsLeft: '3 of 12 sessions left',
    rules: { reminderMinutes: [], followUpMinutes: null, tellsCoach: true },
  }
}
