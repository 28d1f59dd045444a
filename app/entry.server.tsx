import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { renderToPipeableStream } from 'react-dom/server'
import { NonceContext } from './nonce.ts'

export { runtime } from './server/process/runtime.ts'

export const streamTimeout = 5_000

/**
 * Renders a page as Remix does by default, but sends it whole: no loader defers data, and an error while rendering can
 * still change the status. Most pages don't come here but through server/fast-render.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  { nonce, log }: AppLoadContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let failed = false
    const page = (
      <NonceContext.Provider value={nonce}>
        <RemixServer context={entryContext} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
      </NonceContext.Provider>
    )
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onAllReady() {
        clearTimeout(timeout)
        headers.set('Content-Type', 'text/html; charset=utf-8')
        const toResponse = (html: string) => new Response(html, { headers, status: failed ? 500 : status })
        text(pipe(new PassThrough())).then(toResponse).then(resolve, reject)
      },
      onShellError(error: unknown) {
        clearTimeout(timeout)
        reject(error)
      },
      onError(error: unknown) {
        failed = true
        log.error({ err: error }, 'rendering failed')
      },
    })
    const timeout = setTimeout(abort, streamTimeout + 1_000)
  })
}

export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted) context.log.error({ err: error }, 'page failed')
}
