import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { AppointmentStatus } from '../fields.ts'
import { appointment, visibleAppointmentsSql } from '../records.ts'

export type Booking = {
  name: string
  status: AppointmentStatus
  startTime: string
  endTime: string
  timezone: string
  meetingUrl: string | null
  location: string | null
  /**
   * The address that emails about it go to, in lower case: its spelling would show whether it was known. Null if there
   * are several, or one was not sent.
   */
  emailedTo: string | null
}

/** A booking as its visitor sees it. Throws not_found, also for an appointment that the coach entered. */
export async function getBooking(ctx: Ctx, id: number): Promise<Booking> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<Booking>({
    name: 'scheduling.booking',
    text: `select coalesce(t.name, a.title) as name, a.status, ${isoTimestamp('a.start_time')} as "startTime",
        ${isoTimestamp('a.end_time')} as "endTime", a.timezone, a.meeting_url as "meetingUrl", a.location,
        (select min(lower(m.email)) from appointment_message m
          where m.coach_id = $1 and m.appointment_id = a.id and m.kind in ('confirmation', 'change', 'cancellation')
          having count(distinct lower(m.email)) = 1 and bool_and(m.skip_reason is null)) as "emailedTo"
      ${visibleAppointmentsSql} and a.id = $2 and a.booked_online`,
    values: [ctx.coachId, id],
  })
  if (!found) throw appointment.notFound()
  return found
}
