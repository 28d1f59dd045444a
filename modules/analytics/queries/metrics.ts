import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp, type Query } from '#db/read-pool.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import {
  metricSections,
  type Metric,
  type MetricGroup,
  type DateSpan,
  type MetricPeriod,
  type MetricRows,
} from '../../core/metrics.ts'
import { toSpan, type Dates } from '../periods.ts'

export const hasAnalytics = ({ plan }: Pick<Ctx, 'plan'>): boolean => planIncludes(plan, 'advanced-analytics')

/** Every query begins with it. Throws forbidden, and plan_required below Premium. */
function authorizeAnalytics(ctx: Ctx): void {
  authorize(ctx, 'analytics:report:read')
  if (!hasAnalytics(ctx)) throw new AppError('plan_required', 'Advanced analytics are part of the Premium plan.')
}

/** The metrics that `ctx` may see, in the order of the page. Throws plan_required. */
export function listMetrics(ctx: Ctx): Metric[] {
  authorizeAnalytics(ctx)
  const sections = Object.keys(metricSections)
  const rank = ({ section, order }: Metric) => sections.indexOf(section) * 1000 + order
  return ctx.extensions.metrics.filter(({ permission }) => ctx.can(permission)).sort((a, b) => rank(a) - rank(b))
}

/** Throws plan_required; not_found for one that doesn't exist or that `ctx` may not see. */
export function getMetric(ctx: Ctx, name: string | undefined): Metric {
  const metric = listMetrics(ctx).find((each) => each.name === name)
  if (!metric) throw new AppError('not_found', 'This number does not exist')
  return metric
}

/** Throws not_found. */
export function getGroup(metric: Metric, name: string): MetricGroup {
  const group = metric.groups?.find((each) => each.name === name)
  if (!group) throw new AppError('not_found', 'This number is not grouped like that', { field: 'by' })
  return group
}

/** `value` adds up; `whole` is what it is a share of, 0 without a share. `rows`: how many rows there are. */
export type Sum = { value: number; whole: number; rows: number }
/** Rows that have this group's key, or all. */
export type RowFilter = { by: MetricGroup; key: string } | null

type Part = { metric: Metric; period: MetricPeriod; filter?: RowFilter }

/** A sum for each part, all in one round trip; of equal parts one is read. */
export async function getSums(ctx: Ctx, parts: Part[]): Promise<Sum[]> {
  authorizeAnalytics(ctx)
  const keys = parts.map(({ metric, period, filter }) =>
    [metric.name, period.from, period.to, period.before.from, filter?.by.name, filter?.key].join(' '),
  )
  const distinct = parts.filter((_, index) => keys.indexOf(keys[index]!) === index)
  const results = await runAll(ctx, await Promise.all(distinct.map((part) => toSumQuery(ctx, part))))
  return parts.map((_, index) => (results[distinct.indexOf(parts[keys.indexOf(keys[index]!)]!)] as Sum[])[0]!)
}

/**
 * The sums of metrics that add up by day, for each of several dates, such as the period and its weeks. Rows of the same tables
 * are read once, for all metrics and dates.
 */
export async function getSumsByDates(ctx: Ctx, metrics: Metric[], dates: Dates[]): Promise<Map<Metric, Sum[]>> {
  authorizeAnalytics(ctx)
  const { timezone } = ctx.account
  const spans = dates.map((each) => toSpan(each, timezone))
  const from = spans.map((span) => span.from).reduce((a, b) => (a < b ? a : b))
  const to = spans.map((span) => span.to).reduce((a, b) => (a > b ? a : b))
  const all = toSpan({ from, to }, timezone)
  // Between two cuts all rows count for the same dates.
  const cuts = [...new Set(spans.flatMap(({ start, end }) => [Number(start), Number(end)]))].sort((a, b) => a - b)
  const sources = await Promise.all(
    metrics.map(async (metric) => ({ metric, rows: await metric.rows(ctx, { ...all, before: all }) })),
  )
  const scans = [...Map.groupBy(sources, ({ rows }) => JSON.stringify([rows.from, rows.values])).values()]
  const results = (await runAll(
    ctx,
    scans.map((scan) => toScanQuery(ctx, scan, all, cuts)),
  )) as Record<string, number>[][]
  return new Map(
    scans.flatMap((scan, number) =>
      scan.map(({ metric }, index) => [
        metric,
        spans.map(({ start, end }) =>
          results[number]!.filter(({ cut }) => cuts[cut! - 1]! >= Number(start) && cuts[cut! - 1]! < Number(end))
            .map((row): Sum => ({ value: row[`v${index}`]!, whole: row[`w${index}`]!, rows: row[`r${index}`]! }))
            .reduce(addSums, noSum),
        ),
      ]),
    ),
  )
}

