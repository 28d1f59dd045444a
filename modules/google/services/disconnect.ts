import { AppError } from '#app/lib/errors.ts'
import { replaceOtherTimes } from '#modules/scheduling/index.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { hasConnection } from '../queries/connection.ts'
import { busySource } from './events.ts'
import { deleteLinks } from './links.ts'
import { findTokens, revokeToken } from './tokens.ts'
import { stopChannels } from './watch.ts'

export const notConnected = (): AppError => new AppError('conflict', 'Google Calendar is not connected.')

/**
 * Ends the connection, here and at Google; works also while Google is away. Appointments stay, and their events in Google
 * too; the times of other events are free again. Throws conflict without a connection.
 */
export async function disconnect(ctx: Ctx): Promise<void> {
  authorize(ctx, 'google:connection:write')
  if (!(await hasConnection(ctx))) throw notConnected()
  await stopChannels(ctx)
  const tokens = await findTokens(ctx)
  if (tokens && ctx.platform.config.google) await revokeToken(ctx.platform.config, tokens.refreshToken)
  await ctx.write(deleteConnection)
}

/** Deletes the connection with everything that was read from Google. */
export async function deleteConnection(ctx: WriteCtx): Promise<void> {
  await deleteLinks(ctx)
  const events = await ctx.query<{ id: number }>({
    name: 'google.delete-all-events',
    text: 'delete from google_event where coach_id = $1 returning id',
    values: [ctx.coachId],
  })
  await replaceOtherTimes(ctx, busySource, { eventIds: events.map(({ id }) => id), times: [] })
  // Its tokens and calendars go with it.
  await ctx.query({
    name: 'google.delete-connection',
    text: 'delete from google_connection where coach_id = $1',
    values: [ctx.coachId],
  })
}
