import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection, type Connection } from '../queries/connection.ts'
import { describeError } from '../status.ts'
import { requireCalendarSync } from './connect.ts'
import { notConnected } from './disconnect.ts'
import { runSync } from './run.ts'

/** The connection, unless there is none or Google has ended it. Throws plan_required, conflict. */
export async function requireConnection(ctx: Ctx): Promise<Connection> {
  requireCalendarSync(ctx)
  const connection = await findConnection(ctx)
  if (!connection) throw notConnected()
  if (connection.state === 'needs_reconnect')
    throw new AppError('conflict', 'Google has ended the connection. Connect again to continue.')
  return connection
}

/** Syncs at once. Throws plan_required, conflict, and upstream_failed with what to do. */
export async function syncNow(ctx: Ctx): Promise<Connection> {
  await requireConnection(ctx)
  const failure = await runSync(ctx)
  await waitForOther(ctx)
  if (failure?.kind === 'revoked')
    throw new AppError('conflict', 'Google has ended the connection. Connect again to continue.')
  if (failure)
    throw new AppError('upstream_failed', `Failed to sync with Google Calendar. ${describeError(failure.code)}`)
  return requireConnection(ctx)
}

const [maxWaitMs, pollMs] = [10_000, 200]

/**
 * Waits while another process syncs, such as the job of a new connection: the coach sees its result, not the state
 * before.
 */
export async function waitForOther(ctx: Ctx): Promise<void> {
  for (let waited = 0; waited < maxWaitMs && (await isSyncing(ctx)); waited += pollMs) await pause(pollMs)
}

async function isSyncing(ctx: Ctx): Promise<boolean> {
  const [connection] = await ctx.query<{ isSyncing: boolean }>({
    name: 'google.is-syncing',
    text: `select coalesce(claimed_until > $2, false) as "isSyncing" from google_connection where coach_id = $1`,
    values: [ctx.coachId, ctx.now()],
  })
  return connection?.isSyncing ?? false
}
