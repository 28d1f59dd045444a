import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayMs, localDate, localTime } from '#app/lib/time.ts'
import { timeToMinutes } from '../day-segments.ts'
import {
  getRuleStart,
  listOccurrences,
  maxOccurrences,
  moveOccurrence,
  shiftOccurrence,
  type Frequency,
} from './rule.ts'

const date = fc
  .integer({ min: Date.parse('2000-01-01') / dayMs, max: Date.parse('2099-12-31') / dayMs })
  .map((day) => new Date(day * dayMs).toISOString().slice(0, 10))
const frequency: fc.Arbitrary<Frequency> = fc.record({
  unit: fc.constantFrom('week' as const, 'month' as const),
  interval: fc.integer({ min: 1, max: 52 }),
})
const daysOfMonth = (of: string): number => new Date(Date.UTC(+of.slice(0, 4), +of.slice(5, 7), 0)).getUTCDate()

describe('the dates of a series', () => {
  test.each([
    ['two weeks', '2026-12-21', { unit: 'week', interval: 2, count: 3 }, ['2026-12-21', '2027-01-04', '2027-01-18']],
    ['a month', '2026-11-05', { unit: 'month', interval: 1, count: 3 }, ['2026-11-05', '2026-12-05', '2027-01-05']],
    [
      'a month, on the last day of months without a 31st',
      '2027-12-31',
      { unit: 'month', interval: 1, count: 5 },
      ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
    ],
    [
      'a week, including the last day',
      '2026-03-02',
      { unit: 'week', interval: 1, until: '2026-03-16' },
      ['2026-03-02', '2026-03-09', '2026-03-16'],
    ],
    [
      'a week, not after the last day',
      '2026-03-02',
      { unit: 'week', interval: 1, until: '2026-03-15' },
      ['2026-03-02', '2026-03-09'],
    ],
    [
      'two weeks on Thursday and Tuesday, from a Thursday on',
      '2026-03-05',
      { unit: 'week', interval: 2, weekdays: [2, 4], count: 4 },
      ['2026-03-05', '2026-03-17', '2026-03-19', '2026-03-31'],
    ],
    [
      'two weeks on Sunday and Monday, in weeks from Monday',
      '2026-03-02',
      { unit: 'week', interval: 2, weekdays: [0], weekStart: 'monday', count: 4 },
      ['2026-03-02', '2026-03-08', '2026-03-16', '2026-03-22'],
    ],
    [
      'two weeks on Sunday and Monday, in weeks from Sunday',
      '2026-03-02',
      { unit: 'week', interval: 2, weekdays: [0], weekStart: 'sunday', count: 4 },
      ['2026-03-02', '2026-03-15', '2026-03-16', '2026-03-29'],
    ],
  ] as const)('repeat every %s', (_name, start, recurrence, dates) => {
    expect(listOccurrences(start, recurrence)).toEqual({ dates })
  })

  test.each([
    ['two sessions at least', '2026-03-02', { unit: 'week', interval: 1, until: '2026-03-08' }, /at least two/],
    ['104 sessions at most', '2026-03-02', { unit: 'week', interval: 1, until: '2030-01-01' }, /at most 104/],
    ['two years at most', '2026-03-02', { unit: 'month', interval: 12, count: 4 }, /two years/],
  ] as const)('are %s', (_name, start, recurrence, problem) => {
    expect(listOccurrences(start, recurrence)).toEqual({ problem: expect.stringMatching(problem) })
  })

  test('respect number, last day and limits for any rule, and are on the same weekday or day of the month', () => {
    const end = fc.oneof(
      fc.record({ count: fc.integer({ min: 2, max: maxOccurrences }) }),
      fc.record({ days: fc.integer({ min: 1, max: 800 }) }),
    )
    fc.assert(
      fc.property(date, frequency, end, (start, rule, ends) => {
        const until = 'days' in ends ? addDays(start, ends.days) : undefined
        const listed = listOccurrences(start, { ...rule, until, count: 'count' in ends ? ends.count : undefined })
        if ('problem' in listed) return
        const { dates } = listed
        expect(dates[0]).toBe(start)
        expect(dates.length).toBeLessThanOrEqual(maxOccurrences)
        expect(dates.toSorted()).toEqual(dates)
        expect(Date.parse(dates.at(-1)!) - Date.parse(start)).toBeLessThanOrEqual(731 * dayMs)
        if ('count' in ends) expect(dates).toHaveLength(ends.count)
        else {
          expect(dates.at(-1)! <= until!).toBe(true)
          expect(shiftOccurrence(start, rule, dates.length) > until!).toBe(true)
        }
        for (const [step, one] of dates.entries()) {
          expect(moveOccurrence(one, rule, { from: start, to: start })).toBe(one)
          expect(shiftOccurrence(one, rule, -step).slice(0, 7)).toBe(start.slice(0, 7))
          if (rule.unit === 'week') expect((Date.parse(one) - Date.parse(start)) / dayMs).toBe(7 * rule.interval * step)
          else expect(Number(one.slice(8))).toBe(Math.min(Number(start.slice(8)), daysOfMonth(one)))
        }
      }),
    )
  })
})

describe('the sessions of a series', () => {
  test('keep their local time in every zone with a clock change in ten years, later in a gap, and the first time of two', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter(hasClockChange)
    expect(zones.length).toBeGreaterThan(100)
    const time = fc.integer({ min: 0, max: 1439 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), time, fc.integer({ min: 0, max: 6 }), (timezone, startMinute, weekday) => {
        for (const change of clockChanges(timezone)) {
          // The days around each change, as sessions of a weekly series.
          const date = addDays(change, weekday - 3)
          const at = getRuleStart(date, { startMinute, timezone })
          const local = timeToMinutes(localTime(at, timezone)) + (localDate(at, timezone) > date ? 1440 : 0)
          if (local === startMinute) {
            // The same local time, as long ago as the clock was turned back, would be the first one.
            for (const minutes of [30, 60, 120, 1440]) {
              const earlier = new Date(at.getTime() - minutes * 60_000)
              const isSame = localTime(earlier, timezone) === localTime(at, timezone)
              expect(isSame && localDate(earlier, timezone) === date, `${timezone} ${at.toISOString()}`).toBe(false)
            }
          } else expect(local, `${timezone} ${at.toISOString()}`).toBeGreaterThan(startMinute)
        }
      }),
      { numRuns: 300 },
    )
  })
})

const offset = (day: number, zone: string): number => {
  const at = new Date(day * dayMs)
  return Date.parse(`${localDate(at, zone)}T${localTime(at, zone)}:00Z`) - at.getTime()
}
const [firstDay, lastDay] = [Date.parse('2020-01-01') / dayMs, Date.parse('2030-01-01') / dayMs]

function hasClockChange(zone: string): boolean {
  for (let day = firstDay; day < lastDay; day += 30) if (offset(day, zone) !== offset(day + 30, zone)) return true
  return false
}

const changesByZone = new Map<string, string[]>()
/** The dates on which the clock changes. */
function clockChanges(zone: string): string[] {
  const known = changesByZone.get(zone)
  if (known) return known
  const changes: string[] = []
  for (let day = firstDay; day < lastDay; day++)
    if (offset(day, zone) !== offset(day + 1, zone)) changes.push(localDate(new Date((day + 0.5) * dayMs), zone))
  changesByZone.set(zone, changes)
  return changes
}
