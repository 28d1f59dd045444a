import { centsToDecimal, formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate } from '#app/lib/time.ts'
import type { Metric } from '../core/metrics.ts'
import type { Bucket, Dates, Period } from './periods.ts'

type Sum = { value: number; whole: number }
type Measure = Pick<Metric, 'unit' | 'share'>

/** '$1,250.00', '12 h 30 min' or '1,204'. */
export function formatAmount(value: number, unit: Metric['unit'], currency: string): string {
  if (unit === 'money') return formatMoney(value, currency)
  return unit === 'minutes' ? formatMinutes(value) : value.toLocaleString('en-US')
}

function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [...(hours || !rest ? [`${hours.toLocaleString('en-US')} h`] : []), ...(rest ? [`${rest} min`] : [])].join(' ')
}

/** The number: its sum, or the share that its sums have. */
export const formatSum = (sum: Sum, { unit, share }: Measure, currency: string): string =>
  share ? formatShare(sum) : formatAmount(sum.value, unit, currency)

/** '62.5%', or '–' of nothing. */
export function formatShare({ value, whole }: Sum): string {
  return whole === 0 ? '–' : `${toPercent({ value, whole }).toLocaleString('en-US')}%`
}

/** With one decimal; 0 of nothing. */
export const toPercent = ({ value, whole }: Sum): number => (whole === 0 ? 0 : Math.round((1000 * value) / whole) / 10)

/** '+20%' or '−3.5 points' from `before` to `sum`; null where nothing can be compared. */
export function formatChange(sum: Sum, before: Sum, { share }: Measure): string | null {
  if (share) {
    if (!sum.whole || !before.whole) return null
    return formatSigned(Math.round(10 * (toPercent(sum) - toPercent(before))) / 10, ' points')
  }
  return before.value > 0 ? formatSigned(Math.round((100 * (sum.value - before.value)) / before.value), '%') : null
}

const formatSigned = (number: number, unit: string): string =>
  `${number > 0 ? '+' : number < 0 ? '−' : '±'}${Math.abs(number).toLocaleString('en-US')}${unit}`

/** 'Jan 1 – Mar 10, 2026' or 'Dec 1, 2025 – Mar 10, 2026'. */
export function formatDates({ from, to }: Dates): string {
  if (from === to) return formatCalendarDate(to, dayFormat)
  const start = from.slice(0, 4) === to.slice(0, 4) ? shortFormat : dayFormat
  return `${formatCalendarDate(from, start)} – ${formatCalendarDate(to, dayFormat)}`
}

const shortFormat = { month: 'short', day: 'numeric' } as const
const dayFormat = { ...shortFormat, year: 'numeric' } as const

/** The label of a bar: 'Mar 3', or 'Mar 2026'. */
export const formatBucket = ({ from, unit }: Bucket): string =>
  formatCalendarDate(from, unit === 'month' ? { month: 'short', year: 'numeric' } : shortFormat)

/** The label of a period among others: '2026', 'Q1 2026', 'Mar 2026', or its first day. */
export function formatPeriod({ from, unit }: Period): string {
  if (unit === 'year') return from.slice(0, 4)
  if (unit === 'quarter') return `Q${Math.ceil(Number(from.slice(5, 7)) / 3)} ${from.slice(0, 4)}`
  return formatCalendarDate(from, unit === 'month' ? { month: 'short', year: 'numeric' } : shortFormat)
}

/** The cell of a CSV file: money in the currency's units, all else a whole number. */
export const toCell = (value: number, unit: Metric['unit']): { decimal: string } => ({
  decimal: unit === 'money' ? centsToDecimal(value) : String(value),
})

/** The head of a column of a CSV file. */
export const unitLabel = (unit: Metric['unit'], currency: string): string =>
  unit === 'money' ? currency.toUpperCase() : unit
