import { isoTimestamp, type Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ConnectionState } from '../states.ts'

export type Connection = {
  id: number
  email: string
  state: ConnectionState
  lastSuccessAt: string | null
  lastError: string | null
  nextTryAt: string | null
}

/** Null while Zoom is not connected. */
export async function findConnection(ctx: Ctx): Promise<Connection | null> {
  authorize(ctx, 'zoom:connection:read')
  const [connection] = await ctx.query<Connection>({
    name: 'zoom.connection',
    text: `select id, email, state, ${isoTimestamp('last_success_at')} as "lastSuccessAt", last_error as "lastError",
        ${isoTimestamp('next_try_at')} as "nextTryAt"
      from zoom_connection where coach_id = $1`,
    values: [ctx.coachId],
  })
  return connection ?? null
}

/** The columns of the API's user record. A connection that Zoom has ended is none. */
export const userColumns = ({ coachId }: { coachId: number }): Query => ({
  name: 'zoom.user',
  text: `select email is not null as "zoomConnected", email as "zoomEmail"
    from (values (1)) as one left join zoom_connection c on c.coach_id = $1 and c.state <> 'needs_reconnect'`,
  values: [coachId],
})
