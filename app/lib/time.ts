const hour = 3_600_000
const day = 24 * hour

/** 'Jan 14, 2026': the day of an instant, in a time zone. */
export function dayOf(at: string | Date, zone: string): string {
  const { year, month, day: date } = wallOf(new Date(at), zone)
  return `${months[month - 1]} ${date}, ${year}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day ('2026-01-14') in the words that `options` choose. */
export function dateWords(date: string, options: Intl.DateTimeFormatOptions): string {
  return format('UTC', JSON.stringify(options), options).format(new Date(`${date}T12:00:00Z`))
}

/** '10:12 AM': the time of day of an instant, in a time zone. */
export function clockOf(at: string | Date, zone: string): string {
  const { hour: hours, minute } = wallOf(new Date(at), zone)
  return `${hours % 12 || 12}:${String(minute).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`
}

/** 'Just now', '5h ago', '4d ago'. Source: part-1 §2. */
export function ago(at: string | Date, now: Date): string {
  const passed = now.getTime() - new Date(at).getTime()
  if (passed < hour) return 'Just now'
  return passed < day ? `${Math.floor(passed / hour)}h ago` : `${Math.floor(passed / day)}d ago`
}

/** The instant at which the month of `now` began in `zone`. */
export function monthStart(now: Date, zone: string): Date {
  return monthSpan(dateOf(now, zone).slice(0, 7), zone).from
}

/** The instants between which a month ('2026-01') lies in a time zone: from the first, until just before the second. */
export function monthSpan(month: string, zone: string): { from: Date; to: Date } {
  return { from: dayStart(`${month}-01`, zone), to: dayStart(`${addMonths(month, 1)}-01`, zone) }
}

/** The end of the same day of the month before, in `zone`; where that month has no such day, its own end. */
export function sameDayBefore(now: Date, zone: string): Date {
  const today = dateOf(now, zone)
  const next = addDays(`${addMonths(today.slice(0, 7), -1)}-01`, Number(today.slice(8)))
  const first = `${today.slice(0, 7)}-01`
  return dayStart(next < first ? next : first, zone)
}

/** '2026-01' and 1: '2026-02'. */
export function addMonths(month: string, count: number): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** '2026-01-31' and 1: '2026-02-01'. Days are counted on the calendar: some last 23 hours, some 25. */
export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * day).toISOString().slice(0, 10)
}

/** The instant at which a day ('2026-01-14') begins in a time zone; where the clock skips midnight, the first one after it. */
export function dayStart(date: string, zone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const guess = new Date(midnight - offsetOf(new Date(midnight), zone))
  const start = new Date(midnight - offsetOf(guess, zone))
  return dateOf(start, zone) === date ? start : new Date(Math.max(start.getTime(), guess.getTime()))
}

/** '2026-01-14': the day of an instant in a time zone, as date fields have it. */
export function dateOf(at: string | Date, zone: string): string {
  const { year, month, day } = wallOf(new Date(at), zone)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The instant of noon on a day ('2026-01-14') in a time zone. */
export function noonOf(date: string, zone: string): Date {
  return instantOf(date, '12:00', zone)
}

/** '09:30': the time of day of an instant in a time zone, as time fields have it. */
export function timeOf(at: string | Date, zone: string): string {
  const { hour, minute } = wallOf(new Date(at), zone)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/**
 * The instant at which the clocks of a time zone show a day ('2026-01-14') and a time ('09:30'; '24:00' is the end of the
 * day). A time that the clock skips is as much later as it skips; of one that it shows twice the first counts, or the first
 * behind `after`.
 */
export function instantOf(date: string, time: string, zone: string, after?: Date): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return shownAt(Date.parse(`${date}T00:00:00Z`) + hours * hour + minutes * 60_000, zone, after)
}

/** When the clock of `zone` shows what that of UTC shows at `wall`; see `instantOf`. */
function shownAt(wall: number, zone: string, after?: Date): Date {
  // The clock was set, if at all, between the day before and the day after.
  const [before, behind] = [-day, day].map((apart) => wall - offsetOf(new Date(wall + apart), zone)) as [number, number]
  const shown = [...new Set([before, behind])]
    .filter((at) => at + offsetOf(new Date(at), zone) === wall)
    .sort((a, b) => a - b)
  return new Date(shown.find((at) => !after || at > after.getTime()) ?? shown[0] ?? before)
}

/** What the wall clock of `zone` shows at an instant. */
function wallOf(at: Date, zone: string) {
  const wall = new Date(at.getTime() + offsetOf(at, zone))
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  }
}

/** Offsets by zone and day of UTC; null for a day on which the clock is set. */
const offsets = new Map<string, number | null>()
const mostOffsets = 50_000

/** Milliseconds that the wall clock of `zone` is ahead of UTC. Asking Intl for it costs ten times what looking it up does. */
function offsetOf(at: Date, zone: string): number {
  const days = Math.floor(at.getTime() / day)
  const key = `${zone} ${days}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    const [first, last] = [days * day, (days + 1) * day - 1_000].map((one) => askedOffset(one, zone)) as [
      number,
      number,
    ]
    offset = first === last ? first : null
    if (offsets.size >= mostOffsets) offsets.clear()
    offsets.set(key, offset)
  }
  return offset ?? askedOffset(at.getTime(), zone)
}

function askedOffset(at: number, zone: string): number {
  // '1/14/2026, 15:04:05': cheaper to read than formatToParts.
  const shown = format(zone, 'wall', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).format(at)
  const [month, date, year, hours, minute, second] = shown.match(/\d+/g)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  // Date.UTC takes the years up to 99 for those of the 20th century.
  return (
    new Date(Date.UTC(2000, month - 1, date, hours, minute, second)).setUTCFullYear(year) - Math.floor(at / 1000) * 1000
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 500

/** Making a format costs more than using it a hundred times. There are a few hundred zones, but each in many spellings. */
function format(zone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= mostFormats) formats.clear()
  const made = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}
