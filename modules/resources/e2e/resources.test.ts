import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { contextFor, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { listStartedUploads } from '#tenants/files/uploads.ts'
import { extractLink, findMail } from '#tests/e2e/support/mails.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createLink } from '../services/files.ts'
import { writeVideo } from './workshop-video.ts'

const partBytes = 5 * 1024 ** 2
const parts = 40

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1024 ** 2 }), hash)
  return hash.digest('hex')
}

test('a workshop video of 200 MB arrives over a shaky line, is shared with a group, and says who opened it', async ({
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
  const file = testInfo.outputPath('Workshop.mp4')
  await writeVideo(file, parts * partBytes)

  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') offsets.push(Number(new URL(request.url()).searchParams.get('offset')))
  })
  const dialog = page.getByRole('dialog', { name: 'Upload Resource' })
  const breakLine = async (percent: number) => {
    const readProgress = () => dialog.getByRole('progressbar').getAttribute('aria-valuenow').then(Number)
    await expect.poll(readProgress, { intervals: [20], timeout: 60_000 }).toBeGreaterThanOrEqual(percent)
    await page.context().setOffline(true)
    await expect(dialog.getByText('The connection is interrupted. The upload goes on by itself.')).toBeVisible()
  }
  await page.goto(`${coach.origin}/resources?dialog=upload`)
  await waitForHydration(page)
  await dialog.getByLabel('File').setInputFiles(file)
  await expect(dialog.getByLabel('Name')).toHaveValue('Workshop.mp4')
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await breakLine(1)
  await page.context().setOffline(false)
  await breakLine(60)
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(`${coach.origin}/resources?dialog=upload`)
  await waitForHydration(page)
  await expect(dialog.getByText(/“Workshop.mp4” stopped at [6-9]\d %/)).toBeVisible()
  await expect(dialog.getByText('Choose the same file again to go on.')).toBeVisible()
  offsets.length = 0
  await dialog.getByLabel('File').setInputFiles(file)
  await expect(dialog.getByLabel('Name')).toHaveValue('Workshop.mp4')
  await dialog.getByLabel('Name').fill('Workshop on values')
  await dialog.getByLabel('Tags').fill('workshop, spring')
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await expect(page.getByText('Resource uploaded')).toBeVisible({ timeout: 60_000 })
  browserErrors.ignore(/ERR_INTERNET_DISCONNECTED/)
  expect(offsets[0]).toBeGreaterThanOrEqual(0.6 * parts * partBytes)
  expect(offsets.at(-1)).toBe((parts - 1) * partBytes)
  const row = page.getByRole('row', { name: /Workshop on values/ })
  await expect(row).toContainText('200.0 MB')
  await expect(page.locator('.stat').filter({ hasText: 'Videos' })).toContainText('1')

  await row.getByRole('link', { name: 'Share Workshop on values' }).click()
  await waitForHydration(page)
  const player = page.locator('video')
  await player.evaluate((video: HTMLVideoElement) => video.play())
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.ended)).toBe(true)
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
  expect(download.suggestedFilename()).toBe('Workshop on values.mp4')
  expect(await hashFile(await download.path())).toBe(await hashFile(file))

  await page.reload()
  await expect(page.getByRole('list', { name: 'Opened by' })).toContainText('Grace Hopper')
  await expect(page.getByRole('list', { name: 'Opened by' })).not.toContainText('Ada Byron')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Stop sharing with Clients tagged “Spring group”' }).click()
  await expect(page.getByText('The link no longer works')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByText('This link doesn’t work any more')).toBeVisible()
})

