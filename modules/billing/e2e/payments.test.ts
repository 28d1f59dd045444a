import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { NewInvoice } from '#modules/billing/invoices/forms.ts'
import { createInvoice } from '#modules/billing/services/invoices.ts'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { type Coach, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { extractLink, findMail } from '#tests/e2e/support/mails.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const stat = (page: Page, label: string): Locator => page.locator('.stat').filter({ hasText: label })

async function bill(coach: Coach, fields: object = {}): Promise<number> {
  const [client] = await getClients(coach)
  return inTenant(coach, async (ctx) => {
    const line = { description: 'Session', unitPrice: '150.00' }
    const input = { clientId: client!.id, description: 'Coaching in March', lines: [line], ...fields }
    return (await createInvoice(ctx, NewInvoice.parse(input))).id
  })
}

mainFlow('an invoice is created, paid in two parts and refunded', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  await page.goto('/dashboard')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Create Invoice' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Invoice' })
  await dialog.getByLabel('Description').fill('Coaching in March')
  await dialog.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(dialog.getByText('Client is required')).toBeVisible()
  await expect(dialog.getByText('Amount is required')).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveValue('Coaching in March')
  await dialog.getByLabel('Client', { exact: true }).click()
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await dialog.getByLabel('Amount').fill('1,200.50')
  await dialog.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByText('Invoice Created')).toBeVisible()

  const sheet = page.getByRole('dialog', { name: 'INV-0001' })
  await expect(sheet.getByRole('article', { name: 'Invoice' })).toContainText('Grace Hopper')
  await expect(stat(page, 'Pending')).toContainText('$1,200.50')
  await sheet.getByRole('link', { name: 'Record Payment' }).click()
  const payment = page.getByRole('dialog', { name: 'Record Payment' })
  await payment.getByLabel('Amount').fill('1200.51')
  await payment.getByRole('button', { name: 'Record Payment' }).click()
  await expect(payment.getByText('Only $1,200.50 is left to pay')).toBeVisible()
  await payment.getByLabel('Amount').fill('200.50')
  await payment.getByRole('button', { name: 'Record Payment' }).click()
  await expect(page.getByText('Payment recorded')).toBeVisible()
  await expect(sheet).toContainText('Partly paid')
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('link', { name: 'Receipt' }).click(),
  ])
  expect(receipt.suggestedFilename()).toMatch(/^Receipt-INV-0001-\d+\.pdf$/)
  await sheet.getByRole('link', { name: 'Record Payment' }).click()
  await expect(payment.getByLabel('Amount')).toHaveValue('1000.00')
  await payment.getByLabel('Payment method').selectOption('Cash')
  await payment.getByRole('button', { name: 'Record Payment' }).click()
  await expect(sheet.getByText('Paid', { exact: true }).first()).toBeVisible()
  await expect(stat(page, 'Total Revenue')).toContainText('$1,200.50')

  await sheet.getByRole('link', { name: 'Refund' }).click()
  const refund = page.getByRole('dialog', { name: 'Record Refund' })
  // As it was paid.
  await expect(refund.getByLabel('Payment method')).toHaveValue('cash')
  await refund.getByRole('button', { name: 'Record Refund' }).click()
  await expect(sheet).toContainText('Refunded')
  await expect(stat(page, 'Total Revenue')).toContainText('$0.00')
})

