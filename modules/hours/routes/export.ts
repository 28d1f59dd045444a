import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportLog } from '../export.ts'
import { hoursExportUrl } from '../list-state.ts'

/** The log of a period as a CSV file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const today = localDate(ctx.now(), ctx.account.timezone)
  return csvResponse(ctx, `Coaching hours ${today}.csv`, await exportLog(ctx, hoursExportUrl.parse(request.url)))
}
