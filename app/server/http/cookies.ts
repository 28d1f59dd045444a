import type { Cookie } from '#tenants/api/operation.ts'

/** Browsers accept a `__Host-` cookie only over TLS and from the host itself: no other subdomain can set it. */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** Formats a Set-Cookie header: host-only, hidden from scripts, not sent with other sites' forms. */
export function serializeCookie({ name, value, maxAge }: Cookie, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${cookieName(name, secure)}=${value}; ${attributes}`
}

export function readCookie(headers: Headers, name: string, secure: boolean): string | undefined {
  const prefix = `${cookieName(name, secure)}=`
  return headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(prefix))
    ?.slice(prefix.length)
}
