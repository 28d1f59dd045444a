import type { LoaderFunctionArgs } from '@remix-run/node'
import { openManageLink } from '../booking/managed-booking.server.ts'
import { writeAppointmentFile } from '../calendar-feed/feed.ts'
import { downloadCalendar } from '../calendar-feed/responses.server.ts'

/** An appointment for its attendee's calendar, by the link of the emails. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const link = await openManageLink(context, params.token ?? '')
  return downloadCalendar(link.ctx && (await writeAppointmentFile(link.ctx, link.appointmentId, { forCoach: false })))
}
