import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { getManageUrl } from '#modules/scheduling/messages/manage-link.ts'
import { getAppointment } from '#modules/scheduling/queries/appointments.ts'
import { listPublicTypes } from '#modules/scheduling/queries/bookable-types.ts'
import { bookSlot } from '#modules/scheduling/services/bookings.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { contextFor, createClient, expect, inTenant, test, type TestApp } from '#tests/e2e/support/test-app.ts'

// The clock starts on Wednesday, March 11, 2026, at 10:00 in New York, the zone of the coach.

const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '16:00', end: '20:00' }))

/** A session on Friday, March 13, at 4 PM in New York. Returns its link and what reads its status. */
async function createBooking(app: TestApp) {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell' })
  const { id: clientId } = await createClient({ coach, name: 'Noor Aziz', email: 'noor@example.com' })
  const { id } = await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: weekdays }))
    const type = await createType(tx, AppointmentTypeInput.parse({ name: 'First talk', visibility: 'public' }))
    const start = new Date('2026-03-13T20:00:00Z')
    return bookSlot(tx, { typeId: type.id, start, attendee: { clientId }, timezone: 'Europe/Berlin' })
  })
  const path = new URL(getManageUrl(await contextFor(coach), id)!).pathname
  /** Books a time as another client. */
  const take = async (start: Date) => {
    const other = await createClient({ coach, name: 'Ines Moreau', email: 'ines@example.com' })
    return inTenant(coach, async (tx) => {
      const [type] = await listPublicTypes(tx)
      return bookSlot(tx, { typeId: type!.id, start, attendee: { clientId: other.id }, timezone: 'Europe/Berlin' })
    })
  }
  return { coach, path, take, read: async () => getAppointment(await contextFor(coach), id) }
}

test('on a phone without JavaScript a client moves a session by the link of its email, then cancels it', async ({
  app,
  newContext,
}) => {
  const { coach, path, read } = await createBooking(app)
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await (await newContext({ ...phone, baseURL: coach.origin, javaScriptEnabled: false })).newPage()
  await page.goto(path)
  await expect(page.getByText('Friday, March 13, 9:00 – 10:00 PM (Berlin time)')).toBeVisible()
  await page.getByRole('link', { name: 'Choose another time' }).click()
  await page.getByRole('link', { name: 'March 16, times available' }).click()
  await expect(page.getByRole('heading', { name: 'Monday, March 16' })).toBeVisible()
  await page.getByRole('list', { name: 'Free times' }).getByText('10:00 PM').click()
  await page.getByLabel('Reason (optional)').fill('My train is late')
  await page.getByRole('button', { name: 'Move 10:00 PM' }).click()
  await expect(page.getByText('Monday, March 16, 10:00 – 11:00 PM (Berlin time)')).toBeVisible()
  expect((await read()).startTime).toBe('2026-03-16T21:00:00.000Z')

  await page.getByRole('link', { name: 'Cancel session' }).click()
  await page.getByLabel('Reason (optional)').fill('I am ill')
  await page.getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByRole('heading', { name: 'This session is cancelled' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Book another session' })).toBeVisible()
  expect((await read()).status).toBe('cancelled')
})

test('on a desktop the month stays where it is while days and times are chosen', async ({ app, newContext }) => {
  const { coach, path } = await createBooking(app)
  const viewport = { width: 1440, height: 600 }
  const page = await (await newContext({ viewport, baseURL: coach.origin, javaScriptEnabled: false })).newPage()
  await page.goto(path)
  await page.getByRole('link', { name: 'Choose another time' }).click()
  const heading = page.getByRole('heading', { name: 'Choose another time' })
  await expect(page.locator('#times')).toContainText('Berlin time')
  const getTop = async () => Math.round((await heading.boundingBox())!.y)
  const before = await getTop()
  const steps = [
    { link: /March 16, times/, result: page.getByRole('heading', { name: 'Monday, March 16' }) },
    { link: '10:00 PM', result: page.getByRole('button', { name: 'Move 10:00 PM' }) },
    { link: 'Next month', result: page.getByRole('heading', { name: 'April 2026' }) },
  ]
  for (const { link, result } of steps) {
    await page.locator('section').getByRole('link', { name: link }).click()
    await expect(result).toBeVisible()
    await expect.poll(async () => Math.abs((await getTop()) - before), String(link)).toBeLessThanOrEqual(2)
  }
})

test('a time that was taken in the meantime says so, and a form that is sent twice shows how things are', async ({
  app,
  newContext,
}) => {
  const { coach, path, take, read } = await createBooking(app)
  const context = await newContext({ baseURL: coach.origin, javaScriptEnabled: false })
  const [page, second] = [await context.newPage(), await context.newPage()]
  await page.goto(`${path}?step=move&start=2026-03-16T21:00:00.000Z`)
  await take(new Date('2026-03-16T21:00:00Z'))
  await page.getByRole('button', { name: 'Move 10:00 PM' }).click()
  await expect(page.getByText('This time has just been taken.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Choose another time' })).toBeVisible()
  expect((await read()).startTime).toBe('2026-03-13T20:00:00.000Z')

  for (const tab of [page, second]) await tab.goto(`${path}?step=cancel`)
  for (const tab of [page, second]) {
    await tab.getByRole('button', { name: 'Cancel session' }).click()
    await expect(tab.getByRole('heading', { name: 'This session is cancelled' })).toBeVisible()
  }
})

test('a link that was cut says what to do', async ({ app, newContext }) => {
  const { coach, path } = await createBooking(app)
  const page = await (await newContext({ baseURL: coach.origin })).newPage()
  await page.goto(path.slice(0, -3))
  await expect(page.getByText('Open it from the email again')).toBeVisible()
})
