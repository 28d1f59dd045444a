import type { ServerBuild } from '@remix-run/node'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { NonceContext } from '../../nonce.ts'
import type { PageRenderer } from '../pages/page-handlers.ts'
import { encodeLoaderData } from './encode-loader-data.ts'
import { createRouterContexts } from './router-contexts.ts'

type Loader = NonNullable<NonNullable<ServerBuild['routes'][string]>['module']['loader']>
type LoaderResult = { data: unknown; cookies: string[] }

/**
 * Returns a function that renders one page of `build`; `ids` are the ids of its routes, root first. It runs the loaders
 * in parallel and renders their data inside the contexts that RemixServer would create. Returns null for a page that
 * only Remix can render. See README.md in this folder.
 *
 * The function leaves the request to Remix when a loader throws, redirects or sets a status, or when rendering fails.
 * Remix then runs the loaders again, which is safe because loaders change nothing.
 */
export function createPageRenderer(build: ServerBuild, ids: string[]): PageRenderer | null {
  if (!isFastRenderable(build, ids)) return null
  const routes = ids.map((id) => build.routes[id]!)
  const routerContexts = createRouterContexts(build, ids)

  return async (request, context) => {
    const { pathname, search } = new URL(request.url)
    const matches = routerContexts.match(pathname)
    if (!matches) return null

    const { params } = matches[0]!
    const results = await Promise.all(
      routes.map(({ module }) => runLoader(module.loader, { request, context, params })),
    )
    if (!results.every((result) => result !== null)) return null

    const loaderData = Object.fromEntries(routes.map(({ id }, index) => [id, results[index]!.data]))
    try {
      const { element, renderMeta } = routerContexts.wrap({ matches, location: { pathname, search }, loaderData })
      const html = renderToString(createElement(NonceContext.Provider, { value: context.nonce }, element))
      const script = renderMeta.didRenderScripts ? loaderDataScript(loaderData, context.nonce) : ''
      // Encode once: searching React's string would join its thousands of pieces a second time.
      const body = Buffer.from(`<!DOCTYPE html>${html}${script}`)
      return isIncomplete(body) ? null : new Response(body, { headers: toHeaders(results) })
    } catch (error) {
      context.log.warn({ err: error }, 'fast rendering failed, falling back to Remix')
      return null
    }
  }
}

/** Whether a page can be rendered here: all its routes have a component, and none uses other features of Remix. */
function isFastRenderable(build: ServerBuild, ids: string[]): boolean {
  return ids.every((id) => {
    const module = build.routes[id]!.module
    return 'default' in module && !['headers', 'clientLoader', 'HydrateFallback'].some((name) => name in module)
  })
}

/** Runs a loader. Returns null if it throws, returns a Response or nothing, or sets a status other than 200. */
async function runLoader(loader: Loader | undefined, args: Parameters<Loader>[0]): Promise<LoaderResult | null> {
  if (!loader) return { data: null, cookies: [] }
  try {
    const result = await loader(args)
    if (result === undefined || result instanceof Response) return null
    if (!isDataWithInit(result)) return { data: result, cookies: [] }
    const { status = 200, headers } = result.init ?? {}
    return status === 200 ? { data: result.data, cookies: new Headers(headers).getSetCookie() } : null
  } catch {
    return null
  }
}

/** Whether a loader returned Remix's `data(value, init)`. */
function isDataWithInit(result: unknown): result is { data: unknown; init: ResponseInit | null } {
  return typeof result === 'object' && result !== null && 'type' in result && result.type === 'DataWithResponseInit'
}

/** Whether React left a Suspense boundary to the browser, because it was pending or failed. */
const isIncomplete = (body: Buffer): boolean => body.includes('<!--$?') || body.includes('<!--$!')

function toHeaders(results: LoaderResult[]): Headers {
  const headers = new Headers({ 'Content-Type': 'text/html; charset=utf-8' })
  for (const cookie of results.flatMap(({ cookies }) => cookies)) headers.append('Set-Cookie', cookie)
  return headers
}

/** The script that hands the loaders' data to Remix in the browser, in one piece instead of a stream. */
function loaderDataScript(loaderData: Record<string, unknown>, nonce: string): string {
  const encoded = encodeLoaderData({ loaderData, actionData: null, errors: null })
  const literal = JSON.stringify(encoded).replaceAll(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const controller = 'window.__remixContext.streamController'
  return `<script nonce="${nonce}">${controller}.enqueue(${literal});${controller}.close();</script>`
}
