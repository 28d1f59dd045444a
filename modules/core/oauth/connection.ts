import { connectAttempts } from './attempts.ts'
import { oauthHealth } from './health.ts'
import type { OAuthProvider } from './provider.ts'
import { oauthRevocation } from './revocation.ts'
import { oauthTokens } from './tokens.ts'

/** The parts of a connection by OAuth: attempts, tokens, health and its end. */
export const oauthConnection = (provider: OAuthProvider) => ({
  ...connectAttempts(provider.name),
  ...oauthTokens(provider),
  ...oauthHealth(provider),
  ...oauthRevocation(provider),
})
