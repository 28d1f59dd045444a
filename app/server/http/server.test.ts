import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createHttpServer, type ConnectionLimits } from './server.ts'

let server: Server
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

async function start(limits: ConnectionLimits): Promise<void> {
  server = createHttpServer(async (request) => new Response(`got ${(await request.text()).length}`), limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

type Connection = { socket: Socket; received: () => string; isOpen: () => boolean }

/** Opens a connection and sends `text`, which the server has read when it resolves. */
async function send(text: string): Promise<Connection> {
  const accepted = Promise.race([once(server, 'connection'), once(server, 'drop')])
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  let isOpen = true
  socket.on('data', (chunk) => (received += chunk))
  socket.on('error', () => {})
  socket.on('close', () => (isOpen = false))
  socket.write(text)
  const [serverSide] = (await accepted) as [Partial<Socket> | undefined]
  await vi.waitFor(() => expect(serverSide?.destroyed === false ? serverSide.bytesRead : text.length).toBe(text.length))
  return { socket, received: () => received, isOpen: () => isOpen }
}

const waitForAnswers = ({ received }: Connection, count: number) =>
  vi.waitFor(() => expect(received().match(/HTTP\/1\.1 200/g)).toHaveLength(count))
const waitUntilClosed = ({ isOpen }: Connection) => vi.waitFor(() => expect(isOpen()).toBe(false))

const whole = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const halfHeaders = 'GET / HTTP/1.1\r\nHost: local'
const halfBody = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'

test.each([
  ['headers', halfHeaders],
  ['a body', halfBody],
  ['nothing', ''],
])('of many connections that stop while sending %s, the oldest are closed', async (_what, text) => {
  await start({ connections: 100, unfinished: 3, graceMs: 0 })
  const idle = await send(whole)
  await waitForAnswers(idle, 1)
  const stuck = []
  for (let index = 0; index < 5; index += 1) stuck.push(await send(text))
  await waitUntilClosed(stuck[0]!)
  await waitUntilClosed(stuck[1]!)
  expect(stuck.map(({ isOpen }) => isOpen())).toEqual([false, false, true, true, true])
  // A connection that waits for its next request isn't one of them.
  idle.socket.write(whole)
  await waitForAnswers(idle, 2)
})

test('a connection is not closed for another one before its time of grace', async () => {
  await start({ connections: 100, unfinished: 1, graceMs: 60_000 })
  const first = await send(halfHeaders)
  await send(halfHeaders)
  const last = await send(whole)
  await waitForAnswers(last, 1)
  expect(first.isOpen()).toBe(true)
})

test('a slow request within the limit is finished', async () => {
  await start({ connections: 100, unfinished: 3, graceMs: 0 })
  const slow = await send(halfBody)
  await send(halfHeaders)
  slow.socket.write('defghij')
  await vi.waitFor(() => expect(slow.received()).toMatch(/got 10$/))
})

test('there are at most so many connections at once, and room again when one closes', async () => {
  await start({ connections: 3, unfinished: 100, graceMs: 0 })
  const open = [await send(whole), await send(whole), await send(whole)]
  await waitUntilClosed(await send(whole))
  open[0]!.socket.destroy()
  await vi.waitFor(async () => waitForAnswers(await send(whole), 1), 10_000)
})
