import type { TimeSettings } from '#app/lib/clock.ts'
import { formatZone, localDate } from '#app/lib/time.ts'
import { toCoach } from '#modules/core/notifications.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Email, Invitation } from '#tenants/mail.ts'
import { formatDateTimeRange, formatDay } from '../format.ts'
import { formatCalendar, getEventUid, type CalendarEvent } from './ics.ts'
import { getManageUrl } from './manage-link.ts'
import { isForCoach, type MessageKind } from './kinds.ts'
import type { Message, MessageAppointment } from './message.ts'
import { fillBody, fillSubject, type MessageText, type PlaceholderValues, type TextKind } from './texts.ts'

type Told = Pick<Message, 'kind' | 'sequence' | 'email' | 'startTime' | 'endTime' | 'place'>
/** A message and its appointment. */
export type Announced = { message: Told; appointment: MessageAppointment }
type Content = Announced & { from: Email['from']; text: MessageText | null }

/** Which text a message has; null for those to the coach. */
export function getTextKind(kind: MessageKind, { tentative }: Pick<MessageAppointment, 'tentative'>): TextKind | null {
  if (kind === 'confirmation' && tentative) return 'request'
  return isForCoach(kind) ? null : (kind as TextKind)
}

/**
 * The email of a message: to the attendee in their time zone and in the coach's name and time format, or to the coach.
 */
export function formatMessage(ctx: Ctx, content: Content): Email {
  const { message, appointment, from, text } = content
  if (!text) return formatCoachMessage(ctx, content)
  const { kind } = message
  const values = getPlaceholderValues(ctx, content)
  // The attendee's calendar has the appointment of a reminder or a follow-up.
  const hasInvitation = kind !== 'reminder' && kind !== 'follow_up'
  return {
    to: kind === 'cancellation' ? message.email : (appointment.attendeeEmail ?? message.email),
    replyTo: ctx.account.email,
    from,
    subject: fillSubject(text.subject, values),
    paragraphs: fillBody(text.body, values),
    button: getButton(kind, values),
    ...(hasInvitation ? { invitations: [formatInvitation(ctx, content)] } : {}),
  }
}

export function getButton(kind: MessageKind, { link }: Pick<PlaceholderValues, 'link'>): Email['button'] {
  if (link === '' || kind === 'follow_up') return null
  return { label: kind === 'cancellation' ? 'See the session' : 'Change or cancel', url: link }
}

/** A cancelled appointment may have been moved before: name the time of which the attendee knows. */
export const getOccasion = ({ message, appointment }: Announced) =>
  message.kind === 'cancellation' ? message : appointment

export function getPlaceholderValues(
  ctx: Ctx,
  { message, appointment, from }: Omit<Content, 'text'>,
): PlaceholderValues {
  const { id, title, timezone, attendeeName, sessionsLeft } = appointment
  const { startTime, endTime, place } = getOccasion({ message, appointment })
  const settings = { ...ctx.account, timezone }
  const when = formatDateAndTime(startTime, endTime, settings, localDate(ctx.now(), timezone))
  return {
    'client name': attendeeName,
    'client first name': attendeeName.split(/\s+/)[0]!,
    'coach name': getCoachName(ctx, from),
    session: title,
    ...when,
    'time zone': formatZone(timezone, startTime),
    place: place ?? '',
    'sessions left': sessionsLeft ?? '',
    link: (id === 0 ? getBookingUrl(ctx) : getManageUrl(ctx, id)) ?? '',
    sessions: `${when.date}, ${when.time}`,
    'number of sessions': '1',
  }
}

export const getCoachName = (ctx: Ctx, from: Email['from']): string => from?.name ?? ctx.platform.config.platformName

/** In place of the link of a sample. */
function getBookingUrl({ account, platform }: Ctx): string | null {
  const origin = coachOrigin(platform.config, account)
  return origin && `${origin}/book`
}

/** 'Tuesday, March 10' and '9:00 – 9:45 AM'. The time names the day of the end if it is another one. */
function formatDateAndTime(start: string, end: string, settings: TimeSettings, today: string) {
  const date = formatDay(localDate(start, settings.timezone), today)
  return { date, time: formatDateTimeRange(start, end, settings, today).slice(date.length + 2) }
}

