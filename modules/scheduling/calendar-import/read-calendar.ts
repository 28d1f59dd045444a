import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { AppError } from '#app/lib/errors.ts'
import { addDays, dayMs, dayStart } from '#app/lib/time.ts'
import { expandRule, RepeatsTooOften, type Budget } from './expand-rule.ts'
import { createZones, isIanaZone, type LocalTime, type Zone, type Zones } from './zones.ts'

/** The largest file. */
export const maxBytes = 5 * 1024 * 1024
/** The most occurrences that a file may have within the window. */
export const maxEvents = 20_000
/** Days before and after today of which events are read. */
export const [pastDays, futureDays] = [730, 400]
/** The most added and removed dates of one event, and of a file. */
const [maxDates, maxFileDates] = [5000, 20_000]
/** The most milliseconds that the repeating events of a file take. */
const maxRuleTime = 2500

/** An event of a file, or one occurrence of a repeating one. */
export type FileEvent = {
  /** The UID, and the original start of an occurrence: the same in each export. */
  key: string
  uid: string
  title: string
  description: string | null
  location: string | null
  meetingUrl: string | null
  /** The organizer and the attendees. */
  emails: string[]
  start: Date
  end: Date
  /** An IANA name. */
  timezone: string | null
  isAllDay: boolean
  isTentative: boolean
}

export const leaveReasons = {
  cancelled: 'cancelled',
  free: 'marked as free, or declined',
  outside: 'outside of the last two years and the next 400 days',
  repeats: 'repeats in a way that can’t be read',
  broken: 'not readable',
} as const
export type LeaveReason = keyof typeof leaveReasons

export type CalendarFile = {
  events: FileEvent[]
  leftOut: Partial<Record<LeaveReason, number>>
  /** Time zones that nothing describes: their times are taken as the coach's. */
  unknownZones: string[]
}

export const fileTooLargeError = (): AppError =>
  new AppError('too_large', 'This file is larger than 5 MB. Export a single calendar, or a shorter time.', {
    field: 'file',
  })
const invalid = (message: string): AppError => new AppError('validation_failed', message, { field: 'file' })

/**
 * Reads a calendar file (RFC 5545) as Google, Outlook and Apple export it. Events that can't be read are counted, not
 * thrown. Gives other requests their turn in between. Throws validation_failed for another kind of file and for too
 * many events.
 */
export async function readCalendar(
  content: Uint8Array,
  { timezone, now }: { timezone: string; now: Date },
): Promise<CalendarFile> {
  const { events, zones, timezone: fileZone } = splitFile(decode(content))
  const resolver = createZones(zones, isIanaZone(fileZone) ? fileZone : timezone)
  const reader = new Reader(resolver, timezone, now)
  for await (const lines of inTurns(events)) reader.add(lines)
  for await (const add of inTurns(reader.additions())) add()
  return { ...reader.result(), unknownZones: resolver.unknown() }
}

/** Lets other requests have their turn every 20 milliseconds. */
async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let began = performance.now()
  for (const item of items) {
    if (performance.now() - began > 20) {
      await new Promise((resolve) => setImmediate(resolve))
      began = performance.now()
    }
    yield item
  }
}

function decode(content: Uint8Array): string {
  if (content[0] === 0x50 && content[1] === 0x4b)
    throw invalid('This is a ZIP file. Open it, then choose one of the .ics files in it.')
  const encoding = content[0] === 0xff && content[1] === 0xfe ? 'utf-16le' : 'utf-8'
  const text = new TextDecoder(encoding).decode(content).trimStart()
  if (!/^BEGIN:VCALENDAR\s/i.test(text))
    throw invalid('This is not a calendar file. Choose a file whose name ends with .ics.')
  return text
}

/** The properties that are read. Others, such as attachments, cost nothing. */
const eventProperties =
  /^(uid|dtstart|dtend|duration|rrule|rdate|exdate|recurrence-id|summary|description|location|url|status|transp|attendee|organizer|sequence|x-microsoft-cdo-busystatus|x-google-conference)[;:]/i

