import { readFileSync } from 'node:fs'
import { test as base, expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { runtime } from '#app/server/process/runtime.ts'
import type { Platform } from '#tenants/platform.ts'
import { e2eConfig, stateFile, type E2eState } from '#tests/support/e2e-config.ts'
import * as factories from '#tests/support/factories.ts'
import { clockHeader } from '#tests/support/request-clock.ts'
import { delayNetwork } from './network.ts'
import { useSharedContext } from './shared-context.ts'

export { expect }
export { contextFor, createClient, inTenant, setPlan } from '#tests/support/factories.ts'

export type TestApp = {
  platform: Platform
  /** The route pattern of every page in the build, such as '/clients/:id'. */
  pages: string[]
  /** The clock that server, browser and test data share. */
  now(): Date
  /** Creates a coach whose practice only this test uses. */
  createCoach(options?: CoachOptions): Promise<Coach>
  /** The coach with this address, such as one of a demo practice. */
  getCoach(email: string): Promise<Coach>
}

export type CoachOptions = Omit<factories.CoachOptions, 'app' | 'subdomain'> & {
  /** Gives the coach a subdomain. */
  ownHost?: boolean
  clients?: TestClient[]
}
type TestClient = Omit<Parameters<typeof factories.createClient>[0], 'coach'> & { name: string }

export type Coach = factories.Coach & {
  /** `http://localhost:4173`, or the coach's own host. */
  origin: string
  /** Signs the browser in as this coach without the sign-in page. */
  signIn(context: BrowserContext, where?: { origin?: string }): Promise<void>
}

/** Collects what browsers report. A test fails on any error or warning that it does not ignore. */
export type BrowserErrors = {
  watch(page: Page): void
  /** Drops the errors that the test caused on purpose. */
  ignore(pattern: RegExp): void
}

type Options = {
  /** When the test takes place, as an ISO instant. The clock runs on from there. */
  startTime: string | undefined
  /** Delays scripts and responses, so that a test that does not wait for them fails. */
  slowNetwork: boolean
  /** Gives each test a context of its own, in which nothing is cached. */
  ownContext: boolean
}
type Fixtures = Options & {
  browserErrors: BrowserErrors
  clockOffset: number
  /** The options of the test's context: tests that set the same can share one. */
  contextKey: string
  /** Opens another browser context on the same clock. It is closed after the test. */
  newContext: (options?: Parameters<Browser['newContext']>[0]) => Promise<BrowserContext>
  /** Moves the clock of a context on, for its pages and their requests. */
  passTime: (context: BrowserContext, ms: number) => Promise<void>
}
type WorkerFixtures = { app: TestApp; e2eState: E2eState }

/** Milliseconds that the clock of the running test is ahead of the machine's. A worker runs one test at a time. */
let clockOffset: number | undefined

export const test = base.extend<Fixtures, WorkerFixtures>({
  startTime: [undefined, { option: true }],
  slowNetwork: [false, { option: true }],
  ownContext: [false, { option: true }],

  e2eState: [
    async ({ browserName: _ }, use) => {
      await use(JSON.parse(readFileSync(stateFile(e2eConfig()), 'utf8')))
    },
    { scope: 'worker' },
  ],

  app: [
    async ({ e2eState }, use) => {
      // The fixture of the first test in a worker may have set its clock before this one runs.
      const now = () => new Date(Date.now() + (clockOffset ?? e2eState.clockOffset))
      const config = e2eConfig({ ROLE: 'web', LOG_LEVEL: 'error' })
      const platform = await runtime.open({ appUrl: e2eState.appUrl, config, now })
      await use({
        platform,
        pages: e2eState.pages,
        now,
        createCoach: (options) => createCoach({ platform, ownerUrl: e2eState.ownerUrl }, options),
        getCoach: (email) => getCoach({ platform, ownerUrl: e2eState.ownerUrl }, email),
      })
      await platform.close()
    },
    { scope: 'worker' },
  ],

  clockOffset: [
    async ({ e2eState, startTime }, use) => {
      clockOffset = startTime ? Date.parse(startTime) - Date.now() : e2eState.clockOffset
      await use(clockOffset)
      clockOffset = e2eState.clockOffset
    },
    { auto: true },
  ],

  contextKey: async (
    {
      acceptDownloads,
      baseURL,
      bypassCSP,
      colorScheme,
      contextOptions,
      deviceScaleFactor,
      extraHTTPHeaders,
      geolocation,
      hasTouch,
      httpCredentials,
      ignoreHTTPSErrors,
      isMobile,
      javaScriptEnabled,
      locale,
      offline,
      permissions,
      storageState,
      timezoneId,
      userAgent,
      viewport,
    },
    use,
  ) => {
    await use(
      JSON.stringify([
        acceptDownloads,
        baseURL,
        bypassCSP,
        colorScheme,
        contextOptions,
        deviceScaleFactor,
        extraHTTPHeaders,
        geolocation,
        hasTouch,
        httpCredentials,
        ignoreHTTPSErrors,
        isMobile,
        javaScriptEnabled,
        locale,
        offline,
        permissions,
        storageState,
        timezoneId,
        userAgent,
        viewport,
      ]),
    )
  },

  context: async (
    { browser, contextKey, ownContext, startTime, slowNetwork, trace, clockOffset, e2eState, javaScriptEnabled },
    use,
  ) => {
    const prepare = (context: BrowserContext) => setClock(context, clockOffset, e2eState)
    if (!ownContext && !startTime && !slowNetwork && trace === 'off')
      return useSharedContext(browser, contextKey, { storesData: javaScriptEnabled, prepare }, use)
    const context = await browser.newContext()
    await prepare(context)
    if (slowNetwork) await delayNetwork(context)
    await use(context)
    await context.close()
  },

  newContext: async ({ browser, clockOffset, e2eState }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      await setClock(context, clockOffset, e2eState)
      return context
    })
    for (const context of contexts) await context.close()
  },

  passTime: async ({ clockOffset }, use) => {
    await use(async (context, ms) => {
      await context.setExtraHTTPHeaders({ [clockHeader]: String(clockOffset + ms) })
      await context.clock.fastForward(ms)
    })
  },

  browserErrors: [
    async ({ context }, use) => {
      const list: string[] = []
      const browserErrors: BrowserErrors = {
        watch(page) {
          page.on('console', (message) => {
            if ((message.type() === 'error' || message.type() === 'warning') && !isHarmless(message.text()))
              list.push(`${page.url()}: ${message.text()} (${message.location().url})`)
          })
          page.on('pageerror', (error) => list.push(`${page.url()}: ${error.message}`))
        },
        ignore: (pattern) => list.splice(0, Infinity, ...list.filter((entry) => !pattern.test(entry))),
      }
      context.on('page', browserErrors.watch)
      await use(browserErrors)
      context.off('page', browserErrors.watch)
      expect(list, 'console errors, content security policy violations and hydration mismatches').toEqual([])
    },
    { auto: true },
  ],
})

