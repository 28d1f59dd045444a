import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { googleContacts } from '#tests/support/google-contacts.ts'
import { clientFieldNames } from '#modules/crm/fields.ts'
import { listClients } from '#modules/crm/queries/clients.ts'
import { findViolations } from '#tests/e2e/support/axe.ts'
import { updateClient } from '#modules/crm/services/clients.ts'
import { type Coach, contextFor, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const { csv, contacts } = googleContacts({ people: 200, withoutEmail: 3 })

async function choose(page: Page, name: string, content: string): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  await page.goto('/clients/import')
  await page.getByLabel('CSV file').setInputFiles(path)
  await page.getByRole('button', { name: 'Upload and Preview' }).click()
}
const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
async function download(page: Page, startDownload: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), startDownload()])
  return readFile(await file.path(), 'utf8')
}
async function expectAccessible(page: Page): Promise<void> {
  const violations = await findViolations(page)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

test('200 Google contacts are imported, corrected and exported', async ({ page, context, app }) => {
  test.slow()
  const coach = await app.createCoach()
  await coach.signIn(context)

  await choose(page, 'contacts.csv', csv)
  await heading(page, 'Review import')
  await expect(page.getByText('Recognized as an export of Google Contacts.')).toBeVisible()
  await page.getByRole('link', { name: 'Needs fixing (3)' }).click()
  await expect(page.getByText('Add an email address.').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 200 Clients' }).click()
  await heading(page, 'Import complete')
  await expect(page.getByRole('link', { name: 'Clients 200' })).toBeVisible()
  await expectAccessible(page)
  expect((await getClients(coach)).map(({ name }) => name).toSorted()).toEqual(
    contacts.map(({ name }) => name).toSorted(),
  )

  const toCorrect = await download(page, () => page.getByRole('link', { name: 'Download Rows' }).click())
  let corrected = 0
  await choose(
    page,
    'corrected.csv',
    toCorrect.replace(/^(Add an email address\.,Mute,.*)$/gm, (row) =>
      withEmail(toCorrect, row, `mute${++corrected}@example.com`),
    ),
  )
  await page.getByRole('button', { name: 'Import 3 Clients' }).click()
  await heading(page, 'Import complete')

  await choose(page, 'contacts.csv', csv)
  await expect(page.getByText('Nothing to import.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)

  await page.goto('/clients')
  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  const exported = await download(page, () => page.getByRole('menuitem', { name: 'Export to CSV' }).click())
  const other = await app.createCoach()
  await other.signIn(context)
  await choose(page, 'clients.csv', exported)
  await page.getByRole('button', { name: 'Import 203 Clients' }).click()
  await heading(page, 'Import complete')
  expect(await getFields(other)).toEqual(await getFields(coach))
})

test('a list with unknown headers is mapped by keyboard', async ({ page, context, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(context)
  await choose(page, 'list.csv', 'Who;Where to write;Shoe size\nZoë;zoe@example.com;38\n')
  await heading(page, 'Match columns')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Preview' }).press('Enter')
  const error = page.getByRole('region', { name: 'Columns' }).getByText('Choose the columns that hold the name and')
  await expect(error).toBeFocused()
  await page.getByLabel('Import “Who” as').press('F')
  await page.keyboard.press('Tab')
  await page.keyboard.press('E')
  await page.getByRole('button', { name: 'Preview' }).press('Enter')
  await heading(page, 'Review import')
  await expect(page.getByText('This column won’t be imported: Shoe size.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 1 Client' }).press('Enter')
  await heading(page, 'Import complete')
  expect(await getClients(coach)).toMatchObject([{ name: 'Zoë', email: 'zoe@example.com' }])
})

test('rows over the plan limit are not imported and reported', async ({ page, context, app }) => {
  const coach = await app.createCoach({ plan: 'pro', clients: [{ name: 'First' }] })
  await coach.signIn(context)
  await choose(page, 'contacts.csv', csv)
  await expect(page.getByText('has room for 9 more clients')).toBeVisible()
  await page.getByRole('link', { name: 'Over plan limit (191)' }).click()
  await expect(page.getByRole('table').getByText('Your plan has no room for this client.')).toHaveCount(50)
  await page.getByRole('button', { name: 'Import 9 Clients' }).click()
  await heading(page, 'Import complete')
  await expect(page.getByText('No room on your Pro plan')).toBeVisible()
  expect(await getClients(coach)).toHaveLength(10)
})

const three = 'Name,Email\nAda,ada@example.com\nGrace,grace@example.com\nMary,mary@example.com\n'

test('rows are selected, their clients tagged, and the import undone from its toast', async ({
  page,
  context,
  app,
}) => {
  const coach = await app.createCoach()
  await coach.signIn(context)
  await choose(page, 'people.csv', three)
  await waitForHydration(page)
  const start = (label: string) => page.getByRole('button', { name: `Import ${label}` })
  const box = (name: string) => page.getByRole('checkbox', { name: `Import ${name},` })
  await page.getByRole('button', { name: 'Select None' }).click()
  await expect(page.getByRole('link', { name: 'Not selected (3)' })).toBeVisible()
  await expect(start('')).toHaveCount(0)
  await box('Ada').press('Space')
  await box('Grace').press('Space')
  await expect(box('Grace')).toBeFocused()
  await expect(start('2 Clients')).toBeVisible()
  await page.getByLabel('Tag for these clients').fill('one, two')
  await expect(page.getByText('A tag can’t have a comma')).toBeVisible()
  await page.getByLabel('Tag for these clients').fill('Retreat')
  await expect(page.getByText('A tag can’t have a comma')).toHaveCount(0)
  await expectAccessible(page)
  await start('2 Clients').click()
  await heading(page, 'Import complete')
  await expect(page.getByText('Tagged “Retreat”')).toBeVisible()
  const added = (await getClients(coach)).toSorted((a, b) => a.name.localeCompare(b.name))
  expect(added).toMatchObject([{ name: 'Ada' }, { name: 'Grace' }])

  await inTenant(coach, (tx) => updateClient(tx, added[0]!.id, { phone: '1' }))
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await heading(page, 'Import undone')
  await expect(page.getByRole('row', { name: 'Ada' })).toContainText('Changed since the import')
  await expectAccessible(page)
  expect(await getClients(coach)).toMatchObject([{ name: 'Ada' }])
})

test('boxes that are clicked while a selection is being saved are saved after it', async ({ page, context, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(context)
  await choose(page, 'people.csv', three)
  await heading(page, 'Review import')
  const selections: string[] = []
  let open = 0
  let most = 0
  await page.route(/clients\/import/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    selections.push(new URLSearchParams(route.request().postData() ?? '').getAll('rows').join())
    most = Math.max(most, ++open)
    const response = await route.fetch()
    open--
    await route.fulfill({ response })
  })
  await page.getByRole('checkbox').evaluateAll((boxes) => {
    for (const box of boxes.slice(0, 2)) (box as HTMLElement).click()
  })
  await expect(page.getByRole('button', { name: 'Import 1 Client' })).toBeVisible()
  expect({ selections, most }).toEqual({ selections: ['1,2', '2'], most: 1 })

  // A box that is clicked after a button counts as well.
  await page.evaluate(() => {
    const [ada, , mary] = document.querySelectorAll<HTMLInputElement>('input[name="rows"]')
    mary!.click()
    document.querySelector<HTMLButtonElement>('button[value="all"]')!.click()
    ada!.click()
  })
  await expect(page.getByRole('button', { name: 'Import 2 Clients' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Import Ada,' })).not.toBeChecked()
  expect(most).toBe(1)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a file is imported, and one of 100 MB is rejected with a message', async ({ page, context, app }) => {
    const coach = await app.createCoach()
    await coach.signIn(context)
    await choose(page, 'empty.csv', '')
    await expect(page.getByText('This file is empty.')).toBeVisible()
    await choose(page, 'large.csv', 'a'.repeat(100 * 1024 * 1024))
    await expect(page.getByText('This file is larger than 10 MB.')).toBeVisible()
    await choose(page, 'people.csv', 'Name,Email\nZoë,zoe@example.com\n')
    await page.getByRole('button', { name: 'Import 1 Client' }).click()
    await heading(page, 'Import complete')
    expect(await getClients(coach)).toMatchObject([{ name: 'Zoë' }])
  })

  test('rows are selected, and an import is undone from the list of imports', async ({ page, context, app }) => {
    const coach = await app.createCoach()
    await coach.signIn(context)
    await choose(page, 'people.csv', three)
    await page.getByRole('checkbox', { name: 'Import Ada,' }).uncheck()
    await page.getByRole('button', { name: 'Save Selection' }).click()
    await expect(page.getByRole('link', { name: 'Not selected (1)' })).toBeVisible()
    // The import sends the boxes that were not saved.
    await page.getByRole('checkbox', { name: 'Import Grace,' }).uncheck()
    await page.getByLabel('Tag for these clients').fill('one, two')
    await page.getByRole('button', { name: 'Import 2 Clients' }).click()
    await expect(page.getByText('A tag can’t have a comma')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Import Grace,' })).not.toBeChecked()
    await page.getByLabel('Tag for these clients').fill('Retreat')
    await page.getByRole('button', { name: 'Import 2 Clients' }).click()
    await heading(page, 'Import complete')
    await expect(page.getByText('Tagged “Retreat”')).toBeVisible()
    expect(await getClients(coach)).toMatchObject([{ name: 'Mary' }])
    await page.goto('/clients/import')
    await page.getByRole('button', { name: 'Undo the import of people.csv' }).click()
    await heading(page, 'Import undone')
    expect(await getClients(coach)).toEqual([])
  })
})

/** Finds the row by its email address. */
function withEmail(file: string, row: string, email: string): string {
  const column = file.slice(1).split('\r\n')[0]!.split(',').indexOf('E-mail 1 - Value')
  return row.replace('\r', '').split(',').with(column, email).join(',')
}

async function getFields(coach: Coach): Promise<object[]> {
  const clients = await listClients(await contextFor(coach), { rows: null, after: null })
  return clients.map((client) => Object.fromEntries(clientFieldNames.map((field) => [field, client[field]])))
}
