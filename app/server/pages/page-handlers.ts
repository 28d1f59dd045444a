import { createRequestHandler, type ServerBuild } from '@remix-run/node'
import type { LoadContext } from './load-context.ts'

export type PageHandler = (request: Request, context: LoadContext) => Promise<Response>
/** Renders a page without Remix, or returns null to leave the request to it. */
export type PageRenderer = (request: Request, context: LoadContext) => Promise<Response | null>

/**
 * Handles the requests of a production build. Each page gets a request handler of Remix that knows only the page's own
 * route and its parents: with all routes, Remix ranks and compiles all of them for each match, several times per
 * request. `createRenderer` may return a faster renderer for documents of a page.
 */
export function createPageHandlers(
  build: ServerBuild,
  createRenderer: (pageBuild: ServerBuild, ids: string[]) => PageRenderer | null = () => null,
): PageHandler {
  const routes = Object.values(build.routes).filter((route) => route !== undefined)
  const parentIds = new Set(routes.map((route) => route.parentId))
  const remixHandler = createRequestHandler(build, 'production')
  const pages = routes
    .filter(({ id, path }) => path !== '*' && (path || !parentIds.has(id)))
    .map(({ id }) => ({ path: getFullPath(build, id), handler: createPageHandler(id) }))
    // Static segments take precedence over parameters: /clients/import before /clients/:id.
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
    .map(({ path, handler }) => ({ pattern: toPattern(path), handler }))

  return (request, context) => {
    const { pathname } = new URL(request.url)
    const pagePath = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')
    const handler = pages.find(({ pattern }) => pattern.test(pagePath))?.handler ?? remixHandler
    return handler(withoutDataParameter(request), context)
  }

  function createPageHandler(id: string): PageHandler {
    const ids = getRouteChain(build, id)
    const pick = <T>(all: Record<string, T>): Record<string, T> =>
      Object.fromEntries(Object.entries(all).filter(([routeId]) => ids.includes(routeId)))
    const pageBuild = {
      ...build,
      routes: pick(build.routes),
      assets: { ...build.assets, routes: pick(build.assets.routes) },
    }
    const pageHandler = createRequestHandler(pageBuild, 'production')
    const render = createRenderer(pageBuild, ids)
    if (!render) return pageHandler
    return async (request, context) =>
      (isDocumentRequest(request) ? await render(request, context) : null) ?? pageHandler(request, context)
  }
}

/** With `_data`, which no page sends any more, Remix fails if the loader returns null. */
function withoutDataParameter(request: Request): Request {
  const url = new URL(request.url)
  if (!url.searchParams.has('_data')) return request
  url.searchParams.delete('_data')
  return new Request(url, request)
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

/** Matches the paths of a route. Paths that differ in case go to the handler of all routes: Remix ignores case. */
function toPattern(path: string): RegExp {
  if (/[*?]/.test(path)) throw new Error(`Handlers of pages don't support the optional segments of "${path}".`)
  return new RegExp(`^/${path.replaceAll(/:[^/]+/g, '[^/]+')}/?$`)
}
