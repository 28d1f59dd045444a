import { expect, getClients, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createInvoice } from '#modules/billing/e2e/factories.ts'

test('a coach connects Stripe, a client pays an invoice by card, and the coach refunds it', async ({
  page,
  app,
  newContext,
}) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/settings/payments`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('Clients can pay your invoices by card.')).toBeVisible()

  const [payer] = await getClients(coach)
  const invoice = await createInvoice({ coach, clientId: payer!.id })
  const client = await newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const paper = await client.newPage()
  await paper.goto(invoice.url!)
  await paper.getByRole('button', { name: 'Pay $150.00' }).click()
  await paper.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(paper.getByRole('heading', { name: 'This invoice is paid' })).toBeVisible()
  await expect(paper.getByRole('button', { name: /Pay/ })).toHaveCount(0)

  await page.goto(`${coach.origin}/payments?dialog=refund&invoice=${invoice.id}`)
  await waitForHydration(page)
  await expect(page.getByText('the money goes back to the client’s card')).toBeVisible()
  await page.getByRole('button', { name: 'Record Refund' }).click()
  await expect(page.getByText('Refund recorded')).toBeVisible()
  await expect(async () => {
    await page.goto(`${coach.origin}/payments?dialog=invoice&invoice=${invoice.id}`)
    await expect(page.getByRole('dialog').getByText('Refunded, Stripe')).toBeVisible({ timeout: 2_000 })
  }).toPass()
})

test('a visitor buys a product on a phone without JavaScript, and the coach sees the client and the money', async ({
  page,
  app,
  newContext,
  passTime,
}) => {
  const coach = await app.createCoach({ ownHost: true })
  await coach.signIn(page.context())
  await page.goto('/settings/payments')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  // They come back to the host that they left, where their session is.
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/settings\/payments/)
  await expect(page.getByText('Clients can pay your invoices by card.')).toBeVisible()
  await page.goto('/products?dialog=add')
  await waitForHydration(page)
  await page.getByLabel('Name').fill('Career Reset')
  await page.getByLabel('Price').fill('1620')
  await page.getByLabel('Online sale').selectOption('On your public page')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('Product created')).toBeVisible()

  const visitor = await newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const shop = await visitor.newPage()
  await shop.goto(coach.origin)
  await shop.getByRole('link', { name: 'Programs and prices' }).click()
  await shop.getByRole('link', { name: /Career Reset/ }).click()
  await shop.getByLabel('Name').fill('Maya Ortiz')
  await shop.getByLabel('Email').fill('maya@example.com')
  // The form refuses programs, which send it at once.
  await passTime(visitor, 5_000)
  await shop.getByRole('button', { name: 'Pay $1,620.00' }).click()
  await shop.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(shop.getByRole('heading', { name: 'Thank you, it is paid' })).toBeVisible()

  await page.goto('/payments')
  await expect(page.getByRole('main').getByText('Maya Ortiz').first()).toBeVisible()
  await page.goto('/purchases')
  await expect(page.getByRole('main').getByText('Maya Ortiz').first()).toBeVisible()

  // The next one by a link, without the form.
  const [maya] = await getClients(coach)
  await page.goto(`/payments/links?client=${maya!.id}`)
  await waitForHydration(page)
  await page.getByLabel('Product').selectOption('Career Reset, $1,620.00')
  await page.getByRole('button', { name: 'Make a Link' }).click()
  await shop.goto(await page.getByLabel('Payment link of Maya Ortiz').inputValue())
  await expect(shop.getByText('Maya Ortiz, maya@example.com')).toBeVisible()
  await shop.getByRole('button', { name: 'Pay $1,620.00' }).click()
  await shop.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(shop.getByRole('heading', { name: 'Thank you, it is paid' })).toBeVisible()
  await shop.getByRole('link', { name: 'View Invoice' }).click()
  await expect(shop.getByRole('heading', { name: 'This invoice is paid' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('list', { name: 'Payment links' }).getByText('Paid', { exact: true })).toBeVisible()
})
