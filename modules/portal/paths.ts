import { safeRedirectPath, withQuery } from '#app/lib/url.ts'

export const signInPath = (next?: string): string =>
  withQuery('/portal/sign-in', { next: next === '/portal' ? null : (next ?? null) })

/** `next`: the page that the next sign-in leads to. */
export const signOutPath = (next: string): string => withQuery('/portal/sign-out', { next })

export const accountPath = '/portal/account'

/** A page of the portal; null for any other. */
export function toPortalPath(path: string | null | undefined): string | null {
  const safe = safeRedirectPath(path ?? '')
  return safe && /^\/portal(\/|$|\?)/.test(safe) ? safe : null
}