test('every button of the page works', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  const details = { clientId: client!.id, tags: [] }
  await inTenant(coach, (tx) =>
    createLink(tx, { ...details, name: 'Talk', fileUrl: 'https://example.com/talk', type: 'video' }),
  )
  await coach.signIn(page.context())
  await page.goto('/resources')
  await waitForHydration(page)
  const main = page.getByRole('main')
  const table = main.getByRole('table', { name: 'Resources' })
  const names = table.getByRole('row').locator('td:nth-child(2) a')
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click()
  await expect(table.getByRole('columnheader')).toHaveText([
    'Choose',
    'Name',
    'Type',
    'Client',
    'Size',
    'Uploaded',
    'Actions',
  ])

  // Add Link and Folders.
  await main.getByRole('link', { name: 'Add Link' }).click()
  await dialog('Add Link').getByLabel('Name').fill('Ninety days')
  await dialog('Add Link').getByLabel('Address').fill('https://example.com/days')
  await dialog('Add Link').getByRole('button', { name: 'Add Link' }).click()
  await expect(page.getByText('Link added')).toBeVisible()
  await expect(names).toHaveText(['Ninety days', 'Talk'])
  await main.getByRole('link', { name: 'Folders' }).click()
  for (const name of ['Sprng', 'Old']) {
    await dialog('Folders').getByLabel('New folder').fill(name)
    await dialog('Folders').getByRole('button', { name: 'Add Folder' }).click()
    await expect(dialog('Folders').getByLabel(`Name of ${name}`)).toBeVisible()
  }
  await dialog('Folders').getByLabel('Name of Sprng').fill('Spring')
  await dialog('Folders').getByRole('button', { name: 'Rename Sprng' }).click()
  await expect(page.getByText('Folder renamed')).toBeVisible()
  await dialog('Folders').getByRole('button', { name: 'Delete Old' }).click()
  await expect(page.getByText('Folder deleted')).toBeVisible()
  await expect(dialog('Folders').getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')

  // The cards count, and lead to what they count; the search finds a type.
  const card = (label: string) => main.locator('.stat').filter({ hasText: label })
  await expect(card('Documents')).toContainText('0')
  await expect(card('Total Resources')).toContainText('2')
  await card('Videos').click()
  await expect(page).toHaveURL('/resources?type=video')
  await expect(names).toHaveText(['Talk'])
  await card('Total Resources').click()
  await expect(names).toHaveCount(2)
  await main.getByRole('searchbox', { name: 'Search by name or type' }).fill('lin')
  await expect(names).toHaveText(['Ninety days'])
  const [exported] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('link', { name: 'Export' }).click(),
  ])
  expect(exported.suggestedFilename()).toBe('Resources 2026-03-11.csv')
  expect(await readFile(await exported.path(), 'utf8')).toMatch(/^\uFEFFName,.*\r\nNinety days,Link,[^\n]*\r\n$/)

  // Chosen rows.
  await table.getByRole('checkbox', { name: 'Choose Ninety days' }).check()
  await main.getByLabel('Move to').selectOption('Spring')
  await press('Move')
  await expect(page.getByText('Resources moved')).toBeVisible()
  await table.getByRole('checkbox', { name: 'Choose Ninety days' }).check()
  await main.getByLabel('Tag to add').fill('reading')
  await press('Add Tag')
  await expect(table.getByText('Spring · reading')).toBeVisible()
  await table.getByRole('checkbox', { name: 'Choose Ninety days' }).check()
  await press('Delete Chosen')
  await expect(page.getByText('Resources deleted')).toBeVisible()
  await page.goto('/resources')
  await waitForHydration(page)

  // The menu of a row, and the same list on a phone.
  const row = table.getByRole('row', { name: /Talk/ })
  await expect(row.getByRole('link', { name: `Client #${client!.id}` })).toHaveAttribute(
    'href',
    `/clients/${client!.id}`,
  )
  await expect(row.getByRole('link', { name: 'Open Talk' })).toHaveAttribute('href', 'https://example.com/talk')
  const choose = async (item: string) => {
    await main.getByRole('button', { name: 'Actions for Talk' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Share')
  await expect(page).toHaveURL(/\/resources\/\d+#sharing$/)
  await page.goBack()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(main.getByRole('list', { name: 'Resources' })).toContainText(
    `Video · Client #${client!.id} · Mar 11, 2026`,
  )
  await choose('Details')
  await expect(page.getByRole('heading', { name: 'Talk', level: 1 })).toBeVisible()
  await page.goBack()
  await choose('Delete')
  await dialog('Delete Resource').getByRole('button', { name: 'Delete Resource' }).click()
  await expect(page.getByText('Resource deleted')).toBeVisible()
  await expect(page.getByText('No resources yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(main.getByRole('link', { name: 'Talk', exact: true }).last()).toBeVisible()
})

test('an action on no chosen resource says what to do first', async ({ page, app }) => {
  const coach = await app.createCoach()
  await inTenant(coach, (ctx) =>
    createLink(ctx, { name: 'Talk', fileUrl: 'https://example.com/talk', type: 'video', tags: [] }),
  )
  await coach.signIn(page.context())
  await page.goto('/resources')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Delete Chosen' }).click()
  await expect(page.getByText('Choose a resource first.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Talk' }).first()).toBeVisible()
})

test('an interrupted upload is discarded, with and without scripts, and the same file begins anew', async ({
  page,
  app,
  newContext,
}, testInfo) => {
  const coach = await app.createCoach()
  const ctx = await contextFor(coach)
  const readKeys = async () => {
    const keys: string[] = []
    for await (const { key } of ctx.platform.fileStore.list(`${coach.id}/`)) keys.push(key)
    return keys
  }
  await coach.signIn(page.context())
  const file = testInfo.outputPath('Workshop.mp4')
  await writeVideo(file, 3 * partBytes)
  const dialog = page.getByRole('dialog', { name: 'Upload Resource' })
  const start = async () => {
    // The second part stays on its way.
    await page.route(`**/api/uploads/*?offset=${partBytes}`, () => {})
    await page.goto('/resources?q=Workshop&dialog=upload')
    await waitForHydration(page)
    await dialog.getByLabel('File').setInputFiles(file)
    await dialog.getByRole('button', { name: 'Upload Resource' }).click()
    await expect.poll(async () => (await listStartedUploads(ctx)).map(({ percent }) => percent)).toEqual([33])
    await page.reload()
    await page.unrouteAll()
    await waitForHydration(page)
  }
  await start()
  expect(await readKeys()).toHaveLength(1)
  const discard = dialog.getByRole('link', { name: 'Discard “Workshop.mp4”' })
  const question = page.getByRole('dialog', { name: 'Discard Upload' })
  await discard.click()
  await expect(question).toContainText('What has arrived of “Workshop.mp4” (33 %) is permanently deleted')
  const address = page.url()
  const again = await page.context().newPage()
  await again.goto(address)
  await waitForHydration(again)
  await question.getByRole('button', { name: 'Discard Upload' }).click()
  await expect(page.getByText('Upload discarded')).toBeVisible()
  await expect(page).toHaveURL('/resources?q=Workshop')
  await expect.poll(readKeys).toEqual([])
  // Another tab had the same question open.
  await again.getByRole('button', { name: 'Discard Upload' }).click()
  await expect(again.getByText('This upload has ended already. Reload the page to see your files.')).toBeVisible()
  await again.goto(address)
  await expect(again.getByRole('dialog', { name: 'Upload not found' })).toBeVisible()
  await again.close()

  await start()
  const plain = await newContext({ javaScriptEnabled: false })
  await coach.signIn(plain)
  const plainPage = await plain.newPage()
  await plainPage.goto('/resources?dialog=upload')
  await plainPage.getByRole('link', { name: 'Discard “Workshop.mp4”' }).click()
  await plainPage.getByRole('button', { name: 'Discard Upload' }).click()
  await expect(plainPage.getByText('Upload discarded')).toBeVisible()
  expect(await listStartedUploads(ctx)).toEqual([])

  await dialog.getByLabel('File').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await expect(page.getByText('Resource uploaded')).toBeVisible()
})

test('a new version replaces a file, and the former one stays', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/resources?dialog=upload')
  await waitForHydration(page)
  const send = async (title: string, button: string, text: string) => {
    const dialog = page.getByRole('dialog', { name: title })
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from(text) }
    await dialog.getByLabel('File').setInputFiles(file)
    await dialog.getByRole('button', { name: button }).click()
  }
  await send('Upload Resource', 'Upload Resource', 'The first plan')
  await page.getByRole('main').getByRole('link', { name: 'plan.txt', exact: true }).click()
  await expect(page.getByText('The first plan')).toBeVisible()
  await page.getByRole('link', { name: 'New Version' }).click()
  await send('New Version', 'Upload New Version', 'The second plan')
  await expect(page.getByText('New version uploaded')).toBeVisible()
  await expect(page.getByText('The second plan')).toBeVisible()
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ])
    return readFile(await file.path(), 'utf8')
  }
  expect([await download('Download'), await download('Download version 1')]).toEqual([
    'The second plan',
    'The first plan',
  ])
})
