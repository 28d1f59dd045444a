import type { EntryContext, ServerBuild } from '@remix-run/node'
import type { ReactElement } from 'react'
import { createFrame } from './router-contexts.ts'
import { handedOver } from './encode-loader-data.ts'
import type { LoadContext } from '../pages/load-context.ts'

/** What the entry renders. A page that is looked at brings its element, and what its loaders answered as Remix' client reads it. */
export type Entry = EntryContext & { element?: ReactElement; handedOver?: string }

type Loader = NonNullable<NonNullable<ServerBuild['routes'][string]>['module']['loader']>
type Loaded = { data: unknown; cookies: string[] }

/**
 * Answers a page that is looked at: its loaders are asked side by side, and what they answer is rendered within what Remix'
 * own server puts around a page. That one makes two Requests for each loader, and its routes anew and their matches in each
 * layer: a third of a page.
 *
 * Answers null, and leaves the request to Remix, where a page is more than that: a loader that refuses, fails or chooses a
 * status, or a render that fails. Remix then asks the loaders again, which change nothing.
 */
export function createDocument(
  build: ServerBuild,
  ids: string[],
): (request: Request, context: LoadContext) => Promise<Response | null> {
  const chain = ids.map((id) => build.routes[id]!)
  const frame = createFrame(build, ids)

  return async (request, context) => {
    const { pathname, search } = new URL(request.url)
    const matches = frame.match(pathname)
    if (!matches) return null
    const { params } = matches[0]!
    const loaded = await Promise.all(chain.map(({ module }) => load(module.loader, { request, context, params })))
    if (!loaded.every((one) => one !== null)) return null
    const headers = new Headers()
    for (const cookie of loaded.flatMap(({ cookies }) => cookies)) headers.append('Set-Cookie', cookie)
    const loaderData = Object.fromEntries(chain.map(({ id }, at) => [id, loaded[at]!.data]))
    try {
      const entry = {
        ...frame.around({ matches, location: { pathname, search }, loaderData }),
        handedOver: handedOver({ loaderData, actionData: null, errors: null }),
      }
      return await build.entry.module.default(request, 200, headers, entry, context)
    } catch (error) {
      context.log.warn({ err: error }, 'a page is left to Remix')
      return null
    }
  }
}

/** Whether a page can be answered so: each of its routes renders, and none asks for more of Remix than that. */
export function isPlain(build: ServerBuild, ids: string[]): boolean {
  return ids.every((id) => {
    const module = build.routes[id]!.module
    return 'default' in module && !['headers', 'clientLoader', 'HydrateFallback'].some((name) => name in module)
  })
}

/** What a loader answers, in any of Remix' ways; null where it fails, is a Response or nothing, or has another status. */
async function load(loader: Loader | undefined, args: Parameters<Loader>[0]): Promise<Loaded | null> {
  if (!loader) return { data: null, cookies: [] }
  try {
    const data = await loader(args)
    if (data === undefined || data instanceof Response) return null
    if (!isWithInit(data)) return { data, cookies: [] }
    const { status = 200, headers } = data.init ?? {}
    return status === 200 ? { data: data.data, cookies: new Headers(headers).getSetCookie() } : null
  } catch {
    return null
  }
}

/** What `data()` makes. */
function isWithInit(answer: unknown): answer is { data: unknown; init: ResponseInit | null } {
  return typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'DataWithResponseInit'
}
