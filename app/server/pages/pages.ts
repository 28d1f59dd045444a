import { createRequestHandler, data, redirect, redirectDocument, type ServerBuild } from '@remix-run/node'
import { AppError, statusByCode } from '#app/lib/errors.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { ModuleInfo } from '#modules/core/extensions.ts'
import { isSwitchedOff } from '#modules/core/switched-off.ts'
import { privateRoutes, routeModules } from '#modules/registry.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import { clientContext, coachContext, visitorContext, type Ctx } from '#tenants/context.ts'
import { switchedOffError } from '#tenants/module-switches/switches.ts'
import { createPageRenderer } from '../fast-render/page-renderer.ts'
import type { LoadContext } from './load-context.ts'
import { createPageCookies, type PageCookies } from './page-cookies.ts'
import { createPageHandlers, type PageHandler } from './page-handlers.ts'

export type Pages = {
  handle(request: Request, requestContext: RequestContext, nonce: string): Promise<PageResponse>
  /** The first segment of a page's path for the log; `*` for a path that is no page. */
  routeName(pathname: string): string
}
/** `framedBy`: the origins that may show the page in a frame. */
export type PageResponse = { response: Response; framedBy: string[] }
/** A finished build, or in development a function that returns the current one. */
export type BuildSource = ServerBuild | (() => Promise<ServerBuild>)

/** Serves the Remix build. `fastRender` doesn't apply to development. */
export function createPages(build: BuildSource, { fastRender }: { fastRender: boolean }): Pages {
  const handler = createPageHandler(build, fastRender)
  const names =
    typeof build === 'function'
      ? null
      : new Set(Object.values(build.routes).map((route) => firstSegment(route?.path ?? '')))
  return {
    async handle(request, requestContext, nonce) {
      const framedBy: string[] = []
      const context = createLoadContext(request, requestContext, { nonce, framedBy })
      return { response: await handler(request, context), framedBy }
    },
    routeName(pathname) {
      const name = firstSegment(pathname.replace(/\.data$/, ''))
      return names?.has(name) ? `/${name}` : '*'
    },
  }
}

function createPageHandler(build: BuildSource, fastRender: boolean): PageHandler {
  if (typeof build === 'function')
    return createRequestHandler(async () => withErrorResponses(await build()), 'development')
  return createPageHandlers(withErrorResponses(build), fastRender ? createPageRenderer : undefined)
}

const firstSegment = (path: string): string => path.split('/').find(Boolean) ?? ''

/** Turns an AppError of a loader or action into an error page with its status and message; others become a 500. */
function withErrorResponses(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route]
    const { loader, action, ...rest } = route.module
    const owner = routeModules.get(id)
    const isPrivate = privateRoutes.has(id)
    const module = {
      ...rest,
      ...(loader
        ? { loader: catchAppErrors(forSupport(owner ? withModule(owner, loader) : loader, { isPrivate })) }
        : {}),
      ...(action ? { action: catchAppErrors(forSupport(owner ? withModule(owner, action) : action)) } : {}),
    }
    return [id, { ...route, module }]
  })
  return { ...build, routes: Object.fromEntries(routes) }
}

/**
 * An administrator on a visit reads what isn't private, and sends no form: those of scripts stay on screen. The server has
 * refused all others.
 */
function forSupport<Args extends { request: Request; context: LoadContext }, Result>(
  run: (args: Args) => Result | Promise<Result>,
  { isPrivate = false } = {},
): (args: Args) => Promise<Result> {
  return async (args) => {
    const { request, context } = args
    if (!context.requestContext.viewer.support) return run(args)
    if (!isRead(request)) throw data(toRefusal('Support access is read-only'), { status: statusByCode.forbidden })
    if (isPrivate)
      throw new AppError('forbidden', 'Support access doesn’t include this page: it is for the coach alone.')
    return run(args)
  }
}

const isRead = ({ method }: Request): boolean => ['GET', 'HEAD'].includes(method)

/** Runs a loader or action of a module unless it is switched off: then there is no page, and visitors learn no more. */
function withModule<Args extends { request: Request; context: LoadContext }, Result>(
  { id, title }: ModuleInfo,
  run: (args: Args) => Result | Promise<Result>,
): (args: Args) => Promise<Result> {
  return async (args) => {
    const { request, context } = args
    if (!isSwitchedOff(context.requestContext, id)) return run(args)
    if (!context.account) throw new AppError('not_found', "We can't find that page.")
    const { message } = switchedOffError(title)
    // The form stays on screen.
    if (context.isByScript && !isRead(request)) throw data(toRefusal(message), { status: statusByCode.plan_required })
    throw data({ message, isSwitchedOff: true }, { status: 404 })
  }
}

const toRefusal = (title: string): ToastMessage => ({
  tone: 'error',
  title,
  text: 'Your changes were not saved.',
})

