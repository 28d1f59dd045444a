import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { formatMoney } from '#app/lib/money.ts'
import type { Metric } from '../core/metrics.ts'
import { formatSum, toPercent } from './format.ts'

type Sum = { value: number; whole: number; rows: number }
/** `to`: the rows of the point. */
export type ChartPoint = { label: string; sum: Sum; to: string }

/** A chart as numbers: everything is in percent of its width and height. */
export type ChartView = {
  title: string
  /** The head of the first column of its table, such as 'Stage'. */
  label: string
  zero: number
  ticks: { y: number; label: string }[]
  bars: { x: number; y: number; width: number; height: number; title: string }[]
  /** The path of a line; null for bars. */
  line: string | null
  labels: { x: number; text: string }[]
  share: { value: string; whole: string } | null
  rows: { label: string; number: string; value: string | null; whole: string | null; to: string }[]
}

/** More would overlap on a phone. */
const maxLabels = 6

/** Draws shares as a line, so that one without rows is a gap, and sums as bars. */
export function drawChart(
  { title, label, points }: { title: string; label: string; points: ChartPoint[] },
  metric: Metric,
  { currency, formatPart }: { currency: string; formatPart: (value: number) => string },
): ChartView {
  const isLine = Boolean(metric.share) && metric.chart !== 'group'
  const values = points.map(({ sum }) => toUnits(sum, metric))
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(metric.unit === 'count' && !metric.share ? 4 : 1, ...values)],
    [100, 0],
  ).nice(4)
  const x = scaleBand(
    points.map((_, index) => index),
    [0, 100],
  ).padding(0.3)
  const center = (index: number) => x(index)! + x.bandwidth() / 2
  const path = line<number>()
    .defined((index) => points[index]!.sum.whole > 0)
    .x((index) => round(center(index)))
    .y((index) => round(y(values[index]!)))
  const every = Math.ceil(points.length / maxLabels)
  return {
    title,
    label,
    zero: round(y(0)),
    ticks: y.ticks(4).map((tick) => ({ y: round(y(tick)), label: formatTick(tick, metric, currency) })),
    bars: isLine
      ? []
      : points.map(({ label: name, sum }, index) => ({
          x: round(x(index)!),
          width: round(x.bandwidth()),
          y: round(Math.min(y(0), y(values[index]!))),
          height: round(Math.abs(y(0) - y(values[index]!))),
          title: `${name}: ${formatSum(sum, metric, currency)}`,
        })),
    line: isLine ? (path(points.map((_, index) => index)) ?? '') : null,
    labels: points.flatMap(({ label: text }, index) => (index % every ? [] : [{ x: round(center(index)), text }])),
    share: metric.share ?? null,
    rows: points.map(({ label: name, sum, to }) => ({
      label: name,
      number: formatSum(sum, metric, currency),
      value: metric.share ? formatPart(sum.value) : null,
      whole: metric.share ? formatPart(sum.whole) : null,
      to,
    })),
  }
}

/** The number on the axis: percent, hours, currency units or rows. */
function toUnits(sum: Sum, { unit, share }: Metric): number {
  if (share) return toPercent(sum)
  return unit === 'minutes' ? sum.value / 60 : unit === 'money' ? sum.value / 100 : sum.value
}

function formatTick(tick: number, { unit, share }: Metric, currency: string): string {
  if (share) return `${tick.toLocaleString('en-US')}%`
  if (unit === 'money') return formatMoney(Math.round(tick * 100), currency, { cents: 'needed' })
  return unit === 'minutes' ? `${tick.toLocaleString('en-US')} h` : tick.toLocaleString('en-US')
}

const round = (number: number): number => Math.round(number * 100) / 100
