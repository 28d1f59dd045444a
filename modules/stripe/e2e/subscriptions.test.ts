import { listInvoices, readBooks } from '#modules/billing/e2e/factories.ts'
import { findMail } from '#tests/e2e/support/mails.ts'
import { contextFor, expect, getClients, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createProduct } from '#tests/support/factories.ts'
import { findAccount } from '../queries/account.ts'
import { listSubscriptions, type Subscription } from '../subscriptions/queries.ts'

/** Days pass at Stripe for one coach, and the stored cards are charged. `stripe`: the address of Stripe's pages. */
async function passDays(coach: Coach, stripe: string, days: number, card: 'card' | 'declined' = 'card'): Promise<void> {
  const { accountId } = (await findAccount(await contextFor(coach)))!
  const body = new URLSearchParams({ days: String(days), card })
  expect((await fetch(`${stripe}/pass-days/${accountId}`, { method: 'POST', body })).status).toBe(200)
}

async function expectPaid(coach: Coach, expected: Partial<Subscription>): Promise<void> {
  await expect
    .poll(async () => {
      const { subscriptions } = await listSubscriptions(await contextFor(coach), { clientId: null, rows: 1, skip: 0 })
      return subscriptions[0]
    })
    .toMatchObject(expected)
}

test('a coach sells a package in four installments by a link: one is paid on a phone, the others are charged, one after a retry', async ({
  page,
  app,
  newContext,
}) => {
  const email = `ada-${process.pid}-${Date.now()}@example.com`
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Ada Lovelace', email }] })
  await createProduct({
    coach,
    name: '12 sessions',
    price: '1000.03',
    paymentType: 'installment',
    installmentCount: 4,
    sessionCount: 12,
  })
  const [payer] = await getClients(coach)
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/settings/payments`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('Clients can pay your invoices by card.')).toBeVisible()

  await page.goto(`${coach.origin}/payments/subscriptions?client=${payer!.id}&dialog=new`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Create Link' }).click()
  const details = page.getByRole('dialog', { name: '12 sessions' })
  await expect(details.getByText('4 monthly installments of $250.00, the first one $250.03')).toBeVisible()
  const url = await details.getByLabel('Link for the client').inputValue()

  const client = await newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const paper = await client.newPage()
  await paper.goto(url)
  await paper.getByRole('button', { name: 'Pay $250.03' }).click()
  const payByCard = paper.getByRole('button', { name: 'Pay by card', exact: true })
  await expect(payByCard).toBeVisible()
  const { origin: stripe } = new URL(paper.url())
  await payByCard.click()
  await expect(paper.getByText('Thank you. Your payments are set up.')).toBeVisible()
  await expect(paper.getByText('1 of 4 installments paid, $250.03')).toBeVisible()

  await page.goto(`${coach.origin}/clients/${payer!.id}`)
  await waitForHydration(page)
  await page
    .getByRole('list', { name: 'Subscriptions' })
    .getByRole('link', { name: /12 sessions/ })
    .click()
  await details.getByRole('button', { name: 'Pause' }).click()
  await expect(details.getByText('Paused', { exact: true })).toBeVisible()
  await details.getByRole('button', { name: 'Resume' }).click()
  await expect(details.getByRole('button', { name: 'Pause' })).toBeVisible()

  await passDays(coach, stripe, 32)
  await expectPaid(coach, { state: 'active', paidParts: 2 })
  await passDays(coach, stripe, 31, 'declined')
  await expectPaid(coach, { state: 'past_due', paidParts: 2 })
  const failed = await findMail(app, email, 'Your payment for 12 sessions failed')
  expect(failed.text).toContain('your card could not be charged $250.00 for 12 sessions, installment 3 of 4.')
  await passDays(coach, stripe, 4)
  await expectPaid(coach, { state: 'active', paidParts: 3 })
  await passDays(coach, stripe, 31)
  await expectPaid(coach, { paidParts: 4, state: 'completed', paidAmount: 100_003 })
  await paper.reload()
  await expect(paper.getByText('4 of 4 installments paid, $1,000.03')).toBeVisible()

  // Each installment has a number and a receipt, both as PDF.
  const invoices = await listInvoices(await contextFor(coach))
  expect(invoices.map(({ number, status, total }) => [number, status, total])).toEqual([
    ['INV-0004', 'paid', 25_000],
    ['INV-0003', 'paid', 25_000],
    ['INV-0002', 'paid', 25_000],
    ['INV-0001', 'paid', 25_003],
  ])
  for (const { id, number } of invoices) {
    const receipt = await findMail(app, email, `Receipt for invoice ${number} from ${await getName(coach)}`)
    expect(receipt.attachments).toMatchObject([{ contentType: 'application/pdf' }])
    const file = await page.evaluate(async (path) => (await fetch(path)).text(), `/payments/${id}/pdf`)
    expect(file.slice(0, 5)).toBe('%PDF-')
  }

  // All screens show the same money.
  await page.goto(`${coach.origin}/payments`)
  await expect(page.locator('.stat').filter({ hasText: 'Total Revenue' })).toContainText('$1,000.03')
  await page.goto(`${coach.origin}/dashboard`)
  await expect(page.locator('.stat').filter({ hasText: 'Revenue' })).toContainText('$1,000.03')
  await page.goto(`${coach.origin}/clients/${payer!.id}/purchases`)
  await expect(page.getByText('$1,000.03 paid so far, invoices included.')).toBeVisible()
  expect(await readBooks(await contextFor(coach))).toEqual({
    dashboard: 100_003,
    payments: 100_003,
    clients: 100_003,
    ofNobody: 0,
    differences: [],
  })
})

const getName = async (coach: Coach): Promise<string> => {
  const { businessName, firstName, lastName } = (await contextFor(coach)).account
  return businessName ?? `${firstName} ${lastName}`
}

test('a visitor on a phone without JavaScript sees all installments and pays the first one, and the coach sees the rest', async ({
  page,
  app,
  newContext,
  passTime,
}) => {
  const coach = await app.createCoach({ ownHost: true })
  await createProduct({
    coach,
    name: 'Career Reset',
    price: '1000.03',
    paymentType: 'installment',
    installmentCount: 4,
    onlineSale: 'public',
  })
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/settings/payments`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('Clients can pay your invoices by card.')).toBeVisible()

  const visitor = await newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const shop = await visitor.newPage()
  await shop.goto(`${coach.origin}/buy/career-reset`)
  await expect(shop.getByText('Apr 11, 2026')).toBeVisible()
  await expect(shop.getByText('$1,000.03').last()).toBeVisible()
  await shop.getByLabel('Name').fill('Maya Ortiz')
  await shop.getByLabel('Email').fill('maya@example.com')
  // The form refuses programs, which send it at once.
  await passTime(visitor, 5_000)
  await shop.getByRole('button', { name: 'Pay $250.03' }).press('Enter')
  await shop.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(shop.getByText('Thank you. Your payments are set up.')).toBeVisible()
  await expect(shop.getByText('1 of 4 installments paid, $250.03')).toBeVisible()

  await page.goto(`${coach.origin}/payments/subscriptions`)
  await expect(
    page
      .getByRole('main')
      .getByText(/Maya Ortiz · 4 monthly installments/)
      .first(),
  ).toBeVisible()
})

