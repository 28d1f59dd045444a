import type { Locator, Page } from '@playwright/test'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { createClient, createProduct, createPurchase } from '#tests/support/factories.ts'
import { expect, test, type Coach, type TestApp } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

type Task = {
  name: string
  /** As many as in the best comparable product, or fewer. Keys don't count. */
  clicks: number
  from: string | ((practice: { client: number }) => string)
  perform: (page: Page) => Promise<void>
}

const dialog = (page: Page): Locator => page.getByRole('dialog')
const click = (page: Page, role: 'link' | 'button', name: string | RegExp) =>
  page.getByRole(role, { name, exact: true }).last().click()
const week = '/calendar?view=week&date=2094-05-12'

const tasks: Task[] = [
  {
    name: 'adding a client',
    clicks: 1,
    from: '/dashboard',
    async perform(page) {
      await click(page, 'link', 'Add Client')
      await dialog(page).getByLabel('Name', { exact: true }).fill('Ada Winter')
      await dialog(page).getByLabel('Email').fill('ada.winter@example.com')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Ada Winter' })).toBeVisible()
    },
  },
  {
    name: "scheduling the next session from the client's page",
    clicks: 2,
    from: ({ client }) => `/clients/${client}`,
    async perform(page) {
      await click(page, 'link', 'Schedule Session')
      await click(page, 'button', 'Schedule')
      await expect(page.getByText('Appointment Created')).toBeVisible()
    },
  },
  {
    name: 'scheduling a session at a time of the week',
    clicks: 2,
    from: week,
    async perform(page) {
      await page.getByRole('link', { name: /^New session on Thursday, May 13, 2094 at 11:00 AM/ }).click()
      // Until the dialog is hydrated, its combobox is a select.
      await dialog(page).locator('input[role="combobox"]').fill('Grace')
      await expect(dialog(page).getByRole('option', { name: 'Grace Hopper' })).toBeVisible()
      await page.keyboard.press('Enter')
      await click(page, 'button', 'Schedule')
      await expect(page.getByText('Appointment Created')).toBeVisible()
    },
  },
  {
    name: 'completing a session with notes',
    clicks: 2,
    from: '/calendar',
    async perform(page) {
      await page.getByRole('link', { name: /Goals/ }).first().click()
      await click(page, 'link', 'Mark Complete')
      await typeNotes(page)
      await expect(page.getByText('Session Completed')).toBeVisible()
    },
  },
  {
    name: 'adding notes to a completed session',
    clicks: 2,
    from: '/calendar',
    async perform(page) {
      await page
        .getByRole('link', { name: /Habits/ })
        .first()
        .click()
      await click(page, 'link', 'Add Notes')
      await typeNotes(page)
      await expect(page.getByText('Notes Added')).toBeVisible()
    },
  },
  {
    name: 'recording the payment of another product',
    clicks: 4,
    from: ({ client }) => `/clients/${client}`,
    async perform(page) {
      await click(page, 'link', 'Add Purchase')
      await dialog(page).getByLabel('Product').selectOption('Single Session, $150.00')
      await click(page, 'button', 'Record Purchase')
      await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
    },
  },
  {
    name: 'moving a prospect',
    clicks: 1,
    from: '/pipeline',
    async perform(page) {
      const stage = page.getByRole('region', { name: 'Qualified', exact: true })
      await drag(page, page.getByRole('listitem').filter({ hasText: 'Lena Lead' }).last(), stage)
      await expect(stage.getByRole('heading', { name: 'Lena Lead' })).toBeVisible()
    },
  },
  {
    name: 'converting a prospect',
    clicks: 1,
    from: '/pipeline',
    async perform(page) {
      await click(page, 'button', /^Convert to Client.*Wanda Won$/)
      await expect(page.getByText('Wanda Won is a client now.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    },
  },
  {
    name: 'finding a client',
    clicks: 0,
    from: '/dashboard',
    async perform(page) {
      await page.keyboard.press('Control+k')
      await expect(dialog(page).getByRole('combobox')).toBeFocused()
      await page.keyboard.type('gra')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Grace Hopper' })).toBeVisible()
    },
  },
  {
    name: 'moving a session',
    clicks: 1,
    from: week,
    async perform(page) {
      const to = page.getByRole('link', { name: /^New session on Thursday, May 13, 2094 at 11:00 AM/ })
      await drag(page, page.getByRole('link', { name: /Values, / }).first(), to)
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    },
  },
  {
    name: 'exporting clients',
    clicks: 2,
    from: '/clients',
    async perform(page) {
      const download = page.waitForEvent('download')
      await click(page, 'button', 'More')
      await page.getByRole('menuitem', { name: 'Export to CSV' }).click()
      await download
    },
  },
]

for (const { name, clicks, from, perform } of tasks)
  test(`clicks for ${name}: ${clicks}`, async ({ page, app }) => {
    const coach = await app.createCoach()
    const practice = await createPractice(coach, app)
    await coach.signIn(page.context())
    const getClicks = await countClicks(page)
    await page.goto(typeof from === 'string' ? from : from(practice))
    await waitForHydration(page)
    await perform(page)
    expect(getClicks()).toBe(clicks)
  })

async function createPractice(coach: Coach, app: TestApp): Promise<{ client: number }> {
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const [startTime, endTime] = [600_000, 60_000].map((ago) => new Date(app.now().getTime() - ago).toISOString())
  await createAppointment({ coach, clientId, title: 'Goals', startTime, endTime })
  await createAppointment({ coach, clientId, title: 'Habits', startTime, endTime, status: 'completed' })
  const later = { startTime: '2094-05-12T13:00:00Z', endTime: '2094-05-12T14:00:00Z' }
  await createAppointment({ coach, clientId, title: 'Values', ...later })
  const { id: productId } = await createProduct({ coach })
  await createProduct({ coach, name: 'Single Session' })
  await createPurchase({ coach, clientId, productId })
  await createProspect({ coach, name: 'Lena Lead', email: 'lena@example.com' })
  await createProspect({ coach, name: 'Wanda Won', email: 'wanda@example.com', stageId: 'closed_won' })
  return { client: clientId }
}

declare global {
  interface Window {
    addClicks(count: number): void
  }
}

/** Counts clicks and drags. A choice in a native select counts as two, because Playwright makes it without clicking. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('addClicks', (count: number) => {
    clicks += count
  })
  await page.addInitScript(() => {
    window.addEventListener('pointerdown', () => window.addClicks(1), true)
    window.addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && window.addClicks(2), true)
  })
  return () => clicks
}

async function typeNotes(page: Page): Promise<void> {
  await expect(dialog(page).locator('[contenteditable]')).toBeFocused()
  await page.keyboard.type('Wrote the letter.')
  await page.keyboard.press('Control+Enter')
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await getCenter(from), await getCenter(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 4, start.y + 4)
  await page.mouse.move(end.x, end.y, { steps: 12 })
  await page.mouse.up()
}

async function getCenter(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await locator.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
