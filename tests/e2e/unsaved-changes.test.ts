import { NewProduct } from '#modules/billing/forms.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { answerLeavePrompt, leavePrompt } from './support/leave-prompt.ts'
import { expect, getClients, inTenant, test } from './support/test-app.ts'
import { waitForHydration, waitForIdle } from './support/wait-for-idle.ts'

type DirtyForm = { at: string; field: string }

const dialogs = (client: number, product: number): DirtyForm[] => [
  { at: '/clients?dialog=add', field: 'Name' },
  { at: `/clients/${client}?dialog=edit`, field: 'Location' },
  { at: `/clients/${client}?dialog=interaction`, field: 'Title' },
  { at: `/clients/${client}?dialog=purchase`, field: 'Notes' },
  { at: '/pipeline?dialog=add', field: 'Name' },
  { at: '/pipeline?dialog=add-stage', field: 'Name' },
  { at: '/products?dialog=add', field: 'Description' },
  { at: `/products?dialog=edit&product=${product}`, field: 'Description' },
  { at: '/calendar?dialog=schedule', field: 'Title' },
  { at: '/calendar?dialog=add-type', field: 'Name' },
]

test('Escape and Cancel in a changed dialog ask for confirmation and keep its values', async ({ page, app }) => {
  test.slow()
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const { id } = await inTenant(coach, (ctx) =>
    createProduct(ctx, NewProduct.parse({ name: 'Reset', price: '960.00' })),
  )
  await coach.signIn(page.context())
  for (const { at, field } of dialogs(grace!.id, id)) {
    await page.goto(at)
    await waitForHydration(page)
    const dialog = page.getByRole('dialog')
    const typed = dialog.getByLabel(field, { exact: true })
    await page.keyboard.press('Escape')
    await expect(dialog, at).toHaveCount(0)
    await expect(leavePrompt(page), `${at}: nothing was typed`).toHaveCount(0)

    await page.goto(at)
    await waitForHydration(page)
    await typed.fill('Half a thought')
    await page.keyboard.press('Escape')
    await answerLeavePrompt(page, 'Keep editing')
    await dialog.getByRole('link', { name: 'Cancel' }).click()
    await answerLeavePrompt(page, 'Keep editing')
    await expect(typed).toHaveValue('Half a thought')
    // Otherwise the browser asks before the next navigation.
    await typed.evaluate((field: HTMLInputElement) => field.form?.remove())
  }
})

test('Back asks for confirmation, and leaves once confirmed', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/products')
  await waitForHydration(page)
  await page.getByRole('main').getByRole('link', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Reset')
  await page.goBack()
  await answerLeavePrompt(page, 'Keep editing')
  await expect(dialog.getByLabel('Name')).toHaveValue('Reset')
  await page.keyboard.press('Escape')
  await answerLeavePrompt(page, 'Discard')
  await expect(dialog).toHaveCount(0)
})

test('the question stays while the page reloads its data, and is answered as before', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/calendar?dialog=schedule')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Half a thought')
  for (const answer of ['Keep editing', 'Discard'] as const) {
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('aside a[href="/clients"]')!.click())
    await expect(leavePrompt(page)).toBeVisible()
    // As on returning from another window.
    const reloaded = page.waitForResponse((response) => response.url().includes('/calendar.data'))
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await reloaded
    await page.waitForFunction(() => window.__remixRouter.state.revalidation === 'idle')
    await waitForIdle(page)
    await answerLeavePrompt(page, answer)
    if (answer === 'Keep editing') await expect(dialog.getByLabel('Title')).toHaveValue('Half a thought')
  }
  await expect(page).toHaveURL('/clients')
})

test('settings and branding ask before leaving, but not once they are saved', async ({ page, app }) => {
  const coach = await app.createCoach({ businessName: 'Clear Days' })
  await coach.signIn(page.context())
  for (const [at, field, text, button, message] of [
    ['/settings', 'Bio', 'Half a thought', 'Save Profile', 'Profile saved.'],
    ['/branding', 'Hex value', '#16a34a', 'Save Branding', 'Branding saved.'],
  ] as const) {
    await page.goto(at)
    await waitForHydration(page)
    await page.getByLabel(field).fill(text)
    await page.getByRole('complementary').getByRole('link', { name: 'Products' }).click()
    await answerLeavePrompt(page, 'Keep editing')
    await expect(page).toHaveURL(at)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(message)).toBeVisible()
    await page.getByRole('complementary').getByRole('link', { name: 'Products' }).click()
    await expect(page).toHaveURL('/products')
  }
})

test('a rejected form counts as unsaved; an empty or saved form and a search do not', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  await dialog.getByLabel('Name').fill('Ada')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Email is required')).toBeVisible()
  await page.keyboard.press('Escape')
  await answerLeavePrompt(page, 'Keep editing')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog).toHaveCount(0)
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /^Clients/ })
    .click()
  await page.getByRole('searchbox', { name: 'Search clients' }).fill('Ada')
  await expect(page).toHaveURL(/Ada/)
  await page.getByRole('complementary').getByRole('link', { name: 'Products' }).click()
  await expect(page).toHaveURL('/products')
})
