import type { EntryContext, ServerBuild } from '@remix-run/node'
import { matchRoutes, UNSAFE_RemixContext as RemixContext } from '@remix-run/react'
import { createElement as h, Fragment, type ReactElement } from 'react'
import {
  Router,
  type Location,
  type Navigator,
  UNSAFE_DataRouterContext as DataRouterContext,
  UNSAFE_DataRouterStateContext as DataRouterStateContext,
  UNSAFE_FetchersContext as FetchersContext,
  UNSAFE_RouteContext as RouteContext,
  UNSAFE_ViewTransitionContext as ViewTransitionContext,
} from 'react-router-dom'
import { createStaticRouter, type StaticHandlerContext } from 'react-router-dom/server.js'

type Route = { id: string; path?: string; handle: unknown; element: ReactElement } & (
  | { index: true }
  | { index?: false; children: Route[] }
)
type Match = NonNullable<ReturnType<typeof matchRoutes<Route>>>[number]
type RenderMeta = NonNullable<EntryContext['renderMeta']>

type Page = {
  matches: Match[]
  location: Pick<Location, 'pathname' | 'search'>
  loaderData: Record<string, unknown>
}

export type RouterContexts = {
  /** Matches a path to the page and its parents, root first. Returns null if it isn't the page's path. */
  match(pathname: string): Match[] | null
  /** The page inside the contexts that RemixServer provides. Rendering fills in `renderMeta`. */
  wrap(page: Page): { element: ReactElement; renderMeta: RenderMeta }
}

const initialLocation: Location = { pathname: '/', search: '', hash: '', state: null, key: 'default' }

/** Prepares what RemixServer creates for each request (routes, router, contexts) once for a page. */
export function createRouterContexts(
  { routes, assets: manifest, basename = '/', future, isSpaMode }: ServerBuild,
  ids: string[],
): RouterContexts {
  const pageRoutes = ids.map((id) => routes[id]!)
  const routeTree = pageRoutes.reduceRight<Route[]>(
    (children, { id, path, index, module }) => [
      {
        id,
        handle: module.handle,
        element: createRouteElement(module),
        ...(path === undefined ? {} : { path }),
        ...(index ? { index: true } : { children }),
      },
    ],
    [],
  )
  const remixContext = {
    manifest,
    routeModules: Object.fromEntries(pageRoutes.map(({ id, module }) => [id, module])),
    future,
    isSpaMode,
    serverHandoffString: JSON.stringify({ basename, future, isSpaMode }),
    serializeError: ({ message }: Error) => ({ message }),
  }
  const staticContext: StaticHandlerContext = {
    basename,
    location: initialLocation,
    matches: [],
    loaderData: {},
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
    activeDeferreds: null,
  }
  const routerFuture = { v7_partialHydration: true, v7_relativeSplatPath: future.v3_relativeSplatPath }
  // The router needs no routes: Scripts looks up only the parents of the page, which are among its matches.
  const router = { ...createStaticRouter([], staticContext, { future: routerFuture }) }
  const navigator: Navigator = {
    createHref: router.createHref,
    encodeLocation: router.encodeLocation,
    push: rejectNavigation,
    replace: rejectNavigation,
    go: rejectNavigation,
  }

  return {
    match(pathname) {
      // Percent-encoding differs between URLs and route params; leave it to Remix.
      const matches = pathname.includes('%') ? null : matchRoutes(routeTree, pathname, basename)
      return matches?.length === pageRoutes.length ? matches : null
    },
    wrap({ matches, location: { pathname, search }, loaderData }) {
      const location = { ...initialLocation, pathname, search }
      const renderMeta: RenderMeta = {}
      const state = { ...router.state, matches, location, loaderData }
      const dataRouter = { router: { ...router, state }, navigator, static: true, staticContext, basename }
      let element: ReactElement = h(
        Router,
        { basename, location, navigator, static: true, future: routerFuture },
        nestOutlets(matches),
      )
      element = h(ViewTransitionContext.Provider, { value: { isTransitioning: false } }, element)
      element = h(FetchersContext.Provider, { value: new Map() }, element)
      element = h(DataRouterStateContext.Provider, { value: state }, element)
      element = h(DataRouterContext.Provider, { value: dataRouter }, element)
      // The fragments mirror RemixServer's tree, so that useId returns the same ids in the browser.
      element = h(Fragment, null, element, null)
      element = h(RemixContext.Provider, { value: { ...remixContext, renderMeta } }, element)
      return { element: h(Fragment, null, element, null), renderMeta }
    },
  }
}

type RouteModule = NonNullable<ServerBuild['routes'][string]>['module']

function createRouteElement({ default: Page, Layout }: RouteModule): ReactElement {
  return Layout ? h(Layout, null, h(Page)) : h(Page)
}

/** Nests the routes' elements, each as the outlet of its parent. */
function nestOutlets(matches: Match[]): ReactElement | null {
  return matches.reduceRight<ReactElement | null>(
    (outlet, { route }, index) =>
      h(
        RouteContext.Provider,
        { value: { outlet, matches: matches.slice(0, index + 1), isDataRoute: true } },
        route.element,
      ),
    null,
  )
}

function rejectNavigation(): never {
  throw new Error("A page can't navigate while it is rendered on the server")
}
