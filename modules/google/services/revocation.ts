import { AppError } from '#app/lib/errors.ts'
import type { EraseCtx, JobData } from '#modules/core/manifest.ts'
import { decryptToken } from '#tenants/token-encryption.ts'
import type { Platform } from '#tenants/platform.ts'
import { queues } from './queue.ts'
import { revokeToken } from './tokens.ts'

/** Enqueues a job that revokes the access at Google. It runs after the commit, when the connection may be deleted. */
export async function requestRevocation(ctx: Pick<EraseCtx, 'coachId' | 'query' | 'enqueue'>): Promise<void> {
  const [row] = await ctx.query<{ refreshToken: string }>({
    name: 'google.token-to-revoke',
    text: 'select refresh_token as "refreshToken" from google_token where coach_id = $1',
    values: [ctx.coachId],
  })
  // Still encrypted: jobs are kept for some days.
  if (row) await ctx.enqueue(queues.revoke, { coachId: ctx.coachId, refreshToken: row.refreshToken })
}

/** Throws, and so is tried again, while Google is away. */
export async function revoke({ config }: Platform, { coachId, refreshToken }: JobData): Promise<void> {
  if (!config.google) return
  const place = { coachId: Number(coachId), provider: 'google', column: 'refresh_token' }
  const token = decryptToken(config.secretKeys, place, String(refreshToken))
  if (token && !(await revokeToken(config, token)))
    throw new AppError('upstream_failed', 'Google Calendar can’t be reached.')
}
