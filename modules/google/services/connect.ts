import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { getCustomDomain, subdomainOrigin } from '#tenants/config.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import type { ConnectFailure } from '../connect-result.ts'
import { findConnection } from '../queries/connection.ts'
import { callWithToken, createOAuthClient, requireGoogle } from '../vendor/client.ts'
import { fromGoogle, GoogleError } from '../vendor/errors.ts'
import type { ListedCalendar } from '../vendor/responses.ts'
import { fetchCalendars, storeCalendars } from './calendars.ts'
import { deleteConnection } from './disconnect.ts'
import { markAllChanged } from './links.ts'
import { requestSync } from './queue.ts'
import { decryptFor, encryptFor, findTokens, revokeToken, toTokens, type Tokens } from './tokens.ts'
import { listChannels, stopOldChannels } from './watch.ts'

const scopes = [
  'openid',
  'email',
  'https://www.googleapis.com/auth/calendar.events',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
]
/** Lets us read transcripts; asked for when the coach wants it. */
const meetScope = 'https://www.googleapis.com/auth/meetings.space.readonly'
/** Google lets coaches untick them. */
const requiredScopes = scopes.slice(2)
const attemptMs = 10 * 60_000
/** The most open attempts of a coach. */
const maxAttempts = 10

/** Throws plan_required on the free plan. */
export function requireCalendarSync(ctx: Ctx): void {
  if (!planIncludes(ctx.plan, 'calendar-sync'))
    throw new AppError('plan_required', 'Calendar sync is part of the Pro and Premium plans.')
}

/**
 * Returns the address at Google where the coach agrees. It can be used once, within ten minutes. `withMeet`: also to
 * the transcripts of Google Meet. Throws plan_required, and unavailable if the platform is not connected to Google.
 */
export async function beginConnect(
  ctx: Ctx,
  { inPopup, withMeet = false }: { inPopup: boolean; withMeet?: boolean },
): Promise<string> {
  authorize(ctx, 'google:connection:write')
  requireCalendarSync(ctx)
  requireGoogle(ctx.platform.config)
  const client = await createOAuthClient(ctx.platform.config)
  const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync()
  const { token, tokenHash } = createToken()
  await ctx.write(async (tx) => {
    await deleteOldAttempts(tx)
    await tx.query({
      name: 'google.add-attempt',
      text: `insert into google_connect_attempt (coach_id, state_hash, code_verifier, in_popup, expires_at)
        values ($1, $2, $3, $4, $5)`,
      values: [
        ctx.coachId,
        tokenHash,
        encryptFor(ctx, 'code_verifier', codeVerifier),
        inPopup,
        new Date(ctx.now().getTime() + attemptMs),
      ],
    })
  })
  const { CodeChallengeMethod } = await import('google-auth-library')
  return client.generateAuthUrl({
    access_type: 'offline',
    // Otherwise there is no refresh token the second time.
    prompt: 'consent',
    include_granted_scopes: true,
    scope: withMeet || (await findConnection(ctx))?.readsMeet ? [...scopes, meetScope] : scopes,
    state: `${ctx.coachId}-${token}`,
    code_challenge: codeChallenge!,
    code_challenge_method: CodeChallengeMethod.S256,
  })
}

/**
 * The origin of the subdomain of the coach who began. Null for a state that is not open, and for a coach without a
 * subdomain or with a domain of their own: a code must not leave the platform's hosts, and links to the subdomain lead
 * to the domain.
 */
export async function findStateOrigin(platform: Platform, state: string): Promise<string | null> {
  const [, id, token] = /^([1-9]\d{0,14})-([\w-]{43})$/.exec(state) ?? []
  const ctx = id && token ? await loadCoachContext(platform, Number(id), 'google') : null
  if (!ctx) return null
  const [attempt] = await ctx.query({
    name: 'google.find-attempt',
    text: 'select id from google_connect_attempt where coach_id = $1 and state_hash = $2 and expires_at > $3',
    values: [ctx.coachId, hashToken(token!), ctx.now()],
  })
  const { subdomain } = ctx.account
  if (!attempt || !subdomain || getCustomDomain(ctx.account)) return null
  return subdomainOrigin(platform.config, subdomain)
}

async function deleteOldAttempts(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'google.delete-attempts',
    text: `delete from google_connect_attempt where coach_id = $1 and (expires_at <= $2 or id <= coalesce((
      select a.id from google_connect_attempt a where a.coach_id = $1 order by a.id desc offset $3 limit 1), 0))`,
    values: [ctx.coachId, ctx.now(), maxAttempts - 1],
  })
}

export type ConnectResult = { failure: ConnectFailure | null; inPopup: boolean }

/**
 * Finishes what `beginConnect` began, with the parameters that Google sends: the tokens are stored and the first sync
 * begins, or nothing is.
 */
