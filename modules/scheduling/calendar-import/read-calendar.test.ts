import { readFileSync } from 'node:fs'
import path from 'node:path'
import ical, { type VEvent } from 'node-ical'
import { describe, expect, test } from 'vitest'
import { localDate, localTime } from '#app/lib/time.ts'
import { readCalendar, type CalendarFile } from './read-calendar.ts'

const now = new Date('2026-03-10T14:00:00Z')
const load = (name: string): string => readFileSync(path.join(import.meta.dirname, 'fixtures', `${name}.ics`), 'utf8')
const read = (text: string, { timezone = 'America/New_York', at = now } = {}): Promise<CalendarFile> =>
  readCalendar(Buffer.from(text), { timezone, now: at })
const listTimes = ({ events }: CalendarFile, zone: string): string[] =>
  events
    .map(
      ({ title, start, end }) => `${localDate(start, zone)} ${localTime(start, zone)}–${localTime(end, zone)} ${title}`,
    )
    .sort()

const file = (...events: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ]
    .join('\r\n')
    .concat('\r\n')
const daily = (rule: string, uid = 'u', start = '20260301T090000Z'): string =>
  `UID:${uid}\r\nDTSTART:${start}\r\nDURATION:PT1H\r\nSUMMARY:x\r\nRRULE:${rule}`

describe('a file', () => {
  test('of Google has its series with exceptions, its all-day events, and none that are cancelled or free', async () => {
    const found = await read(load('google'))
    expect(listTimes(found, 'Europe/Berlin')).toEqual([
      '2026-03-17 09:00–10:00 Coaching',
      '2026-04-01 11:00–12:00 Coaching (moved)',
      // Berlin changed its clocks on March 29, New York before the series began.
      '2026-04-07 09:00–10:00 Coaching',
      '2026-04-10 06:00–06:00 Retreat',
    ])
    expect(found.leftOut).toEqual({ free: 1, cancelled: 1 })
    expect(found.events[0]).toMatchObject({
      emails: ['ada@example.com', 'ada@example.com', 'mara@example.com'],
      description: 'Career talk\nBring the list, please.',
      meetingUrl: 'https://meet.google.com/abc-defg-hij',
      timezone: 'Europe/Berlin',
    })
  })

  test('of Outlook has the zones of Windows and those that it describes', async () => {
    const found = await read(load('outlook'), { timezone: 'Europe/London' })
    expect(found.unknownZones).toEqual([])
    expect(found.leftOut).toEqual({ free: 1 })
    expect(found.events.map(({ title, start }) => `${start.toISOString().slice(0, 16)} ${title}`).sort()).toEqual([
      '2026-03-05T03:15 Kathmandu call',
      '2026-03-06T15:00 Review with Mara Lind',
      '2026-03-13T15:00 Review with Mara Lind',
      '2026-03-20T14:00 Review with Mara Lind',
      '2026-07-01T07:00 Without its zone',
    ])
  })

  test('of Apple has exceptions, added dates, floating times and yearly days', async () => {
    const found = await read(load('apple'))
    expect(listTimes(found, 'America/New_York')).toEqual([
      '2026-03-05 09:00–09:30 Walk',
      '2026-03-07 09:00–09:30 Walk',
      '2026-03-08 09:00–09:30 Walk',
      '2026-03-10 09:00–09:30 Walk',
      '2026-03-14 15:00–15:30 Walk',
      '2026-03-20 14:00–14:45 Floating',
      '2026-03-28 00:00–00:00 Day in spring',
      '2027-03-28 00:00–00:00 Day in spring',
    ])
  })

  test('has the times that another library reads', async () => {
    const [from, to] = [new Date('2025-01-01'), new Date('2027-01-01')]
    for (const name of ['google', 'outlook', 'apple']) {
      // It knows neither added dates nor floating times nor exceptions at midnight.
      const text = load(name)
        .replace(/RDATE.*\r\n/, '')
        .replace('DTSTART:20260320', 'DTSTART;TZID=America/New_York:20260320')
        .replace('T000000\r\nSEQUENCE', 'T100000\r\nSEQUENCE')
      const theirs = Object.values(ical.sync.parseICS(text))
        .filter((one) => one?.type === 'VEVENT' && one.datetype !== 'date' && one.status !== 'CANCELLED')
        .filter((one) => (one as { transparency?: string }).transparency !== 'TRANSPARENT')
        .flatMap((one) => ical.expandRecurringEvent(one as VEvent, { from, to }))
        .map(({ start }) => start.toISOString())
      const ours = (await read(text, { timezone: 'UTC' })).events
        .filter(({ isAllDay }) => !isAllDay)
        .map(({ start }) => start.toISOString())
      expect([name, ours.sort()]).toEqual([name, theirs.sort()])
    }
  })

  test('read again has the same keys, also after an event was moved', async () => {
    const first = await read(load('google'))
    const again = await read(load('google').replaceAll('20260401T', '20260402T'), { timezone: 'Asia/Tokyo' })
    expect(again.events.map(({ key }) => key)).toEqual(first.events.map(({ key }) => key))
    expect(new Set(first.events.map(({ key }) => key)).size).toBe(first.events.length)
  })
})

