import { AppError } from '#app/lib/errors.ts'
import type { EraseCtx, JobData } from '#modules/core/manifest.ts'
import { decryptToken } from '#tenants/token-encryption.ts'
import type { Platform } from '#tenants/platform.ts'
import { revokeToken } from '../vendor/client.ts'
import { queues } from './queue.ts'

/** Enqueues a job that revokes the access at Zoom. It runs after the commit, when the connection may be deleted. */
export async function requestRevocation(ctx: Pick<EraseCtx, 'coachId' | 'query' | 'enqueue'>): Promise<void> {
  const [row] = await ctx.query<{ refreshToken: string }>({
    name: 'zoom.token-to-revoke',
    text: 'select refresh_token as "refreshToken" from zoom_token where coach_id = $1',
    values: [ctx.coachId],
  })
  // Still encrypted: jobs are kept for some days.
  if (row) await ctx.enqueue(queues.revoke, { coachId: ctx.coachId, refreshToken: row.refreshToken })
}

/** Throws, and so is tried again, while Zoom is away. */
export async function revoke({ config }: Platform, { coachId, refreshToken }: JobData): Promise<void> {
  if (!config.zoom) return
  const place = { coachId: Number(coachId), provider: 'zoom', column: 'refresh_token' }
  const token = decryptToken(config.secretKeys, place, String(refreshToken))
  if (token && !(await revokeToken(config, token))) throw new AppError('upstream_failed', 'Zoom can’t be reached.')
}
