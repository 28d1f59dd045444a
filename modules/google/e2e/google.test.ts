import type { Page } from '@playwright/test'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { expect, getClients, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Google Calendar' })

/** Opens the popup at Google, where an account of this coach is entered. */
async function openPopup(page: Page, coach: Coach): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await card(page).getByRole('link', { name: 'Connect Google Calendar' }).click()
  const popup = await opened
  await popup.getByRole('textbox', { name: 'Email' }).fill(`coach${coach.id}@gmail.com`)
  return popup
}

test('a coach connects Google Calendar in a popup, syncs, adds a Meet link, connects Meet too, and disconnects', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/calendar')
  await waitForHydration(page)

  await page.evaluate(() => {
    const { open } = window
    window.open = (url, name, features) => {
      document.body.dataset.popup = features ?? ''
      return open.call(window, url, name, features)
    }
  })
  const popup = await openPopup(page, coach)
  await expect(page.locator('body')).toHaveAttribute('data-popup', 'popup,width=500,height=600')
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Allow' }).click()
  await closed
  await expect(page.getByText('Google Calendar Connected')).toBeVisible()
  await expect(card(page).getByText(`coach${coach.id}@gmail.com`)).toBeVisible()

  await card(page).getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByText('Calendar Synced')).toBeVisible()
  await expect(card(page).getByText(/Last synced: Mar 11, 2026/)).toBeVisible()

  const [client] = await getClients(coach)
  const times = { startTime: '2026-03-13T09:00:00Z', endTime: '2026-03-13T10:00:00Z' }
  const { id } = await createAppointment({ coach, clientId: client!.id, ...times })
  await page.goto(`/calendar?dialog=appointment&appointment=${id}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Add Google Meet link' }).click()
  await expect(page.getByText('Meet link added.')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('link', { name: /^meet\.google\.com/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Google Meet link' })).toBeHidden()
  await page.goto('/calendar')

  await card(page).getByRole('link', { name: 'Choose calendars' }).click()
  await page.getByLabel('Family').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Calendars saved.')).toBeVisible()
  await page.reload()
  await waitForHydration(page)
  await expect(page.getByLabel('Family')).toBeChecked()
  await expect(page.getByRole('checkbox', { name: `coach${coach.id}@gmail.com` })).toBeChecked()

  const meet = page.getByRole('region', { name: 'Google Meet' })
  await meet.getByRole('link', { name: 'Connect Google Meet' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(`coach${coach.id}@gmail.com`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Google Meet Connected')).toBeVisible()
  await waitForHydration(page)
  await expect(meet.getByText('Not reached yet.')).toBeVisible()
  await meet.getByRole('button', { name: 'Check' }).click()
  await expect(meet.getByText(/Last reached: Mar 11, 2026/)).toBeVisible()
  await meet.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('Google Meet Disconnected')).toBeVisible()
  await expect(meet.getByRole('link', { name: 'Connect Google Meet' })).toBeVisible()

  await card(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('Google Calendar Disconnected')).toBeVisible()
  await expect(card(page).getByRole('link', { name: 'Connect Google Calendar' })).toBeVisible()
})

test('a coach who refuses at Google sees why, and may connect again', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  const popup = await openPopup(page, coach)
  await popup.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Connection Failed')).toBeVisible()
  await expect(page.getByText('Google was not allowed to share your calendar.')).toBeVisible()
  await expect(card(page).getByRole('link', { name: 'Connect Google Calendar' })).toHaveAttribute(
    'href',
    '/google/connect',
  )
})

test('a browser that blocks the popup goes to Google itself and comes back', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/calendar')
  await waitForHydration(page)
  await page.evaluate(() => void (window.open = () => null))
  await card(page).getByRole('link', { name: 'Connect Google Calendar' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(`coach${coach.id}@gmail.com`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Google Calendar Connected')).toBeVisible()
})

test('on the coach’s own host, the popup comes back there', async ({ page, app }) => {
  const coach = await app.createCoach({ ownHost: true })
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/calendar`)
  await waitForHydration(page)
  const popup = await openPopup(page, coach)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Google Calendar Connected')).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the page itself goes to Google and comes back', async ({ page, app }) => {
    const coach = await app.createCoach()
    await coach.signIn(page.context())
    await page.goto('/calendar')
    await card(page).getByRole('link', { name: 'Connect Google Calendar' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill(`coach${coach.id}@gmail.com`)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByText('Google Calendar Connected')).toBeVisible()
    await card(page).getByRole('button', { name: 'Sync' }).click()
    await expect(page.getByText('Calendar Synced')).toBeVisible()
  })
})

test('on the free plan, the card says which plans have it', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free' })
  await coach.signIn(page.context())
  await page.goto('/calendar')
  await expect(card(page).getByText('Calendar sync is part of the Pro and Premium plans.')).toBeVisible()
  await expect(card(page).getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/upgrade')
})
