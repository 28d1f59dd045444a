import { createRequestHandler, type ServerBuild } from '@remix-run/node'
import type { LoadContext } from '../pages/load-context.ts'
import { createPageRenderer, isFastRenderable } from './page-renderer.ts'

export type PageHandler = (request: Request, context: LoadContext) => Promise<Response>

/**
 * Handles the requests of a production build faster than Remix's request handler does. See README.md in this folder.
 *
 * Remix ranks and compiles all routes for each match, several times per request. Here each page gets a handler that
 * knows only its own route and the route's parents.
 */
export function createFastHandler(build: ServerBuild): PageHandler {
  const routes = Object.values(build.routes).filter((route) => route !== undefined)
  const parentIds = new Set(routes.map((route) => route.parentId))
  const remixHandler = createRequestHandler(build, 'production')
  const pages = routes
    .filter(({ id, path }) => path !== '*' && (path || !parentIds.has(id)))
    .map(({ id }) => ({ path: getFullPath(build, id), handler: createPageHandler(build, id) }))
    // Static segments take precedence over parameters: /clients/import before /clients/:id.
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
    .map(({ path, handler }) => ({ pattern: toPattern(path), handler }))

  return (request, context) => {
    const { pathname } = new URL(request.url)
    const pagePath = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')
    const handler = pages.find(({ pattern }) => pattern.test(pagePath))?.handler ?? remixHandler
    return handler(request, context)
  }
}

/** Renders GET requests of documents; forms and data requests go to Remix. */
function createPageHandler(build: ServerBuild, id: string): PageHandler {
  const ids = getRouteChain(build, id)
  const pick = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([routeId]) => ids.includes(routeId)))
  const pageBuild = {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  }
  const remixHandler = createRequestHandler(pageBuild, 'production')
  if (!isFastRenderable(build, ids)) return remixHandler

  const renderPage = createPageRenderer(pageBuild, ids)
  return async (request, context) =>
    (isDocumentRequest(request) ? await renderPage(request, context) : null) ?? remixHandler(request, context)
}

const isDocumentRequest = ({ method, url }: Request): boolean =>
  method === 'GET' && !new URL(url).pathname.endsWith('.data')

/** The ids of a route and its ancestors, root first. */
function getRouteChain(build: ServerBuild, id: string): string[] {
  const parentId = build.routes[id]?.parentId
  return parentId === undefined ? [id] : [...getRouteChain(build, parentId), id]
}

const getFullPath = (build: ServerBuild, id: string): string =>
  getRouteChain(build, id)
    .map((routeId) => build.routes[routeId]?.path)
    .filter(Boolean)
    .join('/')

/** Matches the paths of a route. Paths that differ in case go to Remix, which ignores it. */
function toPattern(path: string): RegExp {
  if (/[*?]/.test(path)) throw new Error(`Fast rendering doesn't support the optional segments of "${path}".`)
  return new RegExp(`^/${path.replaceAll(/:[^/]+/g, '[^/]+')}/?$`)
}
