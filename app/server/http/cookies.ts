import type { Cookie } from '#tenants/api/operation.ts'

/** Formats a Set-Cookie header: host-only, hidden from scripts, not sent with other sites' forms. */
export function serializeCookie({ name, value, maxAge }: Cookie, secure: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