export function formatInvitation(ctx: Ctx, content: Omit<Content, 'text'>): Invitation {
  const method = content.message.kind === 'cancellation' ? 'CANCEL' : 'REQUEST'
  return { method, content: formatCalendar([toEvent(ctx, content)], { method }) }
}

function toEvent(ctx: Ctx, { message, appointment, from }: Omit<Content, 'text'>): CalendarEvent {
  const isCancellation = message.kind === 'cancellation'
  const { startTime, endTime, place } = getOccasion({ message, appointment })
  const { id, title, attendeeName, attendeeEmail, tentative } = appointment
  const coach = getCoachName(ctx, from)
  const url = getManageUrl(ctx, id)
  return {
    uid: getEventUid(ctx.platform.config, ctx.coachId, appointment),
    sequence: message.sequence,
    stamp: ctx.now(),
    start: new Date(startTime),
    end: new Date(endTime),
    title: `${title} (${coach})`,
    description: url === null ? null : `Change or cancel: ${url}`,
    location: place,
    status: isCancellation ? 'CANCELLED' : tentative ? 'TENTATIVE' : 'CONFIRMED',
    organizer: { name: coach, email: ctx.account.email },
    attendee: { name: attendeeName, email: isCancellation ? message.email : (attendeeEmail ?? message.email) },
  }
}

const coachTexts = {
  coach_booked: { heading: 'Booked', sentence: 'has booked a session.' },
  coach_moved: { heading: 'Moved', sentence: 'has moved a session.' },
  coach_cancelled: { heading: 'Cancelled', sentence: 'has cancelled a session.' },
}

/** In the platform's name and the coach's time zone. Replies go to the attendee. */
function formatCoachMessage(ctx: Ctx, { message, appointment, from }: Content): Email {
  const { timezone } = ctx.account
  const { id, title, attendeeName, attendeeEmail, tentative, place, startTime } = appointment
  const today = localDate(ctx.now(), timezone)
  const kind = message.kind as keyof typeof coachTexts
  const format = (at: { startTime: string; endTime: string }) =>
    formatDateTimeRange(at.startTime, at.endTime, ctx.account, today)
  const when = format(appointment)
  const isCancelled = kind === 'coach_cancelled'
  const reasons = {
    coach_booked: null,
    coach_moved: appointment.moveReason,
    coach_cancelled: appointment.cancellationReason,
  }
  const method = isCancelled ? 'CANCEL' : 'PUBLISH'
  const event = {
    uid: getEventUid(ctx.platform.config, ctx.coachId, appointment),
    sequence: message.sequence,
    stamp: ctx.now(),
    start: new Date(startTime),
    end: new Date(appointment.endTime),
    title: `${title} (${attendeeName})`,
    location: place,
    // The coach's own calendar: there is nobody to invite.
    organizer: { name: getCoachName(ctx, from), email: ctx.account.email },
    status: isCancelled ? 'CANCELLED' : tentative ? 'TENTATIVE' : 'CONFIRMED',
  } as const
  return {
    ...toCoach(ctx),
    ...(attendeeEmail ? { replyTo: attendeeEmail } : {}),
    subject: `${coachTexts[kind].heading}: ${attendeeName}, ${when}`.replaceAll(/\s+/g, ' '),
    paragraphs: [
      `${attendeeName} ${coachTexts[kind].sentence}`,
      title,
      `When: ${when} (${formatZone(timezone, startTime)})`,
      ...(kind === 'coach_moved' ? [`Before: ${format(message)}`] : []),
      ...(place ? [`Where: ${place}`] : []),
      ...(reasons[kind] ? [`Reason: ${reasons[kind]}`] : []),
      ...(tentative && !isCancelled ? ['It is waiting for you to confirm it.'] : []),
    ],
    button: {
      label: 'Open the session',
      url: `${ctx.platform.config.origin}/calendar?dialog=appointment&appointment=${id}`,
    },
    invitations: [{ method, content: formatCalendar([event], { method }) }],
  }
}
