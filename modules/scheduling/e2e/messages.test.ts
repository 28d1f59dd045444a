import type { Page } from '@playwright/test'
import { updateMessageSettings } from '#modules/scheduling/services/message-settings.ts'
import { listMessageTexts, saveMessageText } from '#modules/scheduling/services/message-texts.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { contextFor, expect, getClients, inTenant, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createAppointment } from './factories.ts'

const url = '/calendar/messages'
const save = (page: Page) => page.getByRole('button', { name: 'Save Message' }).click()
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

async function open(coach: Coach, page: Page, path = url): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(path)
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, viewport: phone })

    test('a coach on a phone writes the text of a reminder, sees it filled in, and takes the standard one again', async ({
      app,
      page,
    }) => {
      const coach = await app.createCoach({ businessName: 'Groundswell' })
      await open(coach, page)
      await page.getByRole('link', { name: 'Reminder' }).click()
      await expect(page.getByRole('region', { name: 'Reminder' })).toBeVisible()
      if (javaScriptEnabled) await waitForHydration(page)
      await page.getByLabel('Subject').fill('Soon: {{sesion}}')
      await save(page)
      await expect(page.getByText('There is no placeholder {{sesion}}')).toBeVisible()
      await page.getByLabel('Subject').fill('Soon: {{session}}')
      await page.getByLabel('Text', { exact: true }).fill('Dear {{client first name}},\n\n<b>see you</b>')
      await save(page)
      await expect(page.getByText('Message saved')).toBeVisible()
      await expect(preview(page).getByText('Soon: Coaching')).toBeVisible()
      await expect(preview(page).getByText('Dear Ada,')).toBeVisible()
      await expect(preview(page).getByText('<b>see you</b>')).toBeVisible()
      await page.getByRole('link', { name: 'Use Standard Text' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Use Standard Text' }).click()
      await expect(page.getByText('Standard text restored')).toBeVisible()
      await expect(page.getByLabel('Subject')).toHaveValue(/^Reminder: /)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByLabel('Subject')).toHaveValue('Soon: {{session}}')
    })

    test('the plan decides what would go out', async ({ app, page }) => {
      const coach = await app.createCoach()
      await open(coach, page)
      if (javaScriptEnabled) await waitForHydration(page)
      await page.getByLabel('Reminders before a session').fill('soon')
      await page.getByRole('button', { name: 'Save Plan' }).click()
      await expect(page.getByText('Write up to 5 times')).toBeVisible()
      await page.getByLabel('Reminders before a session').fill('90 min')
      await page.getByLabel('Follow-up after a session').selectOption('Sent')
      await page.getByRole('button', { name: 'Save Plan' }).click()
      await expect(page.getByText('Plan saved')).toBeVisible()
      await page.getByLabel('How long after').fill('3 h')
      await page.getByRole('button', { name: 'Save Plan' }).click()
      const messages = page.getByRole('list', { name: 'What would go out' }).getByRole('listitem')
      await expect(messages).toHaveCount(4)
      await expect(messages.nth(1)).toContainText('Reminder 90 min before')
      await expect(messages.nth(2)).toContainText('Follow-up 3 h after')
    })
  })

test('the preview follows the typing, and shows a real session', async ({ app, page }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  await createAppointment({ coach, clientId: client!.id, title: 'Review' })
  await open(coach, page)
  await waitForHydration(page)
  await page.getByLabel('Session', { exact: true }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(preview(page).getByText('Hello Grace Hopper,')).toBeVisible()
  await page.getByLabel('Subject').fill('{{client first name}}: {{session}}')
  await expect(preview(page).getByText('Grace: Review')).toBeVisible()
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText('Test sent')).toBeVisible()
})

test('a message that another tab changed is not overwritten unasked', async ({ app, page }) => {
  const coach = await app.createCoach()
  await open(coach, page)
  await waitForHydration(page)
  await inTenant(coach, (ctx) => saveMessageText(ctx, 'confirmation', { subject: 'Theirs', body: 'Theirs' }))
  await page.getByLabel('Subject').fill('Mine')
  await save(page)
  await expect(page.getByText('This message was changed in another tab.')).toBeVisible()
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Message saved')).toBeVisible()
  const [text] = await listMessageTexts(await contextFor(coach))
  expect(text).toMatchObject({ subject: 'Mine', body: 'Theirs' })
})

test('the details of a session list its emails', async ({ app, page }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await inTenant(coach, (ctx) => updateMessageSettings(ctx, { reminderMinutes: [30] }))
  const [client] = await getClients(coach)
  const { id } = await createAppointment({ coach, clientId: client!.id, title: 'Review', notify: true })
  await open(coach, page, `/calendar?dialog=appointment&appointment=${id}`)
  await page.getByText('Emails', { exact: true }).click()
  const emails = page.getByRole('list', { name: 'Emails' }).getByRole('listitem')
  await expect(emails.nth(1)).toContainText('Reminder 30 min before')
  await expect(emails.nth(2)).toContainText('It is switched off.')
})
