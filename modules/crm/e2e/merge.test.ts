import { updateClient } from '#modules/crm/services/clients.ts'
import { createInteraction } from '#tests/support/factories.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('a client who was added twice is found, merged and, after all, not merged', async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: [{ name: 'Grace Hopper', email: 'grace@example.com', notes: 'Likes mornings' }],
  })
  await coach.signIn(page.context())
  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Grace HOPPER')
  await dialog.getByLabel('Email').fill('g.hopper@example.com')
  await dialog.getByLabel('Phone').fill('+1 555 0100')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Another client has the same name: grace@example.com.')).toBeVisible()
  const added = Number(new URL(page.url()).pathname.split('/')[2])
  await createInteraction({ coach, clientId: added, name: 'First call' })

  await page.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByRole('heading', { name: 'Merge clients' })).toBeVisible()
  await page.getByRole('link', { name: 'Swap' }).click()
  await expect(page.getByText('1 interaction')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Phone' }).getByLabel('+1 555 0100')).toBeChecked()
  await page.getByRole('group', { name: 'Email' }).getByLabel('g.hopper@example.com').check()

  // The other tab changes one of them: the form shows the new values, and keeps what was chosen.
  await inTenant(coach, (ctx) => updateClient(ctx, added, { phone: '+1 555 0199' }))
  await page.getByRole('button', { name: 'Merge Clients' }).click()
  await expect(page.getByText('was changed in another tab. Check the values below, then merge again.')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Phone' }).getByLabel('+1 555 0199')).toBeChecked()
  await expect(page.getByRole('group', { name: 'Email' }).getByLabel('g.hopper@example.com')).toBeChecked()
  await page.getByRole('button', { name: 'Merge Clients' }).click()
  await expect(page.getByText('Clients merged. The other one is in the trash.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible()
  const keptUrl = page.url()
  await expect(page.getByRole('main')).toContainText('+1 555 0199')
  await expect(page.getByRole('main')).toContainText('First call')
  await expect(page.getByRole('main')).toContainText('Client merged')
  // An old link to the other one.
  await page.goto(`/clients/${added}`)
  await expect(page).not.toHaveURL(`/clients/${added}`)
  await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible()

  await page.goto('/trash')
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Client restored')).toBeVisible()
  await page.goto(keptUrl)
  await expect(page.getByRole('main')).not.toContainText('+1 555 0199')
  await expect(page.getByRole('main')).not.toContainText('First call')
})

test('clients are merged without JavaScript, and a refusal keeps what was chosen', async ({ app, newContext }) => {
  const coach = await app.createCoach({
    clients: [
      { name: 'Grace Hopper', email: 'grace@example.com', notes: 'A'.repeat(30_000) },
      { name: 'Grace H.', email: 'g.hopper@example.com', notes: 'B'.repeat(30_000) },
    ],
  })
  const context = await newContext({ javaScriptEnabled: false })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/clients')
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await page.goto(`${page.url()}/merge`)
  await page.getByLabel('Other client').selectOption('Grace H.')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('group', { name: 'Email' }).getByLabel('g.hopper@example.com').check()
  await page.getByRole('button', { name: 'Merge Clients' }).click()
  await expect(page.getByText('both together are too long')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Email' }).getByLabel('g.hopper@example.com')).toBeChecked()
  await page.getByRole('group', { name: 'Notes' }).getByLabel('AAA').check()
  await page.getByRole('button', { name: 'Merge Clients' }).click()
  await expect(page.getByText('Clients merged. The other one is in the trash.')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('g.hopper@example.com')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('main')).toContainText('grace@example.com')
})
