import { defaultParam, pageParam, patternParam, urlState, type Param } from '#app/lib/url.ts'
import { periodNames, type PeriodName } from './periods.ts'

export const pageSize = 50
/** The groups that a section lists. */
export const shownGroups = 5
/** The periods before that a number can be opened for. */
export const maxBack = 11

const dayParam: Param<string | null> = {
  parse: (day) => (/^(19|20|21)\d\d-\d\d-\d\d$/.test(day) && isCalendarDate(day) ? day : undefined),
  empty: null,
}
function isCalendarDate(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

const dates = {
  period: defaultParam(Object.keys(periodNames) as PeriodName[], 'this-quarter'),
  /** For custom dates. */
  from: dayParam,
  to: dayParam,
}
export const analyticsUrl = urlState('/analytics', dates)
export const analyticsExportUrl = urlState('/analytics/export', dates)
export type DatesState = ReturnType<typeof analyticsUrl.parse>

const opened = {
  ...dates,
  /** How many periods before. */
  back: {
    parse: (text: string) => (/^\d{1,2}$/.test(text) && Number(text) <= maxBack ? Number(text) : undefined),
    empty: 0,
  } satisfies Param<number>,
  /** The same period of the year before. */
  year: defaultParam(['', 'before'], ''),
  /** Groups instead of rows. */
  by: patternParam(/^[a-z]{1,20}$/),
  /** Only the rows of a group: its name and its key, such as `client:12`. */
  group: {
    parse: (text: string) =>
      /^[a-z]{1,20}:/.test(text) && text.length <= 300 && text.isWellFormed() && !text.includes('\0')
        ? text
        : undefined,
    empty: '',
  } satisfies Param<string>,
}
export const metricUrl = (name: string) => urlState(`/analytics/${name}`, { ...opened, page: pageParam })
export const metricExportUrl = (name: string) => urlState(`/analytics/${name}/export`, opened)
export type MetricState = ReturnType<ReturnType<typeof metricExportUrl>['parse']>
