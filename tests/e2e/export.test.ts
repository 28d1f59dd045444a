import { readFile } from 'node:fs/promises'
import { findMail } from './support/mails.ts'
import { expect, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

test('a coach gets everything of the practice in one file', async ({ page, app }) => {
  const coach = await app.createCoach({ password: 'correct horse', clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Export Everything' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Export' })).toBeVisible()
  await page.getByLabel('Your password', { exact: true }).fill('wrong horse')
  await page.getByRole('button', { name: 'Export Everything' }).click()
  await expect(page.getByText('This password is wrong.')).toBeVisible()
  await page.getByLabel('Your password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Export Everything' }).click()
  await expect(page.getByText('Your export is being made', { exact: true })).toBeVisible()

  // The password that was sent isn't an unsaved change.
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Clients/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible()
  await page.goBack()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download \(/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Practice \d{4}-\d\d-\d\d\.zip$/)
  expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK')
  await findMail(app, coach.email, 'Your export is ready')
  await page.getByLabel('Your password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Export Everything' }).click()
  await expect(page.locator('#export-problem')).toContainText('You can make one export an hour. Try again at')
})
