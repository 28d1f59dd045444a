import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'

export type ConnectionLimits = {
  /** Each takes memory, also one that sends nothing. */
  connections: number
  /** Connections that have not sent their whole request. */
  unfinished: number
  /** A client gets this long before its connection can be closed for another one. */
  graceMs: number
}
const productLimits: ConnectionLimits = { connections: 5_000, unfinished: 1_000, graceMs: 2_000 }

/** The HTTP server of `fetch`, with its timeouts and limits. */
export function createHttpServer(fetch: Parameters<typeof getRequestListener>[0], limits = productLimits): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // A file of 10 MB takes this long over a slow line.
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
    },
    getRequestListener(fetch),
  )
  server.maxConnections = limits.connections
  limitUnfinished(server, limits)
  return server
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
