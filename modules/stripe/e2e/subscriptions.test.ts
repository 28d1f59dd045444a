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
  const url = await details.getByRole('link', { name: /\/subscribe\// }).getAttribute('href')

  const client = await newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const paper = await client.newPage()
  await paper.goto(url!)
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