/** The lines of the events and time zones, so that a broken one spoils no other. */
function splitFile(text: string) {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r\n|\r|\n/)
  const found = { events: [] as string[][], zones: [] as string[][], timezone: '' }
  let component: { name: string; lines: string[]; depth: number } | null = null
  for (const line of lines) {
    const [, verb, name = ''] = /^(BEGIN|END):(\w+)\s*$/i.exec(line) ?? []
    if (!component) {
      if (verb?.toUpperCase() === 'BEGIN' && /^(vevent|vtimezone)$/i.test(name))
        component = { name: name.toUpperCase(), lines: [], depth: 1 }
      else if (/^x-wr-timezone:/i.test(line)) found.timezone = line.slice(14).trim()
      continue
    }
    if (verb) component.depth += verb.toUpperCase() === 'BEGIN' ? 1 : -1
    if (component.depth === 0) {
      if (component.name === 'VEVENT') found.events.push(component.lines)
      else found.zones.push(component.lines)
      component = null
    } else if (component.name === 'VTIMEZONE' || (component.depth === 1 && !verb && eventProperties.test(line)))
      component.lines.push(line)
  }
  return found
}

/** A moment of an event: `instant` in milliseconds, of an all-day one its start in the coach's zone. */
type Moment = LocalTime & { isDate: boolean; instant: number; zone: Zone | null }
type Series = { master: ICAL.Component | null; overrides: Map<string, ICAL.Component> }
type Used = { used: Set<string> }

class Reader {
  readonly #zones: Zones
  readonly #timezone: string
  readonly #from: number
  readonly #to: number
  readonly #budget: Budget = { time: maxRuleTime }
  #dates = 0
  readonly #series = new Map<string, Series>()
  readonly #events = new Map<string, FileEvent>()
  readonly #leftOut: Partial<Record<LeaveReason, number>> = {}

  constructor(zones: Zones, timezone: string, now: Date) {
    this.#zones = zones
    this.#timezone = timezone
    this.#from = now.getTime() - pastDays * dayMs
    this.#to = now.getTime() + futureDays * dayMs
  }

  result = () => ({ events: [...this.#events.values()], leftOut: this.#leftOut })

  add(lines: string[]): void {
    this.#try(() => {
      this.#countDates(lines)
      const event = new ICAL.Component(ICAL.parse(['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')) as never[])
      const uid = toLine(getText(event, 'uid'), 1000) || createHash('sha256').update(lines.join('\n')).digest('hex')
      const series = this.#series.get(uid) ?? { master: null, overrides: new Map() }
      const recurrence = event.getFirstProperty('recurrence-id')
      if (recurrence) {
        const key = toKey(this.#moment(recurrence)!)
        if (isNewer(event, series.overrides.get(key))) series.overrides.set(key, event)
      } else if (isNewer(event, series.master)) series.master = event
      this.#series.set(uid, series)
    })
  }

  /** Before they are parsed, which takes long. */
  #countDates(lines: string[]): void {
    const dates = lines
      .filter((line) => /^(exdate|rdate)[;:]/i.test(line))
      .reduce((sum, line) => sum + line.split(',').length, 0)
    if (dates > maxDates || this.#dates + dates > maxFileDates) throw new RepeatsTooOften()
    this.#dates += dates
  }

  /** Lists steps that add the occurrences of all events. */
  *additions(): Generator<() => void> {
    for (const [uid, { master, overrides }] of this.#series) {
      const used = new Set<string>()
      if (master) yield () => this.#addMaster(uid, master, { overrides, used })
      for (const [key, override] of overrides)
        if (!used.has(key))
          yield () =>
            this.#try(() => {
              const refused = this.#addOne(uid, key, override)
              if (refused !== null) this.#leave(refused)
            })
    }
  }

