import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { calendarResponse } from '#modules/core/csv/download-response.server.ts'
import { exportCalendar } from '../calendar-feed/feed.ts'

/** Streams all appointments as a calendar file. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  return calendarResponse(ctx, `Sessions ${localDate(ctx.now(), ctx.account.timezone)}.ics`, exportCalendar(ctx))
}
