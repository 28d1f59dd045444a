import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  formatRelative,
  formatTime,
  localDate,
  formatDate,
  dayStart,
  zonedToInstant,
  monthSpan,
  monthStart,
  sameDayLastMonth,
  localTime,
} from './time.ts'

const settings = (timezone: string) => ({ timezone, timeFormat: '12h' }) as const

test.each([
  ['2026-03-10T14:00:00Z', 'America/New_York', '2026-03-01T05:00:00.000Z'],
  ['2026-03-01T04:59:59Z', 'America/New_York', '2026-02-01T05:00:00.000Z'],
  ['2026-11-20T00:00:00Z', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ['2026-01-01T00:00:00Z', 'Pacific/Auckland', '2025-12-31T11:00:00.000Z'],
  ['2026-06-15T00:00:00Z', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z'],
  ['2026-06-15T00:00:00Z', 'UTC', '2026-06-01T00:00:00.000Z'],
])('the month of %s in %s begins at %s', (now, zone, start) => {
  expect(monthStart(new Date(now), zone).toISOString()).toBe(start)
})

test.each([
  ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  // The clock jumps from midnight to one.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2026-06-15', 'Pacific/Kiritimati', '2026-06-14T10:00:00.000Z'],
])('the day %s in %s begins at %s', (date, zone, start) => {
  expect(dayStart(date, zone).toISOString()).toBe(start)
})

test('days and months are added on the calendar', () => {
  expect([
    addDays('2026-03-07', 1),
    addDays('2026-12-31', 1),
    addDays('2024-03-01', -1),
    addDays('2026-11-01', 7),
  ]).toEqual(['2026-03-08', '2027-01-01', '2024-02-29', '2026-11-08'])
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1), addMonths('2026-01', 0)]).toEqual([
    '2027-01',
    '2025-12',
    '2026-01',
  ])
})

test.each([
  ['2026-03-10T14:00:00Z', 'UTC', '2026-02-11T00:00:00.000Z'],
  // New York's clock was set forward between the two.
  ['2026-03-10T14:00:00Z', 'America/New_York', '2026-02-11T05:00:00.000Z'],
  // There it is April already.
  ['2026-03-31T20:00:00Z', 'Pacific/Auckland', '2026-03-01T11:00:00.000Z'],
  ['2026-01-15T12:00:00Z', 'UTC', '2025-12-16T00:00:00.000Z'],
  // A day that the month before hasn't: its end.
  ['2026-03-30T14:00:00Z', 'UTC', '2026-03-01T00:00:00.000Z'],
  ['2024-03-29T14:00:00Z', 'UTC', '2024-03-01T00:00:00.000Z'],
  ['2024-03-28T14:00:00Z', 'UTC', '2024-02-29T00:00:00.000Z'],
  ['2026-07-31T23:59:59Z', 'UTC', '2026-07-01T00:00:00.000Z'],
])('at %s in %s, the same day of the previous month ended at %s', (now, zone, end) => {
  expect(sameDayLastMonth(new Date(now), zone).toISOString()).toBe(end)
})

test('one month ends where the next begins', () => {
  const { from, to } = monthSpan('2026-03', 'America/New_York')
  expect([from.toISOString(), to.toISOString()]).toEqual(['2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z'])
  expect(monthSpan('2026-04', 'America/New_York').from).toEqual(to)
})

test('a local date and time follow the time zone', () => {
  expect(formatDate('2026-01-15T02:00:00Z', 'America/New_York')).toBe('Jan 14, 2026')
  expect(formatTime('2026-01-15T02:00:00Z', settings('America/New_York')).replace(/\s/u, ' ')).toBe('9:00 PM')
})

test.each(['America/New_York', 'Europe/Dublin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'])(
  'the local date and time match Intl for %s',
  (zone) => {
    const days = new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'short', day: 'numeric', year: 'numeric' })
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' })
    const instants = ['0099', '1883', '1986', '2011', '2026'].flatMap((year) => {
      const first = Date.parse(`${year}-01-01T00:00:00Z`)
      return Array.from({ length: 1_204 }, (_, index) => first + index * 7.3 * 3_600_000)
    })
    expect(instants.map((at) => [formatDate(new Date(at), zone), formatTime(new Date(at), settings(zone))])).toEqual(
      instants.map((at) => [days.format(at), clock.format(at)]),
    )
  },
)

