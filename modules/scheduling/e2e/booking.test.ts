import type { BrowserContext, BrowserContextOptions, Locator, Page } from '@playwright/test'
import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { listAppointments } from '#modules/scheduling/queries/appointments.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { listAppointmentTypes } from '#modules/scheduling/queries/types.ts'
import { findViolations } from '#tests/e2e/support/axe.ts'
import { contextFor, expect, inTenant, test, type Coach, type TestApp } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

// The clock starts on Wednesday, March 11, 2026, at 10:00 in New York, the zone of the coaches.

const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '16:00', end: '20:00' }))

/** A coach who works from 4 PM to 8 PM and offers a first talk and a session. */
async function createBookableCoach(app: TestApp, options: { type?: object; bio?: string } = {}): Promise<Coach> {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell', primaryColor: '#8a2b5b' })
  await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: weekdays }))
    for (const type of [
      { name: 'First talk', durations: [60], description: 'To see whether we should.', priceCents: 0 },
      { name: 'Session', durations: [60, 90], priceCents: 22_000 },
    ])
      await createType(tx, AppointmentTypeInput.parse({ visibility: 'public', ...type, ...options.type }))
  })
  return coach
}

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

type PassTime = (context: BrowserContext, ms: number) => Promise<void>

/** The form refuses programs, which send it at once: some seconds pass. */
async function fillIn(
  page: Page,
  passTime: PassTime,
  person = { name: 'Noor Aziz', email: 'noor@example.com' },
): Promise<void> {
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await passTime(page.context(), 5_000)
}

const getAppointments = async (coach: Coach) => {
  const appointments = await listAppointments(await contextFor(coach), {})
  return appointments.map(({ title, status, startTime, clientName, prospectName }) => ({
    title,
    status,
    startTime,
    name: clientName ?? prospectName,
  }))
}