/** Sets the browser's clock, and names it to the server when it differs from the server's own. */
export async function setClock(context: BrowserContext, offset: number, { clockOffset }: E2eState): Promise<void> {
  if (offset !== clockOffset) await context.setExtraHTTPHeaders({ [clockHeader]: String(offset) })
  await context.clock.install({ time: Date.now() + offset })
}

/**
 * Chromium reports every response from 400 on; only those from 500 on are errors. Remix warns when a link is hovered
 * before its route is known, and when a load is aborted by the next one.
 */
function isHarmless(text: string): boolean {
  return (
    text.startsWith('Tried to prefetch ') ||
    text.startsWith('AbortError: signal is aborted without reason') ||
    /^Failed to load resource: the server responded with a status of 4\d\d/.test(text)
  )
}

let createdCoaches = 0

type App = { platform: Platform; ownerUrl: string }

async function createCoach(app: App, options: CoachOptions = {}): Promise<Coach> {
  const { clients = [], ownHost = false, ...account } = options
  const name = `ada-${process.pid}-${++createdCoaches}`
  const created = await factories.createCoach({
    app,
    email: `${name}@example.com`,
    lastName: 'Winter',
    subdomain: ownHost ? name : null,
    ...account,
  })
  const coach = withBrowser(created)
  for (const client of clients) await factories.createClient({ coach, email: emailFor(client.name), ...client })
  return coach
}

async function getCoach({ platform, ownerUrl }: App, email: string): Promise<Coach> {
  const [row] = await platform.readPool.queryGlobal<{ id: number }>({
    name: 'sign-in.account',
    text: 'select id from find_account_by_email($1)',
    values: [email],
  })
  const tenant = { id: row!.id, platform }
  const { account } = await factories.contextFor(tenant)
  const cookie = `session=${await factories.createSession(tenant)}`
  return withBrowser({ ...tenant, ownerUrl, email, cookie, subdomain: account.subdomain })
}

function withBrowser(coach: factories.Coach): Coach {
  const platformOrigin = coach.platform.config.origin
  return {
    ...coach,
    origin: coach.subdomain ? platformOrigin.replace('//', `//${coach.subdomain}.`) : platformOrigin,
    async signIn(context, { origin = platformOrigin } = {}) {
      const value = await factories.createSession(coach)
      await context.addCookies([{ name: 'session', value, url: origin, httpOnly: true, sameSite: 'Lax' }])
    },
  }
}

export const emailFor = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`

/** The coach's clients, newest first. */
export async function getClients(coach: Coach): Promise<{ id: number; name: string; email: string }[]> {
  const ctx = await factories.contextFor(coach)
  return ctx.query({
    name: 'e2e.clients',
    text: `select id, name, email from client where coach_id = $1 and deleted_at is null
      order by created_at desc, id desc`,
    values: [coach.id],
  })
}
