import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** A span as the product sent it. `parentSpanId` is empty for the first one of a trace. */
export type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, string | number>
  isError: boolean
}

export type FakeCollector = {
  url: string
  /** All spans that arrived, of the service `service.name`. */
  spans: (SentSpan & { service: string })[]
  /** The bodies that arrived, to look for what must not be in them. */
  bodies: string[]
  /** Reasons of rejected requests. */
  rejected: string[]
  /** Accepts requests, and responds to none of them. */
  hang(): void
  close(): Promise<void>
}

const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
])
const Attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: Value }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]])))
const nanoseconds = z.string().regex(/^\d{19}$/)
const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: Attributes,
  status: z.object({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }).optional(),
})
const Body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(Span) })),
    }),
  ),
})

/** A collector of traces that speaks OTLP over HTTP in JSON, and rejects what the protocol doesn't have. */
export async function startCollector({ key }: { key?: string } = {}): Promise<FakeCollector> {
  const spans: FakeCollector['spans'] = []
  const bodies: string[] = []
  const rejected: string[] = []
  let isHanging = false
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    if (isHanging) return
    const reason = receive(request.headers, `${request.method} ${request.url}`, body)
    if (reason) rejected.push(reason)
    response.writeHead(reason ? 400 : 200, { 'content-type': 'application/json' })
    response.end(reason ? JSON.stringify({ code: 3, message: reason }) : '{"partialSuccess":{}}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    rejected,
    hang: () => (isHanging = true),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function receive(headers: NodeJS.Dict<string | string[]>, line: string, body: string): string | null {
    if (line !== 'POST /v1/traces') return `There is no ${line}`
    if (headers['content-type'] !== 'application/json') return 'The content type is not JSON'
    if (key && headers['x-api-key'] !== key) return 'The key is wrong'
    const parsed = Body.safeParse(JSON.parse(body))
    if (!parsed.success) return z.prettifyError(parsed.error)
    bodies.push(body)
    for (const { resource, scopeSpans } of parsed.data.resourceSpans)
      for (const sent of scopeSpans.flatMap((one) => one.spans)) {
        const { parentSpanId = '', status, ...span } = sent
        const service = String(resource.attributes['service.name'])
        spans.push({ ...span, parentSpanId, isError: status?.code === 2, service } as FakeCollector['spans'][number])
      }
    return null
  }
}
