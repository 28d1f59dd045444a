import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { writeAppointmentFile } from '../calendar-feed/feed.ts'
import { downloadCalendar } from '../calendar-feed/responses.server.ts'

/** An appointment for the coach's own calendar. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  return downloadCalendar(await writeAppointmentFile(context.coach(), parseId(params.id), { forCoach: true }))
}
