import type { Context } from 'hono'
import { isLoopback } from '#tenants/local-addresses.ts'
import type { Env } from './app.ts'
import { isForwarded } from './host-routing.ts'

export const socketAddress = (c: Context<Env>): string => c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1'

/** Whether a request comes from this machine, and from no proxy for somebody else. */
export const isDirect = (c: Context<Env>): boolean =>
  isLoopback(socketAddress(c)) && !isForwarded(c.req.raw.headers, c.env?.incoming?.httpVersion)
