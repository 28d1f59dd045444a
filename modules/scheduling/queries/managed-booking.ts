import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { AppointmentStatus } from '../fields.ts'
import { isTentativeSql } from '../messages/plan.ts'
import { joinProspect } from '../prospects.ts'

type Row = {
  id: number
  title: string
  status: AppointmentStatus
  startTime: string
  endTime: string
  /** The attendee's. */
  timezone: string
  place: string | null
  typeId: number | null
  tentative: boolean
  /** Minutes before the start until which the attendee may change it. */
  notice: number
}
/** `access`: whether the attendee may change it, or why not. */
export type ManagedBooking = Row & { access: 'open' | 'late' | 'over' | 'cancelled' }

/**
 * An appointment as its attendee may see and change it; null if it no longer exists. One in the trash counts as
 * cancelled.
 */
export async function findManagedBooking(ctx: Ctx, id: number): Promise<ManagedBooking | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<Row>({
    name: 'scheduling.managed-booking',
    text: `select a.id, a.title, case when a.deleted_at is null then a.status else 'cancelled' end as status,
        ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime",
        case when a.booked_online then a.timezone else coalesce(c.timezone, p.timezone, $3) end as timezone,
        coalesce(a.meeting_url, a.location) as place, t.id as "typeId", ${isTentativeSql} as tentative,
        coalesce(b.cancellation_notice_minutes, t.cancellation_notice_minutes, 0) as notice
      from appointment a ${joinClient('a')} ${joinProspect('a')}
      left join appointment_type t on t.coach_id = $1 and t.id = a.appointment_type_id and t.deleted_at is null
      left join paid_booking b on b.coach_id = $1 and b.appointment_id = a.id
      where a.coach_id = $1 and a.id = $2 and c.deleted_at is null and p.deleted_at is null`,
    values: [ctx.coachId, id, ctx.account.timezone],
  })
  return found ? { ...found, access: getAccess(found, ctx.now()) } : null
}

function getAccess({ status, startTime, notice }: Row, now: Date): ManagedBooking['access'] {
  const minutesLeft = (new Date(startTime).getTime() - now.getTime()) / 60_000
  if (status === 'cancelled') return 'cancelled'
  if (status === 'completed' || minutesLeft <= 0) return 'over'
  return minutesLeft < notice ? 'late' : 'open'
}
