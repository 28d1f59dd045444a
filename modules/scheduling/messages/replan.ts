import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Platform } from '#tenants/platform.ts'
import { visibleAppointmentsSql } from '../records.ts'
import { maxLead } from './leads.ts'
import { planMessages } from './plan.ts'

/** The queue that plans the messages of a coach again, after a change of the rules. */
export const replanQueue = 'scheduling.replan-messages'

/** Plans the messages of all announced appointments that may still get one, each in its own transaction. */
export async function replanMessages(platform: Platform, coachId: number): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, 'replan-messages')
  if (!ctx) return
  const appointments = await ctx.query<{ id: number }>({
    name: 'scheduling.announced-appointments',
    text: `select a.id ${visibleAppointmentsSql} and a.end_time > $2 and a.status <> 'cancelled'
        and exists (select 1 from appointment_message m where m.coach_id = $1 and m.appointment_id = a.id)
      order by a.start_time`,
    values: [coachId, new Date(ctx.now().getTime() - maxLead * 60_000)],
  })
  for (const { id } of appointments)
    await ctx.write(async (tx) => {
      await tx.query({
        name: 'scheduling.lock-planned-appointment',
        text: 'select id from appointment where coach_id = $1 and id = $2 for update',
        values: [coachId, id],
      })
      await planMessages(tx, id)
    })
}
