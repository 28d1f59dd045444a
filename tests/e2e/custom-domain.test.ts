import { proveDomain } from './support/prove-domain.ts'
import { expect, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

test('a coach adds a domain, sees what DNS lacks, connects it and removes it', async ({ page, app }) => {
  const coach = await app.createCoach({ ownHost: true, password: 'the secret of a test' })
  const hostname = `${coach.subdomain}.her-name.example`
  await coach.signIn(page.context())
  await page.goto('/branding')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Add a Domain' }).click()
  const field = page.getByLabel('Domain', { exact: true })
  await field.fill('*.her-name.example')
  const password = page.getByLabel('Your password', { exact: true })
  await password.fill('the secret of a test')
  await page.getByRole('button', { name: 'Add Domain' }).click()
  await expect(field).toHaveAccessibleDescription(/^A wildcard is not possible/)
  await expect(field).toHaveValue('*.her-name.example')
  await field.fill(`https://${hostname}/`)
  await password.fill('a wrong one')
  await page.getByRole('button', { name: 'Add Domain' }).click()
  await expect(password).toHaveAccessibleDescription(/This password is wrong/)
  await password.fill('the secret of a test')
  await page.getByRole('button', { name: 'Add Domain' }).click()
  await expect(page.getByRole('list', { name: 'DNS records' }).getByRole('listitem')).toHaveText([
    /^TXT.*_practice-verify.*practice-verify=[0-9a-f]{32}/,
    /^CNAME.*localhost/,
  ])
  await page.getByRole('button', { name: 'Check Now' }).click()
  await expect(page.getByText('The domain is not ready yet')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'The TXT record is missing.' }).first()).toBeVisible()

  await proveDomain(coach)
  await page.reload()
  await waitForHydration(page)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open', exact: true })).toHaveAttribute(
    'href',
    new RegExp(`//${hostname}`),
  )

  await page.getByRole('link', { name: 'Remove Domain' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Domain' }).click()
  await expect(page.getByText('Domain removed')).toBeVisible()
  await expect(field).toBeVisible()
})
