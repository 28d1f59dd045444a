import { oauthConnection } from '#modules/core/oauth/connection.ts'
import type { Tokens } from '#modules/core/oauth/provider.ts'
import type { Config } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { createOAuthClient } from '../vendor/client.ts'
import { fromGoogle, GoogleError } from '../vendor/errors.ts'
import { queues, requestSync } from './queue.ts'

export const {
  addAttempt,
  endConnection,
  findStateOrigin,
  findTokens,
  recordFailure,
  recordSuccess,
  requestRevocation,
  revoke,
  storeTokens,
  takeAttempt,
  withAccessToken,
} = oauthConnection({
  name: 'google',
  label: 'Google Calendar',
  queues,
  hasAwayColumn: true,
  Failure: GoogleError,
  isConfigured: ({ google }) => Boolean(google),
  refresh,
  revokeToken,
  requestNextTry: requestSync,
})

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
