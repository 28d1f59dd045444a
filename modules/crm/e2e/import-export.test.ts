import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from '@playwright/test'
import { googleContacts, type Contact } from '#tests/support/google-contacts.ts'
import { getClients, expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const password = 'correct horse'

test('a Premium coach signs in on their own subdomain, imports 200 contacts, works with them, and exports them all', async ({
  page,
  app,
  newContext,
  browserErrors,
}) => {
  test.setTimeout(180_000)
  const ada = await app.createCoach({
    ownHost: true,
    password,
    primaryColor: '#7a2e5d',
    businessName: 'Winter Coaching',
  })
  const { csv, contacts } = googleContacts({ people: 200, withoutEmail: 2 })
  const one = contacts[3]!
  const other = contacts[41]!

  await test.step('signs in on their own host, with their own color', async () => {
    await page.goto(`${ada.origin}/auth`)
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(`${ada.origin}/dashboard`)
    await expect(page.locator('html')).toHaveCSS('--brand', '#7a2e5d')
    await expect(page).toHaveTitle(/Winter Coaching/)
  })

  await test.step('previews and imports a Google Contacts file', async () => {
    await page.getByRole('link', { name: 'Clients' }).first().click()
    await expect(page.getByText('No clients found')).toBeVisible()
    await fromMore(page, 'Import from CSV')
    await chooseFile(page, csv)
    await expect(page.getByText('Recognized as an export of Google Contacts.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Will be added (200)' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Needs fixing (2)' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).first()).not.toContainText('200')
    await page.getByRole('button', { name: 'Import 200 clients' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Import complete' })).toBeVisible({ timeout: 60_000 })
    await expect(figure(page, 'Added')).toContainText('200')
    await expect(figure(page, 'Needs fixing')).toContainText('2')
  })

  await test.step('finds and opens a client', async () => {
    await page.getByRole('link', { name: 'View Clients' }).click()
    await expect(page.getByRole('complementary').getByRole('link', { name: /^Clients/ })).toContainText('200')
    await expect(page.getByText('1–50 of 200')).toBeVisible()
    await find(page, one.name.toUpperCase())
    await expect(page.getByRole('row').filter({ hasText: one.email })).toHaveCount(1)
    await findRow(page, one).getByRole('link', { name: one.name }).click()
    await expect(page.getByRole('heading', { level: 1, name: one.name })).toBeVisible()
    await expect(page.getByRole('link', { name: one.email })).toBeVisible()
  })

  await test.step('edits the client', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Profession').fill('Lighthouse keeper')
    await page.getByRole('spinbutton', { name: 'Progress' }).fill('40')
    await page.getByLabel('Status').selectOption('completed')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
    await expect(page.getByText('Lighthouse keeper')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Lighthouse keeper')).toBeVisible()
    await expect(page.getByText('40%')).toBeVisible()
  })

  await test.step('deletes a client and undoes it', async () => {
    await page.getByRole('link', { name: 'Back to clients' }).click()
    await find(page, other.email)
    await deleteFromRow(page, other)
    await expect(page.getByRole('complementary').getByRole('link', { name: /^Clients/ })).toContainText('199')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Client restored')).toBeVisible()
    await expect(findRow(page, other)).toBeVisible()
  })

  await test.step('deletes the client again and restores it from the trash', async () => {
    await deleteFromRow(page, other)
    await fromMore(page, 'Trash')
    await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
    await expect(page.getByText(other.name)).toBeVisible()
    await page.getByRole('button', { name: /^Restore/ }).click()
    await expect(page.getByText('Client restored')).toBeVisible()
    await expect(page.getByRole('complementary').getByRole('link', { name: /^Clients/ })).toContainText('200')
  })

  const exported = await test.step('exports all clients, and the file equals the imported data', async () => {
    await page.goto(`${ada.origin}/clients`)
    await waitForHydration(page)
    const downloading = page.waitForEvent('download')
    await fromMore(page, 'Export to CSV')
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^Clients \d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    const people = rows.map(
      (row): Contact => ({
        name: cell(row.Name),
        email: cell(row.Email),
        phone: cell(row.Phone) || null,
        location: cell(row.Location) || null,
        profession: cell(row.Profession) || null,
        notes: cell(row.Notes) || null,
      }),
    )
    const expected = contacts.map((contact) =>
      contact === one ? { ...contact, profession: 'Lighthouse keeper' } : contact,
    )
    const byEmail = (a: Contact, b: Contact) => a.email.localeCompare(b.email)
    expect(people.toSorted(byEmail)).toEqual(expected.toSorted(byEmail))
    // A spreadsheet runs a cell that starts like a formula. Phone numbers with spaces are text.
    const formulas = rows
      .flatMap((row) => Object.values(row))
      .filter((value) => /^[=+\-@\t\r]/.test(value) && !/^\+\d+ [\d -]+$/.test(value))
    expect(formulas).toEqual([])
    return text
  })

  await test.step('imports the export and the original file again: nothing is added', async () => {
    for (const file of [exported, csv]) {
      await page.goto(`${ada.origin}/clients/import`)
      await chooseFile(page, file)
      await expect(page.getByText('Nothing to import.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Skipped (200)' })).toBeVisible()
    }
    expect(await getClients(ada)).toHaveLength(200)
  })

  await test.step('another coach sees none of it', async () => {
    const [hers] = await getClients(ada)
    const bea = await app.createCoach({ ownHost: true })
    const elsewhere = await newContext()
    await bea.signIn(elsewhere, { origin: bea.origin })
    await bea.signIn(elsewhere, { origin: ada.origin })
    const theirs = await elsewhere.newPage()
    browserErrors.watch(theirs)
    await theirs.goto(`${bea.origin}/clients`)
    await expect(theirs.getByText('No clients found')).toBeVisible()
    expect((await theirs.goto(`${bea.origin}/clients/${hers!.id}`))?.status()).toBe(404)
    await theirs.goto(`${bea.origin}/search?q=person`)
    await expect(theirs.getByText('No results found').first()).toBeVisible()
    await theirs.goto(`${bea.origin}/dashboard`)
    await expect(theirs.getByText(one.name)).toHaveCount(0)
    await theirs.goto(`${ada.origin}/clients`)
    await expect(theirs).toHaveURL(/\/auth\?next=/)
  })
})

async function chooseFile(page: Page, csv: string): Promise<void> {
  await waitForHydration(page)
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Upload and Preview' }).click()
}

async function fromMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

async function find(page: Page, term: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search clients' }).fill(term)
  await expect(page).toHaveURL(/[?&]q=/)
}

const findRow = (page: Page, { email }: Contact): Locator =>
  page.getByRole('row').filter({ has: page.getByText(email, { exact: true }) })

async function deleteFromRow(page: Page, contact: Contact): Promise<void> {
  await findRow(page, contact)
    .getByRole('button', { name: `Actions for ${contact.name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Delete Client' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Client' }).click()
  await expect(page.getByText('Client deleted successfully!')).toBeVisible()
  await expect(findRow(page, contact)).toHaveCount(0)
}

const figure = (page: Page, label: string): Locator => page.locator('.stat').filter({ hasText: label })

/** Removes the escape that keeps a spreadsheet from running a cell. */
const cell = (value = ''): string => value.replace(/^'(?='*[=+\-@])/, '')
