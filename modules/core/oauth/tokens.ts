import { AppError } from '#app/lib/errors.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { decryptToken, encryptToken } from '#tenants/token-encryption.ts'
import { holdConnectionForRefresh } from '#tenants/token-refresh.ts'
import type { OAuthProvider, Tokens } from './provider.ts'
import { VendorError } from './vendor-error.ts'

/** Too many refreshes wait for vendors that don't answer: the health of this connection counts it as the vendor's failure. */
const isQueueFull = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable'

export type TokenColumn = 'refresh_token' | 'access_token' | 'code_verifier'

export const encryptFor = ({ platform, coachId }: Ctx, provider: string, column: TokenColumn, token: string): string =>
  encryptToken(platform.config.secretKeys, { coachId, provider, column }, token)

/** Null if no key of this installation can read it. */
export const decryptFor = (
  { platform, coachId }: Ctx,
  provider: string,
  column: TokenColumn,
  encrypted: string,
): string | null => decryptToken(platform.config.secretKeys, { coachId, provider, column }, encrypted)

/** A call never begins with a token that could end during it. */
const marginMs = 5 * 60_000

type TokenRow = { refreshToken: string; accessToken: string; expiresAt: Date }

/** The tokens of a coach's connection, which are stored encrypted. */
export function oauthTokens({ name, Failure, refresh }: OAuthProvider) {
  /** Calls the vendor as the coach, outside of a transaction. Throws VendorError. */
  async function withAccessToken<T>(ctx: Ctx, work: (token: string) => Promise<T>): Promise<T> {
    const token = await getAccessToken(ctx)
    try {
      return await work(token)
    } catch (error) {
      // An access token may end early.
      if (!(error instanceof VendorError) || error.kind !== 'revoked') throw error
      return work(await getAccessToken(ctx, { expired: token }))
    }
  }

  /**
   * Refreshes it if it ends soon or is `expired`. Concurrent callers wait for the one who does: a refresh token that is
   * used twice may end the connection.
   */
  async function getAccessToken(ctx: Ctx, { expired }: { expired?: string } = {}): Promise<string> {
    const isGood = ({ accessToken, expiresAt }: Tokens) =>
      accessToken !== expired && expiresAt.getTime() > ctx.now().getTime() + marginMs
    const known = await readTokens(ctx)
    if (isGood(known)) return known.accessToken
    // The only call of a vendor in a transaction: its lock is what the others wait for.
    return holdConnectionForRefresh(() =>
      ctx.write(async (tx) => {
        const locked = await readTokens(tx, { lock: true })
        if (isGood(locked)) return locked.accessToken
        const fresh = await refresh(ctx, locked.refreshToken)
        await tx.query({
          name: `${name}.store-fresh-tokens`,
          text: `update ${name}_token set refresh_token = $2, access_token = $3, access_token_expires_at = $4
            where coach_id = $1`,
          // Encrypted again, so that a rotated key can be removed one day.
          values: [ctx.coachId, ...encrypt(ctx, fresh)],
        })
        return fresh.accessToken
      }),
    ).catch((error: unknown) => {
      throw isQueueFull(error) ? new Failure('busy', { code: 'refresh_queue' }) : error
    })
  }

  async function readTokens(ctx: Ctx, { lock = false } = {}): Promise<Tokens> {
    const [row] = await ctx.query<TokenRow>({
      name: `${name}.tokens${lock ? '-lock' : ''}`,
      text: `select refresh_token as "refreshToken", access_token as "accessToken",
          access_token_expires_at as "expiresAt"
        from ${name}_token where coach_id = $1${lock ? ' for update' : ''}`,
      values: [ctx.coachId],
    })
    const refreshToken = row && decryptFor(ctx, name, 'refresh_token', row.refreshToken)
    const accessToken = row && decryptFor(ctx, name, 'access_token', row.accessToken)
    if (!row || !refreshToken || !accessToken) throw new Failure('revoked', { code: 'no_token' })
    return { refreshToken, accessToken, expiresAt: new Date(row.expiresAt) }
  }

  const encrypt = (ctx: Ctx, { refreshToken, accessToken, expiresAt }: Tokens) => [
    encryptFor(ctx, name, 'refresh_token', refreshToken),
    encryptFor(ctx, name, 'access_token', accessToken),
    expiresAt,
  ]

  /** Replaces those of the connection before. */
  async function storeTokens(ctx: WriteCtx, connectionId: number, tokens: Tokens): Promise<void> {
    await ctx.query({
      name: `${name}.store-tokens`,
      text: `insert into ${name}_token (coach_id, connection_id, refresh_token, access_token, access_token_expires_at)
        values ($1, $2, $3, $4, $5)
        on conflict (coach_id) do update set refresh_token = excluded.refresh_token,
          access_token = excluded.access_token, access_token_expires_at = excluded.access_token_expires_at`,
      values: [ctx.coachId, connectionId, ...encrypt(ctx, tokens)],
    })
  }

  /** The tokens for the end of the connection; null if they can't be read. */
  const findTokens = (ctx: Ctx): Promise<Tokens | null> => readTokens(ctx).catch(() => null)

  return { withAccessToken, storeTokens, findTokens }
}
