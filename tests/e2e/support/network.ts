import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext, Page, Route } from '@playwright/test'

/** Late scripts: clicks and typing meet a page that is not hydrated yet. */
const scriptDelayMs = 400
/** Late data and form responses: a test that does not wait for them sees the old page. */
const responseDelayMs = 250

/** Delays the scripts and responses of every page in a context. */
export async function delayNetwork(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/[^?]*\.js$/, async (route) => {
    await delay(scriptDelayMs)
    await route.fallback()
  })
  await context.route(/\.data(\?|$)|\/api\//, async (route) => {
    await delay(responseDelayMs)
    await route.fallback()
  })
}

/** Downloads come with this many bytes per second at most. */
export async function slowDownloads(page: Page, bytesPerSecond: number): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: -1,
  })
}

/** Holds the requests to `url` until the returned function is called; then `respond` handles them. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  respond: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await respond(route)
  })
  return release
}
