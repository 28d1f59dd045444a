import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '../prospects.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { doubtBefore } from './in-doubt.ts'
import type { MessageKind } from './kinds.ts'
import { enqueueMessage } from './plan.ts'

export type DoubtfulMessage = {
  id: number
  appointmentId: number
  kind: MessageKind
  leadMinutes: number
  title: string
  attendeeName: string
  claimedAt: string
}

/** SQL over a message `m`; $2: `doubtBefore`. */
const isDoubtfulSql = 'm.claimed_at < $2 and m.sent_at is null and m.skip_reason is null'

/** Messages that may not have been sent, one of each email, of sessions that are not over for a week. */
export async function listDoubtful(ctx: Ctx): Promise<DoubtfulMessage[]> {
  authorize(ctx, 'scheduling:message:read')
  return ctx.query<DoubtfulMessage>({
    name: 'scheduling.doubtful-messages',
    text: `select * from (select distinct on (coalesce(m.group_id, m.id))
        m.id, m.appointment_id as "appointmentId", m.kind, m.lead_minutes as "leadMinutes", a.title,
        coalesce(c.name, p.name) as "attendeeName", ${isoTimestamp('m.claimed_at')} as "claimedAt"
      from appointment_message m
      join appointment a on a.coach_id = $1 and a.id = m.appointment_id ${joinClient('a')} ${joinProspect('a')}
      where m.coach_id = $1 and ${isDoubtfulSql} and a.end_time > $3
        and a.deleted_at is null and c.deleted_at is null and p.deleted_at is null
      order by coalesce(m.group_id, m.id), m.start_time, m.id) as first
      order by "claimedAt" desc, id desc limit 50`,
    values: [ctx.coachId, doubtBefore(ctx.now()), new Date(ctx.now().getTime() - 7 * dayMs)],
  })
}

/** Sends an email again that may not have been sent: the coach decides that, since it may arrive twice. */
export async function resendMessage(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:message:write')
  const released = await ctx.query<{ id: number }>({
    name: 'scheduling.resend-message',
    text: `update appointment_message m set claimed_at = null where m.coach_id = $1 and ${isDoubtfulSql} and (
        m.id = $3 or m.group_id = (select group_id from appointment_message where coach_id = $1 and id = $3))
      returning id`,
    values: [ctx.coachId, doubtBefore(ctx.now()), id],
  })
  if (!released.some((one) => one.id === id))
    throw new AppError('conflict', 'This message has been sent, or is being sent.')
  await enqueueMessage(ctx, { messageId: id, dueAt: ctx.now() })
}
