import { afterAll, beforeAll, inject } from 'vitest'
import { kernel, allOperations } from '#app/server/process/runtime.ts'
import { createApp } from '#app/server/http/app.ts'
import { createAccount, ctxOf, saveBranding } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { openSession } from '#tenants/auth/sign-in.ts'
import { aDatabase } from './database.ts'
import { testConfig } from './config.ts'

export type House = {
  platform: Platform
  ownerUrl: string
  appUrl: string
  /** The clock of this house: stands still until it is set. */
  clock: { now: Date }
  call: Call
  app: Fetcher
}
type Fetcher = { fetch: (request: Request) => Response | Promise<Response> }
export type Coach = { id: number; email: string; cookie: string; subdomain: string | null; house: House }
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Called>
export type CallOptions = {
  as?: Coach
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
  host?: string
}
// The body is JSON of whatever shape the call answers: tests say what they expect of it.
export type Called = { status: number; body: ReturnType<typeof JSON.parse>; text: string; headers: Headers }

/** A house with a database of its own for one test file: services, and the API over requests that never leave the process. */
export function aHouse(env: Record<string, string> = {}): House {
  const house = { clock: { now: new Date('2026-03-10T14:00:00Z') } } as House
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await aDatabase(inject('ownerUrl'))
    const platform = await kernel.open({ appUrl: database.appUrl, config: testConfig(env), now: () => house.clock.now })
    const app = createApp({ platform, api: allOperations(), ready: async () => true })
    drop = database.drop
    Object.assign(house, { platform, ownerUrl: database.ownerUrl, appUrl: database.appUrl, app, call: caller(app) })
  })
  afterAll(async () => {
    await house.platform?.close()
    await drop?.()
  })
  return house
}

function caller(app: Fetcher): Call {
  return async (method, path, { as, body, raw, headers = {}, host = 'localhost:3000' } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`http://${host}${path}`, {
      method,
      headers: {
        host,
        ...(as ? { cookie: as.cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(typeof sent === 'string' ? { 'content-length': String(Buffer.byteLength(sent)) } : {}),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const response = await app.fetch(request)
    const text = await response.text()
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }
}

let made = 0

/** A coach with an account, a session and, if wanted, a subdomain. */
export async function aCoach(
  house: House,
  {
    plan = 'premium',
    subdomain = null,
    isAdmin = false,
    email,
    timezone,
  }: { plan?: PlanName; subdomain?: string | null; isAdmin?: boolean; email?: string; timezone?: string } = {},
): Promise<Coach> {
  const address = email ?? `coach${++made}@example.com`
  const id = await createAccount(house.platform, {
    email: address,
    firstName: 'Ada',
    lastName: `Coach ${made}`,
    plan,
    isAdmin,
    ...(timezone ? { timezone } : {}),
  })
  const token = await openSession(house.platform, id)
  const coach: Coach = { id, email: address, cookie: `session=${token}`, subdomain, house }
  if (subdomain) await asCoach(coach, (ctx) => saveBranding(ctx, { subdomain }))
  return coach
}

/** The coach's context for reading. */
export async function ctxFor(coach: Coach): Promise<Ctx> {
  const ctx = await ctxOf(coach.house.platform, coach.id, 'test')
  if (!ctx) throw new Error('this coach is removed')
  return ctx
}

/** Runs `work` in one transaction of the coach. */
export async function asCoach<T>(coach: Coach, work: (ctx: WriteCtx) => Promise<T>): Promise<T> {
  return (await ctxFor(coach)).write(work)
}

/** `count` calls at once; answers what each of them answered or threw. */
export function atOnce<T>(count: number, act: (index: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => act(index)))
}
