import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** These methods change more than a test's pages. */
const lastingMethods = [
  'addInitScript',
  'close',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setHTTPCredentials',
  'setOffline',
  'setStorageState',
] as const
const lastingClockMethods = [
  'fastForward',
  'install',
  'pauseAt',
  'resume',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const

type SharedContext = {
  context: BrowserContext
  /** Stays open, because the renderer process ends with its last page. */
  kept: Page
  devTools: CDPSession
  isChanged: boolean
}

const shared = new Map<string, SharedContext>()

/**
 * Lends a test the browser context that its worker has for `key`: scripts are compiled, and a renderer process runs.
 * The next test gets it without pages, cookies and stored data, or a new one if this test changes more than that.
 * Without scripts, pages store nothing but cookies.
 */
export async function useSharedContext(
  browser: Browser,
  key: string,
  { storesData, prepare }: { storesData: boolean; prepare: (context: BrowserContext) => Promise<void> },
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const current = shared.get(key) ?? (await openSharedContext(browser, prepare))
  shared.set(key, current)
  const { context, kept, devTools } = current
  await use(context)
  if (current.isChanged) {
    shared.delete(key)
    return context.close()
  }
  await Promise.all(context.pages().map((page) => (page === kept ? undefined : page.close())))
  await context.clearCookies()
  if (storesData)
    await devTools.send('Storage.clearDataForOrigin', { origin: new URL(kept.url()).origin, storageTypes: 'all' })
}

async function openSharedContext(
  browser: Browser,
  prepare: (context: BrowserContext) => Promise<void>,
): Promise<SharedContext> {
  const context = await browser.newContext()
  await prepare(context)
  const kept = await context.newPage()
  await kept.goto('/healthz')
  const opened = { context, kept, devTools: await context.newCDPSession(kept), isChanged: false }
  const onChange = () => {
    opened.isChanged = true
  }
  watchCalls(context, lastingMethods, onChange)
  watchCalls(context.clock, lastingClockMethods, onChange)
  return opened
}

function watchCalls<T extends object>(object: T, methods: readonly (keyof T & string)[], onCall: () => void): void {
  for (const method of methods) {
    const original = object[method] as (...args: unknown[]) => unknown
    const watched = (...args: unknown[]): unknown => {
      onCall()
      return original.apply(object, args)
    }
    Object.assign(object, { [method]: watched })
  }
}
