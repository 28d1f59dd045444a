import { formatZone, localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Email } from '#tenants/mail.ts'
import { formatDateTimeRange } from '../format.ts'
import { getCoachName, toEvent } from './format.ts'
import { formatCalendar } from './ics.ts'
import type { ClaimedMessage } from './message.ts'

const texts = {
  confirmation: { heading: 'Confirmed', sentence: 'These sessions with {coach} are confirmed.' },
  change: {
    heading: 'Changed',
    sentence: 'These sessions with {coach} have changed. These are the new times and places.',
  },
  cancellation: { heading: 'Cancelled', sentence: 'These sessions with {coach} have been cancelled.' },
}

const linkHint = 'To change or cancel one of them, use its link in the calendar file.'

/** One email about several sessions, with a calendar file that has an event for each. */
export function formatSeriesMessage(
  ctx: Ctx,
  { claimed, from }: { claimed: ClaimedMessage[]; from: Email['from'] },
): Email {
  const [{ message, appointment }] = claimed as [ClaimedMessage]
  const { title, timezone, attendeeName, attendeeEmail } = appointment
  const { heading, sentence } = texts[message.kind as keyof typeof texts]
  const coach = getCoachName(ctx, from)
  const isCancellation = message.kind === 'cancellation'
  // A cancelled session may have been moved before: name the times of which the attendee knows.
  const sessions = claimed.map((one) => (isCancellation ? one.message : one.appointment))
  const today = localDate(ctx.now(), timezone)
  const settings = { ...ctx.account, timezone }
  const whens = sessions.map(({ startTime, endTime }) => formatDateTimeRange(startTime, endTime, settings, today))
  const places = [...new Set(sessions.map(({ place }) => place))].filter((place) => place !== null)
  const events = claimed.map((one) => toEvent(ctx, { ...one, from }))
  return {
    to: isCancellation ? message.email : (attendeeEmail ?? message.email),
    replyTo: ctx.account.email,
    from,
    subject: `${heading}: ${title}, ${claimed.length} sessions from ${whens[0]}`,
    paragraphs: [
      `Hello ${attendeeName},`,
      sentence.replace('{coach}', () => coach),
      title,
      `When (${formatZone(timezone, sessions[0]!.startTime)}):`,
      ...whens,
      ...(places.length ? [`Where: ${places.join(', ')}`] : []),
      ...(isCancellation || !ctx.account.subdomain ? [] : [linkHint]),
      ...(isCancellation ? [] : [`Reply to this email to write to ${coach}.`]),
    ],
    button: null,
    // A request may have one event only (RFC 5546).
    invitation: { method: 'PUBLISH', content: formatCalendar(events, { method: 'PUBLISH' }) },
  }
}
