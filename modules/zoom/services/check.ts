import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'
import { describeError } from '../status.ts'
import { ZoomError } from '../vendor/errors.ts'
import { UserResponse } from '../vendor/responses.ts'
import { notConnected } from './disconnect.ts'
import { callZoom } from './call.ts'

/** Asks Zoom who the coach is, so that the connection shows how it works. A failure is noted. */
export async function checkConnection(ctx: Ctx): Promise<ZoomError | null> {
  if (!ctx.platform.config.zoom) return null
  const connection = await findConnection(ctx)
  if (!connection || connection.state === 'needs_reconnect') return null
  try {
    await callZoom(ctx, (api) => api.get(UserResponse, '/users/me'))
    return null
  } catch (error) {
    if (error instanceof ZoomError) return error
    throw error
  }
}

/** As the coach does it. Throws conflict without a connection, and upstream_failed. */
export async function checkNow(ctx: Ctx): Promise<void> {
  authorize(ctx, 'zoom:connection:write')
  const connection = await findConnection(ctx)
  if (!connection) throw notConnected()
  if (connection.state === 'needs_reconnect')
    throw new AppError('conflict', 'Zoom has ended the connection. Please connect again.')
  const failure = await checkConnection(ctx)
  if (failure) throw new AppError('upstream_failed', describeError(failure.code))
}
