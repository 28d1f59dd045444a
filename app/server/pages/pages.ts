import { createRequestHandler, data, redirect, type ServerBuild } from '@remix-run/node'
import { AppError, statusOf } from '#app/lib/errors.ts'
import { flash, type ToastMessage } from '#app/lib/flash.ts'
import { coachCtx, type Ctx } from '#tenants/context.ts'
import { cookieFor } from '#tenants/accounts/api.ts'
import type { Cookie, Visit } from '#tenants/api/operation.ts'
import type { LoadContext } from './load-context.ts'
import { createDocument, isPlain } from '../fast-render/fast-render.ts'

export type Pages = {
  answer(request: Request, visit: Visit, nonce: string): Promise<Response>
  /** The first segment of a page's address for the log; `*` for an address that is no page of ours. */
  nameOf(pathname: string): string
}
export type BuildSource = ServerBuild | (() => Promise<ServerBuild>)

/** Remix behind the server. A finished build is cut page by page; a build that changes (development) is taken whole. */
export function createPages(build: BuildSource): Pages {
  const handlerFor =
    typeof build === 'function' ? wholeBuild(async () => refusing(await build())) : byRoute(refusing(build))
  const names =
    typeof build === 'function'
      ? null
      : new Set(Object.values(build.routes).map((route) => segmentOf(route?.path ?? '')))
  return {
    answer: (request, visit, nonce) =>
      handlerFor(new URL(request.url).pathname)(request, loadContext(request, visit, nonce)),
    nameOf(pathname) {
      const name = segmentOf(pathname.replace(/\.data$/, ''))
      return names?.has(name) ? `/${name}` : '*'
    },
  }
}

/** What a loader or an action refuses becomes the error page of that status, with its sentence; anything else is a failure of ours. */
function refusing(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route]
    const { loader, action, ...module } = route.module
    return [
      id,
      {
        ...route,
        module: {
          ...module,
          ...(loader ? { loader: asPage(loader) } : {}),
          ...(action ? { action: asPage(action) } : {}),
        },
      },
    ]
  })
  return { ...build, routes: Object.fromEntries(routes) }
}

function asPage<Args, Result>(work: (args: Args) => Result | Promise<Result>): (args: Args) => Promise<Result> {
  return async (args) => {
    try {
      return await work(args)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      throw data({ message: error.message }, { status: error.status, headers: error.headers ?? {} })
    }
  }
}

type Handler = (request: Request, context: LoadContext) => Promise<Response>

function wholeBuild(build: () => Promise<ServerBuild>): (pathname: string) => Handler {
  const handler = createRequestHandler(build, 'development')
  return () => handler
}

/**
 * Remix ranks and compiles every route again for every match, six times a page, so the price of a page grows with the number
 * of routes. Each page gets a handler that knows its own route and its parents alone (what Remix' server bundles do).
 */
function byRoute(build: ServerBuild): (pathname: string) => Handler {
  const routes = Object.values(build.routes).filter((route) => route !== undefined)
  const parents = new Set(routes.map((route) => route.parentId))
  const whole = createRequestHandler(build, 'production')
  const pages = routes
    // The root and layouts without a path come in as ancestors.
    .filter(({ id, path }) => path !== '*' && (path || !parents.has(id)))
    .map(({ id }) => ({ path: pathOf(build, id), handler: pageHandler(build, id) }))
    // A segment that is spelled out goes before one that is filled in: /clients/import before /clients/:id.
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
    .map(({ path, handler }) => ({ shape: shapeOf(path), handler }))
  return (pathname) => {
    const page = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')
    return pages.find(({ shape }) => shape.test(page))?.handler ?? whole
  }
}

const pathOf = (build: ServerBuild, id: string): string =>
  lineOf(build, id)
    .map((one) => build.routes[one]?.path)
    .filter(Boolean)
    .join('/')
const segmentOf = (path: string): string => path.split('/').find(Boolean) ?? ''

/** What the addresses of a route look like. Any other, in capitals too, is left to the whole of the routes. */
function shapeOf(path: string): RegExp {
  if (/[*?]/.test(path)) throw new Error(`The page "${path}" has no fixed number of segments.`)
  return new RegExp(`^/${path.replaceAll(/:[^/]+/g, '[^/]+')}/?$`)
}

/** Remix for what is sent to a page and for its data; a page that is looked at is answered without. */
function pageHandler(build: ServerBuild, id: string): Handler {
  const ids = lineOf(build, id)
  const pick = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([one]) => ids.includes(one)))
  const part = { ...build, routes: pick(build.routes), assets: { ...build.assets, routes: pick(build.assets.routes) } }
  const remix = createRequestHandler(part, 'production')
  if (!isPlain(build, ids)) return remix
  const document = createDocument(part, ids)
  return async (request, context) =>
    (isDocument(request) ? await document(request, context) : null) ?? remix(request, context)
}

const isDocument = ({ method, url }: Request): boolean => method === 'GET' && !new URL(url).pathname.endsWith('.data')

/** A route's ancestors, the root first, and the route. */
function lineOf(build: ServerBuild, id: string): string[] {
  const parent = build.routes[id]?.parentId
  return parent === undefined ? [id] : [...lineOf(build, parent), id]
}

function loadContext(request: Request, visit: Visit, nonce: string): LoadContext {
  const { platform, visitor, tenant, requestId } = visit
  const { account } = visitor
  let own: Ctx | undefined
  const coach = () => {
    if (!account) throw toSignIn(request)
    return (own ??= coachCtx(platform, account, requestId))
  }
  return {
    requestId,
    nonce,
    get log() {
      return platform.log.child({ requestId })
    },
    config: platform.config,
    visit,
    tenant,
    account,
    coach,
    write: async (work) => coach().write(work),
    now: platform.now,
    sessionCookie: (token) => serializeCookie(cookieFor(token), platform.config.origin.startsWith('https:')),
  }
}

/**
 * To the sign-in, and from there back to where one was. Who sent a form is told that it did not arrive; sent by our scripts, it
 * stays on the screen (see `keepTyped`).
 */
function toSignIn(request: Request) {
  const url = new URL(request.url)
  if (['GET', 'HEAD'].includes(request.method)) return redirect(signInPath(url))
  if (url.pathname.endsWith('.data')) return data(signedOut, { status: statusOf.unauthorized })
  const page = request.headers.get('referer')
  const from = page !== null && URL.canParse(page) ? new URL(page) : null
  const own = from?.host === url.host
  return redirect(own ? signInPath(from) : '/auth', { headers: { 'Set-Cookie': flash(signedOut) } })
}

const signedOut: ToastMessage = {
  tone: 'error',
  title: 'You are signed out',
  text: 'What you sent was not saved. Sign in to send it again.',
}

function signInPath({ pathname, search }: URL): string {
  const next = pathname.replace(/\.data$/, '') + search.replace(/[?&]_routes=[^&]*/, '')
  return next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`
}

/** Host-only, out of reach for scripts, and not sent along from other sites' forms. */
export function serializeCookie({ name, value, maxAge }: Cookie, secure: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
