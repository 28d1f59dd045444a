import type { LoaderFunctionArgs } from '@remix-run/node'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportOverview } from '../export.ts'
import { analyticsExportUrl } from '../list-state.ts'
import { resolvePeriod } from '../resolve-period.ts'

/** A CSV file of all numbers of a period. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const state = analyticsExportUrl.parse(request.url)
  const { from, to } = resolvePeriod(ctx, state)
  return csvResponse(ctx, `Analytics ${from} ${to}.csv`, await exportOverview(ctx, state))
}
