import type { Locator, Page } from '@playwright/test'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { createPurchase } from '#modules/billing/services/purchases.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { holdRequests } from './support/network.ts'
import { type Coach, expect, getClients, inTenant, test } from './support/test-app.ts'
import { phone } from './support/screens.ts'
import { answerLeavePrompt } from './support/leave-prompt.ts'
import { waitForHydration, waitForIdle } from './support/wait-for-idle.ts'

// These tests use the keyboard only.

test('Add Client: opened, validated, corrected and saved by keyboard', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await open(page, coach, '/dashboard')
  await press(page.getByRole('navigation').getByRole('link', { name: /^Clients/ }), 'Enter')
  await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
  const add = page.getByRole('main').getByRole('link', { name: 'Add Client' })
  await press(add, 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Client' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expectTrap(page, dialog)

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(add).toBeFocused()
  await expect(page).toHaveURL('/clients')

  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('   ')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ada@example.com')
  await page.keyboard.press('Enter')
  await expectFieldError(dialog.getByLabel('Name'), 'Name is required')
  await expect(dialog.getByLabel('Email')).toHaveValue('ada@example.com')

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Ada Lovelace')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'Client added successfully!' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()

  // Going back skips both the cancelled and the submitted dialog.
  await page.goBack()
  await expect(page).toHaveURL('/clients')
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})

test('clicking beside a dialog keeps its values; going back does not reopen a cancelled one', async ({ page, app }) => {
  const coach = await app.createCoach()
  await open(page, coach, '/dashboard')
  await open(page, coach, '/clients?dialog=add')
  const dialog = page.getByRole('dialog', { name: 'Add Client' })
  await dialog.getByLabel('Name').fill('Half a name')
  await page.mouse.click(10, 10)
  await expect(dialog.getByLabel('Name')).toHaveValue('Half a name')
  await press(dialog.getByRole('link', { name: 'Cancel' }), 'Enter')
  await answerLeavePrompt(page, 'Discard')
  await expect(page).toHaveURL('/clients')
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})

for (const [action, title] of [
  ['Add Client', 'Add Client'],
  ['Add Prospect', 'Add New Prospect'],
  ['Schedule Session', 'Schedule New Appointment'],
] as const) {
  test(`${action}: opened from the dashboard, it returns there when it is cancelled`, async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    await open(page, coach, '/dashboard')
    const heading = page.getByRole('heading', { level: 1 })
    const position = await heading.boundingBox()
    await page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: action }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL('/dashboard')
    await expect.poll(() => heading.boundingBox()).toEqual(position)
  })
}

test('people can be chosen in short dialogs on a phone, without scrolling', async ({ page, app }) => {
  const clients = Array.from({ length: 8 }, (_, index) => ({ name: `Client ${index + 1}` }))
  const coach = await app.createCoach({ plan: 'premium', clients })
  await inTenant(coach, (ctx) => createProduct(ctx, NewProduct.parse({ name: 'Session', price: '150.00' })))
  await page.setViewportSize({ width: phone.width, height: 480 })
  for (const [path, label] of [
    ['/messages?dialog=new', 'To'],
    ['/purchases?dialog=record', 'Client'],
    ['/tasks?dialog=add', 'Client'],
    ['/payments?dialog=create', 'Client'],
    ['/calendar?dialog=schedule', 'Client or prospect'],
  ] as const) {
    await open(page, coach, path)
    const combobox = page.getByRole('dialog').getByRole('combobox', { name: label, exact: true })
    await combobox.click()
    await combobox.fill('Client')
    const option = page.getByRole('dialog').getByRole('listbox').getByRole('option').nth(5)
    await expect(option).toBeInViewport({ ratio: 1 })
    const name = await option.textContent()
    const isOnTop = await option.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
    expect([path, isOnTop]).toEqual([path, true])
    await option.click()
    expect(name).toContain(await combobox.inputValue())
  }
})

test('Interaction: focus returns, errors are shown, and the form keeps its values', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  await open(page, coach, `/clients/${grace!.id}`)
  const add = page.getByRole('link', { name: 'Add interaction' })
  await press(add, 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Interaction' })
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await expectTrap(page, dialog)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(add).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('   ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Title is required')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('Call')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Interaction added')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent Contact' })).toContainText('Call')
})

