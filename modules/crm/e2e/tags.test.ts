import { expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('a tag is added on a client’s page and lists the clients that have it', async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper', tags: ['Evenings'] }, { name: 'Mary Somerville' }],
  })
  await coach.signIn(page.context())
  await page.goto('/clients')
  await waitForHydration(page)
  await expect(page.getByRole('row', { name: /Grace Hopper/ })).toContainText('Evenings')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Tags').fill('referral, evenings')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()

  await page.getByRole('link', { name: 'evenings' }).click()
  await expect(page).toHaveURL('/clients?tag=evenings')
  await expect(page.locator('a[data-row]')).toHaveCount(2)
  await page.getByRole('link', { name: 'Remove the filter “Tag: evenings”' }).click()
  await expect(page).toHaveURL('/clients')
  await expect(page.locator('a[data-row]')).toHaveCount(3)
})

test('filters are set by keyboard on a phone, saved as a view and opened again', async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper', tags: ['Evenings'] }, { name: 'Mary Somerville' }],
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await coach.signIn(page.context())
  await page.goto('/clients')
  await waitForHydration(page)
  const rows = page.locator('a[data-row]')
  await page.getByRole('link', { name: 'Filters' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Filters' })
  await expect(dialog.getByLabel('Status')).toBeFocused()
  await dialog.getByLabel('Tag').selectOption('Evenings (1)')
  await dialog.getByLabel('Next session').selectOption('No next session')
  await dialog.getByRole('button', { name: 'Show Clients' }).click()
  await expect(page.getByRole('link', { name: 'Filters (2)' })).toBeVisible()
  await expect(rows).toHaveText([/Grace Hopper/])
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Next session: No next session')

  await page.getByRole('link', { name: 'Filters (2)' }).click()
  await dialog.getByLabel('Name of the view').fill('Evening people')
  await dialog.getByRole('button', { name: 'Save View' }).click()
  await expect(page.getByText('View saved')).toBeVisible()
  await page.getByRole('link', { name: 'Filters (2)' }).click()
  await dialog.getByRole('link', { name: 'Clear filters' }).click()
  await expect(rows).toHaveCount(3)
  await page.getByRole('link', { name: 'Filters' }).click()
  await dialog.getByRole('link', { name: 'Evening people' }).click()
  await expect(rows).toHaveText([/Grace Hopper/])
  await page.getByRole('link', { name: 'Filters (2)' }).click()
  await dialog.getByRole('button', { name: 'Delete the view Evening people' }).click()
  await expect(page.getByText('View deleted')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Evening people' })).toHaveCount(0)
})

test('all clients that match are changed at once, and one Undo brings them back', async ({ page, app }) => {
  const clients = Array.from({ length: 52 }, (_, n) => ({ name: `Client ${String(n).padStart(2, '0')}` }))
  const coach = await app.createCoach({ clients: [...clients, { name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  await page.goto('/clients')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Select' }).click()
  const bar = page.getByRole('form', { name: 'Chosen clients' })
  await page.getByRole('checkbox', { name: 'Choose Grace Hopper' }).focus()
  await page.keyboard.press('Space')
  await expect(bar.getByRole('status')).toHaveText('1 chosen')
  await expect(bar.getByRole('link', { name: 'Export 1 to CSV' })).toHaveAttribute(
    'href',
    /\/clients\/export\?ids=\d+$/,
  )
  await bar.getByLabel('Tag').fill('first')
  await page.keyboard.press('Enter')
  await expect(page.getByText('“first” added to 1 client')).toBeVisible()
  await expect(page.getByRole('row', { name: /Grace Hopper/ })).toContainText('first')

  await page.getByRole('link', { name: 'Select' }).click()
  await bar.getByLabel('All 53').check()
  await expect(bar.getByRole('status')).toHaveText('53 chosen')
  await bar.getByLabel('Change').selectOption('Archive')
  await bar.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('53 clients archived')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No clients found' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone for 53 clients')).toBeVisible()
  await expect(page.getByText('Showing 1–50 of 53')).toBeVisible()
})
