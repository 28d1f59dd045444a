import type { Ctx } from '#tenants/context.ts'
import { attachmentHeaders } from '../attachment-headers.ts'

/**
 * A response that browsers save as the CSV file `name`. Parts of the file are read as they can be sent, one at a time
 * for a tenant. Throws rate_limited if too many exports of the tenant wait.
 */
export async function csvResponse(ctx: Ctx, name: string, file: string | AsyncIterable<string>): Promise<Response> {
  return new Response(typeof file === 'string' ? file : await toStream(ctx, file), {
    headers: attachmentHeaders(name, 'text/csv; charset=utf-8'),
  })
}

/** As `csvResponse`, a calendar file. */
export async function calendarResponse(ctx: Ctx, name: string, file: AsyncIterable<string>): Promise<Response> {
  return new Response(await toStream(ctx, file), { headers: attachmentHeaders(name, 'text/calendar; charset=utf-8') })
}

/** Not through a stream of Node: when a download is cancelled, that one emits an error that ends the process. */
async function toStream(ctx: Ctx, parts: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const iterator = parts[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const readPart = () => ctx.platform.tenantSlots.run(ctx.coachId, 'export', () => iterator.next())
  // Before the response begins, so that a refusal has a status.
  let first: IteratorResult<string> | null = await readPart()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = first ?? (await readPart())
      first = null
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
