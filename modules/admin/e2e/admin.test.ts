import { AuthenticatorApp } from '#tenants/schema.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('an administrator looks at a coach, changes the plan, signs the coach out and removes the coach', async ({
  page,
  app,
}) => {
  const [admin, coach] = [await app.createCoach({ isAdmin: true }), await app.createCoach({ plan: 'pro' })]
  await inTenant(coach, async ({ em, now }) => {
    const times = { createdAt: now(), confirmedAt: now() }
    em.create(AuthenticatorApp, { coachId: coach.id, secret: 'lost with the phone', ...times })
  })
  await admin.signIn(page.context())
  await page.goto('/admin')
  await waitForHydration(page)
  await page.getByLabel('Search coaches').fill(coach.email)
  await page.getByLabel('Search coaches').press('Enter')
  const row = page.getByRole('row', { name: coach.email })
  const openMenuItem = async (name: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await expect(page.getByText('Showing 1 of 1')).toBeVisible()
  await openMenuItem('View Details')
  await expect(page.getByRole('dialog')).toContainText(coach.email)
  await page.getByRole('dialog').getByRole('link', { name: 'Change Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Plan' })
  await expect(dialog.getByLabel('Premium')).toBeChecked()
  await dialog.getByLabel('Free').check()
  await dialog.getByRole('button', { name: 'Save Plan' }).click()
  await expect(page.getByText('Subscription Updated')).toBeVisible()
  await expect(page.getByText(/is now on Free\.$/)).toBeVisible()
  await expect(row).toContainText('Free')

  await openMenuItem('Sign Out')
  await page.getByRole('dialog', { name: 'Sign Out Coach' }).getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Coach Signed Out')).toBeVisible()

  await openMenuItem('Turn Off Two-Step Sign-In')
  const confirmation = page.getByRole('dialog', { name: 'Turn Off Two-Step Sign-In' })
  await confirmation.getByRole('button', { name: 'Turn Off' }).click()
  await expect(page.getByText('Two-Step Sign-In Turned Off')).toBeVisible()
  await row.getByRole('button', { name: /^Actions for / }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove Coach' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Turn Off Two-Step Sign-In' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await openMenuItem('Remove Coach')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Coach' }).click()
  await expect(page.getByText('Coach Removed')).toBeVisible()
  await expect(page.getByText('No coaches found')).toBeVisible()

  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible()
  const entries = page.getByRole('listitem').filter({ hasText: coach.email })
  await expect(entries.nth(0)).toContainText(`${admin.email} removed ${coach.email}`)
  await expect(entries.nth(1)).toContainText(`${admin.email} turned off two-step sign-in of ${coach.email}`)
  await expect(entries.nth(2)).toContainText(`${admin.email} signed out ${coach.email}`)
  await expect(entries.nth(3)).toContainText(`${admin.email} changed the plan of ${coach.email}`)
  await expect(entries.nth(3)).toContainText('Pro → Free')
})

test('a coach who is no administrator reads why the page is closed', async ({ page, app, browserErrors }) => {
  await (await app.createCoach()).signIn(page.context())
  expect((await page.goto('/admin'))?.status()).toBe(403)
  await expect(page.getByText('This page is only for administrators of the platform.')).toBeVisible()
  browserErrors.ignore(/403/)
})
