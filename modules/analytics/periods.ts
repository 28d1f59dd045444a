import { daysSinceWeekStart, type WeekStart } from '#app/lib/clock.ts'
import { addDays, addMonths, dayStart } from '#app/lib/time.ts'
import type { DateSpan, MetricPeriod } from '../core/metrics.ts'

export const periodNames = {
  'this-week': 'This week',
  'last-week': 'Last week',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'last-quarter': 'Last quarter',
  'this-year': 'This year',
  'last-year': 'Last year',
  custom: 'Custom dates',
} as const
export type PeriodName = keyof typeof periodNames

/** Dates of the coach's calendar, both inclusive. */
export type Dates = { from: string; to: string }
/**
 * A period and how to go back from it: by calendar units, or by its number of days. `isWhole`: it ends with its unit; otherwise
 * it is still running and ends today.
 */
export type Period = Dates & { unit: 'week' | 'month' | 'quarter' | 'year' | 'days'; isWhole: boolean }

const unitMonths = { month: 1, quarter: 3, year: 12 } as const
/** Five years: the longest period. */
export const maxDays = 5 * 366

/** The dates of a period. The present week, month, quarter and year end today. `custom`: `dates`. */
export function getPeriod(name: PeriodName, dates: Dates, today: string, weekStart: WeekStart): Period {
  if (name === 'custom') return { ...dates, unit: 'days', isWhole: true }
  const [which, unit] = name.split('-') as ['this' | 'last', 'week' | 'month' | 'quarter' | 'year']
  const current = { from: getStart(unit, today, weekStart), to: today, unit }
  if (which === 'this') return { ...current, isWhole: addDays(today, 1) === getNextStart(unit, current.from) }
  const to = addDays(current.from, -1)
  return { from: getStart(unit, to, weekStart), to, unit, isWhole: true }
}

function getStart(unit: 'week' | 'month' | 'quarter' | 'year', date: string, weekStart: WeekStart): string {
  if (unit === 'week') return addDays(date, -daysSinceWeekStart(date, weekStart))
  const month = date.slice(0, 7)
  return `${addMonths(month, -((Number(month.slice(5)) - 1) % unitMonths[unit]))}-01`
}

const getNextStart = (unit: 'week' | 'month' | 'quarter' | 'year', start: string): string =>
  unit === 'week' ? addDays(start, 7) : `${addMonths(start.slice(0, 7), unitMonths[unit])}-01`

/** The same period `count` units earlier: of a running one, the same days of it. */
export function goBack(period: Period, count = 1): Period {
  const { unit, from, to } = period
  if (count === 0) return period
  if (unit === 'days' || unit === 'week') {
    const days = unit === 'week' ? 7 : countDays(period)
    return { ...period, from: addDays(from, -days * count), to: addDays(to, -days * count) }
  }
  return goBackMonths(period, unitMonths[unit] * count)
}

/** The same period a year before: weeks by 52 weeks, so that weekdays match. */
export function goBackYear(period: Period): Period {
  if (period.unit !== 'week') return goBackMonths(period, 12)
  return { ...period, from: addDays(period.from, -364), to: addDays(period.to, -364) }
}

function goBackMonths(period: Period, count: number): Period {
  const { unit, isWhole, from, to } = period
  const endsWithMonth = unit !== 'days' && isWhole
  const month = addMonths(to.slice(0, 7), -count)
  return { ...period, from: sameDay(from, -count), to: endsWithMonth ? lastDay(month) : sameDay(to, -count) }
}

/** The same day of another month, or its last day if it is shorter. */
function sameDay(date: string, months: number): string {
  const month = addMonths(date.slice(0, 7), months)
  const last = lastDay(month)
  const day = `${month}${date.slice(7)}`
  return day < last ? day : last
}

const lastDay = (month: string): string => addDays(`${addMonths(month, 1)}-01`, -1)

export const countDays = ({ from, to }: Dates): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

/** The period with its instants, and the one before it. */
export const toMetricPeriod = (period: Period, zone: string): MetricPeriod => ({
  ...toSpan(period, zone),
  before: toSpan(goBack(period), zone),
})

export const toSpan = ({ from, to }: Dates, zone: string): DateSpan => ({
  from,
  to,
  start: dayStart(from, zone),
  end: dayStart(addDays(to, 1), zone),
})

export type Bucket = Dates & { unit: 'day' | 'week' | 'month' }

/** The days, weeks or months of a period, so many that a chart can show them. The first and last may be cut. */
export function listBuckets({ from, to }: Dates, weekStart: WeekStart): Bucket[] {
  const days = countDays({ from, to })
  const unit = days <= 31 ? 'day' : days <= 26 * 7 ? 'week' : 'month'
  const buckets: Bucket[] = []
  for (let start = from; start <= to; ) {
    const next =
      unit === 'day'
        ? addDays(start, 1)
        : unit === 'week'
          ? addDays(start, 7 - daysSinceWeekStart(start, weekStart))
          : `${addMonths(start.slice(0, 7), 1)}-01`
    buckets.push({ from: start, to: next > to ? to : addDays(next, -1), unit })
    start = next
  }
  return buckets
}
