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
 * Returns the Content-Security-Policy of a page for its nonce. `formTargets`: origins to which forms may redirect;
 * `framedBy`: the origins that may show it in a frame.
 */
export function createPagePolicy(
  origin: string,
  formTargets: string[] = [],
): (nonce: string, framedBy: string[]) => string {
  const { protocol, host } = new URL(origin)
  const directives = [
    `default-src 'self'`,
    shared,
    // A form that changes the subdomain redirects to the new host.
    ["form-action 'self'", `${protocol}//*.${host}`, ...formTargets].join(' '),
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

/** Adds what every response has in common. `secure`: the origin is https. */
export function setSecurityHeaders(headers: Headers, secure: boolean): void {
  for (const [name, value] of Object.entries(fixedHeaders)) headers.set(name, value)
  if (secure) headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', strictPolicy())
  // It knows no origins, and would forbid what the policy allows.
  if (!headers.get('Content-Security-Policy')!.includes(unframed)) headers.delete('X-Frame-Options')
  const type = headers.get('Content-Type')
  if (type && /^text\/[\w-]+$|[/+](json|xml)$/.test(type)) headers.set('Content-Type', `${type}; charset=utf-8`)
}
