import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
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

/** Opens a connection and sends `text`. `answer` is what came back so far. */
async function send(text: string): Promise<{ socket: Socket; answer: () => string; isOpen: () => boolean }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  let isOpen = true
  socket.on('data', (chunk) => (received += chunk))
  socket.on('error', () => {})
  socket.on('close', () => (isOpen = false))
  await once(socket, 'connect')
  socket.write(text)
  await pause(30)
  return { socket, answer: () => received, isOpen: () => isOpen }
}

const whole = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const halfHeaders = 'GET / HTTP/1.1\r\nHost: local'
const halfBody = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'

test.each([
  ['headers', halfHeaders],
  ['a body', halfBody],
  ['nothing', ''],
])('of many connections that stop while sending %s, the oldest are closed', async (_what, text) => {
  await start({ connections: 100, unfinished: 3, graceMs: 50 })
  const idle = await send(whole)
  const stuck = []
  for (let index = 0; index < 6; index += 1) stuck.push(await send(text))
  await pause(60)
  expect((await send(whole)).answer()).toMatch(/^HTTP\/1\.1 200/)
  await pause(30)
  expect(stuck.filter(({ isOpen }) => isOpen()).length).toBeLessThanOrEqual(3)
  expect([stuck[0]!.isOpen(), stuck[5]!.isOpen()]).toEqual([false, true])
  // A connection that waits for its next request isn't one of them.
  idle.socket.write(whole)
  await pause(30)
  expect(idle.answer().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('a slow request within the limit is finished', async () => {
  await start({ connections: 100, unfinished: 3, graceMs: 0 })
  const slow = await send(halfBody)
  await send(halfHeaders)
  slow.socket.write('defghij')
  await pause(30)
  expect(slow.answer()).toMatch(/got 10$/)
})

test('there are at most so many connections at once, and room again when one closes', async () => {
  await start({ connections: 3, unfinished: 100, graceMs: 50 })
  const open = [await send(whole), await send(whole), await send(whole)]
  expect((await send(whole)).isOpen()).toBe(false)
  open[0]!.socket.destroy()
  await pause(30)
  expect((await send(whole)).answer()).toMatch(/^HTTP\/1\.1 200/)
})