function catchAppErrors<Args extends { context: Pick<LoadContext, 'log'> }, Result>(
  run: (args: Args) => Result | Promise<Result>,
): (args: Args) => Promise<Result> {
  return async (args) => {
    try {
      return await run(args)
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'internal') throw thrown
      if (error.status >= 500) args.context.log.error({ err: thrown }, 'page failed')
      throw data({ message: error.message }, { status: error.status, headers: error.headers ?? {} })
    }
  }
}

function createLoadContext(
  request: Request,
  requestContext: RequestContext,
  { nonce, framedBy }: { nonce: string; framedBy: string[] },
): LoadContext {
  const { platform, viewer, tenant, requestId } = requestContext
  const { account, closed } = viewer
  const { config } = platform
  const cookies = createPageCookies(request, requestContext)
  let ctx: Ctx | undefined
  const coach = () => {
    if (closed) throw redirect('/closed')
    if (viewer.supportEnded) throw endSupport(request, cookies, viewer.supportEnded)
    if (!account) throw redirectToSignIn(request, cookies)
    return (ctx ??= coachContext(platform, account, requestContext))
  }
  const visitor: LoadContext['visitor'] = async (permissions) => {
    if (!viewer.owner) throw new AppError('not_found', "We can't find that page.")
    return visitorContext(platform, viewer.owner, requestContext, permissions)
  }
  let clientCtx: Promise<Ctx | null> | undefined
  const findClient = () => (clientCtx ??= loadClient())
  const loadClient = async () => {
    const visitorCtx = await visitor([])
    const token = cookies.readPortal()
    const client = token ? await visitorCtx.extensions.clientSignIn?.findClient(visitorCtx, token, viewer.domain) : null
    return client ? clientContext(platform, visitorCtx.account, requestContext, client) : null
  }
  return {
    requestId,
    nonce,
    isByScript: new URL(request.url).pathname.endsWith('.data'),
    get log() {
      return platform.log.child({ requestId })
    },
    config,
    requestContext,
    tenant,
    account,
    coach,
    closedCoach: () => (closed ? coachContext(platform, closed.account, requestContext) : null),
    write: async (work) => coach().write(work),
    visitor,
    findClient,
    async client() {
      const clientCtx = await findClient()
      if (clientCtx) return clientCtx
      const { clientSignIn } = (await visitor([])).extensions
      if (!clientSignIn) throw new AppError('not_found', "We can't find that page.")
      throw redirect(clientSignIn.getSignInPath(nextPath(request)))
    },
    allowFraming: (origins) => void framedBy.push(...origins),
    now: platform.now,
    cookies,
  }
}

/**
 * Redirects to the sign-in page and from there back. A form that was sent by scripts stays on screen and shows an
 * error.
 */
function redirectToSignIn(request: Request, cookies: PageCookies) {
  const url = new URL(request.url)
  if (isRead(request)) return redirect(signInPath(url))
  if (url.pathname.endsWith('.data')) return data(signedOutToast, { status: statusByCode.unauthorized })
  const referer = request.headers.get('referer')
  const from = referer !== null && URL.canParse(referer) ? new URL(referer) : null
  const path = from?.host === url.host ? signInPath(from) : '/auth'
  return redirect(path, { headers: { 'Set-Cookie': cookies.toast(signedOutToast) } })
}

/** Leads an administrator whose visit has ended back, with a document of their own. Nothing is done in either account. */
function endSupport(request: Request, cookies: PageCookies, { isAdmin }: { isAdmin: boolean }) {
  const toast: ToastMessage = { tone: 'error', title: 'Support access has ended', text: 'Nothing was changed.' }
  const isData = new URL(request.url).pathname.endsWith('.data')
  if (!isRead(request) && isData) return data(toast, { status: statusByCode.forbidden })
  const headers = new Headers()
  // A link that is prefetched must not end it under a document of the coach's. The next document does.
  const cookiesSet = isData ? [] : [cookies.support(null), cookies.toast(toast)]
  for (const cookie of cookiesSet) headers.append('Set-Cookie', cookie)
  return redirectDocument(isAdmin ? '/admin' : '/dashboard', { headers })
}

const signedOutToast: ToastMessage = {
  tone: 'error',
  title: 'You are signed out',
  text: 'Your changes were not saved. Sign in and try again.',
}

/** The page to return to; none for a form, which is lost. */
function nextPath({ method, url }: Request): string | undefined {
  const { pathname, search } = new URL(url)
  return method === 'GET' ? pathname.replace(/\.data$/, '') + search.replace(/[?&]_routes=[^&]*/, '') : undefined
}

function signInPath({ pathname, search }: URL): string {
  const next = pathname.replace(/\.data$/, '') + search.replace(/[?&]_routes=[^&]*/, '')
  return next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`
}
