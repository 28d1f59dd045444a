import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { House } from './test-app.ts'

export type Listening = {
  port: number
  send: (bytes: string | Buffer, options?: { mayBeSilent?: boolean }) => Promise<RawAnswer>
  close: () => Promise<void>
}
/** `status` is 0 where the connection ended without an answer. */
export type RawAnswer = { status: number; text: string; ms: number }

/** The house's app on a real socket, with the limits that the product's own server has: for requests that no client would send. */
export async function listen(house: House): Promise<Listening> {
  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 15_000, requestTimeout: 120_000 },
    getRequestListener((request, env) => (house.app.fetch as AppFetch)(request, env)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    send: (bytes, { mayBeSilent = false } = {}) => sendRaw(port, bytes, mayBeSilent),
    close: () => closed(server),
  }
}
type AppFetch = (request: Request, env: object) => Response | Promise<Response>

/** After an answer, and where there may be none. */
const shortly = 400
/** For the first byte of an answer that has to come: a busy machine may be slow. */
const atLast = 15_000

/** Sends bytes as they are and reads until the server closes, or until it has answered and says nothing more. */
function sendRaw(port: number, bytes: string | Buffer, mayBeSilent: boolean): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const began = performance.now()
    let text = ''
    let answered = began
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const done = () => {
      socket.destroy()
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
        text,
        ms: (text ? answered : performance.now()) - began,
      })
    }
    socket.setTimeout(mayBeSilent ? shortly : atLast, done)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      socket.setTimeout(shortly)
      answered = performance.now()
    })
    socket.on('end', done)
    socket.on('error', done)
  })
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
