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

type Looked = { matches: Match[]; location: Pick<Location, 'pathname' | 'search'>; loaderData: Record<string, unknown> }
export type Frame = {
  /** The page and its parents, the root first; null for an address that isn't quite the page's. */
  match(pathname: string): Match[] | null
  /** The page as RemixServer would render it. */
  around(looked: Looked): EntryContext & { element: ReactElement }
}

const nowhere: Location = { pathname: '/', search: '', hash: '', state: null, key: 'default' }

/** What RemixServer makes for each look at a page, made once for the page: its routes, its router, the contexts that don't change. */
export function createFrame(
  { routes, assets: manifest, basename = '/', future, isSpaMode }: ServerBuild,
  ids: string[],
): Frame {
  const chain = ids.map((id) => routes[id]!)
  const tree = chain.reduceRight<Route[]>(
    (children, { id, path, index, module }) => [
      {
        id,
        handle: module.handle,
        element: elementOf(module),
        ...(path === undefined ? {} : { path }),
        ...(index ? { index: true } : { children }),
      },
    ],
    [],
  )
  const remix = {
    manifest,
    routeModules: Object.fromEntries(chain.map(({ id, module }) => [id, module])),
    future,
    isSpaMode,
    serverHandoffString: JSON.stringify({ basename, future, isSpaMode }),
    serializeError: ({ message }: Error) => ({ message }),
  }
  const staticContext: StaticHandlerContext = {
    basename,
    location: nowhere,
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
  // It needs no routes: Scripts looks there for those of the page's parents, which are among its matches.
  const router = { ...createStaticRouter([], staticContext, { future: routerFuture }) }
  const navigator: Navigator = {
    createHref: router.createHref,
    encodeLocation: router.encodeLocation,
    push: refuse,
    replace: refuse,
    go: refuse,
  }

  return {
    match(pathname) {
      // What is written with % is one thing in an address and another in a match: Remix knows when which.
      const matches = pathname.includes('%') ? null : matchRoutes(tree, pathname, basename)
      return matches?.length === chain.length ? matches : null
    },
    around({ matches, location: { pathname, search }, loaderData }) {
      const location = { ...nowhere, pathname, search }
      const context = { ...remix, renderMeta: {} }
      const state = { ...router.state, matches, location, loaderData }
      const page = h(
        Router,
        { basename, location, navigator, static: true, future: routerFuture },
        withOutlets(matches),
      )
      const transition = h(ViewTransitionContext.Provider, { value: { isTransitioning: false } }, page)
      const fetchers = h(FetchersContext.Provider, { value: new Map() }, transition)
      const inState = h(DataRouterStateContext.Provider, { value: state }, fetchers)
      const inRouter = h(
        DataRouterContext.Provider,
        { value: { router: { ...router, state }, navigator, static: true, staticContext, basename } },
        inState,
      )
      // The empty places are the router's and RemixServer's: by them React counts ids as in the browser.
      const element = h(
        Fragment,
        null,
        h(RemixContext.Provider, { value: context }, h(Fragment, null, inRouter, null)),
        null,
      )
      return { ...context, staticHandlerContext: staticContext, element }
    },
  }
}

type Module = NonNullable<ServerBuild['routes'][string]>['module']

/** The root's Layout stands around the root. */
function elementOf({ default: Page, Layout }: Module): ReactElement {
  return Layout ? h(Layout, null, h(Page)) : h(Page)
}

/** Each route with the next one in its Outlet. */
function withOutlets(matches: Match[]): ReactElement | null {
  return matches.reduceRight<ReactElement | null>(
    (outlet, { route }, at) =>
      h(
        RouteContext.Provider,
        { value: { outlet, matches: matches.slice(0, at + 1), isDataRoute: true } },
        route.element,
      ),
    null,
  )
}

function refuse(): never {
  throw new Error('There is no moving on while a page is rendered on the server')
}
