import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import type { Complaints } from './test-app.ts'
import { adminScreens } from '#modules/admin/e2e/screens.ts'
import { billingScreens } from '#modules/billing/e2e/screens.ts'
import { clientScreens } from '#modules/crm/e2e/screens.ts'
import { pipelineScreens } from '#modules/pipeline/e2e/screens.ts'
import { moduleScreens } from './module-screens.ts'
import type { Screen, World } from './screens/screen.ts'
import { shellScreens } from './screens/shell.ts'
import { visitorScreens } from './screens/visitors.ts'
import { hydrated } from './wait-for-idle.ts'

type Size = { width: number; height: number }
export const wide: Size = { width: 1440, height: 900 }
export const phone: Size = { width: 390, height: 844 }

/** Every screen, dialog and state that is looked at. */
export const screens: Screen[] = [
  ...visitorScreens,
  ...shellScreens,
  ...clientScreens,
  ...billingScreens,
  ...pipelineScreens,
  ...adminScreens,
  ...moduleScreens.flatMap(({ screens: own }) => own),
]

type Shown = { complaints: Complaints; viewport?: Size; dark?: boolean }

/** Opens a screen as the one whom it is for, without movement. */
export async function show(
  browser: Browser,
  screen: Screen,
  world: World,
  { complaints, viewport = sizesOf(screen)[0]!, dark = false }: Shown,
): Promise<Page> {
  const page = await (await visitorOf(browser, screen, world)).newPage()
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  complaints.watch(page)
  const answer = await page.goto(typeof screen.at === 'string' ? screen.at : screen.at(world))
  expect(answer?.status(), `${screen.name} answers`).toBe(screen.status ?? 200)
  await hydrated(page)
  await screen.then?.(page)
  return page
}

const visitors = new Map<string, Promise<BrowserContext>>()

/** One for each person and host in each worker, signed in: what was fetched for one screen needn't be fetched for the next. */
function visitorOf(browser: Browser, { as, own }: Screen, world: World): Promise<BrowserContext> {
  const origin = own ? world[own].origin : world.newcomer.origin
  const key = `${as} ${origin}`
  const visitor = visitors.get(key) ?? open()
  visitors.set(key, visitor)
  return visitor

  async function open(): Promise<BrowserContext> {
    const context = await browser.newContext({
      locale: 'en-US',
      baseURL: origin,
      reducedMotion: 'reduce',
      timezoneId: 'America/New_York',
    })
    if (as !== 'visitor') await world[as].signIn(context, { origin })
    // A page that stays: the process in which the others are opened ends with its last one.
    await (await context.newPage()).goto('/healthz')
    return context
  }
}

/** Shows a screen in each of its sizes. A menu closes when its window changes, so what was opened by hand is opened again. */
export async function showInSizes(
  browser: Browser,
  screen: Screen,
  world: World,
  shown: Shown,
  look: (page: Page, size: Size) => Promise<void>,
): Promise<void> {
  let page = await show(browser, screen, world, shown)
  for (const [at, size] of sizesOf(screen).entries()) {
    if (at && screen.then) {
      await page.close()
      page = await show(browser, screen, world, { ...shown, viewport: size })
    }
    await page.setViewportSize(size)
    await look(page, size)
  }
  await page.close()
}

function sizesOf({ only }: Screen): Size[] {
  return only === 'phone' ? [phone] : only === 'wide' ? [wide] : [wide, phone]
}
