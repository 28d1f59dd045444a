import { isoTimestamp } from '#db/read-pool.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'

export type ClientSessionRow = {
  id: number
  title: string
  startTime: string
  endTime: string
  meetingUrl: string | null
  location: string | null
}

/** The sessions of the client in the portal that haven't ended, the next one first. */
export async function listUpcomingSessions(ctx: Ctx, rows: number): Promise<ClientSessionRow[]> {
  const client = requireClient(ctx, 'client:session:read')
  return ctx.query<ClientSessionRow>({
    name: 'scheduling.client-upcoming',
    text: `select id, title, ${isoTimestamp('start_time')} as "startTime", ${isoTimestamp('end_time')} as "endTime",
        meeting_url as "meetingUrl", location
      from appointment where coach_id = $1 and client_id = $2 and deleted_at is null
        and status not in ('completed', 'cancelled') and end_time > $3
      order by start_time, id limit $4`,
    values: [ctx.coachId, client.id, ctx.now(), rows],
  })
}
