import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { googleContacts } from '#tests/support/google-contacts.ts'
import { clientFields } from '#modules/crm/forms.ts'
import { clientsNewestFirst } from '#modules/crm/queries/clients.ts'
import { violationsOf } from '#tests/e2e/support/axe.ts'
import { clientsOf, expect, test, type Coach } from '#tests/e2e/support/test-app.ts'

const { csv, contacts } = googleContacts({ people: 200, withoutEmail: 3 })

async function choose(page: Page, name: string, content: string): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  await page.goto('/clients/import')
  await page.getByLabel('CSV file').setInputFiles(path)
  await page.getByRole('button', { name: 'Upload and Preview' }).click()
}
const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
async function downloaded(page: Page, press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return readFile(await file.path(), 'utf8')
}
async function expectAccessible(page: Page): Promise<void> {
  const violations = await violationsOf(page)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

test('200 people of Google Contacts come in, what was wrong comes back corrected, and all go out again', async ({
  page,
  context,
  house,
}) => {
  test.slow()
  const coach = await house.aCoach()
  await coach.signIn(context)

  await choose(page, 'contacts.csv', csv)
  await heading(page, 'What will happen')
  await expect(page.getByText('Recognized as an export of Google Contacts.')).toBeVisible()
  await page.getByRole('link', { name: 'To correct (3)' }).click()
  await expect(page.getByText('Add an email address.').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 200 Clients' }).click()
  await heading(page, 'Import is done')
  await expect(page.getByRole('link', { name: 'Clients 200' })).toBeVisible()
  await expectAccessible(page)
  expect((await clientsOf(coach)).map(({ name }) => name).toSorted()).toEqual(
    contacts.map(({ name }) => name).toSorted(),
  )

  const toCorrect = await downloaded(page, () => page.getByRole('link', { name: 'Download Rows' }).click())
  let corrected = 0
  await choose(
    page,
    'corrected.csv',
    toCorrect.replace(/^(Add an email address\.,Mute,.*)$/gm, (row) =>
      withEmail(toCorrect, row, `mute${++corrected}@example.com`),
    ),
  )
  await page.getByRole('button', { name: 'Import 3 Clients' }).click()
  await heading(page, 'Import is done')

  await choose(page, 'contacts.csv', csv)
  await expect(page.getByText('There is nobody to add')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)

  await page.goto('/clients')
  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  const exported = await downloaded(page, () => page.getByRole('menuitem', { name: 'Export to CSV' }).click())
  const other = await house.aCoach()
  await other.signIn(context)
  await choose(page, 'clients.csv', exported)
  await page.getByRole('button', { name: 'Import 203 Clients' }).click()
  await heading(page, 'Import is done')
  expect(await fieldsOf(other)).toEqual(await fieldsOf(coach))
})

test('a list with names of its own is mapped by hand, by keyboard alone', async ({ page, context, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(context)
  await choose(page, 'list.csv', 'Who;Where to write;Shoe size\nZoë;zoe@example.com;38\n')
  await heading(page, 'Say which column is what')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(page.getByText('Choose the columns that hold the name and the email address.')).toBeVisible()
  await page.getByLabel('“Who” becomes').press('F')
  await page.keyboard.press('Tab')
  await page.keyboard.press('E')
  await page.getByRole('button', { name: 'Preview' }).press('Enter')
  await heading(page, 'What will happen')
  await expect(page.getByText('This column is not taken over: Shoe size.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 1 Client' }).press('Enter')
  await heading(page, 'Import is done')
  expect(await clientsOf(coach)).toMatchObject([{ name: 'Zoë', email: 'zoe@example.com' }])
})

test('what the plan has no room for is left out and said so', async ({ page, context, house }) => {
  const coach = await house.aCoach({ plan: 'pro', clients: [{ name: 'First' }] })
  await coach.signIn(context)
  await choose(page, 'contacts.csv', csv)
  await expect(page.getByText('has room for 9 clients more')).toBeVisible()
  await page.getByRole('link', { name: 'Left out (191)' }).click()
  await expect(page.getByRole('table').getByText('Your plan has no room for this client.')).toHaveCount(50)
  await page.getByRole('button', { name: 'Import 9 Clients' }).click()
  await heading(page, 'Import is done')
  await expect(page.getByText('No room on your Pro plan')).toBeVisible()
  expect(await clientsOf(coach)).toHaveLength(10)
})

test.describe('before scripts have loaded', () => {
  test.use({ javaScriptEnabled: false })

  test('a file comes in all the same, and one of 100 MB is refused in words', async ({ page, context, house }) => {
    const coach = await house.aCoach()
    await coach.signIn(context)
    await choose(page, 'empty.csv', '')
    await expect(page.getByText('This file is empty.')).toBeVisible()
    await choose(page, 'large.csv', 'a'.repeat(100 * 1024 * 1024))
    await expect(page.getByText('This file is larger than 10 MB.')).toBeVisible()
    await choose(page, 'people.csv', 'Name,Email\nZoë,zoe@example.com\n')
    await page.getByRole('button', { name: 'Import 1 Client' }).click()
    await heading(page, 'Import is done')
    expect(await clientsOf(coach)).toMatchObject([{ name: 'Zoë' }])
  })
})

/** The row with an address in the column that holds them. */
function withEmail(file: string, row: string, email: string): string {
  const at = file.slice(1).split('\r\n')[0]!.split(',').indexOf('E-mail 1 - Value')
  return row.replace('\r', '').split(',').with(at, email).join(',')
}

async function fieldsOf(coach: Coach): Promise<object[]> {
  const clients = await clientsNewestFirst(await coach.ctx(), { rows: null, after: null })
  return clients.map((client) => Object.fromEntries(clientFields.map((field) => [field, client[field]])))
}
