import type { Locator, Page } from '@playwright/test'
import { createProduct } from '#modules/billing/services/products.ts'
import { NewProduct } from '#modules/billing/forms.ts'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { createProspect } from '#modules/pipeline/services/prospects.ts'
import { pickUpByKeyboard } from './support/keyboard-drag.ts'
import { mainFlow } from './support/main-flow.ts'
import { expect, inTenant, test, type TestApp } from './support/test-app.ts'
import { phone } from './support/screens.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

// The main flow from prospect to paying client: by mouse, by keyboard, and by touch on a phone.

const prospectName = 'Leila Haddad'

/** How to press a control, move the card from Lead to Closed Won, and open the search. */
type InputMethod = {
  press(what: Locator): Promise<void>
  move(page: Page): Promise<void>
  openSearch(page: Page): Promise<void>
}

const stage = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const card = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: prospectName, exact: true }) })
const getCenter = async (place: Locator): Promise<{ x: number; y: number }> => {
  const { x, y, width, height } = (await place.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

const mouse: InputMethod = {
  press: (what) => what.click(),
  async move(page) {
    const from = await getCenter(card(page))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 4, from.y + 4)
    // At the edge the board scrolls to the last stage.
    await page.mouse.move(page.viewportSize()!.width - 40, from.y, { steps: 12 })
    await expect(stage(page, 'Closed Won')).toHaveClass(/is-over/)
    await page.mouse.up()
  },
  openSearch: (page) => page.getByRole('combobox', { name: 'Search' }).click(),
}

const keyboard: InputMethod = {
  async press(what) {
    await what.focus()
    await what.press('Enter')
  },
  async move(page) {
    const card = page.getByRole('link', { name: prospectName, exact: true })
    await pickUpByKeyboard(page, card, /is picked up in Lead/)
    const announcement = page.locator('[id^="DndLiveRegion"]')
    for (const name of ['Qualified', 'Proposal', 'Negotiation', 'Closed Won']) {
      await page.keyboard.press('ArrowRight')
      await expect(announcement).toContainText(`is over ${name}`)
    }
    await page.keyboard.press('Space')
  },
  async openSearch(page) {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
  },
}

const touch: InputMethod = {
  press: (what) => what.tap(),
  async move(page) {
    const client = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] })
    const from = await getCenter(card(page))
    await send('touchStart', from)
    await expect(page.locator('.pcard.is-dragging')).toBeVisible()
    for (let step = 1; step <= 10; step++)
      await send('touchMove', { x: from.x + ((phone.width - 8 - from.x) * step) / 10, y: from.y })
    await expect(stage(page, 'Closed Won')).toHaveClass(/is-over/)
    await send('touchEnd')
  },
  async openSearch(page) {
    await page.getByRole('link', { name: 'Search' }).tap()
    await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
  },
}

async function convertAndBill(page: Page, app: TestApp, { press, move, openSearch }: InputMethod): Promise<void> {
  const coach = await app.createCoach()
  await inTenant(coach, async (ctx) => {
    await createProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '960.00' }))
    await createProspect(
      ctx,
      NewProspect.parse({
        name: prospectName,
        email: 'leila@example.com',
        stageId: 'lead',
        value: 96_000,
        probability: 40,
        futureGoals: 'A **second** place',
      }),
    )
  })
  await coach.signIn(page.context())

  await test.step('moves the prospect from Lead to Closed Won and converts it', async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: /^Active Prospects/ })).toContainText('1')
    await page.goto('/pipeline')
    await waitForHydration(page)
    await move(page)
    await expect(stage(page, 'Closed Won').getByRole('heading', { level: 3 })).toHaveText([prospectName])
    await press(stage(page, 'Closed Won').getByRole('button', { name: 'Convert to Client' }))
    await expect(page.getByText(`${prospectName} is a client now.`)).toBeVisible()
    await expect(card(page)).toHaveCount(0)
  })

  await test.step('writes formatted notes', async () => {
    await page.goto('/clients')
    await waitForHydration(page)
    await press(page.getByRole('main').getByRole('link', { name: prospectName }).first())
    await press(page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }))
    const notes = page
      .getByRole('textbox', { name: 'Session Notes & Observations' })
      .and(page.locator('[contenteditable]'))
    await notes.focus()
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('Signed')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type(' on a Tuesday')
    await press(page.getByRole('button', { name: 'Save', exact: true }))
    await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
    await expect(page.locator('strong', { hasText: 'Signed' })).toBeVisible()
    await expect(page.locator('strong', { hasText: 'second' })).toBeVisible()
  })

  await test.step('records a purchase', async () => {
    await press(page.getByRole('link', { name: 'Add Purchase' }))
    const dialog = page.getByRole('dialog', { name: /^Record Purchase/ })
    await dialog.getByLabel('Product').selectOption({ label: 'Career Reset, $960.00' })
    await expect(dialog.getByLabel('Amount')).toHaveValue('960.00')
    await dialog.getByLabel('Payment method').selectOption('Bank transfer')
    await press(dialog.getByRole('button', { name: 'Record Purchase' }))
    await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Career Reset, $960.00')
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Closed Won')
  })

  await test.step('sees the numbers on the dashboard', async () => {
    await page.goto('/dashboard')
    await waitForHydration(page)
    await expect(page.getByRole('link', { name: /^Active Prospects/ })).toContainText('0')
    await expect(page.getByRole('link', { name: /^Total Clients/ })).toContainText('1')
    const revenue = page.getByRole('link', { name: /^Revenue/ })
    await expect(revenue).toContainText('$960')
    await press(revenue)
    await expect(page.getByRole('status').filter({ hasText: '1 purchase' })).toContainText('$960.00')
  })

  await test.step('finds the client by search, without accents or case', async () => {
    await openSearch(page)
    await page.keyboard.type('LEÏLA had')
    const found = page.getByRole('option', { name: new RegExp(prospectName) })
    await expect(found).toContainText(/client/i)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: prospectName })).toBeVisible()
  })

  await test.step('finds the note by its text, ignoring formatting', async () => {
    await openSearch(page)
    await page.keyboard.type('signed on a tues')
    await expect(page.getByRole('option', { name: new RegExp(prospectName) })).toContainText('Signed on a Tuesday')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: prospectName })).toBeVisible()
  })

  await test.step('deletes the client and undoes it', async () => {
    await press(page.getByRole('button', { name: 'More actions' }))
    await press(page.getByRole('menuitem', { name: 'Delete' }))
    await press(page.getByRole('dialog').getByRole('button', { name: 'Delete Client' }))
    await expect(page.getByText('Client deleted successfully!')).toBeVisible()
    await press(page.getByRole('button', { name: 'Undo' }))
    await expect(page.getByText('Client restored')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: prospectName }).first()).toBeVisible()
  })
}

mainFlow(
  'a prospect becomes a paying client, is counted, found, deleted and restored',
  ({ page, app }) => convertAndBill(page, app, mouse),
  { atTimeEdges: true },
)
test('a prospect becomes a paying client by keyboard', ({ page, app }) => convertAndBill(page, app, keyboard))
test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: phone })
  test('a prospect becomes a paying client by touch', ({ page, app }) => convertAndBill(page, app, touch))
})
