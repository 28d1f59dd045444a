import { z } from 'zod'
import { addDays, localDate } from '#app/lib/time.ts'
import { AppError } from '#app/lib/errors.ts'
import { operation, type Operation } from '#tenants/api/operation.ts'
import { listOperation } from '#tenants/api/resource.ts'
import type { Ctx } from '#tenants/context.ts'
import { metricSections } from '../core/metrics.ts'
import type { MetricState } from './list-state.ts'
import { openMetric } from './metric-loader.server.ts'
import { loadNumbers } from './overview-loader.server.ts'
import { goBack, goBackYear, listBuckets, maxDays, periodNames, type PeriodName } from './periods.ts'
import { getGroup, getMetric, getSumsByDates, listGroups, listMetrics, listRows, type Sum } from './queries/metrics.ts'
import { resolvePeriod } from './resolve-period.ts'

const tag = 'Analytics'
const maxGroups = 500

/** Pages take the same years: computing with dates ends with the year 9999. */
const day = z.iso.date().regex(/^(19|20|21)/, 'Use a date from 1900 to 2199.')

const PeriodQuery = z.object({
  period: z
    .enum(Object.keys(periodNames) as [PeriodName, ...PeriodName[]])
    .default('this-quarter')
    .describe('In the time zone of the coach; a running one ends today.'),
  from: day.optional().describe('For `period=custom`; default: 30 days in all.'),
  to: day.optional().describe('For `period=custom`; included. Default: today.'),
})
const MetricQuery = PeriodQuery.extend({
  metric: z.string().max(100).default('revenue').describe('The name of a number.'),
})

const DatesOut = z.object({ from: z.iso.date(), to: z.iso.date() })
const SumOut = z.object({
  value: z.int().describe('Hundredths of the currency, minutes, or a count.'),
  whole: z.int().nullable().describe('What `value` is a share of; null if the number is no share.'),
  rows: z.int().describe('How many rows it is the sum of.'),
})
const NumberOut = SumOut.extend({
  name: z.string(),
  section: z.enum(Object.keys(metricSections) as [string, ...string[]]),
  label: z.string(),
  definition: z.string(),
  unit: z.enum(['money', 'minutes', 'count']),
  groups: z.array(z.string()).describe('What it can be grouped by.'),
  before: SumOut.nullable().describe('Null for a number that is as of now.'),
  yearBefore: SumOut.nullable(),
})
const SummaryOut = z.object({
  currency: z.string(),
  period: DatesOut,
  before: DatesOut,
  yearBefore: DatesOut,
  numbers: z.array(NumberOut),
})
const RowOut = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  title: z.string(),
  detail: z.string().nullable(),
  to: z.string().nullable().describe('The page of the row.'),
  value: z.int(),
  whole: z.int().nullable(),
})
const PartsOut = z.array(SumOut.extend(DatesOut.shape).extend({ unit: z.enum(['day', 'week', 'month']) }))
const GroupsOut = z.object({
  count: z.int().describe('How many groups there are.'),
  groups: z.array(SumOut.extend({ key: z.string(), title: z.string() })),
})

