import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Tokens } from '#modules/core/oauth/provider.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { ConnectFailure } from '../connect-result.ts'
import { findConnection } from '../queries/connection.ts'
import { callWithToken, createOAuthClient, requireGoogle } from '../vendor/client.ts'
import { fromGoogle, GoogleError } from '../vendor/errors.ts'
import type { ListedCalendar } from '../vendor/responses.ts'
import { fetchCalendars, storeCalendars } from './calendars.ts'
import { deleteConnection } from './disconnect.ts'
import { markAllChanged } from './links.ts'
import { requestSync } from './queue.ts'
import { addAttempt, findTokens, revokeToken, storeTokens, takeAttempt, toTokens } from './oauth.ts'
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
  const asksForMeet = withMeet || (await findConnection(ctx))?.readsMeet === true
  const state = await addAttempt(ctx, codeVerifier, { inPopup, withMeet: asksForMeet })
  const { CodeChallengeMethod } = await import('google-auth-library')
  return client.generateAuthUrl({
    access_type: 'offline',
    // Otherwise there is no refresh token the second time.
    prompt: 'consent',
    include_granted_scopes: true,
    scope: asksForMeet ? [...scopes, meetScope] : scopes,
    state,
    code_challenge: codeChallenge!,
    code_challenge_method: CodeChallengeMethod.S256,
  })
}

export type ConnectResult = { failure: ConnectFailure | null; inPopup: boolean; withMeet: boolean }

/**
 * Finishes what `beginConnect` began, with the parameters that Google sends: the tokens are stored and the first sync
 * begins, or nothing is.
 */
export async function finishConnect(
  ctx: Ctx,
  { code, state, error }: { code: string | null; state: string; error: string | null },
): Promise<ConnectResult> {
  authorize(ctx, 'google:connection:write')
  const attempt = await takeAttempt<{ inPopup: boolean; withMeet: boolean }>(ctx, state, [
    'in_popup as "inPopup", with_meet as "withMeet"',
  ])
  const { codeVerifier = null, inPopup = false, withMeet = false } = attempt ?? {}
  const end = (failure: ConnectFailure | null): ConnectResult => ({ failure, inPopup, withMeet })
  if (!codeVerifier) return end('expired')
  if (!planIncludes(ctx.plan, 'calendar-sync')) return end('plan_required')
  if (error || !code) return end(error === 'access_denied' ? 'access_denied' : 'failed')
  let granted: Granted | null = null
  try {
    granted = await exchangeCode(ctx, { code, codeVerifier })
    const missing = requiredScopes.filter((scope) => !granted!.scopes.includes(scope))
    if (missing.length) throw new GoogleError('refused', { code: 'missing_permission' })
    const calendars = await callWithToken(ctx.platform.config, granted.tokens.accessToken, fetchCalendars)
    const forgetReplaced = await prepareToForget(ctx, granted.email)
    const readsMeet = withMeet && granted.scopes.includes(meetScope)
    await ctx.write((tx) => storeConnection(tx, { ...granted!, readsMeet }, calendars))
    await forgetReplaced()
    return end(withMeet && !readsMeet ? 'missing_meet' : null)
  } catch (thrown) {
    // Nothing was stored: Google need not remember it either.
    if (granted) await revokeToken(ctx.platform.config, granted.tokens.refreshToken)
    if (!(thrown instanceof GoogleError)) throw thrown
    ctx.platform.log.warn(
      { account: ctx.coachId, code: thrown.code, status: thrown.status },
      'no connection with Google',
    )
    return end(toFailure(thrown))
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
  { tokens, email, readsMeet }: Granted & { readsMeet: boolean },
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
      on conflict (coach_id) do update set state = 'connected', reads_meet = excluded.reads_meet, meet_reached_at = null,
        meet_error = null, failing_since = null, failures = 0, last_error = null, next_try_at = null, is_away = false,
        claim = null, claimed_until = null
      returning id`,
    values: [ctx.coachId, email, ctx.now(), readsMeet],
  })
  await storeTokens(ctx, connection!.id, tokens)
  await storeCalendars(ctx, connection!.id, calendars)
  await markAllChanged(ctx)
  await requestSync(ctx)
}
