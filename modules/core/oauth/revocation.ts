import { AppError } from '#app/lib/errors.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { decryptToken } from '#tenants/token-encryption.ts'
import type { EraseCtx, JobData } from '../manifest.ts'
import type { OAuthProvider, Tokens } from './provider.ts'

/** Ends a coach's access at the vendor. */
export function oauthRevocation({ name, label, queues, isConfigured, revokeToken }: OAuthProvider) {
  /** Enqueues a job that revokes the access. It runs after the commit, when the connection may be deleted. */
  async function requestRevocation(ctx: Pick<EraseCtx, 'coachId' | 'query' | 'enqueue'>): Promise<void> {
    const [row] = await ctx.query<{ refreshToken: string }>({
      name: `${name}.token-to-revoke`,
      text: `select refresh_token as "refreshToken" from ${name}_token where coach_id = $1`,
      values: [ctx.coachId],
    })
    // Still encrypted: jobs are kept for some days.
    if (row) await ctx.enqueue(queues.revoke, { coachId: ctx.coachId, refreshToken: row.refreshToken })
  }

  /** Throws, and so is tried again, while the vendor is away. */
  async function revoke({ config }: Platform, { coachId, refreshToken }: JobData): Promise<void> {
    if (!isConfigured(config)) return
    const location = { coachId: Number(coachId), provider: name, column: 'refresh_token' }
    const token = decryptToken(config.secretKeys, location, String(refreshToken))
    if (token && !(await revokeToken(config, token)))
      throw new AppError('upstream_failed', `${label} can’t be reached.`)
  }

  /** Revokes the access now, or later while the vendor is away, and deletes the connection. */
  async function endConnection(
    ctx: Ctx,
    tokens: Tokens | null,
    deleteConnection: (ctx: WriteCtx) => Promise<void>,
  ): Promise<void> {
    const { config } = ctx.platform
    const isRevoked = tokens && isConfigured(config) ? await revokeToken(config, tokens.refreshToken) : true
    await ctx.write(async (tx) => {
      if (!isRevoked) await requestRevocation(tx)
      await deleteConnection(tx)
    })
  }

  return { requestRevocation, revoke, endConnection }
}
