import { oauthConnection } from '#modules/core/oauth/connection.ts'
import type { Tokens } from '#modules/core/oauth/provider.ts'
import type { Ctx } from '#tenants/context.ts'
import { fetchTokens, revokeToken } from '../vendor/client.ts'
import { ZoomError } from '../vendor/errors.ts'
import type { TokenResponse } from '../vendor/responses.ts'
import { queues, requestCheck } from './queue.ts'

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
  name: 'zoom',
  label: 'Zoom',
  queues,
  Failure: ZoomError,
  isConfigured: ({ zoom }) => Boolean(zoom),
  refresh: async (ctx, refreshToken) =>
    toTokens(ctx, await fetchTokens(ctx.platform.config, { grant_type: 'refresh_token', refresh_token: refreshToken })),
  revokeToken,
  requestNextTry: requestCheck,
})

export const toTokens = (ctx: Ctx, { access_token, refresh_token, expires_in }: TokenResponse): Tokens => ({
  accessToken: access_token,
  refreshToken: refresh_token,
  expiresAt: new Date(ctx.now().getTime() + expires_in * 1000),
})
