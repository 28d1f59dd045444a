import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportAppointments } from '../export/appointments-csv.ts'

/** Streams all appointments as a CSV file. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  return csvResponse(ctx, `Sessions ${localDate(ctx.now(), ctx.account.timezone)}.csv`, exportAppointments(ctx))
}
