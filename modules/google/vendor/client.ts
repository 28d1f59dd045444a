import type { calendar_v3 } from '@googleapis/calendar'
import type { OAuth2Client } from 'google-auth-library'
import { AppError } from '#app/lib/errors.ts'
import type { Config, GoogleConfig } from '#tenants/config.ts'
import { fromGoogle } from './errors.ts'

/** Milliseconds for a call. A refresh holds a transaction, and is tried three times. */
const timeouts = { call: 10_000, token: 4_000 }

/** Throws unavailable without GOOGLE_CLIENT_ID. */
export function requireGoogle({ google }: Config): GoogleConfig {
  if (!google) throw new AppError('unavailable', 'Google Calendar is not connected on this platform.')
  return google
}

/** The one address to which Google sends coaches back; it must be listed in the Google Cloud Console. */
export const getRedirectUri = ({ origin }: Config): string => `${origin}/google/callback`

/** Loaded with the first call: most processes never need it. */
export async function createOAuthClient(config: Config): Promise<OAuth2Client> {
  const { clientId, clientSecret, baseUrl } = requireGoogle(config)
  const { OAuth2Client } = await import('google-auth-library')
  return new OAuth2Client({
    clientId,
    clientSecret,
    redirectUri: getRedirectUri(config),
    transporterOptions: { timeout: timeouts.token },
    ...(baseUrl
      ? {
          endpoints: {
            oauth2AuthBaseUrl: `${baseUrl}/auth`,
            oauth2TokenUrl: `${baseUrl}/token`,
            oauth2RevokeUrl: `${baseUrl}/revoke`,
            tokenInfoUrl: `${baseUrl}/tokeninfo`,
          },
        }
      : {}),
  })
}

/** Calls the Calendar API with an access token. Throws GoogleError. Failed calls are repeated by jobs, not here. */
export async function callWithToken<T>(
  config: Config,
  accessToken: string,
  work: (api: calendar_v3.Calendar) => Promise<T>,
): Promise<T> {
  try {
    const auth = await createOAuthClient(config)
    auth.setCredentials({ access_token: accessToken })
    const { calendar } = await import('@googleapis/calendar')
    const { baseUrl } = requireGoogle(config)
    const options = { timeout: timeouts.call, retry: false, ...(baseUrl ? { rootUrl: `${baseUrl}/` } : {}) }
    return await work(calendar({ version: 'v3', auth, ...options }))
  } catch (error) {
    throw error instanceof AppError ? error : fromGoogle(error)
  }
}

/** Fetches from the Meet API with an access token. Throws GoogleError. */
export async function fetchMeet(config: Config, accessToken: string, path: string): Promise<unknown> {
  try {
    const auth = await createOAuthClient(config)
    auth.setCredentials({ access_token: accessToken })
    const url = `${requireGoogle(config).baseUrl ?? 'https://meet.googleapis.com'}/v2/${path}`
    const { data } = await auth.request({ url, timeout: timeouts.call, retry: false })
    return data
  } catch (error) {
    throw error instanceof AppError ? error : fromGoogle(error)
  }
}
