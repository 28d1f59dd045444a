import { Writable } from 'node:stream'
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
        pipe(collect((html) => resolve(new Response(html, { headers, status: failed ? 500 : status }))))
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

/**
 * Collects what is written. React writes thousands of pieces, which a stream to read from would hand over once more.
 */
function collect(onEnd: (content: Buffer<ArrayBuffer>) => void): Writable {
  const pieces: Uint8Array[] = []
  return new Writable({
    write(piece: Uint8Array, _encoding, done) {
      pieces.push(piece)
      done()
    },
    final(done) {
      onEnd(withoutNul(Buffer.concat(pieces)))
      done()
    },
  })
}

export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // A refusal is not an Error; `catchAppErrors` has logged it if the server is at fault.
  if (error instanceof Error && !request.signal.aborted) context.log.error({ err: error }, 'page failed')
}

/** React ends a full buffer with NUL bytes where the next character, of several bytes, doesn't fit in. HTML has none. */
const withoutNul = (html: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> =>
  html.includes(0) ? Buffer.from(html.filter((byte) => byte !== 0)) : html
