import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { sendContent } from './send-content.ts'

export type ConnectionLimits = {
  /** Each takes memory, also one that sends nothing. */
  connections: number
  /** Connections that have not sent their whole request. */
  unfinished: number
  /** A client gets this long before its connection can be closed for another one. */
  graceMs: number
}
const productLimits: ConnectionLimits = { connections: 5_000, unfinished: 1_000, graceMs: 2_000 }

/** `content`: the file that a response without a body sends. */
export type ServerBindings = HttpBindings & { content?: Readable }
type Fetch = (request: Request, env: ServerBindings) => Response | Promise<Response>

/** The HTTP server of `fetch`, with its timeouts and limits. */
export function createHttpServer(fetch: Fetch, limits = productLimits): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // See `limitDuration`: a file may take longer than a form.
      requestTimeout: 0,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
    },
    getRequestListener(async (request, env) => {
      const bindings = env as ServerBindings
      const response = await fetch(request, bindings)
      if (!bindings.content) return response
      bindings.outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      await sendContent(bindings.content, bindings.outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    }),
  )
  server.maxConnections = limits.connections
  limitUnfinished(server, limits)
  limitDuration(server)
  return server
}

/** Milliseconds that any body may take, and bytes for which a body gets another millisecond. */
const [bodyMs, bytesPerMs] = [60_000, 64]

/** Closes a connection whose body arrives too slowly: in 60 seconds, and for a file at 64 kB a second. */
function limitDuration(server: Server): void {
  server.on('request', (request: IncomingMessage) => {
    const length = Number(request.headers['content-length'] ?? 0)
    if (!length && !request.headers['transfer-encoding']) return
    const timeout = setTimeout(() => request.socket.destroy(), bodyMs + length / bytesPerMs).unref()
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timeout))
  })
}

/** Closes the connection that has been sending its request longest when there are too many of them. */
function limitUnfinished(server: Server, limits: ConnectionLimits): void {
  const unfinished = new Map<Socket, number>()
  const add = (socket: Socket): void => {
    unfinished.set(socket, performance.now())
    closeOldest()
  }
  const closeOldest = (): void => {
    const [oldest] = unfinished
    if (!oldest || unfinished.size <= limits.unfinished) return
    const [socket, startedAt] = oldest
    if (performance.now() - startedAt < limits.graceMs) return
    unfinished.delete(socket)
    socket.destroy()
  }
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => unfinished.delete(socket))
    add(socket)
  })
  // No room for another connection.
  server.on('drop', closeOldest)
  server.on('request', (request: IncomingMessage) => {
    const { socket, headers } = request
    unfinished.delete(socket)
    if (!headers['transfer-encoding'] && !Number(headers['content-length'])) return
    add(socket)
    for (const event of ['end', 'close']) request.once(event, () => unfinished.delete(socket))
  })
}
