import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#app/lib/time.ts'
import { countDays, getPeriod, goBack, goBackYear, listBuckets, periodNames, type PeriodName } from './periods.ts'

const none = { from: '', to: '' }
const open = (name: PeriodName, today: string) => getPeriod(name, none, today, 'monday')
const dates = ({ from, to }: { from: string; to: string }) => `${from} ${to}`

describe('a period', () => {
  test.each<[PeriodName, string, string, string, string]>([
    ['this-week', '2026-03-10', '2026-03-09 2026-03-10', '2026-03-02 2026-03-03', '2025-03-10 2025-03-11'],
    ['last-week', '2026-03-10', '2026-03-02 2026-03-08', '2026-02-23 2026-03-01', '2025-03-03 2025-03-09'],
    ['this-month', '2026-03-10', '2026-03-01 2026-03-10', '2026-02-01 2026-02-10', '2025-03-01 2025-03-10'],
    ['this-month', '2026-03-30', '2026-03-01 2026-03-30', '2026-02-01 2026-02-28', '2025-03-01 2025-03-30'],
    ['last-month', '2026-03-10', '2026-02-01 2026-02-28', '2026-01-01 2026-01-31', '2025-02-01 2025-02-28'],
    ['last-month', '2024-03-10', '2024-02-01 2024-02-29', '2024-01-01 2024-01-31', '2023-02-01 2023-02-28'],
    ['this-quarter', '2026-03-10', '2026-01-01 2026-03-10', '2025-10-01 2025-12-10', '2025-01-01 2025-03-10'],
    ['this-quarter', '2026-03-31', '2026-01-01 2026-03-31', '2025-10-01 2025-12-31', '2025-01-01 2025-03-31'],
    ['last-quarter', '2026-03-10', '2025-10-01 2025-12-31', '2025-07-01 2025-09-30', '2024-10-01 2024-12-31'],
    ['this-year', '2024-02-29', '2024-01-01 2024-02-29', '2023-01-01 2023-02-28', '2023-01-01 2023-02-28'],
    ['last-year', '2026-03-10', '2025-01-01 2025-12-31', '2024-01-01 2024-12-31', '2024-01-01 2024-12-31'],
  ])('%s on %s is %s, with %s before and %s a year before', (name, today, period, before, year) => {
    const found = open(name, today)
    expect([dates(found), dates(goBack(found)), dates(goBackYear(found))]).toEqual([period, before, year])
  })

  test('of custom dates is compared with as many days', () => {
    const found = getPeriod('custom', { from: '2026-02-01', to: '2026-03-10' }, '2026-06-01', 'sunday')
    expect([dates(goBack(found)), dates(goBack(found, 2))]).toEqual(['2025-12-25 2026-01-31', '2025-11-17 2025-12-24'])
    expect(dates(goBackYear(found))).toBe('2025-02-01 2025-03-10')
  })

  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2000-01-01', days))
  const weekStart = fc.constantFrom('sunday', 'monday', 'saturday')
  const names = Object.keys(periodNames).filter((name): name is PeriodName => name !== 'custom')

  test('ends before the one after it begins, and going back by steps is going back at once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        day,
        weekStart,
        fc.integer({ min: 1, max: 11 }),
        (name, today, first, count) => {
          const period = getPeriod(name, none, today, first)
          const before = goBack(period)
          expect(before.from <= before.to && before.to < period.from).toBe(true)
          if (period.isWhole) expect(addDays(before.to, 1)).toBe(period.from)
          expect(goBack(period, count).from).toBe(goBack(goBack(period, count - 1)).from)
        },
      ),
    )
  })

  test('is cut into parts without gaps', () => {
    fc.assert(
      fc.property(day, fc.nat(1830), weekStart, (from, length, first) => {
        const period = { from, to: addDays(from, length) }
        const parts = listBuckets(period, first)
        expect(parts[0]!.from).toBe(period.from)
        expect(parts.at(-1)!.to).toBe(period.to)
        for (const [index, part] of parts.slice(1).entries()) expect(addDays(parts[index]!.to, 1)).toBe(part.from)
        expect(parts.length).toBeLessThanOrEqual(62)
        expect(parts.reduce((days, part) => days + countDays(part), 0)).toBe(length + 1)
      }),
    )
  })
})
