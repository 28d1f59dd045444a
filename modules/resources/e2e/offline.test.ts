import { contextFor, inTenant, test, expect } from '#tests/e2e/support/test-app.ts'
import { expectOfflineErrors, networkErrors } from '#tests/e2e/support/offline.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createLink } from '../services/files.ts'
import { createFolder } from '../services/folders.ts'
import { createShare } from '../services/shares.ts'

test('forms of resources keep their values when the server is unreachable', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const link = { name: 'Talk', fileUrl: 'https://example.com/talk', type: 'link' } as const
  const { id } = await inTenant(coach, (tx) => createLink(tx, link))
  await inTenant(coach, (tx) => createFolder(tx, { name: 'Worksheets' }))
  await inTenant(coach, (tx) => createShare(tx, id, { audience: 'all' }))
  await coach.signIn(page.context())
  const [list, one] = ['/resources', `/resources/${id}`]
  const failures: [string, Record<string, string>, string, string][] = [
    [`${list}?dialog=link`, { name: 'Plan', fileUrl: 'https://example.com' }, 'Add Link', 'Failed to add the link.'],
    [`${list}?dialog=folders`, { name: 'Spring' }, 'Add Folder', 'Failed to add the folder.'],
    [`${list}?dialog=folders`, {}, 'Rename Worksheets', 'Failed to rename the folder.'],
    [`${list}?dialog=folders`, {}, 'Delete Worksheets', 'Failed to delete the folder.'],
    [`${list}?dialog=delete&resource=${id}`, {}, 'Delete Resource', 'Failed to delete the resource.'],
    [list, {}, 'Move', 'Failed to move the resources.'],
    [list, { tag: 'values' }, 'Add Tag', 'Failed to add the tag.'],
    [list, {}, 'Delete Chosen', 'Failed to delete the resources.'],
    [one, { name: 'Talk on values' }, 'Save', 'Failed to update the resource.'],
    [one, { password: 'open sesame' }, 'Share', 'Failed to share the resource.'],
    [one, {}, 'Email All clients', 'Failed to send the email.'],
    [one, {}, 'Stop sharing with All clients', 'Failed to end the share.'],
    [`${one}?dialog=delete`, {}, 'Delete Resource', 'Failed to delete the resource.'],
  ]
  await expectOfflineErrors(
    page,
    browserErrors,
    failures.map(([path, values, button, text]) => [path, values, button, 'Error', text]),
  )
})

test('an upload waits for room on the server, and is not sent again when its form fails', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  let parts = 0
  let isFull = true
  const noRoom = 'The server has no room for the next part of this file.'
  await page.route(/\/api\/uploads\/\d+\?/, async (route) => {
    if (isFull) return route.fulfill({ status: 503, json: { code: 'unavailable', message: noRoom } })
    parts++
    await route.continue()
  })
  await page.route(/\.data(\?|$)/, (route) => route.abort())
  await page.goto('/resources?dialog=upload')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog', { name: 'Upload Resource' })
  await dialog.getByLabel('File').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('A') })
  await dialog.getByLabel('Tags').fill('values')
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await expect(dialog.getByText(noRoom)).toBeVisible()
  isFull = false
  await expect(page.getByRole('alert')).toContainText('Failed to upload the resource.')
  await expect(dialog.getByLabel('Tags')).toHaveValue('values')

  await page.unroute(/\.data(\?|$)/)
  await dialog.getByRole('button', { name: 'Upload Resource' }).click()
  await expect(page.getByText('Resource uploaded')).toBeVisible()
  expect(parts).toBe(1)
  expect(
    (await (await contextFor(coach)).query({ name: 'test.uploads', text: 'select 1 from file_upload' })).length,
  ).toBe(0)
  browserErrors.ignore(networkErrors)
  browserErrors.ignore(/503/)
})
