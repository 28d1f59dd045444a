import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import type { Tokens } from '#modules/core/oauth/provider.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { connectFailures, type ConnectFailure } from '../connect-result.ts'
import { createApi, fetchTokens, getAuthorizeUrl, getRedirectUri, requireZoom, revokeToken } from '../vendor/client.ts'
import { ZoomError } from '../vendor/errors.ts'
import { UserResponse } from '../vendor/responses.ts'
import { addAttempt, findTokens, storeTokens, takeAttempt, toTokens } from './oauth.ts'

/**
 * Without these no recordings are found. Zoom shows them to the coach; they are those of the app's settings at Zoom.
 */
export const requiredScopes = [
  'user:read:user',
  'cloud_recording:read:list_user_recordings',
  'cloud_recording:read:list_recording_files',
  'meeting:read:list_past_participants',
]

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
  const state = await addAttempt(ctx, codeVerifier)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: getRedirectUri(config),
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${getAuthorizeUrl(config)}?${query}`
}

/** Finishes what `beginConnect` began: the tokens are stored, or nothing is. Returns why it failed, or null. */
export async function finishConnect(
  ctx: Ctx,
  { code, state, error }: { code: string | null; state: string; error: string | null },
): Promise<ConnectFailure | null> {
  authorize(ctx, 'zoom:connection:write')
  const { codeVerifier } = (await takeAttempt(ctx, state)) ?? {}
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
  await storeTokens(ctx, connection!.id, tokens)
}
