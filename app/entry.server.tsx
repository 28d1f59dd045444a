import { PassThrough } from 'node:stream'
import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type AppLoadContext,
  type EntryContext,
  type LoaderFunctionArgs,
} from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { NonceContext } from './nonce.ts'

export { kernel } from './server/kernel.ts'

export const streamTimeout = 5_000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const ready = isbot(request.headers.get('user-agent')) ? 'onAllReady' : 'onShellReady'
  return new Promise<Response>((resolve, reject) => {
    let shellRendered = false
    let timer: NodeJS.Timeout
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={context.nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={context.nonce} abortDelay={streamTimeout} />
      </NonceContext.Provider>,
      {
        nonce: context.nonce,
        [ready]() {
          shellRendered = true
          const body = new PassThrough()
          // Otherwise every render is kept until its timer fires.
          body.once('close', () => clearTimeout(timer))
          headers.set('Content-Type', 'text/html; charset=utf-8')
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
          pipe(body)
        },
        onShellError: reject,
        onError(error: unknown) {
          status = 500
          if (shellRendered) context.log.error({ err: error }, 'a page failed while it was rendered')
        },
      },
    )
    timer = setTimeout(abort, streamTimeout + 1_000)
  })
}

export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted) context.log.error({ err: error }, 'a page failed')
}
