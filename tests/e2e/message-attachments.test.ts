import type { Page } from '@playwright/test'
import { NewFile } from '#modules/resources/forms.ts'
import { listShares } from '#modules/resources/queries/shares.ts'
import { createFile } from '#modules/resources/services/files.ts'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { contextFor, expect, getClients, inTenant, test, type Coach } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

const addLink = (coach: Coach, name: string): Promise<number> =>
  inTenant(
    coach,
    async (tx) => (await createFile(tx, NewFile.parse({ name, fileUrl: 'https://example.com/sheet' }))).id,
  )

/** Finds a file by name, with a text typed before and another file chosen before, and sends both. */
async function findAndSend(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByText('Attach resources').click()
  await page.getByRole('checkbox', { name: /Newest worksheet/ }).check()
  await page.getByRole('searchbox', { name: 'Search resources' }).fill('VALUES')
  await page.getByRole('searchbox', { name: 'Search resources' }).press('Enter')
  await expect(page.getByRole('checkbox', { name: /Values worksheet/ })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: /Sheet 12/ })).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: /Newest worksheet/ })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(text)
  await page.getByRole('checkbox', { name: /Values worksheet/ }).check()
  await page.getByRole('textbox', { name: 'Message' }).fill(' ')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Write a message')).toBeVisible()
  for (const name of [/Newest worksheet/, /Values worksheet/])
    await expect(page.getByRole('checkbox', { name })).toBeChecked()
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText(text)
  const files = page.getByRole('list', { name: 'Files' })
  await expect(files.getByRole('link')).toHaveText(['Values worksheet', 'Newest worksheet'])
}

for (const javaScriptEnabled of [true, false])
  test(`a coach attaches files to a message, ${javaScriptEnabled ? 'with' : 'without'} scripts, and the client opens them`, async ({
    app,
    newContext,
  }) => {
    const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
    const [grace] = await getClients(coach)
    await addLink(coach, 'Values worksheet')
    for (let index = 0; index < 31; index++) await addLink(coach, `Sheet ${index}`)
    const newest = await addLink(coach, 'Newest worksheet')

    const context = await newContext({ baseURL: app.platform.config.origin, javaScriptEnabled })
    await coach.signIn(context)
    const page = await context.newPage()
    await page.goto(`/messages/${grace!.id}`)
    if (javaScriptEnabled) await waitForHydration(page)
    await findAndSend(page, 'Please read these two')

    const portal = await newContext({ baseURL: coach.origin!, javaScriptEnabled: false })
    const value = await createPortalSession(coach, grace!.id)
    await portal.addCookies([{ name: 'portal', value, url: coach.origin! }])
    const client = await portal.newPage()
    await client.goto('/portal/messages')
    await client.getByRole('link', { name: 'Values worksheet' }).click()
    await expect(client.getByRole('heading', { name: 'Values worksheet' })).toBeVisible()

    const [share] = await listShares(await contextFor(coach), newest)
    await page.goto(`/resources/${newest}`)
    if (javaScriptEnabled) await waitForHydration(page)
    await page.getByRole('button', { name: 'Stop sharing with Grace Hopper' }).click()
    await expect.poll(async () => (await listShares(await contextFor(coach), newest)).length).toBe(share ? 0 : -1)
    await client.goto('/portal/messages')
    await expect(client.getByRole('list', { name: 'Files' })).toContainText('A file that is no longer available')
    await expect(client.getByRole('list', { name: 'Files' }).getByRole('link')).toHaveText(['Values worksheet'])
    await page.goto(`/messages/${grace!.id}`)
    await expect(page.getByText('No longer shared with the client')).toBeVisible()
  })
