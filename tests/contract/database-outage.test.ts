import { Agent, get } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi, runtime } from '#app/server/process/runtime.ts'
import { hasDiskSpace, reportDiskError } from '#db/disk-space.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { ReadPool } from '#db/read-pool.ts'
import type { Platform } from '#tenants/platform.ts'
import { testConfig } from '#tests/support/config.ts'
import { createDatabase } from '#tests/support/database.ts'
import { freePort } from '#tests/start/support/process.ts'

type Database = Awaited<ReturnType<typeof createDatabase>>

/** Stands between the product and the database, so that a test can take the database away. */
class Proxy {
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  /** Each answer comes this many milliseconds later. */
  delay = 0

  /** Returns the URL that leads through the proxy. */
  async start(url: string): Promise<string> {
    const { host, user, password, database } = new pg.Client({ connectionString: url }) as pg.Client & {
      password: string
    }
    this.#server = createServer((client) => {
      const server = connect(`${host}/.s.PGSQL.5432`)
      client.pipe(server)
      let sent = Promise.resolve()
      server.on('data', (answer) => {
        sent = sent.then(() => (this.delay ? pause(this.delay) : undefined)).then(() => void client.write(answer))
      })
      for (const socket of [client, server]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => [client, server].forEach((one) => one.destroy()))
      }
    })
    await new Promise<void>((resolve) => this.#server!.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
    return `postgresql://${user}:${password}@127.0.0.1:${this.#port}/${database}`
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  /** Neither responds nor ends the connections. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause()
    this.#server!.removeAllListeners('connection')
    this.#server!.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
    })
  }
}

describe('while the database is away', () => {
  const proxy = new Proxy()
  let database: Database
  let platform: Platform
  let app: ReturnType<typeof createApp>
  const request = async (path: string) => {
    const began = performance.now()
    const headers = { host: 'localhost:3000', cookie: 'session=anything' }
    const response = await app.fetch(new Request(`http://localhost:3000${path}`, { headers }))
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      ms: performance.now() - began,
    }
  }
  beforeAll(async () => {
    database = await createDatabase(inject('ownerUrl'))
    platform = await runtime.open({ appUrl: await proxy.start(database.appUrl), config: testConfig() })
    app = createApp({ platform, api: createAppApi(), ready: () => runtime.isReady(platform) })
  })
  afterAll(async () => {
    await platform?.close()
    await proxy.stop()
    await database?.drop()
  })

  test('requests get 503 with Retry-After, and it is used within five seconds of its return', async () => {
    expect((await request('/readyz')).status).toBe(200)
    await proxy.stop()
    for (let attempt = 0; attempt < 15; attempt++)
      expect(await request('/api/clients')).toMatchObject({ status: 503, retryAfter: '5' })
    expect(await request('/readyz')).toMatchObject({ status: 503, retryAfter: '5' })

    await proxy.start(database.appUrl)
    const began = performance.now()
    while ((await request('/readyz')).status !== 200) await pause(100)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect((await request('/api/clients')).status).toBe(401)
  })

  test('a slow pooler makes it not ready, and nothing fails but with 503, until it is fast again', async () => {
    proxy.delay = 3_000
    expect((await request('/readyz')).status).toBe(503)
    const answers = await Promise.all(Array.from({ length: 30 }, () => request('/api/clients')))
    expect(answers.filter(({ status }) => ![401, 503].includes(status))).toEqual([])

    proxy.delay = 0
    const began = performance.now()
    while ((await request('/readyz')).status !== 200) await pause(100)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect((await request('/api/clients')).status).toBe(401)
  }, 60_000)

  test('a frozen one makes no request wait for ever', async () => {
    // Open as many connections as the pool holds.
    await Promise.all(Array.from({ length: 10 }, () => request('/readyz')))
    proxy.freeze()
    const ready = await request('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.ms).toBeLessThan(2_500)
    const results = await Promise.all(Array.from({ length: 30 }, () => request('/api/clients')))
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 503))
    expect(Math.max(...results.map(({ ms }) => ms))).toBeLessThan(30_000)

    await proxy.stop()
    await proxy.start(database.appUrl)
    const began = performance.now()
    while ((await request('/readyz')).status !== 200) await pause(100)
    expect(performance.now() - began).toBeLessThan(5_000)
  }, 60_000)
})

describe('errors of the database', () => {
  const withCode = (code: string) => Object.assign(new Error('any message'), { code })

  test.each([
    '08000',
    '08003',
    '08006',
    '08P01',
    '53100',
    '53200',
    '53300',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '58030',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
  ])('%s is 503', (code) => {
    expect(toAppError(withCode(code))).toMatchObject({ code: 'unavailable', status: 503 })
  })

  test.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('"%s", which has no code, is 503', (message) => {
    expect(toAppError(new Error(message)).status).toBe(503)
  })

  test.each(['42P01', '42601', 'XX000', 'ERR_INVALID_ARG_TYPE'])('%s is a bug: 500', (code) => {
    expect(toAppError(withCode(code)).status).toBe(500)
  })
})

test('after a full disk the product is not ready until it can write again', async () => {
  const database = await createDatabase(inject('ownerUrl'))
  const platform = await runtime.open({ appUrl: database.appUrl, config: testConfig() })
  const full: ReadPool = {
    ...platform.readPool,
    queryGlobal: () => Promise.reject(Object.assign(new Error('disk'), { code: '53100' })),
  }
  try {
    expect(await hasDiskSpace(full)).toBe(true)
    reportDiskError({ code: '53100' })
    await expect(hasDiskSpace(full)).rejects.toThrow('disk')
    expect(await hasDiskSpace(platform.readPool)).toBe(true)
    expect(await hasDiskSpace(full)).toBe(true)
  } finally {
    await platform.close()
    await database.drop()
  }
})

test('a server that stops ends the connections that clients keep open', async () => {
  const database = await createDatabase(inject('ownerUrl'))
  const port = await freePort()
  const config = testConfig({ PORT: String(port) })
  const server = await runtime.serve({ appUrl: database.appUrl, config, build: () => Promise.reject(new Error()) })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const request = () =>
    new Promise<string | undefined>((resolve, reject) => {
      get({ port, path: '/healthz', agent }, (response) => {
        response.resume().on('end', () => resolve(response.headers.connection))
      }).on('error', reject)
    })
  const connections: (string | undefined)[] = []
  const sending = (async () => {
    for (;;) connections.push(await request())
  })().catch((error: NodeJS.ErrnoException) => error.code)
  try {
    await expect.poll(() => connections.length).toBeGreaterThan(3)
    const began = performance.now()
    await server.close()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(['ECONNREFUSED', 'ECONNRESET']).toContain(await sending)
    expect(connections.filter((value) => value === 'close').length).toBeLessThanOrEqual(1)
  } finally {
    agent.destroy()
    await database.drop()
  }
})
