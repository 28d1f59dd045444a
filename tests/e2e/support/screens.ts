import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { moduleScreens } from './module-screens.ts'
import type { Screen, World } from './screens/screen.ts'
import { shellScreens } from './screens/shell.ts'
import { visitorScreens } from './screens/visitors.ts'
import type { BrowserErrors } from './test-app.ts'
import { waitForHydration, waitForIdle } from './wait-for-idle.ts'

type Size = { width: number; height: number }
export const desktop: Size = { width: 1440, height: 900 }
export const phone: Size = { width: 390, height: 844 }

/** Every screen, dialog and state to look at. */
export const screens: Screen[] = [
  ...visitorScreens,
  ...shellScreens,
  ...moduleScreens.flatMap((module) => module.screens),
]

const names = process.env.TEST_MODULES?.split(',')

/** The screens to look at: all, or those of `npm test -- MODULE`. */
export const testedScreens: Screen[] = names
  ? moduleScreens.filter(({ id }) => names.includes(id)).flatMap((module) => module.screens)
  : screens

type OpenOptions = { browserErrors: BrowserErrors; viewport?: Size; dark?: boolean }

/** Opens a screen as the coach whom it is for, without animations. */
export async function openScreen(
  browser: Browser,
  screen: Screen,
  world: World,
  { browserErrors, viewport = sizesFor(screen)[0]!, dark = false }: OpenOptions,
): Promise<Page> {
  const page = await (await getContext(browser, screen, world)).newPage()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  browserErrors.watch(page)
  const response = await page.goto(typeof screen.path === 'string' ? screen.path : screen.path(world))
  expect(response?.status(), `status of ${screen.name}`).toBe(screen.status ?? 200)
  await waitForHydration(page)
  await screen.setup?.(page)
  return page
}

const contexts = new Map<string, Promise<BrowserContext>>()

/** One signed-in context per person and host in each worker, so that screens share the browser's cache. */
function getContext(browser: Browser, { as, host }: Screen, world: World): Promise<BrowserContext> {
  const { origin } = host ? world[host] : world.newcomer
  const key = `${as} ${origin}`
  const context = contexts.get(key) ?? openContext()
  contexts.set(key, context)
  return context

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({
      locale: 'en-US',
      baseURL: origin,
      reducedMotion: 'reduce',
      timezoneId: 'America/New_York',
    })
    await context.clock.install({ time: world.app.now() })
    if (as === 'client') await world.signInClient(context)
    else if (as !== 'visitor') await world[as].signIn(context, { origin })
    // Keep one page open: the renderer process that the others share ends with its last page.
    await (await context.newPage()).goto('/healthz')
    return context
  }
}

/**
 * Opens a screen in each of its sizes. Reopens one that does not keep its state: a menu closes when its window changes.
 */
export async function openScreenInSizes(
  browser: Browser,
  screen: Screen,
  world: World,
  options: OpenOptions,
  check: (page: Page, size: Size) => Promise<void>,
): Promise<void> {
  let page = await openScreen(browser, screen, world, options)
  for (const [index, size] of sizesFor(screen).entries()) {
    const before = index && screen.setup ? await readState(page) : ''
    await page.setViewportSize(size)
    await waitForIdle(page)
    if (before && before !== (await readState(page))) {
      await page.close()
      page = await openScreen(browser, screen, world, { ...options, viewport: size })
    }
    await check(page, size)
  }
  await page.close()
}

/** Returns what a setup can change: elements, focus, and what is open, announced, typed or invalid. */
function readState(page: Page): Promise<string> {
  return page.evaluate(() => {
    const layers = '[role=dialog], [role=menu], [role=listbox], [role=alert], [role=status], [aria-expanded]'
    return JSON.stringify([
      location.href,
      document.querySelectorAll('*').length,
      [document.activeElement?.tagName, document.activeElement?.id],
      [...document.querySelectorAll('dialog[open], details[open], :popover-open')].map(
        ({ id, tagName }) => tagName + id,
      ),
      [...document.querySelectorAll(layers)].map(({ textContent, ariaExpanded }) => [textContent, ariaExpanded]),
      [...document.querySelectorAll('input, textarea, select')].map((field) => [
        (field as HTMLInputElement).value,
        field.ariaInvalid,
      ]),
    ])
  })
}

function sizesFor({ only }: Screen): Size[] {
  return only === 'phone' ? [phone] : only === 'wide' ? [desktop] : [desktop, phone]
}