  /** Notes in `used` which overrides have taken the place of an occurrence. */
  #addMaster(uid: string, master: ICAL.Component, { overrides, used }: Pick<Series, 'overrides'> & Used): void {
    this.#try(() => {
      const isRepeating = master.hasProperty('rrule') || master.hasProperty('rdate')
      for (const start of this.#starts(master)) {
        const key = isRepeating ? toKey(start) : ''
        const name = this.#namesOf(start).find((one) => overrides.has(one))
        if (name !== undefined) used.add(name)
        const added =
          name === undefined ? this.#addOne(uid, key, master, start) : this.#addOne(uid, key, overrides.get(name)!)
        if (!isRepeating && added !== null) this.#leave(added)
      }
    })
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (error instanceof AppError) throw error
      this.#leave(error instanceof RepeatsTooOften ? 'repeats' : 'broken')
    }
  }

  #leave(reason: LeaveReason): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1
  }

  /** The starts of an event, or those within the window of one that repeats. */
  #starts(event: ICAL.Component): Moment[] {
    const first = this.#moment(event.getFirstProperty('dtstart'))
    if (!first) throw new Error('The event has no start.')
    const rules = event.getAllProperties('rrule').map((property) => property.getFirstValue() as ICAL.Recur)
    const added = event.getAllProperties('rdate').flatMap((property) => this.#moments(property))
    if (!rules.length && !added.length) return [first]
    const removed = new Set(event.getAllProperties('exdate').flatMap((one) => this.#moments(one).map(toKey)))
    const starts = new Map<string, Moment>()
    const add = (moment: Moment) => starts.set(toKey(moment), moment)
    // The start counts even if the rule doesn't match it.
    add(first)
    // A day more: the rule's times are local.
    const until = new Date(this.#to + dayMs)
    for (const rule of rules)
      for (const time of expandRule(rule, first, { until, toLocal: this.#toLocal(first), budget: this.#budget }))
        add(this.#locate(time, first))
    for (const moment of added) add(moment)
    return [...starts.values()].filter((start) => !this.#namesOf(start).some((name) => removed.has(name)))
  }

  /** How exceptions name an occurrence: by its start, or by its day, which Outlook may write as midnight. */
  #namesOf(start: Moment): string[] {
    return [toKey(start), start.date, toKey(this.#locate({ ...start, time: '00:00' }, start))]
  }

  /** Returns why the event was not added, or null. */
  #addOne(uid: string, recurrence: string, event: ICAL.Component, occurrence?: Moment): LeaveReason | null {
    if (/^cancelled$/i.test(getText(event, 'status'))) return 'cancelled'
    if (isFree(event)) return 'free'
    const first = this.#moment(event.getFirstProperty('dtstart'))!
    const start = occurrence ?? first
    const end = this.#end(event, first, start)
    if (end <= start.instant) return 'free'
    if (end <= this.#from || start.instant >= this.#to) return 'outside'
    if (this.#events.size >= maxEvents)
      throw invalid(`This file has more than ${maxEvents.toLocaleString('en-US')} events. Export a shorter time.`)
    const key = `${uid}\n${recurrence}`
    const location = toLine(getText(event, 'location'), 500) || null
    this.#events.set(key, {
      key,
      uid,
      title: toLine(getText(event, 'summary'), 255) || 'Busy',
      description: toText(getText(event, 'description')) || null,
      location,
      meetingUrl:
        [getText(event, 'x-google-conference'), getText(event, 'url'), location ?? ''].find(isMeetingUrl) ?? null,
      emails: ['organizer', 'attendee'].flatMap((name) => event.getAllProperties(name).flatMap(toEmail)),
      start: new Date(start.instant),
      end: new Date(end),
      timezone: start.zone?.name ?? null,
      isAllDay: start.isDate,
      isTentative: /^tentative$/i.test(getText(event, 'status')),
    })
    return null
  }

  /** The end of an occurrence, which lasts as long on the clock as the first one. */
  #end(event: ICAL.Component, first: Moment, start: Moment): number {
    const duration = event.getFirstPropertyValue('duration') as ICAL.Duration | null
    const end = this.#moment(event.getFirstProperty('dtend'))
    if (!end && duration) {
      if (start.isDate)
        return dayStart(addDays(start.date, Math.round(duration.toSeconds() / 86_400)), this.#timezone).getTime()
      return start.instant + duration.toSeconds() * 1000
    }
    if (start.isDate) {
      const days = end ? Math.round((Date.parse(end.date) - Date.parse(first.date)) / dayMs) : 1
      return dayStart(addDays(start.date, Math.max(1, days)), this.#timezone).getTime()
    }
    if (!end) return start.instant
    if (start === first || end.zone !== first.zone) return start.instant + end.instant - first.instant
    const length = toWall(end) - toWall(first)
    return this.#locate(fromWall(toWall(start) + length), start).instant
  }

  #moments(property: ICAL.Property): Moment[] {
    const tzid = property.getFirstParameter('tzid')
    return property
      .getValues()
      .map((value) => this.#fromTime((value instanceof ICAL.Period ? value.start : value) as ICAL.Time, tzid))
  }

  #moment(property: ICAL.Property | null): Moment | null {
    return property && this.#fromTime(property.getFirstValue() as ICAL.Time, property.getFirstParameter('tzid'))
  }

  #fromTime(time: ICAL.Time, tzid: string | undefined): Moment {
    const { isDate } = time
    const isUtc = time.zone === ICAL.Timezone.utcTimezone
    const zone = isDate ? null : isUtc ? this.#zones.utc : this.#zones.find(tzid)
    const local = fromWall(Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute))
    if (time.year < 1900 || time.year > 2200 || Number.isNaN(Date.parse(local.date))) throw new Error('Not a time.')
    return this.#locate(local, { isDate, zone })
  }

  #locate(local: LocalTime, { isDate, zone }: Pick<Moment, 'isDate' | 'zone'>): Moment {
    const instant = zone ? zone.toInstant(local) : dayStart(local.date, this.#timezone).getTime()
    return { ...local, isDate, zone, instant }
  }

  /** The local time of a rule's last occurrence, which is in UTC. */
  #toLocal({ zone }: Moment): (instant: number) => LocalTime {
    const offset = (local: LocalTime) => (zone ? zone.toInstant(local) : toWall(local)) - toWall(local)
    return (instant) => fromWall(instant - offset(fromWall(instant - offset(fromWall(instant)))))
  }
}

const toKey = ({ isDate, date, instant }: Moment): string => (isDate ? date : new Date(instant).toISOString())
const toWall = ({ date, time }: LocalTime): number => Date.parse(`${date}T${time}:00Z`)
const fromWall = (wall: number): LocalTime => {
  const iso = new Date(wall).toISOString()
  return { date: iso.slice(0, 10), time: iso.slice(11, 16) }
}

/** The last version of the highest sequence counts. */
const isNewer = (event: ICAL.Component, other: ICAL.Component | null | undefined): boolean =>
  !other || toSequence(event) >= toSequence(other)
const toSequence = (event: ICAL.Component): number => Number(event.getFirstPropertyValue('sequence')) || 0

function isFree(event: ICAL.Component): boolean {
  const isDeclined = event
    .getAllProperties('attendee')
    .some((one) => /^declined$/i.test(String(one.getFirstParameter('partstat') ?? '')))
  const others = event.getAllProperties('attendee').length
  return (
    /^transparent$/i.test(getText(event, 'transp')) ||
    /^free$/i.test(getText(event, 'x-microsoft-cdo-busystatus')) ||
    (isDeclined && others === 1)
  )
}

function getText(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name)
  return value === null || value === undefined ? '' : String(value)
}

const toEmail = (property: ICAL.Property): string[] => {
  const [, email] = /^(?:mailto:)?([^\s<>@]{1,64}@[^\s<>@]{1,255})$/i.exec(String(property.getFirstValue())) ?? []
  return email ? [email.toLowerCase()] : []
}

const isMeetingUrl = (value: string): boolean =>
  value.length <= 2000 && /^https:\/\/[^\s/]/i.test(value) && !/\s/.test(value) && URL.canParse(value)

/** One line without control characters. */
const toLine = (text: string, max: number): string =>
  [...text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')].slice(0, max).join('').trim()

/** Plain text: Google writes descriptions as HTML. */
const toText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/<br\s{0,5}\/?>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, 10_000)
    .toWellFormed()
    .trim()
