import type { Page } from '@playwright/test'
import { NewProduct } from '#modules/billing/forms.ts'
import { addProduct } from '#modules/billing/services/products.ts'
import { clientsOf, expect, test } from './support/test-app.ts'
import { hydrated } from './support/wait-for-idle.ts'

type Typed = { at: string; field: string }

const dialogs = (client: number, product: number): Typed[] => [
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

test('what was typed into a dialog is asked about by Escape and Cancel, and stays', async ({ page, house }) => {
  test.slow()
  const coach = await house.aCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await clientsOf(coach)
  const { id } = await coach.write((ctx) => addProduct(ctx, NewProduct.parse({ name: 'Reset', price: '960.00' })))
  await coach.signIn(page.context())
  const questions = answers(page, false)
  for (const { at, field } of dialogs(grace!.id, id)) {
    await page.goto(at)
    await hydrated(page)
    const dialog = page.getByRole('dialog')
    const typed = dialog.getByLabel(field, { exact: true })
    await page.keyboard.press('Escape')
    await expect(dialog, at).toHaveCount(0)
    expect(questions(), `${at}: nothing was typed`).toBe(0)

    await page.goto(at)
    await hydrated(page)
    await typed.fill('Half a thought')
    await page.keyboard.press('Escape')
    await expect.poll(questions, at).toBe(1)
    await dialog.getByRole('link', { name: 'Cancel' }).click()
    await expect.poll(questions, at).toBe(1)
    await expect(typed).toHaveValue('Half a thought')
    // Else the browser asks, before the next address.
    await typed.evaluate((field: HTMLInputElement) => field.form?.remove())
  }
})

test('Back asks too, and whoever means it leaves', async ({ page, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  await page.goto('/products')
  await hydrated(page)
  await page.getByRole('main').getByRole('link', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Reset')
  const stays = answers(page, false)
  await page.goBack()
  await expect.poll(stays).toBe(1)
  await expect(dialog.getByLabel('Name')).toHaveValue('Reset')
  page.removeAllListeners('dialog')
  const goes = answers(page, true)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(goes()).toBe(1)
})

test('settings and branding ask before a link is followed, and no longer once they are saved', async ({
  page,
  house,
}) => {
  const coach = await house.aCoach({ businessName: 'Clear Days' })
  await coach.signIn(page.context())
  const questions = answers(page, false)
  for (const [at, field, text, button, said] of [
    ['/settings', 'Bio', 'Half a thought', 'Save Profile', 'Profile saved.'],
    ['/branding', 'Hex value', '#16a34a', 'Save Branding', 'Branding saved.'],
  ] as const) {
    await page.goto(at)
    await hydrated(page)
    await page.getByLabel(field).fill(text)
    await page.getByRole('complementary').getByRole('link', { name: 'Products' }).click()
    await expect.poll(questions).toBe(1)
    await expect(page).toHaveURL(at)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(said)).toBeVisible()
    await page.getByRole('complementary').getByRole('link', { name: 'Products' }).click()
    await expect(page).toHaveURL('/products')
    expect(questions()).toBe(0)
  }
})

test('a refusal leaves what was typed unsaved; an empty form, a save and a search ask nothing', async ({
  page,
  house,
}) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  const questions = answers(page, false)
  await page.goto('/clients?dialog=add')
  await hydrated(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(questions()).toBe(0)

  await page.goto('/clients?dialog=add')
  await hydrated(page)
  await dialog.getByLabel('Name').fill('Ada')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Email is required')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect.poll(questions).toBe(1)
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search clients' }).fill('Ada')
  await expect(page).toHaveURL(/Ada/)
  await page.getByRole('complementary').getByRole('link', { name: 'Products' }).click()
  await expect(page).toHaveURL('/products')
  expect(questions()).toBe(0)
})

/** Answers each question; tells how many there were since it was last asked. */
function answers(page: Page, yes: boolean): () => number {
  let asked = 0
  page.on('dialog', async (dialog) => {
    asked++
    await (yes ? dialog.accept() : dialog.dismiss())
  })
  return () => {
    const since = asked
    asked = 0
    return since
  }
}