function toScanQuery(ctx: Ctx, scan: { metric: Metric; rows: MetricRows }[], all: DateSpan, cuts: number[]): Query {
  const { from, at, values = [] } = scan[0]!.rows
  const sums = scan.map(({ rows: { value, whole, only } }, index) => {
    const filter = only ? ` filter (where ${only})` : ''
    return `coalesce(sum(${value})${filter}, 0)::bigint as v${index}, count(*)${filter}::int as r${index},
      ${whole ? `coalesce(sum(${whole})${filter}, 0)::bigint` : '0'} as w${index}`
  })
  return {
    name: `analytics.scan-${scan.map(({ metric }) => metric.name).join('-')}`,
    text: `select width_bucket(${at}, $${values.length + 4}::timestamptz[]) as cut, ${sums.join(', ')} ${from} group by 1`,
    values: [ctx.coachId, all.start, all.end, ...values, cuts.map((cut) => new Date(cut))],
  }
}

const addSums = (a: Sum, b: Sum): Sum => ({ value: a.value + b.value, whole: a.whole + b.whole, rows: a.rows + b.rows })

export type GroupSum = Sum & { key: string; title: string }

/** The groups of a part, the largest first or in their own order; `page` starts at 1. `count`: of all groups. */
export async function listGroups(
  ctx: Ctx,
  parts: (Part & { by: MetricGroup; page?: number; size: number })[],
): Promise<{ groups: GroupSum[]; count: number }[]> {
  authorizeAnalytics(ctx)
  const queries = parts.map(async ({ by, page = 1, size, ...part }) => {
    const { rows, name, values, bind } = await prepare(ctx, part)
    const order = by.order ?? `sum(${rows.value}) desc, min(${by.title}), ${by.key}`
    return {
      name: `analytics.groups-${name}-${by.name}`,
      text: `select ${by.key} as key, min(${by.title}) as title, ${sumSql(rows)}, count(*) over ()::int as count
        ${rows.from} group by ${by.key} order by ${order} limit ${bind(size)} offset ${bind((page - 1) * size)}`,
      values,
    }
  })
  const results = (await runAll(ctx, await Promise.all(queries))) as (GroupSum & { count: number })[][]
  return results.map((found) => ({
    groups: found.map(({ count: _count, ...group }) => group),
    count: found[0]?.count ?? 0,
  }))
}

/** A row of a number. `to`: its page, or null. */
export type MetricRow = {
  id: number
  at: string
  title: string
  detail: string | null
  to: string | null
  value: number
  whole: number
}

/** The rows of a number, latest first: those of a page, or those after a cursor. */
export async function listRows(
  ctx: Ctx,
  part: Part,
  page: { rows: number | null; offset?: number; after?: Cursor | null },
): Promise<MetricRow[]> {
  authorizeAnalytics(ctx)
  const { rows, name, values, bind } = await prepare(ctx, part)
  const after = page.after
    ? ` and (${rows.at}, ${rows.id}) < (${bind(page.after.at)}::timestamptz, ${bind(page.after.id)}::bigint)`
    : ''
  const query = {
    name: `analytics.rows-${name}${after && '-after'}`,
    text: `select ${rows.id} as id, ${isoTimestamp(rows.at)} as at, ${rows.title} as title, nullif(${rows.detail}, '') as detail,
        ${rows.to} as "to", (${rows.value})::bigint as value, (${rows.whole ?? '0'})::bigint as whole
      ${rows.from}${after} order by ${rows.at} desc, ${rows.id} desc
      limit ${bind(page.rows)}::bigint offset ${bind(page.offset ?? 0)}::bigint`,
    values,
  }
  const [found] = await runAll(ctx, [query])
  return found as MetricRow[]
}

export const noSum: Sum = { value: 0, whole: 0, rows: 0 }

async function toSumQuery(ctx: Ctx, part: Part): Promise<Query> {
  const { rows, name, values } = await prepare(ctx, part)
  return { name: `analytics.sum-${name}`, text: `select ${sumSql(rows)} ${rows.from}`, values }
}

const sumSql = ({ value, whole }: MetricRows): string =>
  `coalesce(sum(${value}), 0)::bigint as value, ${whole ? `coalesce(sum(${whole}), 0)::bigint` : '0'} as whole, count(*)::int as rows`

/** The rows of a part with the values of their statement. `name`: one name, one text. */
async function prepare(ctx: Ctx, { metric, period, filter = null }: Part) {
  const rows = await metric.rows(ctx, period)
  const values: unknown[] = [ctx.coachId, period.start, period.end, ...(rows.values ?? [])]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = [rows.only && `(${rows.only})`, filter && `${filter.by.key} = ${bind(filter.key)}`].filter(Boolean)
  const from = [rows.from, ...conditions].join(' and ')
  return { rows: { ...rows, from }, name: filter ? `${metric.name}-of-${filter.by.name}` : metric.name, values, bind }
}

/** The sums, the groups and the scans of a page are computed side by side. */
const runAll = async (ctx: Ctx, queries: Query[]): Promise<object[][]> =>
  queries.length ? ctx.queryAll(queries, { report: true }) : []
