import { setPaidPlan } from '#tenants/accounts/protected-columns.ts'
import { withTenant } from '#tenants/platform.ts'
import { contextFor, expect, getClients, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createClient } from '#tests/support/factories.ts'
import { findSubscription } from '../plan/queries.ts'

test('a coach pays for Pro by card, without scripts too, changes to Premium and cancels', async ({ browser, app }) => {
  const coach = await app.createCoach({ plan: 'free' })
  const context = await browser.newContext({ javaScriptEnabled: false })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/upgrade')
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(page).toHaveURL('/upgrade')
  await expect(page.getByRole('region', { name: 'Pro', exact: true }).getByText('Your plan')).toBeVisible()
  await expect(page.getByText('It renews on Apr 11, 2026.')).toBeVisible()

  await page.getByRole('button', { name: 'Upgrade to Premium' }).click()
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page.getByRole('region', { name: 'Premium' }).getByText('Your plan')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Plan', exact: true })).toBeVisible()
  await expect(page.getByText('Upgrade Plan')).toHaveCount(0)

  await page.getByRole('button', { name: 'Downgrade to Free' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText('It ends on Apr 11, 2026, then you move to Free.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Manage Billing' })).toBeVisible()
  await context.close()
})

test('a coach buys Pro by card, the card expires, and after 14 days all can still be read', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free', clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/upgrade')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
  const payByCard = page.getByRole('button', { name: 'Pay by card', exact: true })
  await expect(payByCard).toBeVisible()
  const { origin: stripe } = new URL(page.url())
  await payByCard.click()
  await expect(page.getByRole('region', { name: 'Pro', exact: true }).getByText('Your plan')).toBeVisible()
  await createClient({ coach, name: 'Grace Hopper' })
  const chargeExpiredCard = async () => {
    const { customerId } = (await findSubscription(await contextFor(coach), coach.id))!
    const body = new URLSearchParams({ card: 'declined' })
    expect((await fetch(`${stripe}/charge-now/${customerId}`, { method: 'POST', body })).status).toBe(200)
  }

  await chargeExpiredCard()
  await expect.poll(async () => (await contextFor(coach)).account.paymentFailedAt).not.toBeNull()
  await page.goto('/clients')
  await waitForHydration(page)
  const notice = page.getByRole('region', { name: 'Payment failed' })
  await expect(notice).toContainText('Your last payment failed. Update your card by Mar 25, 2026 to keep Pro.')
  await notice.getByRole('link', { name: 'Update Card' }).click()
  await expect(page).toHaveURL('/upgrade')

  // As if it had failed 14 days ago, when Stripe tries once more.
  const now = coach.platform.now()
  const failedAt = new Date(now.getTime() - 14 * 86_400_000)
  await withTenant(coach.platform, coach.id, (tx) => setPaidPlan(tx, { plan: 'pro', failedAt, now }))
  await chargeExpiredCard()
  await expect.poll(async () => (await contextFor(coach)).plan).toBe('free')
  for (const { id, name } of await getClients(coach)) {
    await page.goto(`/clients/${id}`)
    await expect(page.getByRole('heading', { name, exact: true }).first()).toBeVisible()
    await expect(notice).toContainText('Clients over its limit are read-only until you pay. Nothing is deleted.')
  }
  await page.goto('/clients')
  for (const name of ['Ada Lovelace', 'Grace Hopper'])
    await expect(page.getByRole('main').getByText(name).first()).toBeVisible()
})
