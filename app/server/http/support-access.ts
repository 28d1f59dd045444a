import type { Context, Hono } from 'hono'
import { createPageCookies } from '../pages/page-cookies.ts'
import type { Viewer } from '#tenants/auth/viewer.ts'
import { coachContext } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { readOnlyError } from '#tenants/read-only.ts'
import type { Env } from './app.ts'
import { readCookie } from './cookies.ts'
import { leavePath, parseSupportCookie, supportCookieName } from './support-cookie.ts'

/**
 * Looks for the administrator's visit that the browser names, on the platform's host alone. On a visit the coach is the
 * account, and after it nobody: nothing is done in the administrator's own by mistake.
 */
export async function applySupport(
  platform: Platform,
  viewer: Viewer,
  headers: Headers,
  secure: boolean,
): Promise<Viewer> {
  const { account, sessionHash, tenant, domain } = viewer
  const value = readCookie(headers, supportCookieName, secure)
  const { supportAccess } = platform.extensions
  if (!value || !account || !sessionHash || tenant || domain || !supportAccess) return viewer
  const { visitId } = parseSupportCookie(value)
  const support = account.isAdmin
    ? await supportAccess.findVisit(platform, { id: visitId, administrator: account, sessionHash })
    : null
  if (!support) return { ...viewer, account: null, supportEnded: { id: account.id, isAdmin: account.isAdmin } }
  return { ...viewer, account: support.coach, sessionHash: null, support }
}

/** Refuses every change on a visit, notes each page, and lets the administrator leave. */
export function serveSupport(app: Hono<Env>, { platform }: { platform: Platform }): void {
  app.post(leavePath, async (c, next) => {
    const { viewer } = c.get('requestContext')
    if (!viewer.support && !viewer.supportEnded) return next()
    c.set('route', leavePath)
    const { supportAccess } = platform.extensions
    if (viewer.support) await supportAccess!.leave(administratorContext(platform, c), viewer.support)
    const cookies = createPageCookies(c.req.raw, c.get('requestContext'))
    c.header('Set-Cookie', cookies.support(null), { append: true })
    c.header('Set-Cookie', cookies.toast({ tone: 'success', title: 'You left the practice' }), { append: true })
    return c.redirect('/admin', 303)
  })
  app.use(async (c, next) => {
    const { support } = c.get('requestContext').viewer
    if (!support) return next()
    const path = new URL(c.req.url).pathname
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    // The pages refuse the forms of scripts themselves, so that they stay on screen.
    if (!isRead && (path.startsWith('/api/') || !path.endsWith('.data'))) throw readOnlyError()
    if (isRead && !isPartOfPages(path))
      await platform.extensions.supportAccess!.recordPage(administratorContext(platform, c), support, toPage(path))
    return next()
  })
}

/** The administrator's own context, in which the visit itself is written. */
function administratorContext(platform: Platform, c: Context<Env>) {
  const { viewer, requestId, address } = c.get('requestContext')
  return coachContext(platform, viewer.support!.administrator, { requestId, address })
}

/** Logos, photos, and the list of scripts that a page may need. */
const isPartOfPages = (path: string): boolean => path.startsWith('/uploads/') || path === '/__manifest'

/** The path alone: a search may quote what was typed. */
function toPage(path: string): string {
  const page = path.replace(/\.data$/, '')
  return (page === '/_root' ? '/' : page).slice(0, 255)
}
