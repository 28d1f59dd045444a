import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Names the clock of a request: how many milliseconds it is ahead of the machine's. */
export const clockHeader = 'x-test-clock-offset'

const requestOffset = new AsyncLocalStorage<number>()

/**
 * A clock for a server under test: `defaultOffset` milliseconds ahead of the machine's, or as a request's header says.
 * So one server serves tests that take place at different times.
 */
export function createRequestClock(defaultOffset: number): () => Date {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    requestOffset.enterWith(Number(request.headers[clockHeader] ?? defaultOffset))
  })
  return () => new Date(Date.now() + (requestOffset.getStore() ?? defaultOffset))
}
