import ICAL from 'ical.js'
import { zonedToInstant } from '#app/lib/time.ts'
import { windowsZones } from './windows-zones.ts'

/** '2026-03-10' and '09:30'. */
export type LocalTime = { date: string; time: string }
/** `name`: an IANA name; null for a zone that only the file describes. */
export type Zone = { name: string | null; toInstant: (local: LocalTime) => number }

export type Zones = {
  utc: Zone
  /** The zone of a TZID; without one, the file's or the coach's. */
  find(tzid: string | undefined): Zone
  /** The names that are not known. */
  unknown(): string[]
}

/** The most time zones that a file may describe itself. */
const maxDescribed = 50

/** `described`: the lines of the file's VTIMEZONEs. `fallback`: for times without a known zone. */
export function createZones(described: string[][], fallback: string): Zones {
  const blocks = new Map(described.slice(0, maxDescribed).map((lines) => [findValue(lines, 'TZID'), lines]))
  const known = new Map<string, Zone>()
  const unknown = new Set<string>()
  const standard = toZone(fallback)
  const resolve = (tzid: string): Zone => {
    const lines = blocks.get(tzid)
    const name = [tzid, windowsZones[tzid], lastParts(tzid), lines && findValue(lines, 'X-LIC-LOCATION')].find(
      isIanaZone,
    )
    if (name) return toZone(name)
    const own = lines && describedZone(lines)
    if (own) return own
    unknown.add(tzid.slice(0, 100))
    return standard
  }
  return {
    utc: toZone('UTC'),
    unknown: () => [...unknown].slice(0, 20),
    find: (tzid) => {
      if (!tzid) return standard
      const zone = known.get(tzid) ?? resolve(tzid)
      known.set(tzid, zone)
      return zone
    },
  }
}

const toZone = (name: string): Zone => ({
  name,
  toInstant: ({ date, time }) => zonedToInstant(date, time, name).getTime(),
})

/** '/mozilla.org/20070129_1/Europe/Berlin': 'Europe/Berlin'. */
const lastParts = (tzid: string): string => tzid.split('/').slice(-2).join('/')

export function isIanaZone(name: string | undefined): name is string {
  if (!name || name.length > 100 || !/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function findValue(lines: string[], name: string): string {
  const line = lines.find((one) => new RegExp(`^${name}[;:]`, 'i').test(one))
  return line?.slice(line.indexOf(':') + 1).trim() ?? ''
}

/** A rule for daylight saving. Others could take forever. */
const plainRule =
  /^RRULE:(?:;?(?:FREQ=YEARLY|INTERVAL=1|BYMONTH=\d{1,2}|BYDAY=-?\d?[A-Z]{2}|UNTIL=[\dTZ]+|WKST=[A-Z]{2}))+$/i

/** A zone with the rules of the file. */
function describedZone(lines: string[]): Zone | null {
  if (lines.length > 500 || lines.some((line) => /^RRULE/i.test(line) && !plainRule.test(line))) return null
  try {
    const text = ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'].join('\r\n')
    const component = new ICAL.Component(ICAL.parse(text) as never[])
    const zone = new ICAL.Timezone({ component, tzid: findValue(lines, 'TZID') })
    const toInstant = ({ date, time }: LocalTime): number => {
      const local = ICAL.Time.fromDateTimeString(`${date}T${time}:00`)
      local.zone = zone
      return local.toUnixTime() * 1000
    }
    return Number.isFinite(toInstant({ date: '2026-01-01', time: '00:00' })) ? { name: null, toInstant } : null
  } catch {
    return null
  }
}
