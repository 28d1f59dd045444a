import { transcode } from 'node:buffer'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import type { ReactElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { NonceContext } from './nonce.ts'
import type { Entry } from './server/fast-render/fast-render.ts'

export { kernel } from './server/process/runtime.ts'

export const streamTimeout = 5_000

/**
 * A page is sent whole: nothing in it is deferred, and a string costs half of what a stream does. Remix would stream the
 * loaders' data behind the page as well; here it follows as one script. It is made bytes at once: what React wrote is
 * ten thousand pieces, and each look at them as a string would join or count them again.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: Entry,
  context: AppLoadContext,
): Promise<Response> {
  const { serverHandoffStream, element, handedOver, ...rest } = entry
  const data = handedOver ?? (serverHandoffStream ? await textOf(serverHandoffStream) : '')
  const page = (
    <NonceContext.Provider value={context.nonce}>
      {element ?? <RemixServer context={rest} url={request.url} nonce={context.nonce} abortDelay={streamTimeout} />}
    </NonceContext.Provider>
  )
  const whole = (html: string) =>
    bytesOf(`${html}${entry.renderMeta?.didRenderScripts ? dataScript(data, context.nonce) : ''}`)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  const body = whole(`<!DOCTYPE html>${renderToString(page)}`)
  // A widget whose code had to be loaded, or that failed: the one is waited for, the other is logged.
  if (!body.includes('<!--$!') && !body.includes('<!--$?')) return new Response(body, { headers, status })
  const { html, failed } = await renderPatiently(page, context)
  return new Response(whole(html), { headers, status: failed ? 500 : status })
}

const desk = Buffer.allocUnsafeSlow(1024 * 1024)

/** As Buffer.from, in two steps that together take less: it looks through the text twice, once to count its bytes, once to write them. */
function bytesOf(text: string): Buffer<ArrayBuffer> {
  if (text.length * 2 > desk.length) return Buffer.from(text)
  try {
    return transcode(desk.subarray(0, desk.write(text, 'utf16le')), 'utf16le', 'utf8')
  } catch {
    // Half of a character.
    return Buffer.from(text)
  }
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += decoder.decode(part.value, { stream: true })
  return text
}

function renderPatiently(page: ReactElement, context: AppLoadContext): Promise<{ html: string; failed: boolean }> {
  return new Promise((resolve, reject) => {
    let failed = false
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: context.nonce,
      onAllReady() {
        clearTimeout(timer)
        text(pipe(new PassThrough())).then((html) => resolve({ html, failed }), reject)
      },
      onShellError(error: unknown) {
        clearTimeout(timer)
        reject(error)
      },
      onError(error: unknown) {
        failed = true
        context.log.error({ err: error }, 'a page failed while it was rendered')
      },
    })
    const timer = setTimeout(abort, streamTimeout + 1_000)
  })
}

/** What Remix' client reads the loaders' data from, as its own stream would have written it. */
function dataScript(data: string, nonce: string): string {
  const escaped = JSON.stringify(data).replaceAll(
    /[&<>\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `<script nonce="${nonce}">window.__remixContext.streamController.enqueue(${escaped});window.__remixContext.streamController.close();</script>`
}

export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted) context.log.error({ err: error }, 'a page failed')
}