test('more spellings of a zone than the cache holds still work', () => {
  const at = '2026-01-15T02:00:00Z'
  for (let spelling = 0; spelling < 1_024; spelling++) {
    const zone = [...'America/New_York']
      .map((letter, place) => (spelling & (1 << place) ? letter.toUpperCase() : letter))
      .join('')
    expect(formatDate(at, zone)).toBe('Jan 14, 2026')
  }
  expect(formatDate(at, 'America/New_York')).toBe('Jan 14, 2026')
})

test('elapsed time is formatted in hours, then in days', () => {
  const now = new Date('2026-03-10T14:00:00Z')
  expect(
    [
      '2026-03-10T14:05:00Z',
      '2026-03-10T13:00:01Z',
      '2026-03-10T13:00:00Z',
      '2026-03-09T14:00:01Z',
      '2026-03-09T14:00:00Z',
      '2026-03-01T14:00:00Z',
    ].map((at) => formatRelative(at, now)),
  ).toEqual(['Just now', 'Just now', '1h ago', '23h ago', '1d ago', '9d ago'])
})

test.each([
  // The clock skips an hour: as much later. It shows an hour twice: the first.
  ['America/New_York', '2026-03-08', '01:59', '2026-03-08T06:59:00.000Z'],
  ['America/New_York', '2026-03-08', '02:00', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30:00.000Z'],
  ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', '2026-11-01', '00:30', '2026-11-01T04:30:00.000Z'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00.000Z'],
  ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '02:15', '2026-03-29T01:15:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '09:00', '2026-03-29T07:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '02:15', '2026-10-25T00:15:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
  ['Asia/Kolkata', '2026-03-10', '09:00', '2026-03-10T03:30:00.000Z'],
  // Half an hour each.
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:30', '2026-10-03T15:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05', '02:00', '2026-04-04T15:30:00.000Z'],
  // A day that this island left out.
  ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-30T22:00:00.000Z'],
])('in %s, %s %s is %s', (zone, date, time, at) => {
  expect(zonedToInstant(date, time, zone).toISOString()).toBe(at)
})

test('the end of a day is the start of the next', () => {
  expect(zonedToInstant('2026-03-07', '24:00', 'America/New_York')).toEqual(dayStart('2026-03-08', 'America/New_York'))
  expect(zonedToInstant('2026-11-01', '24:00', 'America/New_York')).toEqual(dayStart('2026-11-02', 'America/New_York'))
})

test('a local time that occurs twice can be resolved to its second occurrence', () => {
  const first = zonedToInstant('2026-11-01', '01:30', 'America/New_York')
  expect(zonedToInstant('2026-11-01', '01:30', 'America/New_York', first).toISOString()).toBe(
    '2026-11-01T06:30:00.000Z',
  )
  expect(zonedToInstant('2026-11-01', '01:15', 'America/New_York', first).toISOString()).toBe(
    '2026-11-01T06:15:00.000Z',
  )
  expect(zonedToInstant('2026-11-01', '00:30', 'America/New_York', first).toISOString()).toBe(
    '2026-11-01T04:30:00.000Z',
  )
})

test.each(['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Cairo'])(
  'every local time of a year in %s converts to an instant and back',
  (zone) => {
    for (let at = Date.parse('2026-01-01T00:00:00Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += 3_600_000 * 7.25) {
      const now = new Date(at)
      const back = zonedToInstant(localDate(now, zone), localTime(now, zone), zone)
      // The second of two comes back as the first.
      expect([0, 1_800_000, 3_600_000]).toContain(now.getTime() - back.getTime())
      expect([localDate(back, zone), localTime(back, zone)]).toEqual([localDate(now, zone), localTime(now, zone)])
    }
  },
)
