import { expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createProspect } from './factories.ts'

test('a coach who adds a client with the email address of a prospect is warned', async ({ page, app }) => {
  const coach = await app.createCoach()
  await createProspect({ coach, name: 'Mei Sato', email: 'mei@example.com' })
  await coach.signIn(page.context())
  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mei Sato')
  await dialog.getByLabel('Email').fill('MEI@example.com')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Mei Sato in your pipeline has the same email address.')).toBeVisible()
  await page.getByRole('link', { name: 'Open Prospect' }).click()
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Mei Sato')
})
