import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportTasks } from '../export.ts'
import { tasksExportUrl } from '../list-state.ts'

/** Streams a tab of the page as a CSV file, with its filters. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const today = localDate(ctx.now(), ctx.account.timezone)
  return csvResponse(ctx, `Tasks ${today}.csv`, exportTasks(ctx, tasksExportUrl.parse(request.url)))
}
