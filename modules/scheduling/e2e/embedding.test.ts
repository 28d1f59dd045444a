import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { listAppointments } from '#modules/scheduling/queries/appointments.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { contextFor, expect, inTenant, test, type TestApp } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

// The clock starts on Wednesday, March 11, 2026, at 10:00 in New York, the zone of the coach.

async function createPractice(app: TestApp) {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell' })
  await inTenant(coach, async (tx) => {
    const hours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '16:00', end: '20:00' }))
    await createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours }))
    await createType(tx, AppointmentTypeInput.parse({ name: 'First talk', visibility: 'public' }))
  })
  return coach
}

/** A website with this body, on an origin of its own. */
async function serveWebsite(body: string) {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><title>A website</title>${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, close: () => server.close() }
}

test('a visitor books in a frame of the website that the coach allows', async ({ page, app, newContext, passTime }) => {
  const coach = await createPractice(app)
  const snippet = `<iframe src="${coach.origin}/book?embed=1" title="Book a session" width="900" height="700"></iframe>`
  const [allowed, other] = [await serveWebsite(snippet), await serveWebsite(snippet)]
  await coach.signIn(page.context())
  await page.goto('/calendar/sharing')
  await waitForHydration(page)
  await page.getByLabel('Websites that may show it').fill('http://evil.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Use an address such as https://www.example.com, not http://evil.example')).toBeVisible()
  await page.getByLabel('Websites that may show it').fill(`${allowed.origin}/contact\nhttps://www.example.com`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('HTML for your website')).toHaveValue(new RegExp(`src="${coach.origin}/book\\?embed=1"`))

  const context = await newContext()
  const visit = await context.newPage()
  const getAncestors = async (path: string) => {
    const headers = (await visit.goto(`${coach.origin}${path}`))!.headers()
    const framing = headers['content-security-policy']!.split('; ').filter((one) => one.startsWith('frame-ancestors'))
    return [...framing, headers['x-frame-options']]
  }
  const exactly = [`frame-ancestors ${allowed.origin} https://www.example.com`, undefined]
  expect(await getAncestors('/book?embed=1')).toEqual(exactly)
  expect(await getAncestors('/book/first-talk?embed=1')).toEqual(exactly)
  for (const path of ['/book', '/book?embed=2', '/book/first-talk', '/?embed=1', '/auth?embed=1', '/booking/x?embed=1'])
    expect([path, ...(await getAncestors(path))]).toEqual([path, "frame-ancestors 'none'", 'DENY'])

  const website = await context.newPage()
  await website.goto(allowed.origin)
  const frame = website.frameLocator('iframe')
  await expect(frame.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
  await frame.getByRole('link', { name: /First talk/ }).click()
  await frame.getByRole('link', { name: 'March 13, times available' }).click()
  await expect(frame.getByRole('heading', { name: 'Friday, March 13' })).toBeVisible()
  await frame.getByRole('link', { name: '5:00 PM' }).click()
  await frame.getByRole('button', { name: 'Confirm 5:00 PM' }).click()
  await frame.getByLabel('Name').fill('Noor Aziz')
  await frame.getByLabel('Email').fill('noor@example.com')
  // The form refuses programs, which send it at once.
  await passTime(context, 5_000)
  await frame.getByRole('button', { name: 'Book this time' }).click()
  await expect(frame.getByRole('heading', { name: 'You are booked' })).toBeVisible()
  expect(await listAppointments(await contextFor(coach), {})).toMatchObject([{ startTime: '2026-03-13T21:00:00.000Z' }])

  const stranger = await context.newPage()
  await stranger.goto(other.origin)
  await expect(stranger.frameLocator('iframe').getByRole('link', { name: /First talk/ })).toHaveCount(0)
  expect(stranger.frames()[1]!.url()).toMatch(/^chrome-error:/)
  allowed.close()
  other.close()
})
