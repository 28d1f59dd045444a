import type { Page } from '@playwright/test'
import { NewInvoice } from '#modules/billing/invoices/forms.ts'
import { createInvoice } from '#modules/billing/services/invoices.ts'
import { createProduct } from '#tests/support/factories.ts'
import { type Coach, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const line = (page: Page, position: number) => page.getByRole('group', { name: `Line ${position}`, exact: true })
const totals = (page: Page) => page.getByRole('region', { name: 'Totals' })

async function createDraft(coach: Coach): Promise<number> {
  const [client] = await getClients(coach)
  return inTenant(coach, async (ctx) => {
    const lines = [{ description: 'Session', unitPrice: '150.00' }]
    const input = { clientId: client!.id, description: 'Coaching in March', lines, draft: true }
    return (await createInvoice(ctx, NewInvoice.parse(input))).id
  })
}

test('the lines of a draft are edited by keyboard, with totals that follow, and another tab is noticed', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await createProduct({ coach, name: 'Package', price: '960.00' })
  await coach.signIn(page.context())
  await page.goto('/payments?dialog=create')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog', { name: 'Create Invoice' })
  await dialog.getByLabel('Client', { exact: true }).click()
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await dialog.getByLabel('Amount').fill('150')
  await dialog.getByLabel('Description').fill('Coaching in March')
  await dialog.getByRole('button', { name: 'Save as Draft' }).click()
  await page.getByRole('dialog', { name: 'Draft' }).getByRole('link', { name: 'Edit' }).click()

  await expect(line(page, 1).getByLabel('Description')).toHaveValue('Coaching in March')
  await line(page, 1).getByLabel('Quantity').fill('1.5')
  await expect(totals(page)).toContainText('Total$225.00')
  await line(page, 1).getByLabel('Quantity').press('Enter')
  await expect(line(page, 2).getByLabel('Quantity')).toBeFocused()
  await line(page, 2).getByLabel('Quantity').press('Enter')
  await expect(line(page, 3).getByLabel('Description')).toBeFocused()
  await page.keyboard.type('Books')
  await line(page, 3).getByLabel('Price').fill('ten')
  await page.getByLabel('Product').selectOption({ label: 'Package, $960.00' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(line(page, 4).getByLabel('Price')).toHaveValue('960.00')
  await page.getByLabel('Discount').fill('10%')
  await expect(totals(page)).toContainText('Total$1,066.50')
  await page.getByRole('button', { name: 'Save Draft' }).click()
  await expect(line(page, 3).getByText('Enter an amount such as 150.00')).toBeVisible()
  await line(page, 3).getByRole('button', { name: 'Remove line 3' }).click()

  const [invoice] = await inTenant(coach, (ctx) =>
    ctx.query<{ id: number }>({
      text: `update invoice set version = version + 1, notes = 'From the other tab' where coach_id = $1 returning id`,
      values: [ctx.coachId],
    }),
  )
  await page.getByRole('button', { name: 'Save Draft' }).click()
  await expect(page.getByText('This invoice was changed in another tab.')).toBeVisible()
  await expect(page.getByLabel('Notes for the client')).toHaveValue('From the other tab')
  await expect(page.getByLabel('Discount')).toHaveValue('10%')
  await page.getByRole('button', { name: 'Save mine' }).click()
  const sheet = page.getByRole('dialog', { name: 'Draft' })
  await expect(sheet.getByRole('article', { name: 'Invoice' })).toContainText('Total$1,066.50')
  await expect(sheet.getByRole('article', { name: 'Invoice' })).toContainText('From the other tab')

  await page.goto(`/payments/${invoice!.id}/edit`)
  await page.getByRole('button', { name: 'Save and Issue' }).click()
  await expect(page.getByRole('dialog', { name: 'INV-0001' })).toContainText('Total$1,066.50')
})

test('a draft is edited on a phone without scripts, by the settings of the coach', async ({ app, newContext }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await createProduct({ coach, name: 'Package', price: '960.00' })
  const id = await createDraft(coach)
  const context = await newContext({ viewport: phone, javaScriptEnabled: false, baseURL: coach.origin })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Billing page' }).click()
  await page.getByLabel('Tax rate in percent').fill('120')
  await page.getByLabel('Prefix').fill('2026/')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByText('Enter a percentage from 0 to 100')).toBeVisible()
  await expect(page.getByLabel('Prefix')).toHaveValue('2026/')
  await page.getByLabel('Tax rate in percent').fill('20')
  await page.getByLabel('Next number').fill('42')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByText('Billing settings saved')).toBeVisible()

  await page.goto(`/payments/${id}/edit`)
  await expect(line(page, 2).getByLabel('Tax %')).toHaveValue('20')
  await line(page, 2).getByLabel('Description').fill('Books')
  await line(page, 2).getByLabel('Price').fill('10')
  await page.getByRole('button', { name: 'Add Line' }).click()
  await expect(totals(page)).toContainText('Total$162.00')
  await page.getByLabel('Product').selectOption({ label: 'Package, $960.00' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(line(page, 3).getByLabel('Description')).toHaveValue('Package')
  await line(page, 1).getByLabel('Description').fill('')
  await line(page, 1).getByLabel('Price').fill('')
  await page.getByLabel('Notes for the client').press('Tab')
  await line(page, 2).getByLabel('Quantity').press('Enter')
  await expect(page.getByRole('article', { name: 'Invoice' })).toContainText('Total$1,164.00')
  await page.getByRole('button', { name: 'Issue Invoice' }).click()
  await expect(page.getByRole('dialog', { name: '2026/0042' })).toContainText('Open')
})
