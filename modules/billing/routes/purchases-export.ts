import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportPurchases } from '../csv.ts'
import { purchasesExportUrl } from '../list-state.ts'
import { streamExportedPurchases } from '../purchases-loader.server.ts'

/** Streams the purchases that match the filters as a CSV file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const purchases = streamExportedPurchases(ctx, purchasesExportUrl.parse(request.url))
  return csvResponse(
    ctx,
    `Purchases ${localDate(ctx.now(), ctx.account.timezone)}.csv`,
    exportPurchases(purchases, ctx.account),
  )
}
