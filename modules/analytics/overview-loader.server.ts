import type { Ctx } from '#tenants/context.ts'
import { metricSections, type Metric, type MetricSection } from '../core/metrics.ts'
import { drawChart, type ChartPoint, type ChartView } from './chart.server.ts'
import { formatAmount, formatBucket, formatChange, formatDates, formatPeriod, formatSum } from './format.ts'
import { metricUrl, shownGroups, type DatesState, type MetricState } from './list-state.ts'
import { goBack, goBackYear, listBuckets, toMetricPeriod, type Bucket, type Period } from './periods.ts'
import { getSums, getSumsByDates, listGroups, listMetrics, noSum, type GroupSum, type Sum } from './queries/metrics.ts'
import { resolvePeriod } from './resolve-period.ts'

/** The periods of a chart of whole periods, the present one included. */
const shownPeriods = 6

/** `parts`: the sums of the days, weeks or months, of a metric that adds up by day. */
export type Numbers = { now: Sum; before: Sum | null; yearBefore: Sum | null; parts: Sum[] }
type GroupList = { label: string; groups: GroupSum[]; count: number; by: string }
/** The chart and the lists of a metric. */
type Details = { points: ChartPoint[]; pointLabel: string; lists: GroupList[] }

/** The numbers of a period, beside those of the period before and of the year before. Throws plan_required. */
export async function loadOverview(ctx: Ctx, state: DatesState) {
  const metrics = listMetrics(ctx)
  const period = resolvePeriod(ctx, state)
  const before = goBack(period)
  const yearBefore = goBackYear(period)
  const buckets = listBuckets(period, ctx.account.weekStart)
  const [sums, trends, groups] = await Promise.all([
    loadNumbers(ctx, metrics, { period, before, yearBefore, buckets }),
    loadTrends(ctx, metrics, period),
    loadGroups(ctx, metrics, period),
  ])
  const details = new Map(
    metrics.map((metric) => [
      metric,
      toDetails(metric, { state, period, buckets }, sums.get(metric)!, trends.get(metric) ?? [], groups.get(metric)!),
    ]),
  )
  const { currency } = ctx.account
  const views = metrics.map((metric) => ({
    metric,
    tile: metric.hasNoTotal ? null : toTile(metric, sums.get(metric)!, state, currency),
    chart: metric.chart ? toChart(metric, details.get(metric)!, currency) : null,
    lists: details.get(metric)!.lists.map((list) => toList(metric, list, state, currency)),
  }))
  return {
    dates: formatDates(period),
    before: formatDates(before),
    yearBefore: formatDates(yearBefore),
    period: { from: period.from, to: period.to },
    isEmpty: [...sums.values()].every(({ now, before: earlier }) => now.rows === 0 && !earlier?.rows),
    sections: (Object.keys(metricSections) as MetricSection[]).flatMap((section) => {
      const own = views.filter(({ metric }) => metric.section === section)
      if (!own.length) return []
      return {
        name: section,
        title: metricSections[section],
        tiles: own.flatMap(({ tile }) => tile ?? []),
        charts: own.flatMap(({ chart }) => chart ?? []),
        lists: own.flatMap(({ lists }) => lists),
        definitions: own.map(({ metric: { label, definition } }) => ({ label, definition })),
      }
    }),
  }
}
export type OverviewSection = Awaited<ReturnType<typeof loadOverview>>['sections'][number]

/** The sums of every metric, for the page, its file and the API. */
export async function loadNumbers(
  ctx: Ctx,
  metrics: Metric[],
  { period, before, yearBefore, buckets }: Record<'period' | 'before' | 'yearBefore', Period> & { buckets: Bucket[] },
): Promise<Map<Metric, Numbers>> {
  const spans = [period, before, yearBefore]
  const byDay = metrics.filter(({ addsUpByDay }) => addsUpByDay)
  const others = metrics.filter(({ addsUpByDay, hasNoTotal }) => !addsUpByDay && !hasNoTotal)
  const parts = others.flatMap((metric) =>
    (metric.isOfNow ? spans.slice(0, 1) : spans).map((each) => ({
      metric,
      period: toMetricPeriod(each, ctx.account.timezone),
    })),
  )
  const [scanned, sums] = await Promise.all([getSumsByDates(ctx, byDay, [...spans, ...buckets]), getSums(ctx, parts)])
  return new Map(
    metrics.map((metric) => {
      const own = scanned.get(metric) ?? sums.filter((_, index) => parts[index]!.metric === metric)
      return [metric, { now: own[0] ?? noSum, before: own[1] ?? null, yearBefore: own[2] ?? null, parts: own.slice(3) }]
    }),
  )
}

