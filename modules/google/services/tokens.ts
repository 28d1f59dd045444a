import type { calendar_v3 } from '@googleapis/calendar'
import type { Config } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { decryptToken, encryptToken } from '#tenants/token-encryption.ts'
import { callWithToken, createOAuthClient, fetchMeet } from '../vendor/client.ts'
import { fromGoogle, GoogleError } from '../vendor/errors.ts'

/** `expiresAt`: of the access token. */
export type Tokens = { refreshToken: string; accessToken: string; expiresAt: Date }
type TokenColumn = 'refresh_token' | 'access_token' | 'code_verifier'

export const encryptFor = ({ platform, coachId }: Ctx, column: TokenColumn, token: string): string =>
  encryptToken(platform.config.secretKeys, { coachId, provider: 'google', column }, token)

/** Null if no key of this installation can read it. */
export const decryptFor = ({ platform, coachId }: Ctx, column: TokenColumn, encrypted: string): string | null =>
  decryptToken(platform.config.secretKeys, { coachId, provider: 'google', column }, encrypted)

/** Calls Google Calendar as the coach, outside of a transaction. Throws GoogleError. */
export const callCalendar = <T>(ctx: Ctx, work: (api: calendar_v3.Calendar) => Promise<T>): Promise<T> =>
  callGoogle(ctx, (token) => callWithToken(ctx.platform.config, token, work))

/** Calls Google Meet as `callCalendar` does. */
export const callMeet = (ctx: Ctx, path: string): Promise<unknown> =>
  callGoogle(ctx, (token) => fetchMeet(ctx.platform.config, token, path))

async function callGoogle<T>(ctx: Ctx, work: (token: string) => Promise<T>): Promise<T> {
  const token = await getAccessToken(ctx)
  try {
    return await work(token)
  } catch (error) {
    // Google may end an access token early.
    if (!(error instanceof GoogleError) || error.kind !== 'revoked') throw error
    return work(await getAccessToken(ctx, { expired: token }))
  }
}

/** A call never begins with a token that could end during it. */
const marginMs = 5 * 60_000

type TokenRow = { refreshToken: string; accessToken: string; expiresAt: Date }

/** Refreshes it if it ends soon or is `expired`; concurrent callers wait for the one who does. Throws GoogleError. */
async function getAccessToken(ctx: Ctx, { expired }: { expired?: string } = {}): Promise<string> {
  const isGood = ({ accessToken, expiresAt }: Tokens) =>
    accessToken !== expired && expiresAt.getTime() > ctx.now().getTime() + marginMs
  const known = await readTokens(ctx)
  if (isGood(known)) return known.accessToken
  // The only call of Google in a transaction: its lock is what the others wait for.
  return ctx.write(async (tx) => {
    const locked = await readTokens(tx, { lock: true })
    if (isGood(locked)) return locked.accessToken
    const fresh = await refresh(ctx, locked.refreshToken)
    await tx.query({
      name: 'google.store-access-token',
      text: `update google_token set refresh_token = $2, access_token = $3, access_token_expires_at = $4 where coach_id = $1`,
      // Encrypted again, so that a rotated key can be removed one day.
      values: [
        ctx.coachId,
        encryptFor(ctx, 'refresh_token', fresh.refreshToken),
        encryptFor(ctx, 'access_token', fresh.accessToken),
        fresh.expiresAt,
      ],
    })
    return fresh.accessToken
  })
}

async function readTokens(ctx: Ctx, { lock = false } = {}): Promise<Tokens> {
  const [row] = await ctx.query<TokenRow>({
    name: `google.tokens${lock ? '-lock' : ''}`,
    text: `select refresh_token as "refreshToken", access_token as "accessToken", access_token_expires_at as "expiresAt"
      from google_token where coach_id = $1${lock ? ' for update' : ''}`,
    values: [ctx.coachId],
  })
  const refreshToken = row && decryptFor(ctx, 'refresh_token', row.refreshToken)
  const accessToken = row && decryptFor(ctx, 'access_token', row.accessToken)
  if (!row || !refreshToken || !accessToken) throw new GoogleError('revoked', { code: 'no_token' })
  return { refreshToken, accessToken, expiresAt: new Date(row.expiresAt) }
}

async function refresh(ctx: Ctx, refreshToken: string): Promise<Tokens> {
  try {
    const client = await createOAuthClient(ctx.platform.config)
    client.setCredentials({ refresh_token: refreshToken })
    const { credentials } = await client.refreshAccessToken()
    return toTokens(ctx, { ...credentials, refresh_token: credentials.refresh_token ?? refreshToken })
  } catch (error) {
    throw fromGoogle(error)
  }
}

type Credentials = {
  access_token?: string | null
  refresh_token?: string | null
  expiry_date?: number | null
}

/** Throws GoogleError for an incomplete answer. */
export function toTokens(ctx: Ctx, { access_token, refresh_token, expiry_date }: Credentials): Tokens {
  if (!access_token || !refresh_token) throw new GoogleError('down', { code: 'garbage' })
  // The library counts by the machine's clock.
  const seconds = expiry_date ? (expiry_date - Date.now()) / 1000 : 3600
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: new Date(ctx.now().getTime() + seconds * 1000),
  }
}

/** The tokens for the end of the connection; null if they can't be read. */
export async function findTokens(ctx: Ctx): Promise<Tokens | null> {
  return readTokens(ctx).catch(() => null)
}

/**
 * Tells Google that a token is no longer used. False if Google is away; a token that it doesn't know has ended already.
 */
export async function revokeToken(config: Config, token: string): Promise<boolean> {
  const client = await createOAuthClient(config)
  try {
    await client.revokeToken(token)
    return true
  } catch (error) {
    return fromGoogle(error).status === 400
  }
}