test('an invoice is sent, opened by the client on the coach’s host, and reminded of', async ({
  page,
  app,
  newContext,
}) => {
  const email = 'grace-invoice@example.com'
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper', email }] })
  const id = await bill(coach, { draft: true })
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/payments?dialog=invoice&invoice=${id}`)
  await waitForHydration(page)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('The invoice is on its way')).toBeVisible()
  const mail = await findMail(app, email)
  expect(mail.subject).toMatch(/^Invoice INV-0001 from /)
  expect(mail.text).toContain('Left to pay: $150.00')

  const context = await newContext({ viewport: phone, javaScriptEnabled: false })
  const clientPage = await context.newPage()
  await clientPage.goto(extractLink(mail))
  await expect(clientPage.getByRole('article', { name: 'Invoice' })).toContainText('Total$150.00')
  const [download] = await Promise.all([
    clientPage.waitForEvent('download'),
    clientPage.getByRole('link', { name: 'Download PDF' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('INV-0001.pdf')
  const attached = Buffer.from(mail.attachments![0]!.content, 'base64')
  expect((await readFile(await download.path())).equals(attached)).toBe(true)
  await clientPage.goto(`${new URL(clientPage.url()).origin}/invoice/forged`)
  await expect(clientPage.getByRole('heading', { name: 'This link doesn’t work here' })).toBeVisible()

  await sheet.getByRole('button', { name: 'Send Reminder' }).click()
  const reminder = await findMail(app, email, mail.subject.replace('Invoice', 'Reminder: Invoice'))
  expect(reminder.text).toContain('Left to pay: $150.00')

  await page.goto(`${coach.origin}/payments?dialog=reminders`)
  await waitForHydration(page)
  const reminders = page.getByRole('dialog', { name: 'Reminders' })
  await reminders.getByLabel('Remind clients of overdue invoices').check()
  await reminders.getByLabel('Days after the due date').fill('soon')
  await reminders.getByRole('button', { name: 'Save' }).click()
  await expect(reminders.getByText('Enter up to 5 numbers of days')).toBeVisible()
  await reminders.getByLabel('Days after the due date').fill('5, 10')
  await reminders.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Reminders saved')).toBeVisible()
  await page.getByRole('link', { name: 'Reminders' }).click()
  await expect(reminders.getByLabel('Remind clients of overdue invoices')).toBeChecked()
  await expect(reminders.getByLabel('Days after the due date')).toHaveValue('5, 10')
})

test('a draft is issued, deleted and restored', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await bill(coach, { draft: true })
  await coach.signIn(page.context())
  await page.goto('/payments')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'View the draft, Coaching in March' }).click()
  const sheet = page.getByRole('dialog', { name: 'Draft' })
  await sheet.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'View the draft, Coaching in March' }).click()
  await sheet.getByRole('button', { name: 'Issue Invoice' }).click()
  await expect(page.getByRole('dialog', { name: 'INV-0001' })).toContainText('Open')
})

test('an issued invoice is credited or made void, and never deleted', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [credited, unpaid] = [await bill(coach), await bill(coach)]
  await coach.signIn(page.context())
  await page.goto(`/payments?dialog=invoice&invoice=${unpaid}`)
  await waitForHydration(page)
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.getByRole('dialog').getByRole('link', { name: 'Void' }).click()
  await page.getByRole('dialog', { name: 'Void INV-0002?' }).getByRole('button', { name: 'Void Invoice' }).click()
  // The question is a dialog with this number, too, and the link of an open invoice has the same word.
  const voided = page.getByRole('dialog', { name: 'INV-0002', exact: true })
  await expect(voided).toContainText('Void')
  await expect(voided.getByRole('link', { name: 'Void' })).toHaveCount(0)

  await page.goto(`/payments?dialog=invoice&invoice=${credited}`)
  await waitForHydration(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Credit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue Credit Note' })
  await dialog.getByLabel('Amount').fill('50')
  await dialog.getByRole('button', { name: 'Issue Credit Note' }).click()
  await expect(page.getByRole('article', { name: 'Credit note' })).toContainText('$50.00')
  await expect(stat(page, 'Pending')).toContainText('$100.00')
})

test('the list is searched, filtered by status and client, and works on a phone without scripts', async ({
  app,
  newContext,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await bill(coach)
  await bill(coach, { description: 'Workshop', draft: true })
  const [client] = await getClients(coach)
  const context = await newContext({ viewport: phone, javaScriptEnabled: false, baseURL: coach.origin })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/payments')
  await page.getByRole('searchbox', { name: 'Search by description' }).fill('work')
  await page.getByRole('button', { name: 'Show' }).click()
  const rows = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Workshop')
  await page.goto(`/payments?client=${client!.id}&status=unpaid`)
  await expect(rows).toHaveText([/Coaching in March/])
  await expect(page.getByText('Invoices and payments of Grace Hopper')).toBeVisible()
  await page.getByRole('link', { name: 'Statement' }).click()
  await expect(page.getByRole('list', { name: 'Entries' })).toContainText('Balance $150.00')
  await page.getByLabel('To').fill('2020-12-31')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('Nothing was charged or paid in this period.')).toBeVisible()
  await page.goto('/payments?dialog=export')
  await page.getByRole('combobox', { name: 'File' }).selectOption('Invoices and credit notes')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain('Coaching in March,USD,150.00,0.00,150.00')
  await page.goto(`/payments?client=${client!.id}`)
  await page.getByRole('main').getByRole('link', { name: 'Create Invoice' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Invoice' })
  await dialog.getByLabel('Amount').fill('80')
  await dialog.getByLabel('Description').fill('Follow-up')
  await dialog.getByRole('button', { name: 'Create Invoice' }).click()
  await expect(page.getByRole('dialog', { name: 'INV-0002' })).toContainText('$80.00')
})
