import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCollector } from '#tests/fakes/otlp/collector.ts'
import { createTempFolder, waitUntilReady, serve, getPostmaster, getStatus, isRunning } from './support/process.ts'

test('SIGTERM finishes the requests in flight, stops the database and exits with 0', async () => {
  const dir = createTempFolder()
  const running = await serve({ DATA_DIR: dir }, '--empty')
  await waitUntilReady(running)
  const socket = connect(running.port, '127.0.0.1')
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'not-the-password' })
  const head = [
    `POST /api/login HTTP/1.1`,
    `Host: localhost:${running.port}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
  await getStatus(running.port, '/healthz')

  running.child.kill('SIGTERM')
  await waitUntilRefused(running.port)
  socket.write(body.slice(10))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
  expect(await running.exit).toBe(0)
  expect(isRunning(postmaster(dir))).toBe(false)
})

test('Ctrl-C, which arrives from the terminal and from npm, shuts down once', async () => {
  const running = await serve({ DATA_DIR: createTempFolder() }, '--empty')
  await waitUntilReady(running)
  running.child.kill('SIGINT')
  running.child.kill('SIGINT')
  expect(await running.exit).toBe(0)
})

test('SIGTERM ends the product in time while the collector of its traces never answers', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  collector.hang()
  const dir = createTempFolder()
  const running = await serve({ DATA_DIR: dir, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, '--empty')
  await waitUntilReady(running)
  expect(await getStatus(running.port, '/auth')).toBe(200)
  const started = performance.now()
  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  expect(performance.now() - started).toBeLessThan(9_000)
  expect(running.output()).toContain('traces could not be sent')
  expect(isRunning(postmaster(dir))).toBe(false)
})

test('two processes run side by side with another PORT and DATA_DIR', async () => {
  const [one, two] = await Promise.all([
    serve({ DATA_DIR: createTempFolder() }, '--empty'),
    serve({ DATA_DIR: createTempFolder() }, '--empty'),
  ])
  await Promise.all([waitUntilReady(one), waitUntilReady(two)])
  one.child.kill('SIGTERM')
  expect(await one.exit).toBe(0)
  expect(await getStatus(two.port, '/readyz')).toBe(200)
})

async function waitUntilRefused(port: number): Promise<void> {
  await expect.poll(() => getStatus(port, '/healthz'), { interval: 10, timeout: 5_000 }).toBeUndefined()
}

const postmaster = (dir: string): number => getPostmaster(path.join(dir, 'postgres'))
