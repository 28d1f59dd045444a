import { createClient, expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('a coach begins a thread from the list of messages, with the keyboard', async ({ page, context, app }) => {
  const coach = await app.createCoach()
  await createClient({ coach, name: 'Ines Moreau' })
  const { id } = await createClient({ coach, name: 'Noor Aziz' })
  await coach.signIn(context)
  await page.goto('/messages')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'New Message' }).press('Enter')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  const recipient = page.getByRole('combobox', { name: 'To' })
  await expect(recipient).toHaveAccessibleDescription(/Choose a client/)
  await recipient.fill('noo')
  await page.getByRole('option', { name: 'Noor Aziz' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`/messages/${id}`)
  await page.getByRole('textbox', { name: 'Message' }).fill('How was the first week?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('How was the first week?')
})

test('the suggestions begin with names that start with the text, and the dialog has room for them', async ({
  page,
  context,
  app,
}) => {
  const toClients = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `${name} ${index + 1}` }))
  // The latest client comes first in the server's results.
  const clients = [{ name: 'Alistair McPhee' }, ...toClients('Zoë Talis', 16), ...toClients('Client', 35)]
  const coach = await app.createCoach({ plan: 'premium', clients })
  await coach.signIn(context)
  await page.goto('/messages?dialog=new')
  await waitForHydration(page)
  await page.getByRole('combobox', { name: 'To' }).fill('alis')
  const options = page.getByRole('option')
  await expect(options).toHaveCount(17)
  await expect(options.first()).toContainText('Alistair McPhee')
  for (const index of [0, 3, 5]) await expect(options.nth(index)).toBeInViewport({ ratio: 1 })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a coach begins a thread with one of more clients than the list has', async ({ page, context, app }) => {
    const coach = await app.createCoach({
      plan: 'premium',
      clients: Array.from({ length: 52 }, (_, index) => ({ name: `Client ${String(index + 1).padStart(2, '0')}` })),
    })
    await coach.signIn(context)
    await page.goto('/messages')
    await page.getByRole('link', { name: 'New Message' }).click()
    await page.getByRole('searchbox', { name: 'Find a client' }).fill('Client 52')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('combobox', { name: 'To' }).selectOption('Client 52')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Client 52' })).toBeVisible()
  })
})
