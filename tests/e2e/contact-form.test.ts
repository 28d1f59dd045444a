import { listProspects } from '#modules/pipeline/index.ts'
import { listContactMessages } from '#modules/public-page/queries/contact-messages.ts'
import { contextFor, expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('a visitor without scripts writes to the coach, and nothing typed is lost', async ({
  page,
  app,
  newContext,
  passTime,
}) => {
  const coach = await app.createCoach({ ownHost: true })
  const context = await newContext({ baseURL: coach.origin, javaScriptEnabled: false })
  const visitor = await context.newPage()
  await visitor.goto('/')
  const send = visitor.getByRole('button', { name: 'Send Message' })
  await visitor.getByLabel('Name').fill('Noor Aziz')
  await visitor.getByLabel('Message').fill('Do you have time in May?')
  await passTime(context, 5_000)
  await send.click()
  await expect(visitor).toHaveURL('/contact')
  await expect(visitor.getByText('Enter your email address')).toBeVisible()
  await expect(visitor.getByLabel('Name')).toHaveValue('Noor Aziz')
  await expect(visitor.getByLabel('Message')).toHaveValue('Do you have time in May?')
  await visitor.getByLabel('Email').fill('noor@example.com')
  await send.click()
  await expect(visitor.getByRole('heading', { name: 'Your message was sent' })).toBeVisible()
  const [prospect] = await listProspects(await contextFor(coach))
  expect(prospect).toMatchObject({ name: 'Noor Aziz', email: 'noor@example.com', source: 'Contact form' })
  expect(await listContactMessages(await contextFor(coach))).toHaveLength(1)

  await coach.signIn(page.context())
  await page.goto(`/pipeline?dialog=edit&prospect=${prospect!.id}`)
  await expect(page.getByText('Sent a message with the contact form')).toBeVisible()
  await page.getByRole('link', { name: 'Contact Form Messages' }).click()
  await waitForHydration(page)
  await expect(page.getByText('Do you have time in May?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete the message of Noor Aziz' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Message restored')).toBeVisible()
  await expect(page.getByText('Do you have time in May?')).toBeVisible()
  await page.getByRole('button', { name: 'Switch Off' }).click()
  await expect(page.getByText('Your page has no contact form.')).toBeVisible()
  await visitor.goto('/')
  await expect(send).toHaveCount(0)
})
