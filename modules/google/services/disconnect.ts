import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { hasConnection, lockConnection } from '../queries/connection.ts'
import { forgetEvents } from './events.ts'
import { deleteLinks } from './links.ts'
import { requestRevocation } from './revocation.ts'
import { findTokens, revokeToken } from './tokens.ts'
import { stopChannels } from './watch.ts'

export const notConnected = (): AppError => new AppError('conflict', 'Google Calendar is not connected.')

/**
 * Ends the connection, here and at Google; works also while Google is away. Appointments stay, and their events in
 * Google too; the times of other events are free again. Throws conflict without a connection.
 */
export async function disconnect(ctx: Ctx): Promise<void> {
  authorize(ctx, 'google:connection:write')
  if (!(await hasConnection(ctx))) throw notConnected()
  await stopChannels(ctx)
  const tokens = await findTokens(ctx)
  const { google } = ctx.platform.config
  const isRevoked = tokens && google ? await revokeToken(ctx.platform.config, tokens.refreshToken) : true
  await ctx.write(async (tx) => {
    if (!isRevoked) await requestRevocation(tx)
    await deleteConnection(tx)
  })
}

/** Deletes the connection with everything that was read from Google. */
export async function deleteConnection(ctx: WriteCtx): Promise<void> {
  await lockConnection(ctx)
  await deleteLinks(ctx)
  await forgetEvents(ctx)
  // Its tokens and calendars go with it.
  await ctx.query({
    name: 'google.delete-connection',
    text: 'delete from google_connection where coach_id = $1',
    values: [ctx.coachId],
  })
}