export async function finishConnect(
  ctx: Ctx,
  { code, state, error }: { code: string | null; state: string; error: string | null },
): Promise<ConnectResult> {
  authorize(ctx, 'google:connection:write')
  const attempt = await ctx.write((tx) => takeAttempt(tx, state))
  const codeVerifier = attempt && decryptFor(ctx, 'code_verifier', attempt.codeVerifier)
  if (!attempt || !codeVerifier) return { failure: 'expired', inPopup: attempt?.inPopup ?? false }
  const { inPopup } = attempt
  if (!planIncludes(ctx.plan, 'calendar-sync')) return { failure: 'plan_required', inPopup }
  if (error || !code) return { failure: error === 'access_denied' ? 'access_denied' : 'failed', inPopup }
  let granted: Granted | null = null
  try {
    granted = await exchangeCode(ctx, { code, codeVerifier })
    const missing = requiredScopes.filter((scope) => !granted!.scopes.includes(scope))
    if (missing.length) throw new GoogleError('refused', { code: 'missing_permission' })
    const calendars = await callWithToken(ctx.platform.config, granted.tokens.accessToken, fetchCalendars)
    const forgetReplaced = await prepareToForget(ctx, granted.email)
    await ctx.write((tx) => storeConnection(tx, granted!, calendars))
    await forgetReplaced()
    return { failure: null, inPopup }
  } catch (thrown) {
    // Nothing was stored: Google need not remember it either.
    if (granted) await revokeToken(ctx.platform.config, granted.tokens.refreshToken)
    if (!(thrown instanceof GoogleError)) throw thrown
    ctx.platform.log.warn(
      { account: ctx.coachId, code: thrown.code, status: thrown.status },
      'no connection with Google',
    )
    return { failure: toFailure(thrown), inPopup }
  }
}

/**
 * Ends, after the new connection is stored, what Google has of another account that it replaces. Google may be away.
 */
async function prepareToForget(ctx: Ctx, email: string): Promise<() => Promise<void>> {
  const before = await findConnection(ctx)
  const tokens = before && before.email !== email ? await findTokens(ctx) : null
  if (!tokens) return async () => undefined
  const channels = await listChannels(ctx)
  return async () => {
    await stopOldChannels(ctx, tokens.accessToken, channels)
    await revokeToken(ctx.platform.config, tokens.refreshToken)
  }
}

const toFailure = ({ code }: GoogleError): ConnectFailure =>
  code === 'invalid_client' || code === 'missing_permission' ? code : 'failed'

async function takeAttempt(ctx: WriteCtx, state: string): Promise<{ codeVerifier: string; inPopup: boolean } | null> {
  const [attempt] = await ctx.query<{ codeVerifier: string; inPopup: boolean }>({
    name: 'google.take-attempt',
    text: `delete from google_connect_attempt where coach_id = $1 and state_hash = $2 and expires_at > $3
      returning code_verifier as "codeVerifier", in_popup as "inPopup"`,
    values: [ctx.coachId, hashToken(state.slice(state.indexOf('-') + 1)), ctx.now()],
  })
  return attempt ?? null
}

type Granted = { tokens: Tokens; scopes: string[]; email: string }

async function exchangeCode(ctx: Ctx, input: { code: string; codeVerifier: string }): Promise<Granted> {
  try {
    const client = await createOAuthClient(ctx.platform.config)
    const { tokens } = await client.getToken(input)
    return { tokens: toTokens(ctx, tokens), scopes: (tokens.scope ?? '').split(' '), email: readEmail(tokens.id_token) }
  } catch (error) {
    throw fromGoogle(error)
  }
}

const Identity = z.object({ email: z.email().max(254) })

/** It comes from Google itself over TLS, so its signature says nothing more. */
function readEmail(idToken: string | null | undefined): string {
  const payload = Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8')
  return Identity.parse(JSON.parse(payload)).email
}

/** Replaces the connection before; that with another account also loses its calendars. */
async function storeConnection(
  ctx: WriteCtx,
  { tokens, email, scopes: granted }: Granted,
  calendars: ListedCalendar[],
): Promise<void> {
  const [before] = await ctx.query<{ email: string }>({
    name: 'google.connected-email',
    text: 'select email from google_connection where coach_id = $1 for update',
    values: [ctx.coachId],
  })
  if (before && before.email !== email) await deleteConnection(ctx)
  const [connection] = await ctx.query<{ id: number }>({
    name: 'google.store-connection',
    text: `insert into google_connection (coach_id, email, created_at, reads_meet) values ($1, $2, $3, $4)
      on conflict (coach_id) do update set state = 'connected', reads_meet = excluded.reads_meet, failing_since = null, failures = 0, last_error = null,
        next_try_at = null, is_away = false, claim = null, claimed_until = null
      returning id`,
    values: [ctx.coachId, email, ctx.now(), granted.includes(meetScope)],
  })
  await ctx.query({
    name: 'google.store-tokens',
    text: `insert into google_token (coach_id, connection_id, refresh_token, access_token, access_token_expires_at)
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
  await storeCalendars(ctx, connection!.id, calendars)
  await markAllChanged(ctx)
  await requestSync(ctx)
}
