import type { Config } from '#tenants/config.ts'

/** An appointment as calendars read it (RFC 5545). Times are UTC, so that no time zone has to be described. */
export type CalendarEvent = {
  uid: string
  /** Grows with each change: calendars ignore an older one. */
  sequence: number
  /** When this text was made. */
  stamp: Date
  start: Date
  end: Date
  title: string
  description?: string | null
  location?: string | null
  url?: string | null
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  organizer?: Person
  attendee?: Person
}
type Person = { name: string; email: string }

export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH'

/** Writes events as an iCalendar file. `name`: of a calendar that can be subscribed to. */
export function formatCalendar(
  events: CalendarEvent[],
  { method, name }: { method: CalendarMethod; name?: string },
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Practice//Appointments//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...(name === undefined ? [] : [`X-WR-CALNAME:${escapeText(name)}`, 'REFRESH-INTERVAL;VALUE=DURATION:PT1H']),
    ...events.flatMap(formatEvent),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

function formatEvent({ organizer, attendee, ...event }: CalendarEvent): string[] {
  const { description, location, url } = event
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${formatUtc(event.stamp)}`,
    `DTSTART:${formatUtc(event.start)}`,
    `DTEND:${formatUtc(event.end)}`,
    `SUMMARY:${escapeText(event.title)}`,
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    ...(location ? [`LOCATION:${escapeText(location)}`] : []),
    ...(url ? [`URL:${toUri(url)}`] : []),
    `STATUS:${event.status}`,
    ...(organizer ? [`ORGANIZER;CN=${quoteParameter(organizer.name)}:mailto:${toUri(organizer.email)}`] : []),
    ...(attendee
      ? [
          `ATTENDEE;CN=${quoteParameter(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE` +
            `:mailto:${toUri(attendee.email)}`,
        ]
      : []),
    'END:VEVENT',
  ]
}

const formatUtc = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '')}Z`

// oxlint-disable-next-line no-control-regex -- what no line may contain
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const escapeText = (text: string): string =>
  text
    .replaceAll(controls, '')
    .replaceAll(/[\\;,]/g, (char) => `\\${char}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')

/** A quoted parameter can't contain quotes, in any escaping. */
const quoteParameter = (text: string): string => `"${text.replaceAll(controls, '').replaceAll(/["\r\n]/g, ' ')}"`

const toUri = (uri: string): string => uri.replaceAll(controls, '').replaceAll(/\s/g, '')

/** Lines have at most 75 bytes; a continuation begins with a space. Characters are not split. */
function foldLine(line: string): string {
  let folded = ''
  let bytes = 0
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (bytes + size > 75) {
      folded += '\r\n '
      bytes = 1
    }
    folded += char
    bytes += size
  }
  return folded
}

/** Stays the same as long as the appointment exists, in emails, downloads and feeds. */
export const getEventUid = (config: Config, coachId: number, appointmentId: number): string =>
  `appointment-${coachId}-${appointmentId}@${new URL(config.origin).hostname}`
