import { isoTimestamp } from '#db/read-pool.ts'
import { getSessionsLeft } from '#modules/core/slots.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '../prospects.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Message, MessageAppointment } from '../messages/message.ts'
import { isTentativeSql } from '../messages/plan.ts'
import { joinMessageSettings, messageRulesSql } from '../messages/rules-sql.ts'

/** A cancellation describes the appointment even if that is in the trash, unless its client is too. */
export async function findMessageAppointment(
  ctx: Ctx,
  { appointmentId, kind }: Pick<Message, 'appointmentId' | 'kind'>,
): Promise<MessageAppointment | undefined> {
  const [found] = await ctx.query<MessageAppointment & { clientId: number | null }>({
    name: 'scheduling.message-appointment',
    text: `select a.id, a.uid_names_host as "uidNamesHost", a.title, a.client_id as "clientId",
        coalesce(c.name, p.name) as "attendeeName",
        coalesce(c.email, p.email) as "attendeeEmail",
        ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime",
        case when a.booked_online then a.timezone else coalesce(c.timezone, p.timezone, $3) end as timezone,
        coalesce(a.meeting_url, a.location) as place, a.version, a.cancellation_reason as "cancellationReason",
        a.move_reason as "moveReason",
        case when a.deleted_at is null then a.status else 'cancelled' end as status, ${isTentativeSql} as tentative,
        ${messageRulesSql} as rules
      from appointment a ${joinClient('a')} ${joinProspect('a')}
      left join appointment_type t on t.coach_id = $1 and t.id = a.appointment_type_id and t.deleted_at is null
      ${joinMessageSettings}
      where a.coach_id = $1 and a.id = $2 and (a.deleted_at is null or $4 = 'cancellation')
        and c.deleted_at is null and p.deleted_at is null`,
    values: [ctx.coachId, appointmentId, ctx.account.timezone, kind],
  })
  if (!found) return undefined
  const { clientId, ...appointment } = found
  return { ...appointment, sessionsLeft: await getSessionsLeft(ctx, clientId) }
}
