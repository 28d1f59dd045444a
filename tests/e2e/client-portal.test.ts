import type { BrowserContext } from '@playwright/test'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { createTask, getTask, NewTask } from '#modules/tasks/index.ts'
import { extractLink, findMail } from './support/mails.ts'
import { contextFor, createClient, expect, inTenant, test, type Coach } from './support/test-app.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('on a phone without JavaScript a client signs in by email, joins the next session and completes a task', async ({
  app,
  newContext,
}) => {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell' })
  const { id: clientId, email } = await createClient({ coach, name: 'Noor Aziz', email: 'noor.portal@example.com' })
  const other = await createClient({ coach, name: 'Ines Moreau', email: 'ines.portal@example.com' })
  await createAppointment({ coach, clientId, title: 'Second talk', meetingUrl: 'https://meet.example.com/noor' })
  await createAppointment({ coach, clientId: other.id, title: 'Not for Noor' })
  const { id: taskId } = await inTenant(coach, (ctx) =>
    createTask(ctx, NewTask.parse({ title: 'Write the letter', owner: 'client', clientId })),
  )
  await inTenant(coach, (ctx) => createTask(ctx, NewTask.parse({ title: 'Read her notes', clientId })))

  const page = await (await newContext({ ...phone, baseURL: coach.origin, javaScriptEnabled: false })).newPage()
  // The coach's sign-in page leads clients to theirs.
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Sign in with a link by email' }).click()
  await expect(page.getByRole('heading', { name: 'Client sign-in' })).toBeVisible()
  await page.goto('/')
  await page.getByRole('link', { name: 'Client Sign-In' }).click()
  await page.getByLabel('Email').fill('Noor.Portal@example.com')
  await page.getByRole('button', { name: 'Send the Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  const link = extractLink(await findMail(app, email, 'Sign in to Groundswell'))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Hello Noor Aziz' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign In' }).click()

  await expect(page).toHaveURL(/\/portal$/)
  await expect(page.getByText('Second talk')).toBeVisible()
  await expect(page.getByText('Not for Noor')).toHaveCount(0)
  await expect(page.getByText('Read her notes')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Join Second talk' })).toHaveAttribute(
    'href',
    'https://meet.example.com/noor',
  )
  await page.getByRole('link', { name: 'Change or Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Your session' })).toBeVisible()
  await page.getByRole('link', { name: 'Your Page' }).click()
  await expect(page).toHaveURL(/\/portal$/)
  // The coach's public page doesn't ask who is signed in to sign in.
  await page.goto('/')
  await expect(page.getByRole('link', { name: /Sign.?In/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Your Page' }).click()
  await expect(page).toHaveURL(/\/portal$/)
  await page.getByRole('button', { name: 'Complete Write the letter' }).click()
  await expect(page.getByText('Task completed')).toBeVisible()
  const readTask = async () => (await getTask(await contextFor(coach), taskId)).doneAt
  expect(await readTask()).not.toBeNull()
  await page.getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('button', { name: 'Reopen Write the letter' }).click()
  await expect(page.getByRole('list', { name: 'Open tasks' })).toContainText('Write the letter')
  expect(await readTask()).toBeNull()

  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Write a message')).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('May we begin ten minutes later?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('May we begin ten minutes later?')
  await answer(await newContext({ baseURL: app.platform.config.origin }), coach, clientId)
  await page.goto('/portal')
  await expect(page.getByRole('heading', { name: 'A new message' })).toBeVisible()
  await page.getByRole('link', { name: 'Read and Answer' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Of course.')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Client sign-in' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link doesn’t work any more' })).toBeVisible()
})

/** The coach finds the message, reads it and writes back. */
async function answer(context: BrowserContext, coach: Coach, clientId: number): Promise<void> {
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/messages')
  await expect(page.getByRole('link', { name: /Messages.*1/ })).toBeVisible()
  await page.getByRole('link', { name: /Noor Aziz/ }).click()
  await expect(page).toHaveURL(`/messages/${clientId}`)
  await expect(page.getByText('May we begin ten minutes later?')).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('Of course.')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Of course.')
  await expect(page.getByRole('link', { name: 'Messages', exact: true }).first()).toBeVisible()
  await page.goto(`/clients/${clientId}`)
  await expect(page.getByText('Message received').first()).toBeVisible()
}

test('the coach invites a client, sees where they are signed in, and signs them out', async ({
  app,
  page,
  newContext,
}) => {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Northlight' })
  const { id, email } = await createClient({ coach, name: 'Grace Hopper', email: 'grace.portal@example.com' })
  await coach.signIn(page.context())
  await page.goto(`/clients/${id}`)
  await page.getByRole('link', { name: 'Portal', exact: true }).click()
  await page.getByRole('button', { name: 'Send Sign-In Link' }).click()
  await expect(page.getByText('The email is on its way')).toBeVisible()

  const client = await (await newContext({ baseURL: coach.origin })).newPage()
  await client.goto(extractLink(await findMail(app, email, 'Your page at Northlight')))
  await client.getByRole('button', { name: 'Sign In' }).click()
  await expect(client.getByText('Nothing is waiting for you.')).toBeVisible()

  await page.reload()
  await expect(page.getByText('Chrome on Linux')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out Everywhere' }).click()
  await expect(page.getByText('Grace Hopper isn’t signed in anywhere.')).toBeVisible()
  await client.reload()
  await expect(client.getByRole('heading', { name: 'Client sign-in' })).toBeVisible()
})
