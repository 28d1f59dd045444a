import { listNotifications } from '#modules/core/notifications.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('a coach switches emails off and on again, in two tabs that keep each other’s choices', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto('/settings#notifications')
    await waitForHydration(tab)
  }
  const [first, second] = await inTenant(coach, (ctx) => listNotifications(ctx))
  const form = page.getByRole('form', { name: 'Notifications' })
  await expect(form.getByText(coach.email)).toBeVisible()
  await form.getByLabel(first!.label).uncheck()
  await form.getByRole('button', { name: 'Save Notifications' }).click()
  await expect(page.getByText('Notifications saved.')).toBeVisible()
  await expect(form.getByLabel(first!.label)).not.toBeChecked()

  await other.getByLabel(second!.label).uncheck()
  await other.getByRole('button', { name: 'Save Notifications' }).click()
  await expect(other.getByText('Notifications saved.')).toBeVisible()
  await expect(other.getByLabel(first!.label)).not.toBeChecked()
  await other.close()

  await page.reload()
  await waitForHydration(page)
  await expect(form.getByLabel(second!.label)).not.toBeChecked()
  await form.getByLabel(first!.label).check()
  await form.getByRole('button', { name: 'Save Notifications' }).click()
  await expect(page.getByText('Notifications saved.')).toBeVisible()
  const choices = await inTenant(coach, (ctx) => listNotifications(ctx))
  expect(choices.filter(({ isOn }) => !isOn).map(({ kind }) => kind)).toEqual([second!.kind])
})

test('without scripts, the choice of emails is saved too', async ({ newContext, app }) => {
  const coach = await app.createCoach()
  const context = await newContext({ javaScriptEnabled: false })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/settings')
  const [first] = await inTenant(coach, (ctx) => listNotifications(ctx))
  await page.getByLabel(first!.label).uncheck()
  await page.getByRole('button', { name: 'Save Notifications' }).click()
  await expect(page.getByText('Notifications saved.')).toBeVisible()
  await expect(page).toHaveURL('/settings#notifications')
  await expect(page.getByLabel(first!.label)).not.toBeChecked()
})
