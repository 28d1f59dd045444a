import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'
import { endConnection, findTokens } from './oauth.ts'

export const notConnected = (): AppError => new AppError('conflict', 'Zoom is not connected.')

/**
 * Ends the connection, here and at Zoom; works also while Zoom is away. What was found stays. Throws conflict without a
 * connection.
 */
export async function disconnect(ctx: Ctx): Promise<void> {
  authorize(ctx, 'zoom:connection:write')
  if (!(await findConnection(ctx))) throw notConnected()
  await endConnection(ctx, await findTokens(ctx), deleteConnection)
}

/** Its tokens go with it. */
export async function deleteConnection(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'zoom.delete-connection',
    text: 'delete from zoom_connection where coach_id = $1',
    values: [ctx.coachId],
  })
}
