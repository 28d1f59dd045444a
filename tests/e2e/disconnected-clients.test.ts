import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { modules } from '#modules/registry.ts'
import { expect, test } from './support/test-app.ts'

/** Thousands of requests: in one test they would take almost its time on a slow machine. */
const parts = 4

for (let part = 1; part <= parts; part++)
  test(`a client that disconnects at any moment does not end the server, on any page or download, part ${part}`, async ({
    app,
  }) => {
    const { cookie } = await app.getCoach('demo@example.com')
    const downloads = modules.flatMap(({ routes = [] }) => routes).filter(({ layout }) => layout === 'resource')
    const paths = [...app.pages, ...downloads.map(({ path }) => `/${path}`)].map((path) =>
      path.replaceAll(/:\w+/g, '1'),
    )
    expect(paths).toContain('/clients/export')
    for (const path of paths.filter((_, index) => index % parts === part - 1)) {
      const milliseconds = await send(path, cookie)
      for (let share = 0; share < 1; share += 0.05) await send(path, cookie, milliseconds * share)
    }
    await send('/healthz', cookie)
  })

/**
 * Sends a request and reads its response, or closes the connection after some milliseconds. Returns how long it took.
 */
async function send(path: string, cookie: string, disconnectAfter?: number): Promise<number> {
  const start = performance.now()
  const { port, host } = new URL(test.info().project.use.baseURL!)
  // A connection of its own: the next request fails if the server has exited.
  const sent = request({ port, path, agent: false, headers: { host, cookie, 'accept-encoding': 'gzip' } })
  const closed = new Promise<void>((resolve, reject) => {
    sent.once('response', (response) => response.resume())
    sent.once('close', resolve)
    sent.once('error', (error) => disconnectAfter === undefined && reject(error))
  })
  sent.end()
  if (disconnectAfter !== undefined) {
    await delay(disconnectAfter)
    sent.destroy()
  }
  await closed
  return performance.now() - start
}
