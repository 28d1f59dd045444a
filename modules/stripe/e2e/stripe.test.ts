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
