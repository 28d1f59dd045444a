import { localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Email } from '#tenants/mail.ts'
import { formatDateTimeRange } from '../format.ts'
import { formatCalendar, getEventUid } from './ics.ts'
import { getManageUrl } from './manage-link.ts'
import type { MessageKind } from './kinds.ts'
import type { Message, MessageAppointment } from './message.ts'

type Content = { message: Message; appointment: MessageAppointment; from: Email['from'] }

/** The email of a message, in the attendee's time zone and in the coach's name. */
export function formatMessage(ctx: Ctx, { message, appointment, from }: Content): Email {
  const { kind } = message
  const { title, timezone, attendeeName } = appointment
  const coach = from?.name ?? ctx.platform.config.platformName
  // A cancelled appointment may have been moved before: name the time of which the attendee knows.
  const { startTime, endTime, place } = kind === 'cancellation' ? message : appointment
  const today = localDate(ctx.now(), timezone)
  const when = `${formatDateTimeRange(startTime, endTime, timezone, today)} (${formatZone(timezone, startTime)})`
  const url = getManageUrl(ctx, appointment.id)
  const invitation = formatInvitation(ctx, { message, appointment, coach, url })
  return {
    to: kind === 'cancellation' ? message.email : (appointment.attendeeEmail ?? message.email),
    replyTo: ctx.account.email,
    from,
    subject: `${getHeading(kind, appointment)}: ${title}, ${formatDateTimeRange(startTime, endTime, timezone, today)}`,
    paragraphs: [
      `Hello ${attendeeName},`,
      getFirstSentence(kind, appointment, coach),
      title,
      `When: ${when}`,
      ...(place ? [`Where: ${place}`] : []),
      ...(kind === 'cancellation' ? [] : [`Reply to this email to write to ${coach}.`]),
    ],
    button: url === null ? null : { label: kind === 'cancellation' ? 'See the session' : 'Change or cancel', url },
    ...(invitation ? { invitation } : {}),
  }
}

function getHeading(kind: MessageKind, { tentative }: MessageAppointment): string {
  if (kind === 'confirmation') return tentative ? 'Request received' : 'Confirmed'
  return { change: 'Changed', cancellation: 'Cancelled', reminder_day: 'Reminder', reminder_hour: 'Reminder' }[kind]
}

function getFirstSentence(kind: MessageKind, { tentative }: MessageAppointment, coach: string): string {
  if (kind === 'confirmation')
    return tentative
      ? `${coach} has received your request and will confirm it by email.`
      : `Your session with ${coach} is confirmed.`
  if (kind === 'change') return `Your session with ${coach} has changed. This is the new time and place.`
  if (kind === 'cancellation') return `Your session with ${coach} has been cancelled.`
  return `This is a reminder of your session with ${coach}.`
}

/** 'Central European Standard Time'. */
function formatZone(zone: string, at: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

type InvitationContent = Omit<Content, 'from'> & { coach: string; url: string | null }

/** None with a reminder: the attendee's calendar has the appointment. */
function formatInvitation(ctx: Ctx, { message, appointment, coach, url }: InvitationContent): Email['invitation'] {
  const { kind, sequence } = message
  if (kind === 'reminder_day' || kind === 'reminder_hour') return undefined
  const isCancellation = kind === 'cancellation'
  const { startTime, endTime, place } = isCancellation ? message : appointment
  const { id, title, attendeeName, attendeeEmail, tentative } = appointment
  const method = isCancellation ? 'CANCEL' : 'REQUEST'
  const event = {
    uid: getEventUid(ctx.platform.config, ctx.coachId, id),
    sequence,
    stamp: ctx.now(),
    start: new Date(startTime),
    end: new Date(endTime),
    title: `${title} (${coach})`,
    description: url === null ? null : `Change or cancel: ${url}`,
    location: place,
    status: isCancellation ? 'CANCELLED' : tentative ? 'TENTATIVE' : 'CONFIRMED',
    organizer: { name: coach, email: ctx.account.email },
    attendee: { name: attendeeName, email: isCancellation ? message.email : (attendeeEmail ?? message.email) },
  } as const
  return { method, content: formatCalendar([event], { method }) }
}
