import type { Ctx } from '#tenants/context.ts'
import { decryptToken, encryptToken } from '#tenants/token-encryption.ts'
import { holdConnectionForRefresh } from '#tenants/token-refresh.ts'
import { createApi, fetchTokens, type ZoomApi } from '../vendor/client.ts'
import { ZoomError } from '../vendor/errors.ts'
import type { TokenResponse } from '../vendor/responses.ts'
import { recordFailure, recordSuccess } from './health.ts'

/** `expiresAt`: of the access token. */
export type Tokens = { refreshToken: string; accessToken: string; expiresAt: Date }
type TokenColumn = 'refresh_token' | 'access_token' | 'code_verifier'

export const encryptFor = ({ platform, coachId }: Ctx, column: TokenColumn, token: string): string =>
  encryptToken(platform.config.secretKeys, { coachId, provider: 'zoom', column }, token)

/** Null if no key of this installation can read it. */
export const decryptFor = ({ platform, coachId }: Ctx, column: TokenColumn, encrypted: string): string | null =>
  decryptToken(platform.config.secretKeys, { coachId, provider: 'zoom', column }, encrypted)

export const toTokens = (ctx: Ctx, { access_token, refresh_token, expires_in }: TokenResponse): Tokens => ({
  accessToken: access_token,
  refreshToken: refresh_token,
  expiresAt: new Date(ctx.now().getTime() + expires_in * 1000),
})

/** Calls Zoom as the coach, outside of a transaction, and notes how it went. Throws ZoomError. */
export async function callZoom<T>(ctx: Ctx, work: (api: ZoomApi) => Promise<T>): Promise<T> {
  try {
    const result = await callWithFreshToken(ctx, work)
    await ctx.write(recordSuccess)
    return result
  } catch (error) {
    if (!(error instanceof ZoomError)) throw error
    if (error.kind === 'gone') await ctx.write(recordSuccess)
    else await recordFailure(ctx, error)
    throw error
  }
}

async function callWithFreshToken<T>(ctx: Ctx, work: (api: ZoomApi) => Promise<T>): Promise<T> {
  const { config } = ctx.platform
  const token = await getAccessToken(ctx)
  try {
    return await work(createApi(config, token))
  } catch (error) {
    // Zoom may end an access token early.
    if (!(error instanceof ZoomError) || error.kind !== 'revoked') throw error
    return work(createApi(config, await getAccessToken(ctx, { expired: token })))
  }
}

/** A call never begins with a token that could end during it. */
const marginMs = 5 * 60_000

/**
 * Refreshes it if it ends soon or is `expired`. Concurrent callers wait for the one who does: a refresh token that is used
 * twice ends the connection. Throws ZoomError.
 */
async function getAccessToken(ctx: Ctx, { expired }: { expired?: string } = {}): Promise<string> {
  const isGood = ({ accessToken, expiresAt }: Tokens) =>
    accessToken !== expired && expiresAt.getTime() > ctx.now().getTime() + marginMs
  const known = await readTokens(ctx)
  if (isGood(known)) return known.accessToken
  // The only call of Zoom in a transaction: its lock is what the others wait for.
  return holdConnectionForRefresh(() =>
    ctx.write(async (tx) => {
      const locked = await readTokens(tx, { lock: true })
      if (isGood(locked)) return locked.accessToken
      const form = { grant_type: 'refresh_token', refresh_token: locked.refreshToken }
      const fresh = toTokens(ctx, await fetchTokens(ctx.platform.config, form))
      await tx.query({
        name: 'zoom.store-tokens',
        text: `update zoom_token set refresh_token = $2, access_token = $3, access_token_expires_at = $4 where coach_id = $1`,
        values: [
          ctx.coachId,
          encryptFor(ctx, 'refresh_token', fresh.refreshToken),
          encryptFor(ctx, 'access_token', fresh.accessToken),
          fresh.expiresAt,
        ],
      })
      return fresh.accessToken
    }),
  )
}

type TokenRow = { refreshToken: string; accessToken: string; expiresAt: Date }

async function readTokens(ctx: Ctx, { lock = false } = {}): Promise<Tokens> {
  const [row] = await ctx.query<TokenRow>({
    name: `zoom.tokens${lock ? '-lock' : ''}`,
    text: `select refresh_token as "refreshToken", access_token as "accessToken", access_token_expires_at as "expiresAt"
      from zoom_token where coach_id = $1${lock ? ' for update' : ''}`,
    values: [ctx.coachId],
  })
  const refreshToken = row && decryptFor(ctx, 'refresh_token', row.refreshToken)
  const accessToken = row && decryptFor(ctx, 'access_token', row.accessToken)
  if (!row || !refreshToken || !accessToken) throw new ZoomError('revoked', { code: 'no_token' })
  return { refreshToken, accessToken, expiresAt: new Date(row.expiresAt) }
}

/** The tokens for the end of the connection; null if they can't be read. */
export const findTokens = (ctx: Ctx): Promise<Tokens | null> => readTokens(ctx).catch(() => null)
