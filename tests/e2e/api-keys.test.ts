import { expect, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

test('a coach creates a key for a part of the practice, uses it, and revokes it', async ({ page, app }) => {
  const coach = await app.createCoach({ password: 'correct horse', clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'API Keys page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'API Keys' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Newsletter')
  await page.getByLabel('This key may').selectOption('Only what I choose')
  await page.getByLabel('Your password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create Key' }).click()
  await expect(page.getByText('Choose at least one part of your practice.')).toBeVisible()
  await page.getByLabel('Clients', { exact: true }).selectOption('See')
  await page.getByLabel('Your password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create Key' }).click()
  const key = await page.getByLabel('New API key').innerText()
  await expect(page.getByText('See Clients.')).toBeVisible()

  const headers = { authorization: `Bearer ${key}` }
  const call = (path: string) => fetch(new URL(path, page.url()), { headers }).then(({ status }) => status)
  expect([await call('/api/clients'), await call('/api/products')]).toEqual([200, 403])
  await page.reload()
  await expect(page.getByText(key)).toHaveCount(0)
  await page.getByRole('link', { name: 'Revoke Newsletter' }).click()
  await page.getByRole('button', { name: 'Revoke Key' }).click()
  await expect(page.getByText('API key revoked')).toBeVisible()
  expect(await call('/api/clients')).toBe(401)
})
