import { describe, expect, test } from 'vitest'
import { zonedToInstant } from '#app/lib/time.ts'
import { expandSeries } from './recurrence.ts'

const zone = 'America/New_York'
const at = (date: string, time: string) => zonedToInstant(date, time, zone)
const range = { from: at('2026-03-01', '00:00'), to: at('2026-04-01', '00:00'), except: [] as Date[] }
const series = (recurrence: string[], date = '2026-03-03') => ({
  start: at(date, '10:00'),
  end: at(date, '11:00'),
  timezone: zone,
  recurrence,
})
const list = (recurrence: string[], more: Partial<typeof range> = {}, date?: string) =>
  expandSeries(series(recurrence, date), { ...range, ...more }).map(({ start }) => start.toISOString().slice(5, 16))

describe('a series', () => {
  test('keeps its local time when the clocks change', () => {
    expect(list(['RRULE:FREQ=WEEKLY;COUNT=3'])).toEqual(['03-03T15:00', '03-10T14:00', '03-17T14:00'])
  })

  test('leaves out exceptions, dates of EXDATE and adds those of RDATE', () => {
    const rules = [
      'RRULE:FREQ=WEEKLY',
      `EXDATE;TZID=${zone}:20260310T100000`,
      'EXDATE:20260317T140000Z',
      `RDATE;TZID=${zone}:20260318T090000`,
    ]
    expect(list(rules, { except: [at('2026-03-24', '10:00')] })).toEqual(['03-03T15:00', '03-18T13:00', '03-31T14:00'])
  })

  test.each([
    ['a time in UTC', 'UNTIL=20260310T140000Z'],
    ['a date', 'UNTIL=20260310'],
  ])('ends with %s', (_name, until) => {
    expect(list([`RRULE:FREQ=WEEKLY;${until}`])).toEqual(['03-03T15:00', '03-10T14:00'])
  })

  test('that began years ago has the times of the range', () => {
    expect(list(['RRULE:FREQ=MONTHLY;BYDAY=2TU'], {}, '2020-01-14')).toEqual(['03-10T14:00'])
  })

  test('of whole days ends at local midnight, also when the clocks change', () => {
    const days = { start: at('2026-03-07', '00:00'), end: at('2026-03-08', '00:00'), timezone: zone }
    const found = expandSeries({ ...days, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }, range)
    expect(found.map(({ end }) => end.toISOString())).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'])
  })

  test.each([
    ['never matches', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['repeats every second', 'RRULE:FREQ=SECONDLY'],
    ['is no rule', 'RRULE:nonsense'],
    ['excludes a day that does not exist', 'EXDATE:20269999T999999Z'],
  ])('with a rule that %s has its first time alone', (_name, rule) => {
    expect(list([rule])).toEqual(['03-03T15:00'])
  })
})
