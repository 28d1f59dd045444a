import type { Page } from '@playwright/test'
import { type Coach, createClient, expect, getClients, setPlan, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

test('a client deleted in another tab shows a message and a link', async ({ page, context, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  await coach.signIn(context)
  await page.goto(`/clients/${grace!.id}?dialog=edit`)
  await waitForHydration(page)
  const second = await context.newPage()
  await second.goto(`/clients/${grace!.id}`)
  await second.getByRole('button', { name: 'More actions' }).click()
  await second.getByRole('menuitem', { name: 'Delete' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Delete Client' }).click()
  await expect(second.getByText('Client deleted successfully!')).toBeVisible()

  await editDialog(page).getByLabel('Phone').fill('111')
  await editDialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This client was deleted.')).toBeVisible()
  await expect(editDialog(page).getByLabel('Phone')).toHaveValue('111')
  await page.goto(`/clients/${grace!.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Client not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Open trash' }).click()
  await page.getByRole('button', { name: 'Restore Grace Hopper' }).click()
  await expect(page.getByText('Client restored')).toBeVisible()
})

test("the plan's limit is explained before it is reached", async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free', clients: [{ name: 'Only One' }] })
  await open(page, coach, '/clients')
  await expect(page.getByText('1 of 1 on your plan')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Add Client' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your plan is full' })
  await expect(dialog).toContainText('The Free plan includes 1 client')
  await dialog.getByRole('link', { name: 'Upgrade Plan' }).click()
  await expect(page).toHaveURL('/upgrade')
  await expect(page.getByText('Your plan is full.')).toBeVisible()
  await page.getByRole('button', { name: 'Try Pro for 14 days' }).click()
  await expect(page.getByText('Your 14-day Pro trial has started.')).toBeVisible()
  await page.goto('/clients?dialog=add')
  await expect(page.getByRole('dialog', { name: 'Add Client' })).toBeVisible()
})

test('an archived client can only be viewed while the plan is full', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro', clients: [{ name: 'Put Away' }, { name: 'Only One' }] })
  const { id } = (await getClients(coach)).find(({ name }) => name === 'Put Away')!
  await open(page, coach, `/clients/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText('Archived on')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()

  await setPlan(coach, 'free')
  await page.reload()
  await expect(page.getByText('Your plan is full, so you can view, export and delete this client')).toBeVisible()
  for (const name of ['Edit', 'Add interaction', 'Add Purchase'])
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
  await open(page, coach, '/clients?show=archive')
  await page.getByRole('button', { name: 'Actions for Put Away' }).click()
  await expect(page.getByRole('menuitem', { name: 'View Details' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Edit Client' })).toHaveCount(0)
})

test("a form over the plan's limit keeps its values and is saved after an upgrade", async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free' })
  await open(page, coach, '/clients?dialog=add')
  const dialog = page.getByRole('dialog', { name: 'Add Client' })
  await dialog.getByLabel('Name').fill('Ada Lovelace')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByRole('textbox', { name: 'Goals' }).fill('A long text about numbers')
  await createClient({ coach: coach, name: 'Faster One' })
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'The Free plan includes 1 client' })).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Goals' })).toHaveText('A long text about numbers')

  await setPlan(coach, 'pro')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Client added successfully!')).toBeVisible()
})

test('Refresh shows new clients and confirms that it is done', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await open(page, coach, '/clients')
  await createClient({ coach: coach, name: 'Ada Lovelace' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Refreshed' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toBeVisible()
})

test('a list that fails to load says so and can be retried', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await open(page, coach, '/dashboard')
  await page.route('**/clients.data*', (route) => route.abort('connectionrefused'))
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /^Clients/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Error Loading Clients' })).toBeVisible()
  await expect(page.getByText('Failed to fetch clients')).toBeVisible()
  await page.unroute('**/clients.data*')
  await page.getByText('Try Again').click()
  await expect(page.getByRole('link', { name: /Grace Hopper/ })).toBeVisible()
  // The response that this test blocked.
  browserErrors.ignore(/ERR_CONNECTION_REFUSED|Failed to fetch/)
})

async function open(page: Page, coach: Coach, at: string): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(at)
  await waitForHydration(page)
}

const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Client' })
