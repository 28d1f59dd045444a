import { createHash, randomBytes } from 'node:crypto'
import { knownScopes } from './calendar-methods.ts'

/** An error of the token endpoint. */
export class OAuthError extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

export type Client = { clientId: string; clientSecret: string }
type Grant = { email: string; scopes: string[] }
type Code = Grant & { redirectUri: string; challenge: string; givesRefreshToken: boolean; isUsed: boolean }

const accessSeconds = 3599

/** Consent, codes and tokens, as strict as Google. */
export class OAuthServer {
  private readonly client: Client
  private readonly now: () => Date
  private readonly codes = new Map<string, Code>()
  private readonly refreshTokens = new Map<string, Grant>()
  private readonly accessTokens = new Map<string, Grant & { refreshToken: string | null; expiresAt: number }>()
  private readonly consented = new Set<string>()
  /** If set, the only addresses to which coaches may return. */
  redirectUris: string[] | null = null

  constructor(client: Client, now: () => Date) {
    this.client = client
    this.now = now
  }

  /** Checks a request for consent. Returns the error that Google's page would show, or null. */
  checkRequest(params: URLSearchParams): string | null {
    if (params.get('client_id') !== this.client.clientId) return 'invalid_client'
    const redirectUri = params.get('redirect_uri') ?? ''
    if (!URL.canParse(redirectUri) || (this.redirectUris && !this.redirectUris.includes(redirectUri)))
      return 'redirect_uri_mismatch'
    if (params.get('response_type') !== 'code' || !params.get('scope')) return 'invalid_request'
    if (
      !params
        .get('scope')!
        .split(' ')
        .every((scope) => knownScopes.includes(scope))
    )
      return 'invalid_scope'
    if (params.get('code_challenge_method') !== 'S256' || !params.get('code_challenge')) return 'invalid_request'
    return null
  }

  /** The address to which the coach returns after agreeing to `scopes`, by default all that were asked for. */
  agree(params: URLSearchParams, { email, scopes }: { email: string; scopes?: string[] }): string {
    const problem = this.checkRequest(params)
    if (problem) throw new OAuthError(400, problem)
    const code = `4/${randomBytes(16).toString('base64url')}`
    this.codes.set(code, {
      email,
      scopes: scopes ?? params.get('scope')!.split(' '),
      redirectUri: params.get('redirect_uri')!,
      challenge: params.get('code_challenge')!,
      givesRefreshToken:
        params.get('access_type') === 'offline' && (params.get('prompt') === 'consent' || !this.consented.has(email)),
      isUsed: false,
    })
    this.consented.add(email)
    return toReturn(params, { code })
  }

  deny(params: URLSearchParams): string {
    return toReturn(params, { error: 'access_denied' })
  }

  token(form: URLSearchParams): object {
    if (form.get('client_id') !== this.client.clientId || form.get('client_secret') !== this.client.clientSecret)
      throw new OAuthError(401, 'invalid_client')
    const type = form.get('grant_type')
    if (type === 'authorization_code') return this.exchange(form)
    if (type === 'refresh_token') return this.refresh(form)
    throw new OAuthError(400, 'unsupported_grant_type')
  }

  private exchange(form: URLSearchParams): object {
    const code = this.codes.get(form.get('code') ?? '')
    if (!code || code.isUsed) throw new OAuthError(400, 'invalid_grant')
    if (form.get('redirect_uri') !== code.redirectUri) throw new OAuthError(400, 'redirect_uri_mismatch')
    const verifier = form.get('code_verifier') ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge)
      throw new OAuthError(400, 'invalid_grant')
    code.isUsed = true
    const refreshToken = `1//${randomBytes(24).toString('base64url')}`
    if (code.givesRefreshToken) this.refreshTokens.set(refreshToken, code)
    return {
      ...this.issue(code, code.givesRefreshToken ? refreshToken : null),
      id_token: toIdToken({ email: code.email, aud: this.client.clientId }),
      ...(code.givesRefreshToken ? { refresh_token: refreshToken } : {}),
    }
  }

  private refresh(form: URLSearchParams): object {
    const refreshToken = form.get('refresh_token') ?? ''
    const grant = this.refreshTokens.get(refreshToken)
    if (!grant) throw new OAuthError(400, 'invalid_grant')
    return this.issue(grant, refreshToken)
  }

  private issue({ email, scopes }: Grant, refreshToken: string | null): object {
    const token = `ya29.${randomBytes(24).toString('base64url')}`
    const expiresAt = this.now().getTime() + accessSeconds * 1000
    this.accessTokens.set(token, { email, scopes, refreshToken, expiresAt })
    return { access_token: token, expires_in: accessSeconds, scope: scopes.join(' '), token_type: 'Bearer' }
  }

  /** Revoking either token ends both. */
  revoke(token: string): void {
    const refreshToken = this.accessTokens.get(token)?.refreshToken ?? token
    if (!this.refreshTokens.delete(refreshToken)) throw new OAuthError(400, 'invalid_token')
    for (const [access, grant] of this.accessTokens)
      if (grant.refreshToken === refreshToken) this.accessTokens.delete(access)
  }

  /** As a coach who removes the product in their Google account. */
  revokeAccount(email: string): void {
    for (const [token, grant] of this.refreshTokens) if (grant.email === email) this.revoke(token)
  }

  /** Google may end access tokens before their time. */
  expireAccessTokens(): void {
    this.accessTokens.clear()
  }

  /** As a coach who takes permissions back one by one. */
  limitScopes(email: string, scopes: string[]): void {
    for (const grant of [...this.refreshTokens.values(), ...this.accessTokens.values()])
      if (grant.email === email) grant.scopes = scopes
  }

  hasAccess(email: string): boolean {
    return [...this.refreshTokens.values()].some((grant) => grant.email === email)
  }

  /** Null for a token that doesn't count. */
  findGrant(authorization: string | undefined): Grant | null {
    const grant = this.accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '')
    return grant && grant.expiresAt > this.now().getTime() ? grant : null
  }
}

function toReturn(params: URLSearchParams, answer: Record<string, string>): string {
  const url = new URL(params.get('redirect_uri')!)
  for (const [name, value] of Object.entries({ ...answer, state: params.get('state') ?? '' }))
    url.searchParams.set(name, value)
  return url.href
}

const toIdToken = (payload: object): string =>
  ['{"alg":"none"}', JSON.stringify(payload), ''].map((part) => Buffer.from(part).toString('base64url')).join('.')
