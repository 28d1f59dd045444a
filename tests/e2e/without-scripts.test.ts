import { extractLink, findMail } from './support/mails.ts'
import { getClients, expect, test } from './support/test-app.ts'

test.use({ javaScriptEnabled: false })

const password = 'correct horse'

test('without JavaScript a coach registers, signs out, is rejected, and signs in', async ({ page }) => {
  const email = `plain-${process.pid}-${Date.now()}@example.com`
  await page.goto('/auth?tab=register')
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lind')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Registration successful')).toBeVisible()

  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid email or password').first()).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('without JavaScript clients are validated, added, searched, edited, deleted and restored', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  await page.goto('/clients')
  await page.getByRole('link', { name: 'Add Client' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Client' })
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByLabel('Goals').fill('Numbers')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await expect(dialog.getByLabel('Email')).toHaveValue('ada@example.com')
  await expect(dialog.getByLabel('Goals')).toHaveValue('Numbers')
  await dialog.getByLabel('Name').fill('Ada Lovelace')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Client added successfully!')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to clients' }).click()

  await page.getByRole('searchbox', { name: 'Search clients' }).fill('LOVE')
  await page.getByRole('searchbox', { name: 'Search clients' }).press('Enter')
  await expect(page.getByRole('row').filter({ hasText: 'Ada Lovelace' })).toHaveCount(1)
  await expect(page.getByText('Grace Hopper')).toHaveCount(0)

  await page.getByRole('link', { name: /Ada Lovelace/ }).click()
  await page.getByRole('main').getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Profession').fill('Mathematician')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  await expect(page.getByText('Mathematician')).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Client' }).click()
  await expect(page.getByText('Client deleted successfully!')).toBeVisible()
  expect((await getClients(coach)).map(({ name }) => name)).toEqual(['Grace Hopper'])
  await page.getByRole('button', { name: 'Undo' }).click()
  expect((await getClients(coach)).map(({ name }) => name)).toEqual(['Ada Lovelace', 'Grace Hopper'])
})

test('without JavaScript the row menu links to the client, and the list is sorted and shown as cards', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Bob' }, { name: 'Ada' }, { name: 'Cleo' }] })
  await coach.signIn(page.context())
  await page.goto('/clients')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  await expect(page.getByRole('row').nth(1)).toContainText('Ada')
  await page.getByRole('link', { name: 'Card view' }).click()
  await expect(page.getByRole('link', { name: 'View Details of Ada' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Ada' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada' })).toBeVisible()
})

test('without JavaScript a file is imported and exported', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/clients/import')
  await page.getByLabel('CSV file').setInputFiles({
    name: 'few.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Email\nAda,ada@example.com\nBob,bob@example.com\n'),
  })
  await page.getByRole('button', { name: 'Upload and Preview' }).click()
  await page.getByRole('button', { name: 'Import 2 clients' }).click()
  // The page reloads itself until the import is done.
  await expect(page.getByRole('heading', { level: 1, name: 'Import complete' })).toBeVisible({ timeout: 60_000 })
  expect((await getClients(coach)).map(({ name }) => name).toSorted()).toEqual(['Ada', 'Bob'])
})

test('without JavaScript the theme, settings and branding are saved', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await page.getByRole('main').getByRole('button', { name: 'Dark' }).click()
  await expect(page).toHaveURL('/settings')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByLabel('Business name').fill('Winter Coaching')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await page.goto('/branding')
  await page.getByLabel('Hex value').fill('#7a2e5d')
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await expect(page.getByText('Branding saved.')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('style', /--brand:\s?#7a2e5d/)
})

test('without JavaScript a forgotten password is reset by the emailed link', async ({ page, app }) => {
  const coach = await app.createCoach({ password })
  await page.goto('/auth/forgot')
  await page.getByLabel('Email').fill(coach.email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await page.goto(extractLink(await findMail(app, coach.email)))
  await page.getByLabel('New password').fill('battery staple')
  await page.getByRole('button', { name: 'Save Password' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Password changed')).toBeVisible()
})