test('Edit Client: errors are shown, and the form keeps its values', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper', notes: 'Nanoseconds' }] })
  const [grace] = await getClients(coach)
  await open(page, coach, `/clients/${grace!.id}?dialog=edit`)
  const dialog = page.getByRole('dialog', { name: 'Edit Client' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Email').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('grace@nowhere')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await expect(dialog.getByLabel('Email')).toHaveValue('grace@nowhere')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('grace@navy.example')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Client updated successfully!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'grace@navy.example' })).toBeVisible()
})

test('Delete Client: Cancel is focused first, and Undo is reachable by keyboard', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }, { name: 'Ada Lovelace' }] })
  await open(page, coach, '/clients')
  const actions = page.getByRole('button', { name: 'Actions for Ada Lovelace' })
  await press(actions, 'Enter')
  await expect(page.getByRole('menuitem', { name: 'View Details' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Delete Client' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete Ada Lovelace' })
  await expect(dialog).toContainText('Are you sure you want to delete this client? This action cannot be undone.')
  await expect(dialog.getByRole('link', { name: 'Cancel' })).toBeFocused()
  await expectTrap(page, dialog)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toBeVisible()

  await press(actions, 'Enter')
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: 'Cancel' })).toBeFocused()
  await press(dialog.getByRole('button', { name: 'Delete Client' }), 'Enter')
  await expect(page.getByText('Client deleted successfully!')).toBeVisible()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toHaveCount(0)
  await press(page.getByRole('button', { name: 'Undo' }), 'Enter')
  await expect(page.getByText('Client restored')).toBeVisible()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toBeVisible()
})

test('after an action that removes its button, focus moves to the page', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free', clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  await inTenant(coach, async (ctx) => {
    const product = await createProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '150.00' }))
    for (const amount of [100, 200])
      await createPurchase(
        ctx,
        NewPurchase.parse({ clientId: client!.id, productId: product.id, amount, paymentMethod: 'cash' }),
      )
  })
  const main = page.getByRole('main')
  const runAction = async (button: Locator, message: string) => {
    await press(button, 'Enter')
    await expect(page.getByText(message)).toBeVisible()
  }
  await open(page, coach, '/purchases')
  await runAction(main.getByRole('button', { name: /^Delete the purchase/ }).first(), 'Purchase deleted')
  await expect(main).toBeFocused()
  await runAction(page.getByRole('button', { name: 'Undo' }), 'Purchase restored')
  await expect(main).toBeFocused()

  await open(page, coach, '/clients')
  await press(page.getByRole('button', { name: 'Actions for Grace Hopper' }), 'Enter')
  await runAction(page.getByRole('menuitem', { name: 'Archive Client' }), 'Client archived')
  await expect(main).toBeFocused()

  await inTenant(coach, (ctx) => deleteClient(ctx, client!.id))
  await open(page, coach, '/trash')
  await runAction(main.getByRole('button', { name: 'Restore Grace Hopper' }), 'Client restored')
  await expect(main).toBeFocused()

  await open(page, coach, '/upgrade')
  await runAction(main.getByRole('button', { name: /^Try Pro/ }), 'Your 14-day Pro trial has started.')
  await expect(main).toBeFocused()

  // With an open dialog, focus moves to the dialog.
  await open(page, coach, `/clients?dialog=purchase&client=${client!.id}`)
  const dialog = page.getByRole('dialog')
  await runAction(dialog.getByRole('button', { name: /^Delete the purchase/ }).first(), 'Purchase deleted')
  await expect(dialog.locator(':focus')).toHaveCount(1)
})

test('a slow navigation shows a progress bar, a quick one does not', async ({ page, app }) => {
  await open(page, await app.createCoach(), '/dashboard')
  const bar = page.locator('.navigation-progress')
  const release = await holdRequests(page, /\/products\?_data|\/products\.data/)
  await press(page.getByRole('navigation').getByRole('link', { name: 'Products' }), 'Enter')
  await expect(bar).toBeAttached()
  expect(await bar.evaluate((element) => getComputedStyle(element).animationDelay)).toBe('0.2s, 0.2s')
  await expect(bar).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Products', level: 1 })).toBeVisible()
  await expect(bar).toHaveCount(0)
})

