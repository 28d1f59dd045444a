import { randomBytes } from 'node:crypto'
const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

const fixedHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': permissions.map((name) => `${name}=()`).join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const unframed = "frame-ancestors 'none'"
/** Directives of every policy: no page may have a base URL, and none may be framed but those of `createPagePolicy`. */
const shared = "base-uri 'none'; object-src 'none'"

/** For responses that load nothing: JSON, redirects, files. `more` adds directives. */
export const strictPolicy = (more = ''): string =>
  `default-src 'none'; ${shared}; ${unframed}; form-action 'none'${more && `; ${more}`}`

/** For the page whose form goes to a coach's own host. */
export const handoverPolicy = (coachOrigin: string, nonce: string): string =>
  `default-src 'none'; ${shared}; ${unframed}; form-action ${coachOrigin}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`

/**
 * Returns the Content-Security-Policy of a page for its nonce. `origin`: the platform's, if forms may lead to its
 * hosts; `formTargets`: other origins to which forms may redirect; `framedBy`: the origins that may show it in a frame.
 */
export function createPagePolicy(
  origin: string | null,
  formTargets: string[] = [],
): (nonce: string, framedBy: string[]) => string {
  // A form that changes the subdomain redirects to the new host.
  const ownHosts = origin === null ? [] : [origin.replace('//', '//*.')]
  const directives = [
    `default-src 'self'`,
    shared,
    ["form-action 'self'", ...ownHosts, ...formTargets].join(' '),
    `img-src 'self' data: blob: https:`,
    `font-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    `connect-src 'self'`,
  ].join('; ')
  return (nonce, framedBy) => {
    const framing = framedBy.length ? `frame-ancestors ${framedBy.join(' ')}` : unframed
    return `${directives}; ${framing}; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'`
  }
}

/** The headers of a response that loads nothing. `secure`: the origin is https. `ofPlatform`: the host is the platform's. */
export const listStrictHeaders = (secure: boolean, ofPlatform: boolean): Record<string, string> => ({
  ...listFixedHeaders(secure, ofPlatform),
  'Content-Security-Policy': strictPolicy(),
})

const listFixedHeaders = (secure: boolean, ofPlatform: boolean): Record<string, string> => ({
  ...fixedHeaders,
  // Below a coach's own domain there may be sites of others, without TLS.
  ...(secure ? { 'Strict-Transport-Security': `max-age=31536000${ofPlatform ? '; includeSubDomains' : ''}` } : {}),
})

/** Adds what every response has in common. */
export function setSecurityHeaders(headers: Headers, secure: boolean, ofPlatform: boolean): void {
  for (const [name, value] of Object.entries(listFixedHeaders(secure, ofPlatform))) headers.set(name, value)
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', strictPolicy())
  // It knows no origins, and would forbid what the policy allows.
  if (!headers.get('Content-Security-Policy')!.includes(unframed)) headers.delete('X-Frame-Options')
  const type = headers.get('Content-Type')
  if (type && /^text\/[\w-]+$|[/+](json|xml)$/.test(type)) headers.set('Content-Type', `${type}; charset=utf-8`)
}

export const createNonce = (): string => randomBytes(16).toString('base64url')