test('a coach changes a subscription to another product after seeing what the client pays', async ({
  page,
  app,
  newContext,
}) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Ada Lovelace' }] })
  const monthly = { coach, paymentType: 'recurring', billingFrequency: 'monthly' } as const
  await createProduct({ ...monthly, name: 'Silver', price: '80.00' })
  await createProduct({ ...monthly, name: 'Gold', price: '140.00' })
  const [payer] = await getClients(coach)
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/settings/payments`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('Clients can pay your invoices by card.')).toBeVisible()
  await page.goto(`${coach.origin}/payments/subscriptions?client=${payer!.id}&dialog=new`)
  await waitForHydration(page)
  await page.getByLabel('Product').selectOption('Silver')
  await page.getByRole('button', { name: 'Create Link' }).click()
  const details = page.getByRole('dialog', { name: 'Silver' })
  const url = await details.getByLabel('Link for the client').inputValue()
  const client = await (await newContext({ javaScriptEnabled: false })).newPage()
  await client.goto(url)
  await client.getByRole('button', { name: 'Pay $80.00' }).click()
  await client.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(client.getByText('Thank you. Your payments are set up.')).toBeVisible()

  await page.reload()
  await waitForHydration(page)
  await details.getByRole('link', { name: 'Change Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Silver' })
  await dialog.getByRole('button', { name: 'Show What Ada Lovelace Pays' }).click()
  await expect(dialog.getByText('Ada Lovelace pays $60.00 at once for the rest of this period')).toBeVisible()
  await dialog.getByRole('button', { name: 'Change Now, $60.00' }).click()
  const changed = page.getByRole('dialog', { name: 'Gold' })
  await expect(changed.getByText('$140.00 monthly')).toBeVisible()
  await expect(changed.getByRole('list').getByText('$60.00')).toBeVisible()
})
