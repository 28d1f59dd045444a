import type { EntryContext, ServerBuild } from '@remix-run/node'
import { matchRoutes } from '@remix-run/react'
import { handedOver } from './handed-over.ts'
import type { LoadContext } from './load-context.ts'

type Match = EntryContext['staticHandlerContext']['matches'][number]
type Loaded = { data: unknown; cookies: string[] }
/** What the entry renders; `handedOver` is there where the loaders' data needn't be streamed. */
export type Entry = EntryContext & { handedOver?: string }

/**
 * Answers a page that is looked at: its loaders are asked side by side, and what they answer goes to the entry as Remix' own
 * server hands it over. That one makes two Requests for each loader and matches the routes in every layer, a quarter of a page.
 *
 * Answers null, and leaves the request to Remix, where a page is more than that: a loader that refuses, fails or chooses a
 * status, or a render that fails. Remix then asks the loaders again, which change nothing.
 */
export function createDocument(build: ServerBuild, ids: string[]): (request: Request, context: LoadContext) => Promise<Response | null> {
  const chain = ids.map((id) => build.routes[id]!)
  const tree = chain.reduceRight<Match['route'][]>((children, { id, path }) => [{ id, ...(path === undefined ? {} : { path }), children }], [])
  const { assets: manifest, basename = '/', future, isSpaMode } = build
  const routeModules = Object.fromEntries(chain.map(({ id, module }) => [id, module]))
  const serverHandoffString = JSON.stringify({ basename, future, isSpaMode })

  return async (request, context) => {
    const { pathname, search } = new URL(request.url)
    const matches = matchRoutes(tree, pathname, basename)
    if (!matches || matches.length < chain.length) return null
    const { params } = matches[0]!
    try {
      const loaded = await Promise.all(chain.map(({ module }) => module.loader && load(module.loader({ request, context, params }))))
      if (loaded.includes(null)) return null
      const headers = new Headers()
      for (const cookie of loaded.flatMap((one) => one?.cookies ?? [])) headers.append('Set-Cookie', cookie)
      const loaderData = Object.fromEntries(chain.flatMap(({ id }, at) => (loaded[at] ? [[id, loaded[at].data]] : [])))
      const state = { loaderData, actionData: null, errors: null }
      const entry: Entry = {
        manifest,
        routeModules,
        staticHandlerContext: {
          ...state,
          basename,
          matches,
          location: { pathname, search, hash: '', state: null, key: 'default' },
          statusCode: 200,
          loaderHeaders: {},
          actionHeaders: {},
          activeDeferreds: null,
        },
        serverHandoffString,
        handedOver: handedOver(state),
        renderMeta: {},
        future,
        isSpaMode,
        serializeError: ({ message }) => ({ message }),
      }
      return await build.entry.module.default(request, 200, headers, entry, context)
    } catch {
      return null
    }
  }
}

/** What a loader answers, in any of Remix' ways; null where it is a Response or has another status. */
async function load(answer: unknown): Promise<Loaded | null> {
  const data = await answer
  if (data instanceof Response) return null
  if (!isWithInit(data)) return { data, cookies: [] }
  const { status = 200, headers } = data.init ?? {}
  return status === 200 ? { data: data.data, cookies: new Headers(headers).getSetCookie() } : null
}

/** What `data()` makes. */
function isWithInit(answer: unknown): answer is { data: unknown; init: ResponseInit | null } {
  return typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'DataWithResponseInit'
}