test('row menu: arrows, Home, End and letters move the focus, Escape and Tab close it', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await open(page, coach, '/clients')
  const actions = page.getByRole('button', { name: 'Actions for Grace Hopper' })
  const menu = page.getByRole('menu', { name: 'Actions for Grace Hopper' })
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await press(actions, key)
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(actions).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete Client' })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(page.getByRole('menuitem', { name: 'View Details' })).toBeFocused()
  await page.keyboard.press('e')
  await expect(page.getByRole('menuitem', { name: 'Edit Client' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Client' }).getByLabel('Name')).toBeFocused()
})

test('⌘K and Ctrl K: arrows select, Enter opens, Escape closes', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }, { name: 'Grace Kelly' }] })
  await open(page, coach, '/settings')
  const field = page.getByLabel('Business name')
  await field.focus()
  for (const keys of ['Meta+k', 'Control+k']) {
    await page.keyboard.press(keys)
    const palette = page.getByRole('dialog', { name: 'Search' })
    await expect(palette.getByRole('combobox')).toBeFocused()
    await expectTrap(page, palette)
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await expect(field).toBeFocused()
  }
  await page.keyboard.press('Control+k')
  const again = page.getByRole('dialog', { name: 'Search' })
  await expect(again.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('gra')
  const options = again.getByRole('option')
  await expect(options).toHaveCount(2)
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  const name = (await options.nth(1).innerText()).includes('Kelly') ? 'Grace Kelly' : 'Grace Hopper'
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/clients\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('Ctrl K on a slow network: text typed before the dialog loads goes to the sidebar search', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const release = await holdRequests(page, /\/assets\/command-palette-[^/]+\.js$/)
  await open(page, coach, '/settings')
  const field = page.getByLabel('Business name')
  await field.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('grac')
  const arrived = page.waitForResponse(/\/assets\/command-palette-/)
  release()
  await arrived
  await page.keyboard.type('e')
  const box = page.getByRole('complementary').getByRole('combobox', { name: 'Search' })
  await expect(box).toHaveValue('grace')
  await expect(page.getByRole('option', { name: /Grace Hopper/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
})

test('sidebar search: starts at the third character, with type badges or No results found', async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: Array.from({ length: 10 }, (_, index) => ({ name: `Grace Number ${index}` })),
  })
  await open(page, coach, '/dashboard')
  const box = page.getByRole('complementary').getByRole('combobox', { name: 'Search' })
  await box.focus()
  await page.keyboard.type('gr')
  await expect(page.getByRole('listbox')).toBeHidden()
  await page.keyboard.type('a')
  await expect(page.getByRole('option')).toHaveCount(8)
  await expect(page.getByRole('option').first()).toContainText('client')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/clients\/\d+$/)
  await expect(box).toHaveValue('')

  await box.focus()
  await page.keyboard.type('zzzz')
  await expect(page.getByText('No results found').filter({ visible: true }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toHaveValue('')
})

test('a failed search says so and can be retried', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await open(page, coach, '/dashboard')
  await page.route('**/api/search*', (route) =>
    route.fulfill({ status: 503, json: { message: 'Please try again.', code: 'unavailable' } }),
  )
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('grace')
  await expect(page.getByText('Search is incomplete right now')).toBeVisible()
  browserErrors.ignore(/503/)
  await page.unroute('**/api/search*')
  await press(page.getByRole('button', { name: 'Try again' }), 'Enter')
  await expect(page.getByRole('option')).toHaveCount(1)
})

