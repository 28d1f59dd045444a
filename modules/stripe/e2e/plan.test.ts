import { setPaidPlan } from '#tenants/accounts/protected-columns.ts'
import { withTenant } from '#tenants/platform.ts'
import { expect, getClients, test } from '#tests/e2e/support/test-app.ts'

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

test('when the card has expired, every page says until when the plan is kept, and afterwards all can be read', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ plan: 'pro', clients: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }] })
  const now = coach.platform.now()
  const fail = (plan: 'pro' | 'free', failedAt: Date) =>
    withTenant(coach.platform, coach.id, (tx) => setPaidPlan(tx, { plan, failedAt, now }))
  await fail('pro', now)
  await coach.signIn(page.context())
  await page.goto('/clients')
  const notice = page.getByRole('region', { name: 'Payment failed' })
  await expect(notice).toContainText('Your last payment failed. Update your card by Mar 25, 2026 to keep Pro.')
  await notice.getByRole('link', { name: 'Update Card' }).click()
  await expect(page).toHaveURL('/upgrade')

  await fail('free', new Date(now.getTime() - 14 * 86_400_000))
  for (const { id, name } of await getClients(coach)) {
    await page.goto(`/clients/${id}`)
    await expect(page.getByRole('heading', { name, exact: true }).first()).toBeVisible()
  }
  await page.goto('/clients')
  for (const name of ['Ada Lovelace', 'Grace Hopper'])
    await expect(page.getByRole('main').getByText(name).first()).toBeVisible()
})
