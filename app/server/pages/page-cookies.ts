import type { Theme, ToastMessage } from '#app/lib/flash.ts'
import { safeRedirectPath } from '#app/lib/url.ts'
import { createSessionCookie } from '#tenants/accounts/api.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import { usesHttps } from '#tenants/config.ts'
import { readCookie, serializeCookie } from '../http/cookies.ts'
import { supportCookieName, toSupportCookie, type SupportCookie } from '../http/support-cookie.ts'

/** The cookies of pages. `session`, `portal`, `toast` and `theme` return the value of a Set-Cookie header. */
export type PageCookies = {
  /** null deletes the session's cookie. */
  session(token: string | null): string
  /** The session of a client in the portal of this host; null deletes it. */
  portal(token: string | null): string
  /** The administrator's visit to a practice; null deletes it. */
  support(visit: SupportCookie | null): string
  /** Shows a toast once, on the next page of this host; null deletes it. */
  toast(message: ToastMessage | null): string
  theme(theme: Theme): string
  /** The toast for this page; null if there is none or it isn't from this product. */
  readToast(): ToastMessage | null
  readPortal(): string | undefined
  /** The theme chosen in this browser, or 'system'. */
  readTheme(): Theme
}

const toastSeconds = 60
/** The visit itself ends sooner. */
const supportSeconds = 7 * 86_400
/** The session itself ends sooner where it isn't used. */
const portalDays = 180
const yearSeconds = 31_536_000
/** The clocks of two processes may differ. */
const clockToleranceMs = 2 * 60_000

type SignedToast = { message: ToastMessage; expiresAt: number }

export function createPageCookies(request: Request, { platform, tenant }: RequestContext): PageCookies {
  const { config, signingKeys, now } = platform
  const secure = usesHttps(config)
  const purpose = `toast:${tenant?.id ?? 'platform'}`
  return {
    session: (token) => serializeCookie(createSessionCookie(token), secure),
    portal: (token) =>
      serializeCookie({ name: 'portal', value: token ?? '', maxAge: token ? portalDays * 86_400 : 0 }, secure),
    support: (visit) =>
      serializeCookie(
        { name: supportCookieName, value: visit ? toSupportCookie(visit) : '', maxAge: visit ? supportSeconds : 0 },
        secure,
      ),
    toast(message) {
      if (!message) return serializeCookie({ name: 'toast', value: '', maxAge: 0 }, secure)
      const signed: SignedToast = { message, expiresAt: now().getTime() + toastSeconds * 1000 }
      const value = signingKeys.sign(purpose, JSON.stringify(signed))
      return serializeCookie({ name: 'toast', value, maxAge: toastSeconds }, secure)
    },
    theme: (theme) =>
      serializeCookie(
        theme === 'system'
          ? { name: 'theme', value: '', maxAge: 0 }
          : { name: 'theme', value: theme, maxAge: yearSeconds },
        secure,
      ),
    readToast() {
      const cookie = readCookie(request.headers, 'toast', secure)
      const value = cookie ? signingKeys.verify(purpose, cookie) : null
      if (!value) return null
      const { message, expiresAt } = JSON.parse(value) as SignedToast
      return expiresAt + clockToleranceMs > now().getTime() ? withOwnLinks(message) : null
    },
    readPortal: () => readCookie(request.headers, 'portal', secure) || undefined,
    readTheme() {
      const value = readCookie(request.headers, 'theme', secure)
      return value === 'light' || value === 'dark' ? value : 'system'
    },
  }
}

/** Removes a link or action that leads to another site. */
function withOwnLinks({ link, action, ...message }: ToastMessage): ToastMessage {
  return {
    ...message,
    ...(link && safeRedirectPath(link.to) ? { link } : {}),
    ...(action && safeRedirectPath(action.to) ? { action } : {}),
  }
}
