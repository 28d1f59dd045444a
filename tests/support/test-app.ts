import { afterAll, beforeAll, inject } from 'vitest'
import { runtime, createAppApi } from '#app/server/process/runtime.ts'
import { createApp } from '#app/server/http/app.ts'
import type { Platform } from '#tenants/platform.ts'
import { testConfig } from './config.ts'
import { createDatabase } from './database.ts'
import { clearDefaultApp, setDefaultApp, type Coach } from './factories.ts'

export type TestApp = {
  platform: Platform
  ownerUrl: string
  appUrl: string
  /** The app's clock: stands still until a test sets it. */
  clock: { now: Date }
  /** Calls the API without a network. */
  call: Call
  fetch: Fetch
}
type Fetch = (request: Request, env?: object) => Response | Promise<Response>
export type Call = (method: string, path: string, options?: CallOptions) => Promise<CallResult>
export type CallOptions = {
  as?: Pick<Coach, 'cookie'>
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
  host?: string
}
// The body is any JSON: tests assert the shape they expect.
export type CallResult = { status: number; body: ReturnType<typeof JSON.parse>; text: string; headers: Headers }

/** The app with its own database for one test file: the services, and the API called in process. */
export function createTestApp(env: Record<string, string> = {}): TestApp {
  const testApp = { clock: { now: new Date('2026-03-10T14:00:00Z') } } as TestApp
  setDefaultApp(testApp)
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createDatabase(inject('ownerUrl'))
    const { appUrl, ownerUrl } = database
    const platform = await runtime.open({ appUrl, config: testConfig(env), now: () => testApp.clock.now })
    const app = createApp({ platform, api: createAppApi(), ready: async () => true })
    const fetch: Fetch = (request, bindings) => app.fetch(request, bindings as never)
    drop = database.drop
    Object.assign(testApp, { platform, ownerUrl, appUrl, fetch, call: createCaller(fetch) })
  })
  afterAll(async () => {
    clearDefaultApp()
    await testApp.platform?.close()
    await drop?.()
  })
  return testApp
}

/** The services as the database's owner, as a start uses them for accounts. */
export function createOwnerPlatform(app: TestApp): { platform: Platform } {
  const owner = {} as { platform: Platform }
  beforeAll(async () => {
    const { config, now } = app.platform
    owner.platform = await runtime.open({ appUrl: app.ownerUrl, config, now })
  })
  afterAll(() => owner.platform?.close())
  return owner
}

function createCaller(fetch: Fetch): Call {
  return async (method, path, { as, body, raw, headers = {}, host = 'localhost:3000' } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`http://${host}${path}`, {
      method,
      headers: {
        host,
        ...(as ? { cookie: as.cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(typeof payload === 'string' ? { 'content-length': String(Buffer.byteLength(payload)) } : {}),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    })
    const response = await fetch(request)
    const text = await response.text()
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }
}

/** Runs `call` `count` times at once. Returns what each run returned or threw. */
export function concurrently<T>(
  count: number,
  call: (index: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)))
}
