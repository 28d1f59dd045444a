import type { Route } from '@playwright/test'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { createClient } from '#tests/support/factories.ts'
import { blockRequests, expectOfflineErrors, networkErrors, type OfflineForm } from './support/offline.ts'
import { expect, inTenant, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

const tryAgain = 'The server could not be reached. Please try again.'

const visitorForms: OfflineForm[] = [
  ['/auth', { email: 'ada@example.com', password: 'secret words' }, 'Sign In', 'Login failed', tryAgain],
  [
    '/auth?tab=register',
    { firstName: 'Ada', lastName: 'Winter', email: 'ada@example.com', password: 'secret words' },
    'Create Account',
    'Registration failed',
    tryAgain,
  ],
  ['/auth/forgot', { email: 'ada@example.com' }, 'Send Link', 'Error', 'Please try again.'],
  ['/auth/reset?token=x', { password: 'secret words' }, 'Save Password', 'Error', 'The password was not changed.'],
]

test("a visitor's form that does not reach the server shows its failure message and keeps its values", async ({
  page,
  browserErrors,
}) => {
  await expectOfflineErrors(page, browserErrors, visitorForms)
})

test('a form of the settings that does not reach the server shows its failure message and keeps its values', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const { id: deletedClient } = await createClient({ coach })
  await inTenant(coach, (ctx) => deleteClient(ctx, deletedClient))
  await coach.signIn(page.context())
  await expectOfflineErrors(page, browserErrors, [
    ['/settings', { businessName: 'Winter & Co' }, 'Save Profile', 'Error', 'Failed to save profile.'],
    ['/branding', { subdomain: 'winter-and-co' }, 'Save Branding', 'Error', 'Failed to save branding.'],
    [`/trash?erase=client-${deletedClient}`, {}, 'Delete permanently', 'Error', 'Failed to delete the record.'],
  ])
})

test('after two failed actions the next successful one reloads the page', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  const requests: Route[] = []
  await page.route(/\.data(\?|$)/, (route) => void requests.push(route))
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(() => requests.length).toBe(1)
  await main.getByLabel('Business name').fill('Winter & Co')
  await main.getByRole('button', { name: 'Save Profile' }).click()
  await expect.poll(() => requests.length).toBe(2)
  for (const [index, message] of ['Failed to save the theme. Please try again.', 'Failed to save profile.'].entries()) {
    await requests[index]!.abort()
    await expect(page.getByRole('alert')).toContainText(message)
  }
  await page.unroute(/\.data(\?|$)/)
  await main.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('status').filter({ hasText: /saved|updated/i })).toBeVisible()
  await expect(page.getByRole('complementary').getByText('Winter & Co')).toBeVisible()
  browserErrors.ignore(networkErrors)
})

test('a failed logout shows a message and stays on the page', async ({ page, app, browserErrors }) => {
  await blockRequests(page)
  await (await app.createCoach()).signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expect(page.getByRole('alert')).toContainText('Logout failed')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  browserErrors.ignore(networkErrors)
})
