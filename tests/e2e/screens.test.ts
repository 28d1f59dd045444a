import type { Page } from '@playwright/test'
import { violationsOf } from './support/axe.ts'
import { expect, test } from './support/test-app.ts'
import { phone, screens, show, showInSizes, wide } from './support/screens.ts'
import { worldOf } from './support/screens/world.ts'
import { endMovement, still } from './support/wait-for-idle.ts'

const paleYellow = '#fff7b0'
const black = '#000000'

type Colors = { color: string; colorScheme: 'light' | 'dark'; rules: 'all rules' | 'colors' }
// A colour changes contrasts alone, and a width changes no colour: all rules are asked once for each width, and each colour
// in light and in dark at one of them.
const atDesk: Colors[] = [
  { color: paleYellow, colorScheme: 'light', rules: 'all rules' },
  { color: black, colorScheme: 'dark', rules: 'colors' },
]
const inHand: Colors[] = [
  { color: black, colorScheme: 'light', rules: 'all rules' },
  { color: paleYellow, colorScheme: 'dark', rules: 'colors' },
]
/** For people to look at, in test-results/screens: `PICTURES=1 npm test -- browser`. */
const pictures = process.env.PICTURES ? (['light', 'dark'] as const) : []

test('every screen of the build is looked at here', ({ house }) => {
  const looked = new Set(screens.map(({ page }) => page))
  expect(
    house.pages.filter((page) => !looked.has(page)),
    'add these to tests/e2e/support/screens',
  ).toEqual([])
  expect(
    [...looked].filter((page) => !house.pages.includes(page)),
    'the build has no such screens',
  ).toEqual([])
})

for (const screen of screens) {
  test(`${screen.name}: nothing that axe finds, in any colours, wide and narrow, and it fits its window`, async ({
    browser,
    house,
    complaints,
  }) => {
    const found: string[] = []
    await showInSizes(browser, screen, await worldOf(house), { complaints }, async (page, size) => {
      for (const { color, colorScheme, rules } of size === wide ? atDesk : inHand) {
        await wear(page, color, colorScheme)
        found.push(
          ...(await axe(page, rules)).map((violation) => `${color} ${colorScheme} ${size.width}: ${violation}`),
        )
      }
      for (const colorScheme of pictures) {
        await wear(page, null, colorScheme)
        await page.screenshot({ path: `test-results/screens/${screen.name}-${size.width}-${colorScheme}.png` })
      }
      for (const width of size === phone ? [phone.width, 360] : [wide.width, 1280]) {
        await page.setViewportSize({ ...size, width })
        await still(page)
        if (await scrollsSideways(page)) found.push(`${width}: ${await sticksOut(page)}`)
      }
    })
    expect(found).toEqual([])
    if (screen.complains) complaints.forget(screen.complains)
  })
}

test('dark by choice looks as dark by the device', async ({ browser, house, complaints }) => {
  const world = await worldOf(house)
  const screen = screens.find(({ name }) => name === 'settings')!
  const byDevice = await show(browser, screen, world, { complaints, dark: true })
  const byChoice = await show(browser, screen, world, { complaints })
  const light = await groundOf(byChoice)
  const saved = byChoice.waitForResponse(
    (response) => response.url().includes('/theme') && response.request().method() === 'POST',
  )
  await byChoice.getByRole('button', { name: 'Dark' }).last().click()
  await expect(byChoice.locator('html')).toHaveAttribute('data-theme', 'dark')
  await saved
  await byChoice.reload()
  expect(await groundOf(byChoice)).toBe(await groundOf(byDevice))
  expect(await groundOf(byChoice)).not.toBe(light)
  for (const page of [byDevice, byChoice]) await page.close()
  await byChoice.context().clearCookies({ name: 'theme' })
})

/**
 * The one thing that a coach's colour changes is `--brand` on the page's root; null: as the server sent it. Without transitions:
 * that each element fades into its new colour, after the one that it inherits from, would take a second.
 */
async function wear(page: Page, color: string | null, colorScheme: 'light' | 'dark'): Promise<void> {
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
  await endMovement(page)
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

async function axe(page: Page, asked: Colors['rules']): Promise<string[]> {
  const violations = await violationsOf(page, { runOnly: asked === 'colors' ? ['color-contrast'] : wcag })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, any, all, none }) =>
        `${id} at ${target.join(' ')}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')}`,
    ),
  )
}

/** The page itself, or a part of it that hides its end: a row's menu for one. */
function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main *, dialog *')].some((element) => {
      const scrolls =
        element === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
      // Tabs are meant to be pushed aside on a phone, and so are the columns of a board everywhere.
      return (
        scrolls &&
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth &&
        !element.matches('textarea, .tabs, .pboard')
      )
    }),
  )
}

/** What reaches beyond the right edge, to find it. */
function sticksOut(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .slice(-3)
      .map((element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`)
      .join(', '),
  )
}

const groundOf = (page: Page): Promise<string> =>
  page.locator('main').evaluate((main) => getComputedStyle(main).backgroundColor)
