import ical, { type VEvent } from 'node-ical'
import { describe, expect, test } from 'vitest'
import { parseCalendarFile } from '#tests/support/calendar-file.ts'
import { formatCalendar, type CalendarEvent } from './ics.ts'

const event: CalendarEvent = {
  uid: 'appointment-1-2@example.com',
  sequence: 3,
  stamp: new Date('2026-03-01T08:00:00.123Z'),
  start: new Date('2026-03-29T00:30:00Z'),
  end: new Date('2026-03-29T01:30:00Z'),
  title: 'Session',
  status: 'CONFIRMED',
}
const parse = (fields: Partial<CalendarEvent>) =>
  parseCalendarFile(formatCalendar([{ ...event, ...fields }], { method: 'REQUEST' })).events[0]!

describe('a calendar file', () => {
  test('has the times in UTC, the sequence and the method', () => {
    const { properties, events } = parseCalendarFile(formatCalendar([event, event], { method: 'CANCEL' }))
    expect(properties.METHOD!.value).toBe('CANCEL')
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({
      UID: { text: event.uid },
      SEQUENCE: { value: '3' },
      DTSTAMP: { value: '20260301T080000Z' },
      DTSTART: { value: '20260329T003000Z' },
      DTEND: { value: '20260329T013000Z' },
      STATUS: { value: 'CONFIRMED' },
    })
  })

  test('keeps every text, however long and whatever is in it', () => {
    const texts = [
      'a,b;c\\d\\n "quoted" 100%:=',
      'first\nsecond\r\nthird\rfourth',
      '田中様'.repeat(60),
      '👩‍👩‍👧‍👦 مرحبا '.repeat(30),
      'x'.repeat(75),
      'END:VEVENT\nBEGIN:VEVENT',
    ]
    for (const text of texts) {
      const expected = text.replaceAll(/\r\n|\r/g, '\n')
      const parsed = parse({ title: text, description: text, location: text })
      expect(['SUMMARY', 'DESCRIPTION', 'LOCATION'].map((name) => parsed[name]!.text)).toEqual(Array(3).fill(expected))
    }
  })

  test('is read the same by another library', () => {
    const text = 'Walk, talk; rest\n\\ "田中様" 👩‍👩‍👧‍👦 '.repeat(5).trim()
    const file = formatCalendar([{ ...event, title: text, location: text }], { method: 'REQUEST', name: 'Ada; Winter' })
    const found = Object.values(ical.sync.parseICS(file)).filter((one) => one?.type === 'VEVENT') as VEvent[]
    expect(found).toHaveLength(1)
    const { uid, start, end, summary, location, status } = found[0]!
    expect([uid, new Date(start), new Date(end!)]).toEqual([event.uid, event.start, event.end])
    expect([summary, location, status]).toEqual([text, text, 'CONFIRMED'])
  })

  test('lets no name or address add a line or a parameter', () => {
    const parsed = parse({
      organizer: { name: 'Ada "A"; X=1:\r\nATTENDEE:mailto:x@example.com', email: 'ada@example.com\r\nX:1' },
      attendee: { name: 'Bea\u0000', email: 'bea@example.com' },
      url: 'https://example.com/a\r\nX:1',
    })
    expect(parsed.ORGANIZER).toMatchObject({ value: 'mailto:ada@example.comX:1' })
    expect(parsed.ATTENDEE).toMatchObject({ params: { CN: 'Bea' }, value: 'mailto:bea@example.com' })
    expect(Object.keys(parsed)).not.toContain('X')
  })
})
