import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from '#tests/e2e/support/test-app.ts'
import { extractLink, findMail } from '#tests/e2e/support/mails.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const partBytes = 5 * 1024 ** 2

test('a workshop stops at 60 % on a broken line, goes on after a reload, and is shared with a group', async ({
  page,
  app,
  newContext,
  browserErrors,
}, testInfo) => {
  const group = { tags: ['Spring group'] }
  const [grace, ada] = [`grace-${randomUUID()}@example.com`, `ada-${randomUUID()}@example.com`]
  const coach = await app.createCoach({
    ownHost: true,
    clients: [
      { name: 'Grace Hopper', email: grace, ...group },
      { name: 'Ada Byron', email: ada, ...group },
      { name: 'Mara Winter' },
    ],
  })
  await coach.signIn(page.context(), { origin: coach.origin })
  // Five parts instead of the forty of 200 MB: each part takes the same way.
  const content = randomBytes(5 * partBytes - 1000)
  const file = testInfo.outputPath('Workshop.bin')
  await writeFile(file, content)
  let isBroken = true
  const offsets: number[] = []
  await page.route(/\/api\/uploads\/\d+\?offset=\d+/, (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'))
    if (isBroken && offset === 3 * partBytes) return route.abort('connectionreset')
    offsets.push(offset / partBytes)
    return route.continue()
  })
  const dialog = page.getByRole('dialog', { name: 'Upload Resource' })
  await page.goto(`${coach.origin}/resources?dialog=upload`)
  await waitForHydration(page)
  await dialog.getByLabel('File').setInputFiles(file)
  await expect(dialog.getByLabel('Name')).toHaveValue('Workshop.bin')
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await expect(dialog.getByText('The connection is interrupted. The upload goes on by itself.')).toBeVisible()

  await page.reload()
  await waitForHydration(page)
  await expect(dialog.getByText('“Workshop.bin” stopped at 60 %')).toBeVisible()
  isBroken = false
  await dialog.getByLabel('File').setInputFiles(file)
  await expect(dialog.getByLabel('Name')).toHaveValue('Workshop.bin')
  await dialog.getByLabel('Name').fill('Workshop on values')
  await dialog.getByLabel('Tags').fill('workshop, spring')
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await expect(page.getByText('Resource uploaded')).toBeVisible()
  expect(offsets).toEqual([0, 1, 2, 3, 4])
  browserErrors.ignore(/ERR_CONNECTION_RESET/)
  const row = page.getByRole('row', { name: /Workshop on values/ })
  await expect(row).toContainText('25.0 MB')
  await expect(page.locator('.stat').filter({ hasText: 'Total Resources' })).toContainText('1')

  await row.getByRole('link', { name: 'Share Workshop on values' }).click()
  await waitForHydration(page)
  await page.getByLabel('Who may open it').selectOption('tag')
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Spring group (2 clients)' })
  await page.getByLabel('Password').fill('open sesame')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Shared with' })).toContainText('Clients tagged “Spring group”')

  // Each client of the group has a link of their own; Grace opens hers.
  const links = [extractLink(await findMail(app, grace)), extractLink(await findMail(app, ada))]
  expect(links[0]).not.toBe(links[1])
  const visitor = await (await newContext()).newPage()
  await visitor.goto(links[0]!)
  await expect(visitor.getByRole('heading', { name: 'Workshop on values' })).toBeVisible()
  await visitor.getByLabel('Password').fill('a guess')
  await visitor.getByRole('button', { name: 'Download' }).click()
  await expect(visitor.getByText('This password is wrong.')).toBeVisible()
  await visitor.getByLabel('Password').fill('open sesame')
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Workshop on values.bin')
  expect((await readFile(await download.path())).equals(content)).toBe(true)

  await page.reload()
  await expect(page.getByRole('list', { name: 'Opened by' })).toContainText('Grace Hopper')
  await expect(page.getByRole('list', { name: 'Opened by' })).not.toContainText('Ada Byron')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Stop sharing with Clients tagged “Spring group”' }).click()
  await expect(page.getByText('The link no longer works')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByText('This link doesn’t work any more')).toBeVisible()
})
