import { formatDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatAmount, formatChange, formatDates, formatSum } from './format.ts'
import { maxBack, metricExportUrl, metricUrl, pageSize, type MetricState } from './list-state.ts'
import { goBack, toMetricPeriod } from './periods.ts'
import {
  getGroup,
  getMetric,
  getSums,
  listGroups,
  listRows,
  type MetricRow,
  type RowFilter,
} from './queries/metrics.ts'
import { resolvePeriod } from './resolve-period.ts'

/** A number with the rows or groups that it is the sum of. Throws plan_required, not_found. */
export async function loadMetric(ctx: Ctx, name: string | undefined, state: MetricState & { page: number }) {
  const { metric, part, period } = openMetric(ctx, name, state)
  const { currency, timezone } = ctx.account
  const by = state.by ? getGroup(metric, state.by) : null
  const earlier = metric.isOfNow ? [] : [{ ...part, period: toMetricPeriod(goBack(period), timezone) }]
  const [[sum, before], groups, rows, title] = await Promise.all([
    getSums(ctx, [part, ...earlier]),
    by && listGroups(ctx, [{ ...part, by, page: state.page, size: pageSize }]).then(([found]) => found!),
    by ? [] : listRows(ctx, part, { rows: pageSize, offset: (state.page - 1) * pageSize }),
    findGroupTitle(ctx, part),
  ])
  const { unit, share } = metric
  const format = (value: number) => formatAmount(value, unit, currency)
  const { page: _page, ...filters } = state
  const url = metricUrl(metric.name)
  return {
    name: metric.name,
    label: metric.label,
    definition: metric.definition,
    dates: metric.isOfNow ? 'As of now' : formatDates(period),
    share: share ?? null,
    number: metric.hasNoTotal && !part.filter ? null : formatSum(sum!, metric, currency),
    value: format(sum!.value),
    whole: share ? format(sum!.whole) : null,
    count: by ? groups!.count : sum!.rows,
    rowCount: sum!.rows,
    before: before
      ? {
          number: formatSum(before, metric, currency),
          change: formatChange(sum!, before, metric),
          dates: formatDates(goBack(period)),
          to: state.back < maxBack ? url.href({ ...filters, back: state.back + 1 }) : null,
        }
      : null,
    filter: part.filter && {
      label: part.filter.by.label,
      title: title ?? '–',
      to: url.href({ ...filters, group: '' }),
    },
    by: by && { name: by.name, label: by.label },
    views: metric.groups?.length
      ? [
          { label: 'Rows', to: url.href({ ...filters, by: null }), current: !by },
          ...metric.groups.map((group) => ({
            label: `By ${group.label.toLowerCase()}`,
            to: url.href({ ...filters, by: group.name, group: '' }),
            current: by === group,
          })),
        ]
      : [],
    rows: rows.map((row) => toRowView(row, format, timezone)),
    groups: (groups?.groups ?? []).map(({ key, title: name, ...part }) => ({
      key,
      title: name,
      number: share ? formatSum(part, metric, currency) : null,
      value: format(part.value),
      whole: share ? format(part.whole) : null,
      to: url.href({ ...filters, by: null, group: `${by!.name}:${key}` }),
    })),
    exportTo: metricExportUrl(metric.name).href(filters),
  }
}
export type MetricView = Awaited<ReturnType<typeof loadMetric>>

/** A metric with the period and the group that a URL asks for. Throws plan_required, not_found. */
export function openMetric(ctx: Ctx, name: string | undefined, state: MetricState) {
  const metric = getMetric(ctx, name)
  const period = resolvePeriod(ctx, state)
  const at = state.group.indexOf(':')
  const filter: RowFilter =
    at > 0 ? { by: getGroup(metric, state.group.slice(0, at)), key: state.group.slice(at + 1) } : null
  return { metric, period, part: { metric, period: toMetricPeriod(period, ctx.account.timezone), filter } }
}

async function findGroupTitle(ctx: Ctx, part: ReturnType<typeof openMetric>['part']): Promise<string | null> {
  if (!part.filter) return null
  const [found] = await listGroups(ctx, [{ ...part, by: part.filter.by, size: 1 }])
  return found!.groups[0]?.title ?? null
}

const toRowView = (
  { id, at, title, detail, to, value, whole }: MetricRow,
  format: (value: number) => string,
  timezone: string,
) => ({
  id,
  date: formatDate(at, timezone),
  title,
  detail,
  to,
  value: format(value),
  whole: format(whole),
})
