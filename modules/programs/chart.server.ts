import { scaleLinear, scaleTime } from 'd3-scale'
import { line } from 'd3-shape'
import { formatDay } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'

/** A chart as numbers: x and y are in percent of its width and height. */
export type Chart = {
  ticks: { y: number; label: string }[]
  line: string
  points: { x: number; y: number; value: string; date: string; note: string | null }[]
}
export type ChartPoint = { at: string; value: number; label: string; note?: string }

/** Draws values over time, oldest first; null for fewer than two. `ends`: of the scale, at least these. */
export function drawChart(
  ctx: Ctx,
  values: ChartPoint[],
  { ends, unit, zone }: { ends: [number, number]; unit: string; zone: string },
): Chart | null {
  if (values.length < 2) return null
  const all = [...ends, ...values.map(({ value }) => value)]
  const [min, max] = [Math.min(...all), Math.max(...all)]
  const y = scaleLinear([min, max], [100, 0])
  const times = values.map(({ at }) => new Date(at).getTime())
  const x = scaleTime([times[0]!, Math.max(times.at(-1)!, times[0]! + 1)], [2, 98])
  const points = values.map(({ at, value, label, note }) => ({
    x: round(x(new Date(at))),
    y: round(y(value)),
    value: label,
    date: formatDay(at, ctx.now(), zone),
    note: note ?? null,
  }))
  const path = line<(typeof points)[number]>()
    .x((point) => point.x)
    .y((point) => point.y)
  return {
    ticks: [min, max].map((tick) => ({ y: round(y(tick)), label: `${tick.toLocaleString('en-US')}${unit}` })),
    line: path(points) ?? '',
    points,
  }
}

const round = (number: number): number => Math.round(number * 100) / 100
