import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { expect, getClients } from '#tests/e2e/support/test-app.ts'
import { findMail } from '#tests/e2e/support/mails.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

mainFlow('an automation is set up, tried out, switched on, and does its work', async ({ page, app }) => {
  const email = `grace-${crypto.randomUUID()}@example.com`
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper', email }] })
  const [grace] = await getClients(coach)
  await coach.signIn(page.context())
  await page.goto('/automations')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Add Automation' }).first().click()
  const add = page.getByRole('dialog', { name: 'Add Automation' })
  await add.getByLabel('Name').fill('After a booking')
  await add.getByLabel('When').selectOption('A session is booked')
  await add.getByRole('button', { name: 'Add Automation' }).click()
  await expect(page.getByRole('heading', { name: 'After a booking' })).toBeVisible()

  await page.getByRole('link', { name: 'Send an email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send an email' })
  await dialog.getByLabel('Subject').fill('Until {{session tim}}')
  await dialog.getByLabel('Text').fill('Hello {{client first name}},\n\nsee you soon.')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Hello Grace,')
  await dialog.getByRole('button', { name: 'Add Action' }).click()
  await expect(dialog.getByText('There is no placeholder {{session tim}} here')).toBeVisible()
  await dialog.getByLabel('Subject').fill('Until {{session time}}')
  await dialog.getByRole('button', { name: 'Add Action' }).click()
  await expect(page.getByRole('list', { name: 'Actions' })).toContainText('Send the email “Until {{session time}}”')

  const book = async (title: string) => {
    const startTime = new Date(app.now().getTime() + 86_400_000).toISOString()
    const endTime = new Date(app.now().getTime() + 90_000_000).toISOString()
    const data = { title, clientId: grace!.id, startTime, endTime }
    const response = await page.request.post('/api/appointments', {
      data,
      headers: { origin: new URL(page.url()).origin },
    })
    expect(response.status()).toBe(201)
  }
  await book('Before it is on')
  await page.getByRole('link', { name: 'Dry run' }).click()
  await expect(page.getByText('The automation would have run 1 time.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'What would have been done' })).toContainText('Before it is on')

  await page.getByRole('button', { name: 'Switch On' }).click()
  await expect(page.getByText('Automation switched on')).toBeVisible()
  await book('First talk')
  expect((await findMail(app, email)).subject).toMatch(/^Until .+, \d{4}, /)
  await page.getByRole('link', { name: 'Runs' }).click()
  await expect(page).toHaveURL(/view=runs/)
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('list', { name: 'Runs' })).toContainText(`to ${email}: sent`, { timeout: 500 })
  }).toPass()
  await expect(page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first()).toContainText('First talk')
})
