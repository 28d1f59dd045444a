import { localDate, localTime } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv, type Cell } from '#modules/core/csv/write.ts'
import type { Ctx } from '#tenants/context.ts'
import { metricSections, type Metric } from '../core/metrics.ts'
import { toCell, toPercent, unitLabel } from './format.ts'
import type { DatesState, MetricState } from './list-state.ts'
import { openMetric } from './metric-loader.server.ts'
import { loadNumbers } from './overview-loader.server.ts'
import { goBack, goBackYear, listBuckets, type Dates } from './periods.ts'
import { getGroup, listGroups, listMetrics, listRows, type Sum } from './queries/metrics.ts'
import { resolvePeriod } from './resolve-period.ts'

// Programs read these files: columns are added at the end only.
const overviewHeaders = [
  'Section',
  'Number',
  'Name',
  'Part',
  'From',
  'To',
  'Unit',
  'Value',
  'Of',
  'Percent',
  'Rows',
  'Definition',
]
const batchSize = 500

/** A CSV file of all numbers: the period, the one before, that of the year before, and the days, weeks or months of it. */
export async function exportOverview(ctx: Ctx, state: DatesState): Promise<string> {
  const metrics = listMetrics(ctx)
  const period = resolvePeriod(ctx, state)
  const [before, yearBefore] = [goBack(period), goBackYear(period)]
  const buckets = listBuckets(period, ctx.account.weekStart)
  const sums = await loadNumbers(ctx, metrics, { period, before, yearBefore, buckets })
  const toRow = (metric: Metric, part: string, dates: Dates | null, sum: Sum): Cell[] => [
    metricSections[metric.section],
    metric.label,
    metric.name,
    part,
    dates?.from ?? '',
    dates?.to ?? '',
    unitLabel(metric.unit, ctx.account.currency),
    toCell(sum.value, metric.unit),
    metric.share ? toCell(sum.whole, metric.unit) : '',
    metric.share && sum.whole ? { decimal: String(toPercent(sum)) } : '',
    { decimal: String(sum.rows) },
    metric.definition,
  ]
  const rows = metrics
    .filter(({ hasNoTotal }) => !hasNoTotal)
    .flatMap((metric) => {
      const { now, before: earlier, yearBefore: lastYear, parts } = sums.get(metric)!
      if (metric.isOfNow) return [toRow(metric, 'now', null, now)]
      return [
        toRow(metric, 'period', period, now),
        toRow(metric, 'before', before, earlier!),
        toRow(metric, 'year before', yearBefore, lastYear!),
        ...parts.map((sum, index) => toRow(metric, buckets[index]!.unit, buckets[index]!, sum)),
      ]
    })
  return byteOrderMark + formatCsv([overviewHeaders, ...rows])
}

/** A CSV file of the rows of a number, latest first, or of its groups; one piece per batch. */
export async function* exportMetric(ctx: Ctx, name: string | undefined, state: MetricState): AsyncGenerator<string> {
  const { metric, part } = openMetric(ctx, name, state)
  const { unit, share } = metric
  const { timezone, currency } = ctx.account
  const valueHeads = [share?.value ?? metric.label, ...(share ? [share.whole] : [])].map(
    (label) => `${label} (${unitLabel(unit, currency)})`,
  )
  const toValues = ({ value, whole }: { value: number; whole: number }): Cell[] => [
    toCell(value, unit),
    ...(share ? [toCell(whole, unit)] : []),
  ]
  if (state.by) {
    const by = getGroup(metric, state.by)
    yield byteOrderMark + formatCsv([[by.label, ...valueHeads, 'Rows']])
    for (let page = 1; ; page++) {
      const [{ groups } = { groups: [] }] = await listGroups(ctx, [{ ...part, by, page, size: batchSize }])
      if (groups.length)
        yield formatCsv(groups.map((group) => [group.title, ...toValues(group), { decimal: String(group.rows) }]))
      if (groups.length < batchSize) return
    }
  }
  yield byteOrderMark + formatCsv([['Id', 'Date', 'Time', 'Title', 'Details', ...valueHeads, 'Page']])
  for (let after = null; ; ) {
    const rows = await listRows(ctx, part, { rows: batchSize, after })
    if (rows.length)
      yield formatCsv(
        rows.map((row) => [
          String(row.id),
          localDate(row.at, timezone),
          localTime(row.at, timezone),
          row.title,
          row.detail ?? '',
          ...toValues(row),
          row.to ?? '',
        ]),
      )
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = { at: last.at, id: last.id }
  }
}
