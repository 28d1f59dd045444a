import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { expect } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

mainFlow('a webhook is added, tested, switched off and deleted', async ({ page, app }) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end('Thank you'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Webhooks page' }).click()
  await waitForHydration(page)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Add Webhook' }).click()
  const form = page.getByRole('region', { name: 'Add a webhook' })
  await expect(form.getByText('Choose at least one event')).toBeVisible()
  await page.getByLabel('Client added').check()
  await page.getByRole('button', { name: 'Add Webhook' }).click()
  await expect(page.getByLabel('New secret')).toHaveText(/^whsec_/)

  await page.getByRole('link', { name: url }).click()
  await expect(page.getByLabel('Client added')).toBeChecked()
  await page.getByRole('button', { name: 'Send a Test' }).click()
  await expect(page.getByText('Test on its way')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Delivered')).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(page.getByText('One attempt. The server answered with the status 200.')).toBeVisible()
  await waitForHydration(page)
  await page.getByText('Details').click()
  await expect(page.getByText('Thank you')).toBeVisible()

  await page.getByRole('button', { name: 'Switch Off' }).click()
  await expect(page.getByText('This webhook is off: nothing is sent to it, now or later.')).toBeVisible()
  await page.getByRole('link', { name: 'Delete Webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Webhook' }).click()
  await expect(page.getByText('You have no webhooks yet.')).toBeVisible()
  server.close()
})
