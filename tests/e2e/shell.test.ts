import type { Page } from '@playwright/test'
import { holdRequests } from './support/network.ts'
import { expect, getClients, test, type Coach } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

async function open(page: Page, coach: Coach, path: string): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(path)
  await waitForHydration(page)
}

const sidebarSearch = (page: Page) => page.getByRole('complementary').getByRole('combobox', { name: 'Search' })

test('the sidebar search list is above every page', async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: Array.from({ length: 9 }, (_, index) => ({ name: `Grace Number ${index}` })),
  })
  for (const path of ['/pipeline', '/dashboard', '/calendar', '/clients']) {
    await open(page, coach, path)
    await sidebarSearch(page).fill('grace')
    const list = page.getByRole('listbox')
    await expect(list.getByRole('option')).toHaveCount(8)
    const covered = await list.evaluate((listbox) => {
      const { left, top, width, height } = listbox.getBoundingClientRect()
      const points: string[] = []
      for (let x = left + 8; x < left + width - 8; x += 16)
        for (let y = top + 8; y < top + height - 8; y += 8)
          if (!listbox.contains(document.elementFromPoint(x, y))) points.push(`${Math.round(x)}, ${Math.round(y)}`)
      return points
    })
    expect(covered, `points of the list that another element covers on ${path}`).toEqual([])
    const { cut, last } = await list.evaluate((listbox) => ({
      cut: listbox.scrollHeight > listbox.clientHeight,
      last: listbox.querySelector('li:last-child')!.getBoundingClientRect().bottom,
    }))
    expect(cut, 'the list scrolls').toBe(false)
    expect(last).toBeLessThan(900)
  }
})

test('Enter opens the first search result, also when it is pressed before the results have loaded', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({
    clients: [{ name: 'Priya Raghunathan' }, { name: 'Siobhan Walsh' }, { name: 'Hannah Goldberg' }],
  })
  await open(page, coach, '/calendar')
  await sidebarSearch(page).fill('han')
  const options = page.getByRole('option')
  await expect(options).toHaveCount(3)
  await expect(options.first()).toContainText('Hannah Goldberg')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hannah Goldberg' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('siob')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Siobhan Walsh' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Typing on takes the Enter back.
  const release = await holdRequests(page, /\/api\/search/)
  await sidebarSearch(page).fill('priya')
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  release()
  await expect(page.getByText('No results found').last()).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(options).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1, name: 'Siobhan Walsh' })).toBeVisible()
})

test('the command palette opens pages and starts actions', async ({ page, app }) => {
  const coach = await app.createCoach()
  await open(page, coach, '/dashboard')
  await expect(page.getByText('Ctrl K')).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Search' })

  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('option', { name: 'Schedule Session' })).toBeVisible()
  await page.keyboard.type('cal')
  await expect(palette.getByRole('option').first()).toHaveText('Go to Calendar')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/calendar')

  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('add cl')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add Client' })).toBeVisible()

  await page.goto('/dashboard')
  await waitForHydration(page)
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('secur')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/security')
})

test('the onboarding checklist stays until it is hidden, and its next step is the primary one', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }], businessName: 'Winter Coaching' })
  await open(page, coach, '/dashboard')
  const checklist = page.getByRole('region', { name: 'First steps' })
  await expect(checklist.getByText('2 of 8')).toBeVisible()
  await expect(checklist.getByRole('link', { name: 'Open Branding' })).toHaveClass(/btn-primary/)
  await expect(checklist.locator('.btn-primary')).toHaveCount(1)

  await checklist.getByRole('listitem').filter({ hasText: 'Schedule a session' }).getByRole('link').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goto('/dashboard')
  await waitForHydration(page)
  await checklist.getByRole('button', { name: 'Hide' }).click()
  await expect(checklist).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(checklist).toBeVisible()
})

test('the trash is in the sidebar', async ({ page, app }) => {
  await open(page, await app.createCoach(), '/dashboard')
  await page.getByRole('complementary').getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
})

test('a URL without a page keeps the sidebar for signed-in coaches', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  const response = await page.goto('/nowhere')
  expect(response?.status()).toBe(404)
  await waitForHydration(page)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Clients' }).first().click()
  await expect(page).toHaveURL('/clients')
})

test("the sidebar marks where the coach is, also on purchases and on a record's history", async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  for (const [path, item] of [
    ['/clients', /^Clients/],
    ['/purchases', 'Purchases'],
    [`/history/client/${client!.id}`, /^Clients/],
  ] as const) {
    await open(page, coach, path)
    const current = page.getByRole('complementary').locator('[aria-current="page"]')
    await expect(current).toHaveCount(1)
    await expect(current).toHaveAccessibleName(item)
  }
})
