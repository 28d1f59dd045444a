import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import type { Config } from '#tenants/config.ts'

// A continued line begins with a space, which ical.js doesn't count: no line has more than 75 bytes.
ICAL.foldLength = 74

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
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Practice//Appointments//EN')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  calendar.addPropertyWithValue('method', method)
  if (name !== undefined) {
    // Without a type, values of other names are not escaped.
    add(calendar, { name: 'x-wr-calname', type: 'text', value: toText(name) })
    add(calendar, { name: 'refresh-interval', type: 'duration', value: ICAL.Duration.fromString('PT1H') })
  }
  for (const event of events) calendar.addSubcomponent(toComponent(event))
  return `${calendar.toString()}\r\n`
}

const calendarEnd = 'END:VCALENDAR\r\n'

/** As `formatCalendar`, in parts, for any number of events. */
export async function* streamCalendar(
  batches: AsyncIterable<CalendarEvent[]>,
  options: { method: CalendarMethod; name?: string },
): AsyncGenerator<string> {
  yield formatCalendar([], options).slice(0, -calendarEnd.length)
  for await (const events of batches) yield events.map((event) => `${toComponent(event)}\r\n`).join('')
  yield calendarEnd
}

function toComponent({ organizer, attendee, ...event }: CalendarEvent): ICAL.Component {
  const component = new ICAL.Component('vevent')
  const { description, location, url } = event
  component.addPropertyWithValue('uid', toText(event.uid))
  component.addPropertyWithValue('sequence', event.sequence)
  component.addPropertyWithValue('dtstamp', toTime(event.stamp))
  component.addPropertyWithValue('dtstart', toTime(event.start))
  component.addPropertyWithValue('dtend', toTime(event.end))
  component.addPropertyWithValue('summary', toText(event.title))
  if (description) component.addPropertyWithValue('description', toText(description))
  if (location) component.addPropertyWithValue('location', toText(location))
  if (url) component.addPropertyWithValue('url', toUri(url))
  component.addPropertyWithValue('status', event.status)
  if (organizer) addPerson(component, 'organizer', organizer)
  if (attendee)
    addPerson(component, 'attendee', attendee, { role: 'REQ-PARTICIPANT', partstat: 'ACCEPTED', rsvp: 'FALSE' })
  return component
}

type NewProperty = { name: string; type: string; value: string | ICAL.Duration; parameters?: Record<string, string> }

function add(component: ICAL.Component, { name, type, value, parameters = {} }: NewProperty): void {
  const property = new ICAL.Property([name, parameters, type, ''])
  property.setValue(value)
  component.addProperty(property)
}

function addPerson(component: ICAL.Component, name: string, person: Person, parameters: Record<string, string> = {}) {
  const cn = person.name.replaceAll(controls, '').replaceAll(/["\r\n]/g, ' ')
  const value = `mailto:${toUri(person.email)}`
  add(component, { name, type: 'cal-address', value, parameters: { cn, ...parameters } })
}

const toTime = (time: Date): ICAL.Time => ICAL.Time.fromJSDate(time, true)

// oxlint-disable-next-line no-control-regex -- what no line may contain
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const toText = (text: string): string => text.replaceAll(controls, '').replaceAll(/\r\n|\r/g, '\n')

const toUri = (uri: string): string => uri.replaceAll(controls, '').replaceAll(/\s/g, '')

type IdentifiedAppointment = { id: number; uidNamesHost: boolean }

/**
 * Stays the same as long as the appointment exists, in emails, downloads and feeds, and names no host (RFC 7986). That
 * of an appointment of an earlier version still does: with another one, calendars would show it twice.
 */
export const getEventUid = (config: Config, coachId: number, { id, uidNamesHost }: IdentifiedAppointment): string =>
  `appointment-${coachId}-${id}${getUidEnding(config, uidNamesHost)}`

/** Whether an event of another calendar is an appointment of this installation. */
export const isOwnUid = (config: Config, uid: string): boolean =>
  uid.startsWith('appointment-') && [true, false].some((namesHost) => uid.endsWith(getUidEnding(config, namesHost)))

/** Tells installations apart. */
function getUidEnding({ origin }: Config, namesHost: boolean): string {
  const { hostname } = new URL(origin)
  return `@${namesHost ? hostname : createHash('sha256').update(hostname).digest('hex').slice(0, 24)}`
}