test('account menu: the theme is chosen by keyboard, and Escape returns the focus', async ({ page, app }) => {
  const coach = await app.createCoach()
  await open(page, coach, '/dashboard')
  const account = page.getByRole('complementary').getByRole('button', { name: /^Account:/ })
  await press(account, 'Enter')
  const dark = page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' })
  const saved = page.waitForResponse(
    (response) => response.url().includes('/theme') && response.request().method() === 'POST',
  )
  await press(dark.filter({ visible: true }), 'Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(dark.filter({ visible: true })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(dark.filter({ visible: true })).toHaveCount(0)
  await expect(account).toBeFocused()
  await saved
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('More on a phone: opens, navigates, and returns the focus', async ({ page, app }) => {
  const coach = await app.createCoach()
  await page.setViewportSize(phone)
  await open(page, coach, '/dashboard')
  const more = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' })
  await press(more, 'Enter')
  const settings = page.getByRole('link', { name: 'Settings', exact: true }).filter({ visible: true })
  await expect(settings).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Close' }).filter({ visible: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(settings).toBeHidden()
  await expect(more).toBeFocused()

  await page.keyboard.press('Enter')
  await press(settings, 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close' }).filter({ visible: true })).toHaveCount(0)
})

test('Add Coach: used by keyboard, and a taken email address shows at its field', async ({ page, app }) => {
  const [admin, taken] = [await app.createCoach({ isAdmin: true }), await app.createCoach()]
  await open(page, admin, '/admin')
  const add = page.getByRole('link', { name: 'Add Coach' })
  await press(add, 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Coach' })
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await expectTrap(page, dialog)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(add).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(taken.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Bea')
  await page.keyboard.press('Enter')
  await expectFieldError(dialog.getByLabel('Email'), 'An account with this email already exists')
  await expect(dialog.getByLabel('First name')).toHaveValue('Bea')
  // A form takes no second submission until the page has reloaded.
  await expect(dialog.getByRole('button', { name: 'Add Coach' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(`added-${taken.email}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Coach Added')).toBeVisible()
})

test('text typed while a dialog is loading goes into its first field', async ({ page, app }) => {
  await open(page, await app.createCoach({ isAdmin: true }), '/admin')
  for (const [path, name, label] of [
    ['/admin', 'Add Coach', 'Email'],
    ['/products', 'Add Product', 'Name'],
  ] as const) {
    await page.goto(path)
    await waitForHydration(page)
    const release = await holdRequests(page, /\.data\?.*dialog=add/)
    await page.getByRole('main').getByRole('link', { name }).first().click()
    await expect(page.locator('.navigation-progress')).toBeAttached()
    // React listens for the keys once the bar is painted.
    await waitForIdle(page)
    await page.keyboard.type('zoe x')
    await page.keyboard.press('Backspace')
    release()
    await expect(page.getByRole('dialog').getByLabel(label, { exact: true })).toHaveValue(/^zoe ?$/)
    await page
      .getByRole('dialog')
      .getByLabel(label, { exact: true })
      .evaluate((field: HTMLInputElement) => field.form?.remove())
  }
})

test('the skip link is the first tab stop and leads to the content', async ({ page, app }) => {
  const coach = await app.createCoach()
  await open(page, coach, '/dashboard')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('actions before all scripts have loaded keep the page intact', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  const release = await holdRequests(page, /\/assets\/recent-[^/]+\.js$/)
  await page.goto('/dashboard', { waitUntil: 'commit' })
  const recent = page.getByRole('link', { name: /Grace Hopper/ }).first()
  await expect(recent).toBeVisible()
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await expect(page).toHaveURL('/dashboard#main')
  await expect(recent).toBeVisible()
  release()
  await waitForHydration(page)
  // React listens for the shortcut once the page is painted.
  await waitForIdle(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
})

async function open(page: Page, coach: Coach, at: string): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(at)
  await waitForHydration(page)
}

/** Focuses the target directly instead of by Tab, then presses the key. */
async function press(target: Locator, key: string): Promise<void> {
  await target.focus()
  await target.press(key)
}

/** Tab cycles through every control of the dialog, in both directions, and never leaves it. */
async function expectTrap(page: Page, dialog: Locator): Promise<void> {
  const start = await focused(page)
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press(key)
      // After the last control focus goes to the browser's own buttons, which the page sees as the body.
      const inside = await dialog.evaluate(
        (element) => element.contains(document.activeElement) || document.activeElement === document.body,
      )
      expect(inside, `${key} stays in the dialog`).toBe(true)
      if ((await focused(page)) === start) break
    }
  }
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      `${document.activeElement?.tagName} ${document.activeElement?.id} ${document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent}`,
  )

async function expectFieldError(field: Locator, sentence: string): Promise<void> {
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(sentence)
}
