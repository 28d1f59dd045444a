import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'
import type { MeetError } from '../states.ts'
import { describeMeetError } from '../status.ts'
import { GoogleError } from '../vendor/errors.ts'
import { ConferencesResponse } from '../vendor/meet-responses.ts'
import { callMeet } from './call.ts'
import { recordFailure } from './oauth.ts'

const notConnected = (): AppError => new AppError('conflict', 'Google Meet is not connected.')

/** Asks Google Meet for a meeting, as the coach does it. Throws conflict without a connection, and upstream_failed. */
export async function checkMeet(ctx: Ctx): Promise<void> {
  authorize(ctx, 'google:connection:write')
  const connection = await findConnection(ctx)
  if (!connection?.readsMeet) throw notConnected()
  if (connection.state === 'needs_reconnect')
    throw new AppError('conflict', 'Google has ended the connection. Connect again to continue.')
  await recordMeet(ctx, async () => ConferencesResponse.parse(await callMeet(ctx, 'conferenceRecords?pageSize=1')))
}

/**
 * Stops reading Google Meet; Google Calendar stays connected. Google can't end one permission alone. Throws conflict
 * without a connection.
 */
export async function disconnectMeet(ctx: WriteCtx): Promise<void> {
  authorize(ctx, 'google:connection:write')
  const [disconnected] = await ctx.query({
    name: 'google.disconnect-meet',
    text: `update google_connection set reads_meet = false, meet_reached_at = null, meet_error = null
      where coach_id = $1 and reads_meet returning id`,
    values: [ctx.coachId],
  })
  if (!disconnected) throw notConnected()
}

/** Records how Google Meet works. Throws upstream_failed with a message for the coach. */
export async function recordMeet<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    await ctx.write((tx) => setMeetHealth(tx, null))
    return result
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof GoogleError)) throw error
    if (error instanceof GoogleError && error.kind === 'revoked') {
      await recordFailure(ctx, error)
      throw new AppError('upstream_failed', 'Google has ended the connection. Connect again in Settings.')
    }
    const reason = toMeetError(error)
    await ctx.write((tx) => setMeetHealth(tx, reason))
    throw new AppError('upstream_failed', describeMeetError(reason))
  }
}

function toMeetError(error: z.ZodError | GoogleError): MeetError {
  if (!(error instanceof GoogleError)) return 'garbage'
  return error.kind === 'refused' || error.kind === 'busy' ? error.kind : 'down'
}

/** `error`: null after a success. */
async function setMeetHealth(ctx: WriteCtx, error: MeetError | null): Promise<void> {
  await ctx.query({
    name: 'google.meet-health',
    text: `update google_connection set meet_error = $3,
        meet_reached_at = case when $3::text is null then $2 else meet_reached_at end
      where coach_id = $1 and reads_meet`,
    values: [ctx.coachId, ctx.now(), error],
  })
}
