import type { Ctx, PermissionName } from '#tenants/context.ts'

/** Dates of the coach's calendar, both inclusive; `start` (inclusive) and `end` are their instants. */
export type DateSpan = { from: string; to: string; start: Date; end: Date }
/** `before`: the period that it is compared with. */
export type MetricPeriod = DateSpan & { before: DateSpan }

/** The parts of the analytics. A section without metrics is not shown. */
export const metricSections = {
  revenue: 'Revenue',
  clients: 'Clients',
  sessions: 'Sessions',
  pipeline: 'Pipeline',
} as const
export type MetricSection = keyof typeof metricSections

/**
 * A number of the analytics. It is the sum of its rows, or with `share` the share that two sums have; one query makes the
 * number, its rows and its parts, so that they agree.
 */
export type Metric = {
  /** In URLs and the API: letters and hyphens, no other metric's. */
  name: string
  section: MetricSection
  order: number
  label: string
  /** A sentence for the coach that says exactly what is counted. */
  definition: string
  /** The unit of `value`: hundredths of the practice's currency, minutes, or rows. */
  unit: 'money' | 'minutes' | 'count'
  /** Labels of the two sums, such as 'Came back' and 'Clients before'. */
  share?: { value: string; whole: string }
  /** The rows are those of now, whatever the period. */
  isOfNow?: true
  /** The numbers of the days of a period add up to that of the period. */
  addsUpByDay?: true
  /** Shown by its groups alone: a total would count something twice. */
  hasNoTotal?: true
  /** The ways to group the rows. */
  groups?: MetricGroup[]
  /** The page lists the largest groups. */
  listsGroups?: true
  /** By the days, weeks or months of the period (with `addsUpByDay`), by the periods before, or by the first of `groups`. */
  chart?: 'time' | 'periods' | 'group'
  permission: PermissionName
  rows: (ctx: Ctx, period: MetricPeriod) => MetricRows | Promise<MetricRows>
}

/** `key`: SQL, a text that is the same for all rows of a group; `title`: SQL, what the group is called. */
export type MetricGroup = {
  name: string
  label: string
  key: string
  title: string
  /** SQL with aggregates, ascending. Default: the largest sum first. */
  order?: string
}

/**
 * SQL fragments that select the rows, all of the tenant's tables with `coach_id = $1`. $2 and $3 are `start` and `end` of the
 * period, $4 and so on are `values`.
 */
export type MetricRows = {
  /** From `from` to the end of `where`; conditions are added with `and`. */
  from: string
  values?: unknown[]
  /** A further condition. Metrics with the same `from` and `values` are summed up in one scan. */
  only?: string
  /** A whole number, unique among the rows. */
  id: string
  /** The time of a row. */
  at: string
  /** A whole number: what adds up. */
  value: string
  /** A whole number: what `value` is a share of. Only with `share`. */
  whole?: string
  title: string
  /** More about the row, or null. */
  detail: string
  /** The page of the row, or null. */
  to: string
}
