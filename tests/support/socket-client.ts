import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { createHttpServer } from '#app/server/http/server.ts'
import type { TestApp } from './test-app.ts'

export type SocketServer = {
  port: number
  send: (bytes: string | Buffer, options?: { allowSilence?: boolean }) => Promise<RawResponse>
  close: () => Promise<void>
}
/** `status` is 0 if the connection ended without a response. */
export type RawResponse = { status: number; text: string; ms: number }

/** Serves the app on a real socket with the product's own limits, for requests that no HTTP client would send. */
export async function listen(app: TestApp): Promise<SocketServer> {
  const server = createHttpServer((request, env) => app.fetch(request, env))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    send: (bytes, { allowSilence = false } = {}) => sendRaw(port, bytes, allowSilence),
    close: () => closeServer(server),
  }
}

/** Silence after a response, or instead of one where none is allowed. */
const quietTimeoutMs = 400
/** Generous, because a busy machine may be slow. */
const firstByteTimeoutMs = 15_000

/** Sends raw bytes and reads until the server closes the connection or stays silent. */
function sendRaw(port: number, bytes: string | Buffer, allowSilence: boolean): Promise<RawResponse> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let text = ''
    let lastByteAt = startedAt
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const done = () => {
      socket.destroy()
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
        text,
        ms: (text ? lastByteAt : performance.now()) - startedAt,
      })
    }
    socket.setTimeout(allowSilence ? quietTimeoutMs : firstByteTimeoutMs, done)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      socket.setTimeout(quietTimeoutMs)
      lastByteAt = performance.now()
    })
    socket.on('end', done)
    socket.on('error', done)
  })
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
