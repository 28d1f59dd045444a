import { isoTimestamp, type Query } from '#db/read-pool.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { ConnectionState, MeetError } from '../states.ts'

export type Connection = {
  id: number
  email: string
  state: ConnectionState
  lastSuccessAt: string | null
  failingSince: string | null
  lastError: string | null
  nextTryAt: string | null
  addsMeetLinks: boolean
  readsMeet: boolean
  meetReachedAt: string | null
  meetError: MeetError | null
}

/** Null while Google Calendar is not connected. */
export async function findConnection(ctx: Ctx): Promise<Connection | null> {
  authorize(ctx, 'google:connection:read')
  const [connection] = await ctx.query<Connection>({
    name: 'google.connection',
    text: `select id, email, state, ${isoTimestamp('last_success_at')} as "lastSuccessAt",
        ${isoTimestamp('failing_since')} as "failingSince", last_error as "lastError",
        ${isoTimestamp('next_try_at')} as "nextTryAt", adds_meet_links as "addsMeetLinks", reads_meet as "readsMeet",
        ${isoTimestamp('meet_reached_at')} as "meetReachedAt", meet_error as "meetError"
      from google_connection where coach_id = $1`,
    values: [ctx.coachId],
  })
  return connection ?? null
}

/**
 * Keeps the connection as it is until the transaction ends: the one that syncs waits. Lock order: connection, then
 * everything else of this module.
 */
export async function lockConnection(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'google.lock-connection-row',
    text: 'select id from google_connection where coach_id = $1 for update',
    values: [ctx.coachId],
  })
}

/** Whether there is a connection. Needs no permission: jobs and hooks ask. */
export async function isConnected({ query, coachId }: Pick<Ctx, 'query' | 'coachId'>): Promise<boolean> {
  const rows = await query({
    name: 'google.is-connected',
    text: 'select id from google_connection where coach_id = $1',
    values: [coachId],
  })
  return rows.length > 0
}

export async function hasConnection(ctx: Ctx): Promise<boolean> {
  return (await findConnection(ctx)) !== null
}

/** The columns of the API's user record. A connection that Google has ended is none. */
export const userColumns = ({ coachId }: { coachId: number }): Query => ({
  name: 'google.user',
  text: `select email is not null as "googleConnected", email as "googleEmail"
    from (values (1)) as one left join google_connection c on c.coach_id = $1 and c.state <> 'needs_reconnect'`,
  values: [coachId],
})
