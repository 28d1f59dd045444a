import type { LoaderFunctionArgs } from '@remix-run/node'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportMetric } from '../export.ts'
import { metricExportUrl } from '../list-state.ts'
import { openMetric } from '../metric-loader.server.ts'

/** Streams the rows of a number, or its groups, as a CSV file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const state = metricExportUrl('').parse(request.url)
  const { metric, period } = openMetric(ctx, params.metric, state)
  const dates = metric.isOfNow ? '' : ` ${period.from} ${period.to}`
  return csvResponse(ctx, `${metric.label}${dates}.csv`, exportMetric(ctx, params.metric, state))
}
