import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportResources } from '../export.ts'
import { resourcesExportUrl } from '../list-state.ts'

/** Streams the list as a CSV file, with the filters of the page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const today = localDate(ctx.now(), ctx.account.timezone)
  return csvResponse(ctx, `Resources ${today}.csv`, exportResources(ctx, resourcesExportUrl.parse(request.url)))
}
