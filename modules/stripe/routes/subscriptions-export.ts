import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportCharges, exportSubscriptions } from '../subscriptions/export.ts'
import { subscriptionsExportUrl } from '../subscriptions/list-state.ts'

const files = {
  subscriptions: { name: 'Subscriptions', write: exportSubscriptions },
  charges: { name: 'Subscription charges', write: exportCharges },
}

/** Streams a CSV file of all subscriptions or of their charges. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { name, write } = files[subscriptionsExportUrl.parse(request.url).file]
  return csvResponse(ctx, `${name} ${localDate(ctx.now(), ctx.account.timezone)}.csv`, write(ctx))
}
