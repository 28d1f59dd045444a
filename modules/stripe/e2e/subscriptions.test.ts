import { expect, getClients, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createProduct } from '#tests/support/factories.ts'

test('a coach sends a link for installments, the client pays the first one by card, and the coach pauses the rest', async ({
  page,
  app,
  newContext,
}) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Ada Lovelace' }] })
  await createProduct({ coach, name: '12 sessions', price: '1000.03', paymentType: 'installment', installmentCount: 4 })
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
  await paper.getByRole('button', { name: 'Pay by card', exact: true }).click()
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
  await expect(details.getByRole('button', { name: 'Resume' })).toBeVisible()
})

test('a visitor on a phone without JavaScript sees all installments and pays the first one, and the coach sees the rest', async ({
  page,
  app,
  newContext,
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
  // As slowly as a person: the form refuses programs.
  await shop.getByLabel('Name').pressSequentially('Maya Ortiz', { delay: 100 })
  await shop.getByLabel('Email').pressSequentially('maya@example.com', { delay: 100 })
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