describe('bad input', () => {
  test('is named: other kinds of files', async () => {
    await expect(read('Name,Email\r\nMara,mara@example.com')).rejects.toThrow('This is not a calendar file.')
    await expect(read('')).rejects.toThrow('This is not a calendar file.')
    await expect(read('PK\u0003\u0004 zip')).rejects.toThrow('This is a ZIP file.')
  })

  test('spoils no other event', async () => {
    const good = 'UID:good\r\nDTSTART:20260320T090000Z\r\nDTEND:20260320T100000Z\r\nSUMMARY:Good'
    const broken = [
      'UID:a\r\nSUMMARY:no start',
      'UID:b\r\nDTSTART:garbage\r\nSUMMARY:x',
      'UID:c\r\nDTSTART:20261399T999999Z\r\nSUMMARY:x',
      'UID:d\r\nDTSTART:20260320T090000Z\r\nDTEND:20260320T100000Z\r\nRRULE:FREQ=NEVER',
      'UID:e\r\nDTSTART;TZID="Unclosed:20260320T090000\r\nSUMMARY:x',
      'UID:f\r\nDTSTART:00010101T090000Z\r\nSUMMARY:x',
      'UID:g\r\nDTSTART:20260320T090000Z\r\nDURATION:forever',
    ]
    const found = await read(file(...broken, good))
    expect(found.events.map(({ title }) => title)).toEqual(['Good'])
    expect(Object.values(found.leftOut).reduce((sum, one) => sum + one, 0)).toBe(broken.length)
    for (const cut of [100, 300, 600, 1200]) await read(load('google').slice(0, cut))
  })

  test('has no line breaks or control characters in titles and places', async () => {
    const [event] = (
      await read(
        file(
          'UID:x\\r\\nX:1\r\nDTSTART:20260320T090000Z\r\nDTEND:20260320T100000Z\r\n' +
            'SUMMARY:A\\r\\nATTENDEE:mailto:x@example.com\\n\u0000B\r\nLOCATION:Room\\nX:1\r\n' +
            'ORGANIZER:mailto:a@example.com\\nBcc: b@example.com\r\nURL:javascript:alert(1)',
        ),
      )
    ).events
    expect(event).toMatchObject({ title: expect.stringMatching(/^A.* B$/), emails: [], meetingUrl: null })
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(`${event!.title}${event!.location}${event!.uid}`).not.toMatch(/[\u0000-\u001f]/)
  })

  test('names time zones that nothing describes, and takes the coach’s', async () => {
    const found = await read(file('UID:x\r\nDTSTART;TZID=Middle Earth:20260320T090000\r\nDURATION:PT1H'))
    expect([found.unknownZones, found.events[0]!.start.toISOString()]).toEqual([
      ['Middle Earth'],
      '2026-03-20T13:00:00.000Z',
    ])
  })

  test('with endless, impossible and huge rules ends soon', async () => {
    const began = performance.now()
    const found = await read(file(daily('FREQ=DAILY', 'endless', '19700101T090000Z')))
    expect(found.events).toHaveLength(1130)
    const rules = [
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;BYDAY=MO;INTERVAL=7',
      'FREQ=SECONDLY',
      'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=10',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;BYMONTH=4;BYDAY=1MO;BYMONTHDAY=15,16,17',
      'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
      'FREQ=DAILY;INTERVAL=999999999',
      'FREQ=DAILY;COUNT=999999999',
      'FREQ=WEEKLY;BYDAY=MO;BYMONTH=1;INTERVAL=500',
      'FREQ=YEARLY;INTERVAL=1000000',
    ]
    for (const rule of rules) await read(file(daily(rule)))
    for (const rule of [rules[0]!, rules[3]!])
      await read(file(...Array.from({ length: 1000 }, (_, index) => daily(rule, String(index)))))
    expect(performance.now() - began).toBeLessThan(20_000)
  }, 60_000)

  test('with too many added or removed dates leaves out the event', async () => {
    const dates = (count: number) =>
      Array.from({ length: count }, (_, index) => `20${10 + (index % 80)}0101T090000Z`).join(',')
    const good = daily('FREQ=DAILY;COUNT=2', 'good')
    for (const name of ['EXDATE', 'RDATE']) {
      const found = await read(file(`${daily('FREQ=DAILY')}\r\n${name}:${dates(5001)}`, good))
      expect([found.events.length, found.leftOut]).toEqual([2, { repeats: 1 }])
    }
    const one = `EXDATE:${dates(4000)}`
    const many = Array.from({ length: 7 }, (_, index) => `${daily('FREQ=DAILY;COUNT=1', String(index))}\r\n${one}`)
    const found = await read(file(...many, good))
    expect([found.events.length, found.leftOut]).toEqual([7, { repeats: 2 }])
  }, 60_000)

  test('with many exceptions of one event gives other requests their turn', async () => {
    const exceptions = Array.from({ length: 104 * 48 }, (_, index) => {
      const instant = Date.UTC(2026, 2, 1) + index * 30 * 60_000
      const time = `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
      return `UID:u\r\nRECURRENCE-ID:${time}\r\nDTSTART:${time}\r\nDURATION:PT1H\r\nSUMMARY:Moved`
    })
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const found = await read(file(daily('FREQ=DAILY;COUNT=300'), ...exceptions))
    clearInterval(timer)
    // The exceptions at nine take the place of 104 days.
    expect(found.events).toHaveLength(104 * 48 + 300 - 104)
    expect(longest).toBeLessThan(1000)
  }, 60_000)

  test('with too many events is refused, 10,000 are read', async () => {
    const events = Array.from(
      { length: 10_000 },
      (_, index) =>
        `UID:${index}\r\nDTSTART;TZID=Europe/Berlin:202603${String(1 + (index % 28)).padStart(2, '0')}T090000\r\n` +
        'DURATION:PT1H\r\nSUMMARY:Meeting',
    )
    const began = performance.now()
    expect((await read(file(...events))).events).toHaveLength(10_000)
    expect(performance.now() - began).toBeLessThan(20_000)
    const series = Array.from({ length: 40 }, (_, index) => daily('FREQ=DAILY', String(index), '20240401T090000Z'))
    await expect(read(file(...series))).rejects.toThrow('more than 20,000 events')
  }, 60_000)
})
