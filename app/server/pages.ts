import { createRequestHandler, data, redirect, type ServerBuild } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { coachCtx, type Ctx } from '#tenants/context.ts'
import { cookieFor } from '#tenants/api.ts'
import type { Cookie, Visit } from '#tenants/operation.ts'
import type { LoadContext } from './load-context.ts'

export type Pages = {
  answer(request: Request, visit: Visit, nonce: string): Promise<Response>
  /** The first segment of a page's address for the log; `*` for an address that is no page of ours. */
  nameOf(pathname: string): string
}
export type BuildSource = ServerBuild | (() => Promise<ServerBuild>)

/** Remix behind the server. A finished build is cut by the shape of addresses; a build that changes (development) is taken whole. */
export function createPages(build: BuildSource): Pages {
  const handlerFor = typeof build === 'function' ? wholeBuild(async () => refusing(await build())) : byShape(refusing(build))
  const names = typeof build === 'function' ? null : new Set(Object.values(build.routes).map((route) => segmentOf(route?.path ?? '')))
  return {
    answer: (request, visit, nonce) => handlerFor(new URL(request.url).pathname)(request, loadContext(request, visit, nonce)),
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
    return [id, { ...route, module: { ...module, ...(loader ? { loader: asPage(loader) } : {}), ...(action ? { action: asPage(action) } : {}) } }]
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

type Handler = ReturnType<typeof createRequestHandler>

function wholeBuild(build: () => Promise<ServerBuild>): (pathname: string) => Handler {
  const handler = createRequestHandler(build, 'development')
  return () => handler
}

/**
 * Remix ranks and compiles every route again for every match, four times a page, so the price of a page grows with the number
 * of routes. Each shape of an address, its first segment and the number of its segments, gets a handler that knows its
 * own routes alone (what Remix' server bundles do).
 */
function byShape(build: ServerBuild): (pathname: string) => Handler {
  const routes = Object.values(build.routes).filter((route) => route !== undefined)
  const parents = new Set(routes.map((route) => route.parentId))
  const fullPath = (id: string | undefined): string => {
    const route = id === undefined ? undefined : build.routes[id]
    return route ? [fullPath(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  const groups = new Map<string, string[]>()
  for (const route of routes) {
    // The root and layouts without a path come in as ancestors.
    if (parents.has(route.id) && !route.path) continue
    const path = fullPath(route.id)
    if (path !== '*' && /[*?]/.test(path)) throw new Error(`The page "${path}" has no fixed number of segments.`)
    groups.set(shapeOf(path), [...(groups.get(shapeOf(path)) ?? []), route.id])
  }
  const catchAll = groups.get(shapeOf('*')) ?? []
  const whole = createRequestHandler(build, 'production')
  const handlers = new Map([...groups].map(([shape, ids]) => [shape, createRequestHandler(part(build, [...ids, ...catchAll]), 'production')]))
  return (pathname) => handlers.get(shapeOf(pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/'))) ?? whole
}

const segmentOf = (path: string): string => path.split('/').find(Boolean) ?? ''
const shapeOf = (path: string): string => `${segmentOf(path)} ${path.split('/').filter(Boolean).length}`

function part(build: ServerBuild, ids: string[]): ServerBuild {
  const chosen = new Set<string>()
  for (let id of ids) for (let at: string | undefined = id; at !== undefined; at = build.routes[at]?.parentId) chosen.add(at)
  const pick = <T>(all: Record<string, T>): Record<string, T> => Object.fromEntries(Object.entries(all).filter(([id]) => chosen.has(id)))
  return { ...build, routes: pick(build.routes), assets: { ...build.assets, routes: pick(build.assets.routes) } }
}

function loadContext(request: Request, visit: Visit, nonce: string): LoadContext {
  const { platform, visitor, tenant, requestId } = visit
  const { account } = visitor
  let own: Ctx | undefined
  const coach = () => {
    if (!account) throw redirect(signInPath(request))
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

function signInPath(request: Request): string {
  const { pathname, search } = new URL(request.url)
  const next = pathname.replace(/\.data$/, '') + search.replace(/[?&]_routes=[^&]*/, '')
  return request.method === 'GET' && next !== '/' ? `/auth?next=${encodeURIComponent(next)}` : '/auth'
}

/** Host-only, out of reach for scripts, and not sent along from other sites' forms. */
export function serializeCookie({ name, value, maxAge }: Cookie, secure: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
