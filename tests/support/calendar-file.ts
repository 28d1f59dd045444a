/** A property of an iCalendar file: `value` is as written; `text` without escapes. */
type Property = { params: Record<string, string>; value: string; text: string }
export type ParsedEvent = Record<string, Property>
export type ParsedCalendar = { properties: Record<string, Property>; events: ParsedEvent[] }

/**
 * Reads an iCalendar file as strictly as RFC 5545 has it: throws for a bare line break, a line over 75 bytes, a cut
 * character, an unknown escape or structure, and for an event without what it needs.
 */
export function parseCalendarFile(file: string): ParsedCalendar {
  if (!file.endsWith('\r\n')) throw new Error('The last line does not end.')
  const lines = file.slice(0, -2).split('\r\n')
  for (const line of lines) {
    if (/[\r\n]/.test(line)) throw new Error(`A bare line break: ${JSON.stringify(line)}`)
    if (Buffer.byteLength(line) > 75) throw new Error(`A line of ${Buffer.byteLength(line)} bytes: ${line}`)
    if (line.includes('\ufffd')) throw new Error(`A character was cut: ${line}`)
  }
  const unfolded = lines.reduce<string[]>((all, line) => {
    if (line.startsWith(' ')) all[all.length - 1] += line.slice(1)
    else all.push(line)
    return all
  }, [])
  const calendar: ParsedCalendar = { properties: {}, events: [] }
  const open: string[] = []
  for (const line of unfolded) {
    const { name, ...property } = parseLine(line)
    if (name === 'BEGIN') {
      open.push(property.value)
      if (open.join('/') === 'VCALENDAR/VEVENT') calendar.events.push({})
      else if (open.join('/') !== 'VCALENDAR') throw new Error(`Unexpected ${line}`)
    } else if (name === 'END') {
      if (open.pop() !== property.value) throw new Error(`Unexpected ${line}`)
    } else {
      const target = open.length === 2 ? calendar.events.at(-1)! : calendar.properties
      if (!open.length || name in target) throw new Error(`Unexpected ${line}`)
      target[name] = property
    }
  }
  if (open.length) throw new Error(`${open.at(-1)} has no end.`)
  for (const name of ['VERSION', 'PRODID']) if (!calendar.properties[name]) throw new Error(`${name} is missing.`)
  for (const event of calendar.events) checkEvent(event)
  return calendar
}

function parseLine(line: string): Property & { name: string } {
  const [, name, rest] = /^([A-Z-]+)(.*)$/s.exec(line) ?? []
  if (name === undefined || rest === undefined) throw new Error(`Not a property: ${line}`)
  const params: Record<string, string> = {}
  let left = rest
  for (let match; (match = /^;([A-Z-]+)=("[^"]*"|[^";:,]*)/.exec(left)); left = left.slice(match[0].length))
    params[match[1]!] = match[2]!.replaceAll('"', '')
  if (!left.startsWith(':')) throw new Error(`No value: ${line}`)
  const value = left.slice(1)
  const isText = ['SUMMARY', 'DESCRIPTION', 'LOCATION', 'UID', 'X-WR-CALNAME'].includes(name)
  return { name, params, value, text: isText ? unescapeText(value) : value }
}

function unescapeText(value: string): string {
  const plain = value.replaceAll(/\\[\\;,nN]/g, '')
  if (/[\\;,]/.test(plain)) throw new Error(`Unescaped: ${value}`)
  return value.replaceAll(/\\([\\;,nN])/g, (_, char: string) => (char.toLowerCase() === 'n' ? '\n' : char))
}

function checkEvent(event: ParsedEvent): void {
  for (const name of ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'SEQUENCE'])
    if (!event[name]) throw new Error(`${name} is missing.`)
  for (const name of ['DTSTAMP', 'DTSTART', 'DTEND'])
    if (!/^\d{8}T\d{6}Z$/.test(event[name]!.value)) throw new Error(`Not a time: ${event[name]!.value}`)
  if (!/^\d+$/.test(event.SEQUENCE!.value)) throw new Error('SEQUENCE is not a number.')
  if (event.DTEND!.value <= event.DTSTART!.value) throw new Error('It ends before it starts.')
}
