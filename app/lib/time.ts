const hour = 3_600_000
const day = 24 * hour

/** 'Jan 14, 2026': the day of an instant, in a time zone. */
export function dayOf(at: string | Date, zone: string): string {
  return format(zone, 'day', { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(at))
}

/** '10:12 AM': the time of day of an instant, in a time zone. */
export function clockOf(at: string | Date, zone: string): string {
  return format(zone, 'clock', { hour: 'numeric', minute: '2-digit' }).format(new Date(at))
}

/** 'Just now', '5h ago', '4d ago'. Source: part-1 §2. */
export function ago(at: string | Date, now: Date): string {
  const passed = now.getTime() - new Date(at).getTime()
  if (passed < hour) return 'Just now'
  return passed < day ? `${Math.floor(passed / hour)}h ago` : `${Math.floor(passed / day)}d ago`
}

/** The instant at which the month of `now` began in `zone`. */
export function monthStart(now: Date, zone: string): Date {
  const { year, month } = wallOf(now, zone)
  const midnight = Date.UTC(year, month - 1, 1)
  // The zone's distance to UTC may change between the guess and the instant itself: twice is enough.
  const guess = new Date(midnight - offsetOf(new Date(midnight), zone))
  return new Date(midnight - offsetOf(guess, zone))
}

/** '2026-01-14': the day of an instant in a time zone, as date fields have it. */
export function dateOf(at: string | Date, zone: string): string {
  const { year, month, day } = wallOf(new Date(at), zone)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The instant of noon on a day ('2026-01-14') in a time zone. */
export function noonOf(date: string, zone: string): Date {
  const noon = Date.parse(`${date}T12:00:00Z`)
  const guess = new Date(noon - offsetOf(new Date(noon), zone))
  return new Date(noon - offsetOf(guess, zone))
}

/** Milliseconds that the wall clock of `zone` is ahead of UTC. */
function offsetOf(at: Date, zone: string): number {
  const { year, month, day, hour, minute, second } = wallOf(at, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000
}

function wallOf(at: Date, zone: string) {
  const parts = format(zone, 'wall', {
    year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute'), second: part('second') }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs more than using it a hundred times; there are a few hundred zones. */
function format(zone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}
