import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { listAppointments } from '#modules/scheduling/queries/appointments.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { contextFor, createClient, expect, inTenant, test, type TestApp } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

// The clock starts on Wednesday, March 11, 2026, at 10:00 in New York, the zone of the coach.

const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '16:00', end: '20:00' }))

/** A coach with a client and a type that nobody can book. */
async function createPractice(app: TestApp) {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell' })
  const client = await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })
  await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: weekdays }))
    await createType(tx, AppointmentTypeInput.parse({ name: 'Deep dive' }))
  })
  return { coach, client }
}

test('a coach makes a link for a client, who books once by it on a phone without JavaScript', async ({
  page,
  app,
  newContext,
  passTime,
}) => {
  const { coach, client } = await createPractice(app)
  await coach.signIn(page.context())
  await page.goto(`/calendar/sharing?client=${client.id}`)
  await waitForHydration(page)
  await expect(page.getByRole('combobox', { name: 'Client or prospect' })).toHaveValue('Mara Winter')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await expect(page.getByText('Choose an appointment type').last()).toBeVisible()
  await page.getByLabel('Appointment type').selectOption('Deep dive')
  await page.getByLabel('Expires').selectOption('In a week')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await expect(page.getByText('Not used yet, expires on Mar 18, 2026')).toBeVisible()
  const link = await page.getByLabel('Link of Mara Winter', { exact: true }).inputValue()

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const visitor = await (await newContext({ ...phone, baseURL: coach.origin, javaScriptEnabled: false })).newPage()
  await visitor.goto(link)
  await visitor.getByRole('link', { name: 'March 13, times available' }).click()
  await expect(visitor.getByRole('heading', { name: 'Friday, March 13' })).toBeVisible()
  await visitor.getByRole('link', { name: '5:00 PM' }).click()
  await visitor.getByRole('button', { name: 'Confirm 5:00 PM' }).click()
  await expect(visitor.getByLabel('Name')).toHaveValue('Mara Winter')
  await expect(visitor.getByLabel('Email')).toHaveValue('mara@example.com')
  await visitor.getByLabel('Anything else (optional)').fill('Looking forward to it.')
  // The form refuses programs, which send it at once.
  await passTime(visitor.context(), 5_000)
  await visitor.getByRole('button', { name: 'Book this time' }).click()
  await expect(visitor.getByRole('heading', { name: 'You are booked' })).toBeVisible()
  expect(await listAppointments(await contextFor(coach), {})).toMatchObject([
    { clientId: client.id, title: 'Deep dive', startTime: '2026-03-13T21:00:00.000Z' },
  ])

  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'This link was used' })).toBeVisible()
  await visitor.getByRole('link', { name: 'See the session' }).click()
  await expect(visitor.getByRole('heading', { name: 'Your session' })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Used on Mar 11, 2026')).toBeVisible()
})

test('a revoked link says so, and the coach copies the address of the booking page', async ({ page, app }) => {
  const { coach, client } = await createPractice(app)
  await coach.signIn(page.context())
  await page.goto(`/calendar/sharing?client=${client.id}`)
  await waitForHydration(page)
  await expect(page.getByLabel('Address of All public types')).toHaveValue(`${coach.origin}/book`)
  await page.getByLabel('Appointment type').selectOption('Deep dive')
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = await page.getByLabel('Link of Mara Winter', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Revoke the link of Mara Winter' }).click()
  await expect(page.getByText('The link no longer works')).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Write to/ })).toBeVisible()
})