export const operations: Operation[] = [
  operation({
    method: 'get',
    path: '/analytics',
    summary: 'Get the numbers of a period',
    description: 'Each is the sum of its rows. With the period before and that of the year before. Premium only.',
    tags: [tag],
    query: PeriodQuery,
    answers: { 200: SummaryOut },
    refusals: [403],
    handle: (ctx, { query }) => getSummary(ctx, query),
  }),
  listOperation({
    path: '/analytics/rows',
    summary: 'List the rows of a number',
    description: 'Latest first. The sum of their `value` is the number. Premium only.',
    tags: [tag],
    query: MetricQuery.extend({
      group: z.string().max(300).optional().describe('Only the rows of a group, such as `client:12`.'),
    }),
    output: RowOut,
    run: async (ctx, page, query) => {
      const { metric, part } = openMetric(ctx, String(query.metric), toState(ctx, query))
      const rows = await listRows(ctx, part, { rows: page.rows ?? null, after: page.after ?? null })
      return rows.map((row) => ({ ...row, whole: metric.share ? row.whole : null }))
    },
    toCursor: ({ at, id }) => ({ at, id }),
  }),
  operation({
    method: 'get',
    path: '/analytics/groups',
    summary: 'Get the groups of a number',
    description: `The largest ${maxGroups}, or those of a board in its order. Premium only.`,
    tags: [tag],
    query: MetricQuery.extend({
      by: z.string().max(20).optional().describe('One of the `groups` of the number; default: the first.'),
    }),
    answers: { 200: GroupsOut },
    refusals: [403, 404],
    handle: async (ctx, { query }) => {
      const { metric, part } = openMetric(ctx, query.metric, toState(ctx, query))
      const [found] = await listGroups(ctx, [
        { ...part, by: getGroup(metric, query.by ?? metric.groups?.[0]?.name ?? ''), size: maxGroups },
      ])
      const groups = found!.groups.map(({ key, title, ...sum }) => ({ key, title, ...toSum(sum, metric) }))
      return { count: found!.count, groups }
    },
  }),
  operation({
    method: 'get',
    path: '/analytics/parts',
    summary: 'Get a number by day, week or month',
    description:
      'Days up to a month, weeks up to half a year, otherwise months; they add up to the number. 409 for a number that' +
      ' doesn’t add up by day, such as the clients who paid. Premium only.',
    tags: [tag],
    query: MetricQuery,
    answers: { 200: PartsOut },
    refusals: [403, 404, 409],
    handle: async (ctx, { query }) => {
      const metric = getMetric(ctx, query.metric)
      if (!metric.addsUpByDay) throw new AppError('conflict', 'This number does not add up by day.')
      const period = resolvePeriod(ctx, toState(ctx, query))
      const buckets = listBuckets(period, ctx.account.weekStart)
      const sums = (await getSumsByDates(ctx, [metric], buckets)).get(metric)!
      return buckets.map((bucket, index) => ({ ...bucket, ...toSum(sums[index]!, metric) }))
    },
  }),
]

async function getSummary(ctx: Ctx, query: z.output<typeof PeriodQuery>): Promise<z.output<typeof SummaryOut>> {
  const metrics = listMetrics(ctx).filter(({ hasNoTotal }) => !hasNoTotal)
  const period = resolvePeriod(ctx, toState(ctx, query))
  const [before, yearBefore] = [goBack(period), goBackYear(period)]
  const sums = await loadNumbers(ctx, metrics, { period, before, yearBefore, buckets: [] })
  const toDates = ({ from, to }: { from: string; to: string }) => ({ from, to })
  return {
    currency: ctx.account.currency,
    period: toDates(period),
    before: toDates(before),
    yearBefore: toDates(yearBefore),
    numbers: metrics.map((metric) => {
      const { name, section, label, definition, unit, groups = [] } = metric
      const found = sums.get(metric)!
      return {
        name,
        section,
        label,
        definition,
        unit,
        groups: groups.map((group) => group.name),
        ...toSum(found.now, metric),
        before: found.before && toSum(found.before, metric),
        yearBefore: found.yearBefore && toSum(found.yearBefore, metric),
      }
    }),
  }
}

const toSum = ({ value, whole, rows }: Sum, { share }: { share?: unknown }) => ({
  value,
  whole: share ? whole : null,
  rows,
})

/** Throws validation_failed for dates in the wrong order or too far apart. */
function toState(ctx: Ctx, query: Record<string, unknown>): MetricState {
  const { period, from, to, group = '' } = query as z.output<typeof PeriodQuery> & { group?: string }
  const today = localDate(ctx.now(), ctx.account.timezone)
  if (period === 'custom' && from && from > (to ?? today))
    throw new AppError('validation_failed', 'Choose a day before the last one.', { field: 'from' })
  if (period === 'custom' && from && from <= addDays(to ?? today, -maxDays))
    throw new AppError('validation_failed', 'Choose at most five years.', { field: 'from' })
  if (group && !/^[a-z]{1,20}:/.test(group))
    throw new AppError('validation_failed', 'Use the name of a group and a key, such as client:12.', { field: 'group' })
  return { period, from: from ?? null, to: to ?? null, back: 0, year: '', by: null, group }
}