test('on a phone across the date line a visitor books in their own time', async ({ app, newContext, passTime }) => {
  const coach = await createBookableCoach(app)
  const context = await newContext({ ...phone, baseURL: coach.origin, timezoneId: 'Pacific/Kiritimati' })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('link', { name: 'Book a session' }).click()
  await page.getByRole('link', { name: /First talk/ }).click()
  // 4 PM in New York on Thursday is 10 AM on Friday in Kiritimati.
  await expect(page).toHaveURL(/zone=Pacific%2FKiritimati/)
  await expect(page.getByText('Kiritimati time')).toBeVisible()
  await page.getByRole('link', { name: 'March 13, times available' }).click()
  await expect(page.getByRole('heading', { name: 'Friday, March 13' })).toBeInViewport()
  await page.getByRole('link', { name: '10:00 AM' }).click()
  await page.getByRole('button', { name: 'Confirm 10:00 AM' }).click()
  await expect(page.getByText('Friday, March 13, 10:00 AM')).toBeVisible()
  await expect(page.getByText('We keep this time for you')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await fillIn(page, passTime)
  await page.getByRole('button', { name: 'Book this time' }).click()
  await expect(page.getByRole('heading', { name: 'You are booked' })).toBeVisible()
  await expect(page.getByText('Friday, March 13, 10:00 – 11:00 AM (Kiritimati time)')).toBeVisible()
  expect(await getAppointments(coach)).toEqual([
    { title: 'First talk', status: 'confirmed', startTime: '2026-03-12T20:00:00.000Z', name: 'Noor Aziz' },
  ])
})

test('without JavaScript a visitor changes the zone and the duration, is corrected, and books', async ({
  app,
  newContext,
  passTime,
}) => {
  const coach = await createBookableCoach(app, {
    type: { questions: [{ label: 'Why now?', kind: 'long', required: true }] },
  })
  const page = await (await newContext({ baseURL: coach.origin, javaScriptEnabled: false })).newPage()
  await page.goto('/book')
  await page.getByRole('link', { name: /^Session/ }).click()
  await page.getByText('New York time').click()
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByRole('button', { name: 'Show my time' }).click()
  await page.getByRole('link', { name: '90 min', exact: true }).click()
  await page.getByRole('link', { name: 'Next month' }).click()
  await expect(page.getByRole('heading', { name: 'April 2026' })).toBeVisible()
  await page.getByRole('link', { name: 'April 14, times available' }).click()
  await expect(page.getByRole('heading', { name: 'Tuesday, April 14' })).toBeVisible()
  await page.getByRole('link', { name: '10:00 PM' }).click()
  await page.getByRole('button', { name: 'Confirm 10:00 PM' }).click()
  await fillIn(page, passTime, { name: 'Noor Aziz', email: 'noor@example' })
  await page.getByRole('button', { name: 'Book this time' }).click()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Noor Aziz')
  await page.getByLabel('Email').fill('noor@example.com')
  await page.getByRole('button', { name: 'Book this time' }).click()
  await expect(page.getByText('Please answer this question')).toBeVisible()
  await page.getByLabel('Why now?').fill('A new job')
  await page.getByRole('button', { name: 'Book this time' }).click()
  await expect(page.getByRole('heading', { name: 'You are booked' })).toBeVisible()
  await expect(page.getByText('Tuesday, April 14, 10:00 – 11:30 PM (Berlin time)')).toBeVisible()
  await expect(page.getByText('The details are also in an email to noor@example.com.')).toBeVisible()

  const [booked] = await listAppointments(await contextFor(coach), {})
  const own = await newContext()
  await coach.signIn(own)
  const calendar = await own.newPage()
  await calendar.goto(`/calendar?dialog=appointment&appointment=${booked!.id}`)
  const dialog = calendar.getByRole('dialog')
  await expect(dialog.getByText('Tuesday, April 14, 4:00 – 5:30 PM')).toBeVisible()
  await expect(dialog.getByText('Why now?')).toBeVisible()
  await expect(dialog.getByText('A new job')).toBeVisible()
})

test('a type that makes clients of new people does so, and the clients show them', async ({
  app,
  page,
  newContext,
  passTime,
}) => {
  const coach = await createBookableCoach(app, { type: { visibility: 'hidden' } })
  await coach.signIn(page.context())
  const [first] = await listAppointmentTypes(await contextFor(coach), {})
  await page.goto(`/calendar/types/${first!.id}`)
  await waitForHydration(page)
  await page.getByLabel('Who can book it').selectOption('Everyone')
  await page.getByLabel('Somebody new becomes').selectOption('A client')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Appointment type updated')).toBeVisible()

  const visitor = await (await newContext({ baseURL: coach.origin, timezoneId: 'America/New_York' })).newPage()
  await visitor.goto('/book')
  await visitor.getByRole('listitem').getByRole('link').click()
  await visitor.getByRole('link', { name: '5:00 PM' }).click()
  await visitor.getByRole('button', { name: 'Confirm 5:00 PM' }).click()
  await fillIn(visitor, passTime)
  await visitor.getByRole('button', { name: 'Book this time' }).click()
  await expect(visitor.getByRole('heading', { name: 'You are booked' })).toBeVisible()
  await page.goto('/clients')
  await expect(page.getByRole('link', { name: 'Noor Aziz' })).toBeVisible()
})

test('by keyboard a visitor books, from the day to the last button', async ({ app, newContext, passTime }) => {
  const coach = await createBookableCoach(app)
  const page = await (await newContext({ baseURL: coach.origin, timezoneId: 'America/New_York' })).newPage()
  await page.goto('/book/first-talk?zone=America/New_York&day=2026-03-13')
  const tabTo = async (target: Locator) => {
    await expect(async () => {
      await page.keyboard.press('Tab')
      await expect(target).toBeFocused({ timeout: 50 })
    }).toPass({ intervals: [0] })
  }
  await tabTo(page.getByRole('link', { name: 'March 16, times available' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Monday, March 16' })).toBeVisible()
  await tabTo(page.getByRole('link', { name: '5:00 PM' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Confirm 5:00 PM' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByLabel('Name'))
  await page.keyboard.type('Noor Aziz')
  await page.keyboard.press('Tab')
  await page.keyboard.type('noor@example.com')
  await passTime(page.context(), 5_000)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'You are booked' })).toBeVisible()
})

test('a time that somebody else takes first is replaced in the form, and nothing typed is lost', async ({
  app,
  newContext,
  passTime,
}) => {
  const coach = await createBookableCoach(app, { type: { confirmation: 'manual' } })
  const openForm = async (hold: boolean) => {
    const context = await newContext({ baseURL: coach.origin, timezoneId: 'America/New_York' })
    const page = await context.newPage()
    const start = '2026-03-13T20:00:00.000Z'
    if (!hold) await page.goto(`/book/first-talk?zone=America/New_York&start=${start}&step=details`)
    else {
      await page.goto(`/book/first-talk?zone=America/New_York&start=${start}`)
      await page.getByRole('button', { name: 'Confirm 4:00 PM' }).click()
    }
    return page
  }
  const slow = await openForm(false)
  const quick = await openForm(true)
  await fillIn(quick, passTime)
  await quick.getByRole('button', { name: 'Request this time' }).click()
  await expect(quick.getByRole('heading', { name: 'Your request is sent' })).toBeVisible()

  await fillIn(slow, passTime, { name: 'Mina Park', email: 'mina@example.com' })
  await slow.getByLabel('Anything else').fill('I come from far away')
  await slow.getByRole('button', { name: 'Request this time' }).click()
  await expect(slow.getByRole('alert').getByText('This time has just been taken')).toBeVisible()
  expect(await findViolations(slow)).toEqual([])
  await expect(slow.getByLabel('Name')).toHaveValue('Mina Park')
  await expect(slow.getByLabel('Anything else')).toHaveValue('I come from far away')
  await slow.getByLabel('Friday, March 13, 5:00 PM').check()
  await slow.getByRole('button', { name: 'Request this time' }).click()
  await expect(slow.getByText('Friday, March 13, 5:00 – 6:00 PM')).toBeVisible()
  expect((await getAppointments(coach)).map(({ status }) => status)).toEqual(['scheduled', 'scheduled'])
})

test('the pages load no scripts, and exist only on a coach’s own host', async ({ app, newContext }) => {
  const coach = await createBookableCoach(app)
  const page = await (await newContext({ baseURL: coach.origin })).newPage()
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  for (const path of ['/book', '/book/first-talk']) expect((await page.goto(path))?.status()).toBe(200)
  expect(scripts).toEqual([])
  for (const path of ['/book', '/book/first-talk', '/book/confirmed/x'])
    expect((await page.request.get(coach.platform.config.origin + path)).status()).toBe(404)
  const other = await app.createCoach({ ownHost: true })
  expect((await page.goto(`${other.origin}/book/first-talk`))?.status()).toBe(404)
  await page.goto(other.origin)
  await expect(page.getByRole('link', { name: 'Book a session' })).toHaveCount(0)
})
