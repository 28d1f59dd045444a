import { createHash, randomBytes } from 'node:crypto'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { AppError } from '#app/lib/errors.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { getCustomDomain, subdomainOrigin } from '#tenants/config.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { connectFailures, type ConnectFailure } from '../connect-result.ts'
import { createApi, fetchTokens, getAuthorizeUrl, getRedirectUri, requireZoom, revokeToken } from '../vendor/client.ts'
import { ZoomError } from '../vendor/errors.ts'
import { UserResponse } from '../vendor/responses.ts'
import { decryptFor, encryptFor, findTokens, toTokens, type Tokens } from './tokens.ts'

/**
 * Without these no recordings are found. Zoom shows them to the coach; they are those of the app's settings at Zoom.
 */
export const requiredScopes = [
  'user:read:user',
  'cloud_recording:read:list_user_recordings',
  'cloud_recording:read:list_recording_files',
  'meeting:read:list_past_participants',
]
const attemptMs = 10 * 60_000
/** The most open attempts of a coach. */
const maxAttempts = 10

/**
 * Returns the address at Zoom where the coach agrees. It can be used once, within ten minutes. Throws plan_required,
 * and unavailable if the platform is not connected to Zoom.
 */
export async function beginConnect(ctx: Ctx): Promise<string> {
  authorize(ctx, 'zoom:connection:write')
  if (!planIncludes(ctx.plan, 'ai-summaries')) throw new AppError('plan_required', connectFailures.plan_required)
  const { config } = ctx.platform
  const { clientId } = requireZoom(config)
  const codeVerifier = randomBytes(32).toString('base64url')
  const { token, tokenHash } = createToken()
  await ctx.write(async (tx) => {
    await deleteOldAttempts(tx)
    await tx.query({
      name: 'zoom.add-attempt',
      text: `insert into zoom_connect_attempt (coach_id, state_hash, code_verifier, expires_at) values ($1, $2, $3, $4)`,
      values: [
        ctx.coachId,
        tokenHash,
        encryptFor(ctx, 'code_verifier', codeVerifier),
        new Date(ctx.now().getTime() + attemptMs),
      ],
    })
  })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: getRedirectUri(config),
    state: `${ctx.coachId}-${token}`,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${getAuthorizeUrl(config)}?${query}`
}

async function deleteOldAttempts(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'zoom.delete-attempts',
    text: `delete from zoom_connect_attempt where coach_id = $1 and (expires_at <= $2 or id <= coalesce((
      select a.id from zoom_connect_attempt a where a.coach_id = $1 order by a.id desc offset $3 limit 1), 0))`,
    values: [ctx.coachId, ctx.now(), maxAttempts - 1],
  })
}

/**
 * The origin of the subdomain of the coach who began. Null for a state that is not open, and for a coach without a
 * subdomain or with a domain of their own: a code must not leave the platform's hosts, and links to the subdomain lead
 * to the domain.
 */
export async function findStateOrigin(platform: Platform, state: string): Promise<string | null> {
  const [, id, token] = /^([1-9]\d{0,14})-([\w-]{43})$/.exec(state) ?? []
  const ctx = id && token ? await loadCoachContext(platform, Number(id), 'zoom') : null
  if (!ctx) return null
  const [attempt] = await ctx.query({
    name: 'zoom.find-attempt',
    text: 'select id from zoom_connect_attempt where coach_id = $1 and state_hash = $2 and expires_at > $3',
    values: [ctx.coachId, hashToken(token!), ctx.now()],
  })
  const { subdomain } = ctx.account
  if (!attempt || !subdomain || getCustomDomain(ctx.account)) return null
  return subdomainOrigin(platform.config, subdomain)
}

/** Finishes what `beginConnect` began: the tokens are stored, or nothing is. Returns why it failed, or null. */
export async function finishConnect(
  ctx: Ctx,
  { code, state, error }: { code: string | null; state: string; error: string | null },
): Promise<ConnectFailure | null> {
  authorize(ctx, 'zoom:connection:write')
  const encrypted = await ctx.write((tx) => takeAttempt(tx, state))
  const codeVerifier = encrypted && decryptFor(ctx, 'code_verifier', encrypted)
  if (!codeVerifier) return 'expired'
  if (!planIncludes(ctx.plan, 'ai-summaries')) return 'plan_required'
  if (error || !code) return error === 'access_denied' ? 'access_denied' : 'failed'
  const { config } = ctx.platform
  let tokens: Tokens | null = null
  try {
    const granted = await fetchTokens(config, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: getRedirectUri(config),
      code_verifier: codeVerifier,
    })
    tokens = toTokens(ctx, granted)
    const scopes = granted.scope.split(' ')
    if (!requiredScopes.every((scope) => scopes.includes(scope)))
      throw new ZoomError('refused', { code: 'missing_permission' })
    const user = await createApi(config, tokens.accessToken).get(UserResponse, '/users/me')
    const replaced = await findTokens(ctx)
    await ctx.write((tx) => storeConnection(tx, tokens!, user))
    if (replaced) await revokeToken(config, replaced.refreshToken)
    return null
  } catch (thrown) {
    // Nothing was stored: Zoom need not remember it either.
    if (tokens) await revokeToken(config, tokens.refreshToken)
    if (!(thrown instanceof ZoomError)) throw thrown
    const { code: reason, status } = thrown
    ctx.platform.log.warn({ account: ctx.coachId, code: reason, status }, 'no connection with Zoom')
    return reason === 'invalid_client' || reason === 'missing_permission' ? reason : 'failed'
  }
}

async function takeAttempt(ctx: WriteCtx, state: string): Promise<string | null> {
  const [attempt] = await ctx.query<{ codeVerifier: string }>({
    name: 'zoom.take-attempt',
    text: `delete from zoom_connect_attempt where coach_id = $1 and state_hash = $2 and expires_at > $3
      returning code_verifier as "codeVerifier"`,
    values: [ctx.coachId, hashToken(state.slice(state.indexOf('-') + 1)), ctx.now()],
  })
  return attempt?.codeVerifier ?? null
}

/** Replaces the connection before. */
async function storeConnection(
  ctx: WriteCtx,
  tokens: Tokens,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  const [connection] = await ctx.query<{ id: number }>({
    name: 'zoom.store-connection',
    text: `insert into zoom_connection (coach_id, user_id, email, last_success_at, created_at) values ($1, $2, $3, $4, $4)
      on conflict (coach_id) do update set user_id = excluded.user_id, email = excluded.email, state = 'connected',
        last_success_at = excluded.last_success_at, failing_since = null, failures = 0, last_error = null,
        next_try_at = null
      returning id`,
    values: [ctx.coachId, userId, email, ctx.now()],
  })
  await ctx.query({
    name: 'zoom.add-tokens',
    text: `insert into zoom_token (coach_id, connection_id, refresh_token, access_token, access_token_expires_at)
      values ($1, $2, $3, $4, $5)
      on conflict (coach_id) do update set refresh_token = excluded.refresh_token, access_token = excluded.access_token,
        access_token_expires_at = excluded.access_token_expires_at`,
    values: [
      ctx.coachId,
      connection!.id,
      encryptFor(ctx, 'refresh_token', tokens.refreshToken),
      encryptFor(ctx, 'access_token', tokens.accessToken),
      tokens.expiresAt,
    ],
  })
}
