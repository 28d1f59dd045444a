import type { Page } from '@playwright/test'
import { findViolations } from './support/axe.ts'
import { expect, test } from './support/test-app.ts'
import { phone, screens, testedScreens, openScreen, openScreenInSizes, desktop } from './support/screens.ts'
import { getWorld } from './support/screens/world.ts'
import { waitForIdle } from './support/wait-for-idle.ts'

const paleYellow = '#fff7b0'
const black = '#000000'

type Colors = { color: string; colorScheme: 'light' | 'dark'; rules: 'all rules' | 'colors' }
// A colour changes contrasts alone, and a width changes no colour: all rules are asked once for each width, and each
// colour in light and in dark at one of them.
const desktopChecks: Colors[] = [
  { color: paleYellow, colorScheme: 'light', rules: 'all rules' },
  { color: black, colorScheme: 'dark', rules: 'colors' },
]
// Begins with the scheme in which the desktop ended: switching takes a repaint.
const phoneChecks: Colors[] = [
  { color: paleYellow, colorScheme: 'dark', rules: 'colors' },
  { color: black, colorScheme: 'light', rules: 'all rules' },
]
/** Saves screenshots to test-results/screens: `PICTURES=1 npm test -- browser`. */
const pictures = process.env.PICTURES ? (['light', 'dark'] as const) : []

test('every page of the build has a screen', ({ app }) => {
  const looked = new Set(screens.map(({ route }) => route))
  expect(
    app.pages.filter((page) => !looked.has(page)),
    'Add a screen for each page: in e2e/screens.ts of its module, or in tests/e2e/support/screens.',
  ).toEqual([])
  expect(
    [...looked].filter((page) => !app.pages.includes(page)),
    'The build has no such pages.',
  ).toEqual([])
})

for (const screen of testedScreens) {
  test(`${screen.name}: no axe violations in light and dark, on desktop and phone, and no horizontal scrolling`, async ({
    browser,
    app,
    browserErrors,
  }) => {
    const found: string[] = []
    await openScreenInSizes(browser, screen, await getWorld(app), { browserErrors }, async (page, size) => {
      for (const { color, colorScheme, rules } of size === desktop ? desktopChecks : phoneChecks) {
        await applyColors(page, color, colorScheme)
        found.push(
          ...(await axe(page, rules)).map((violation) => `${color} ${colorScheme} ${size.width}: ${violation}`),
        )
      }
      for (const colorScheme of pictures) {
        await applyColors(page, null, colorScheme)
        await page.screenshot({ path: `test-results/screens/${screen.name}-${size.width}-${colorScheme}.png` })
      }
      if (await scrollsSideways(page)) found.push(`${size.width}: ${await findOverflow(page)}`)
      const narrower = { ...size, width: size === phone ? 360 : 1280 }
      await page.setViewportSize(narrower)
      await waitForIdle(page)
      if (await scrollsSideways(page)) found.push(`${narrower.width}: ${await findOverflow(page)}`)
    })
    expect(found).toEqual([])
    if (screen.expectedErrors) browserErrors.ignore(screen.expectedErrors)
  })
}

test('the dark theme looks like the dark color scheme of the device', async ({ browser, app, browserErrors }) => {
  const world = await getWorld(app)
  const screen = screens.find(({ name }) => name === 'settings')!
  const byDevice = await openScreen(browser, screen, world, { browserErrors, dark: true })
  const byChoice = await openScreen(browser, screen, world, { browserErrors })
  const light = await backgroundColor(byChoice)
  const saved = byChoice.waitForResponse(
    (response) => response.url().includes('/theme') && response.request().method() === 'POST',
  )
  await byChoice.getByRole('button', { name: 'Dark' }).last().click()
  await expect(byChoice.locator('html')).toHaveAttribute('data-theme', 'dark')
  await saved
  await byChoice.reload()
  expect(await backgroundColor(byChoice)).toBe(await backgroundColor(byDevice))
  expect(await backgroundColor(byChoice)).not.toBe(light)
  for (const page of [byDevice, byChoice]) await page.close()
  await byChoice.context().clearCookies({ name: 'theme' })
})

/**
 * The one thing that a coach's colour changes is `--brand` on the page's root; null: as the server sent it. Without
 * transitions: that each element fades into its new colour, after the one that it inherits from, would take a second.
 */
async function applyColors(page: Page, color: string | null, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((wanted) => {
    const { style, dataset } = document.documentElement
    if (dataset.sent === undefined) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, ::before, ::after, ::backdrop { transition: none !important }')
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    }
    dataset.sent ??= style.getPropertyValue('--brand')
    style.setProperty('--brand', wanted ?? dataset.sent)
  }, color)
  await page.emulateMedia({ colorScheme })
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

async function axe(page: Page, asked: Colors['rules']): Promise<string[]> {
  const violations = await findViolations(page, { runOnly: asked === 'colors' ? ['color-contrast'] : wcag })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, any, all, none }) =>
        `${id} at ${target.join(' ')}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')}`,
    ),
  )
}

/** Whether the page or a part of it overflows horizontally. */
function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main *, dialog *')].some((element) => {
      const scrolls =
        element === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
      // Tabs scroll on a phone, and a board scrolls everywhere.
      return (
        scrolls &&
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth &&
        !element.matches('textarea, .tabs, .pboard')
      )
    }),
  )
}

/** Describes the elements beyond the right edge. */
function findOverflow(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .slice(-3)
      .map((element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`)
      .join(', '),
  )
}

const backgroundColor = (page: Page): Promise<string> =>
  page.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor)