/** The sums of the periods before the last two, oldest first, of the metrics that are charted by periods. */
async function loadTrends(ctx: Ctx, metrics: Metric[], period: Period): Promise<Map<Metric, Sum[]>> {
  const charted = metrics.filter(({ chart }) => chart === 'periods')
  const parts = charted.flatMap((metric) =>
    steps.slice(0, -2).map((back) => ({ metric, period: toMetricPeriod(goBack(period, back), ctx.account.timezone) })),
  )
  const sums = await getSums(ctx, parts)
  return new Map(charted.map((metric) => [metric, sums.filter((_, index) => parts[index]!.metric === metric)]))
}

const steps = Array.from({ length: shownPeriods }, (_, index) => shownPeriods - 1 - index)

/** The groups that a chart or a list shows. */
async function loadGroups(ctx: Ctx, metrics: Metric[], period: Period): Promise<Map<Metric, GroupList[]>> {
  const whole = toMetricPeriod(period, ctx.account.timezone)
  const shown = metrics.flatMap((metric) =>
    (metric.groups ?? [])
      .filter((_, index) => metric.listsGroups || (metric.chart === 'group' && index === 0))
      .map((by) => ({ metric, by, period: whole, size: metric.chart === 'group' ? maxGroupBars : shownGroups })),
  )
  const found = await listGroups(ctx, shown)
  const lists = shown.map(({ metric, by }, index) => ({ metric, label: by.label, by: by.name, ...found[index]! }))
  return new Map(metrics.map((metric) => [metric, lists.filter((list) => list.metric === metric)]))
}

function toDetails(
  metric: Metric,
  { state, period, buckets }: { state: DatesState; period: Period; buckets: Bucket[] },
  { now, before, parts }: Numbers,
  earlier: Sum[],
  groups: GroupList[],
): Details {
  const open = (change: Partial<MetricState>) => metricUrl(metric.name).href({ ...state, ...change })
  const lists = metric.listsGroups ? groups : []
  if (metric.chart === 'time')
    return {
      lists,
      pointLabel: bucketLabels[buckets[0]!.unit],
      points: buckets.map((bucket, index) => ({
        label: formatBucket(bucket),
        sum: parts[index]!,
        to: open({ period: 'custom', from: bucket.from, to: bucket.to }),
      })),
    }
  if (metric.chart === 'periods')
    return {
      lists,
      pointLabel: 'Period',
      points: steps.map((back, index) => ({
        label: formatPeriod(goBack(period, back)),
        sum: [...earlier, before ?? noSum, now][index]!,
        to: open({ back }),
      })),
    }
  const [first] = metric.chart === 'group' ? groups : []
  return {
    lists,
    pointLabel: first?.label ?? '',
    points: (first?.groups ?? []).map(({ title, key, ...sum }) => ({
      label: title,
      sum,
      to: open({ group: `${first!.by}:${key}` }),
    })),
  }
}

/** The most bars of a chart by group: a board seldom has more stages. */
const maxGroupBars = 12
const bucketLabels: Record<Bucket['unit'], string> = { day: 'Day', week: 'Week from', month: 'Month' }

function toTile(metric: Metric, { now, before, yearBefore }: Numbers, state: DatesState, currency: string) {
  const url = metricUrl(metric.name)
  const compare = (sum: Sum | null, change: Partial<MetricState>) =>
    sum && {
      number: formatSum(sum, metric, currency),
      change: formatChange(now, sum, metric),
      to: url.href({ ...state, ...change }),
    }
  return {
    name: metric.name,
    label: metric.label,
    number: formatSum(now, metric, currency),
    detail: metric.share
      ? `${formatAmount(now.value, metric.unit, currency)} of ${formatAmount(now.whole, metric.unit, currency)}`
      : metric.isOfNow
        ? 'as of now'
        : null,
    to: url.href(state),
    before: compare(before, { back: 1 }),
    yearBefore: compare(yearBefore, { year: 'before' }),
  }
}

function toChart(metric: Metric, { points, pointLabel }: Details, currency: string): ChartView | null {
  if (points.every(({ sum }) => sum.rows === 0)) return null
  const suffix = { time: '', periods: ', period by period', group: `, by ${pointLabel.toLowerCase()}` }[metric.chart!]
  const title = metric.hasNoTotal ? metric.label : `${metric.label}${suffix}`
  const formatPart = (value: number) => formatAmount(value, metric.unit, currency)
  return drawChart({ title, label: pointLabel, points }, metric, { currency, formatPart })
}

function toList(metric: Metric, { label, by, groups, count }: GroupList, state: DatesState, currency: string) {
  const url = metricUrl(metric.name)
  return {
    title: `${metric.label} by ${label.toLowerCase()}`,
    label,
    rows: groups.map(({ key, title, ...sum }) => ({
      key,
      title,
      number: formatSum(sum, metric, currency),
      to: url.href({ ...state, group: `${by}:${key}` }),
    })),
    more:
      count > groups.length ? { label: `All ${count.toLocaleString('en-US')}`, to: url.href({ ...state, by }) } : null,
  }
}
