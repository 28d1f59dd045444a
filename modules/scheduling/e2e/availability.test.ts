import type { Locator, Page } from '@playwright/test'
import { localDate, localTime } from '#app/lib/time.ts'
import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { listSchedules } from '#modules/scheduling/queries/schedules.ts'
import { getAppointmentType } from '#modules/scheduling/queries/types.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { findViolations } from '#tests/e2e/support/axe.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { contextFor, expect, getClients, inTenant, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createAppointment } from './factories.ts'

const url = '/calendar/availability'
test.use({ startTime: '2026-03-10T14:00:00Z' })
const weekday = (number: number) => ({ weekday: number, start: '09:00', end: '12:00' })
const everyDay = [0, 1, 2, 3, 4, 5, 6].map(weekday)

async function open(coach: Coach, page: Page, path = url): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(path)
}

const addSchedule = (coach: Coach, input: object = {}) =>
  inTenant(coach, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: everyDay, ...input })))
const addType = (coach: Coach, input: object = {}) =>
  inTenant(coach, (tx) => createType(tx, AppointmentTypeInput.parse({ name: 'Coaching', ...input })))
const loadSchedules = async (coach: Coach) => listSchedules(await contextFor(coach))
const hours = (page: Page, day: string) => page.getByRole('textbox', { name: day, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Hours' }).click()

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, viewport: phone })

    test('a coach on a phone sets working hours, a day off and limits, and sees what can be booked', async ({
      app,
      page,
    }) => {
      const coach = await app.createCoach()
      await addType(coach)
      await open(coach, page, '/calendar')
      if (javaScriptEnabled) await waitForHydration(page)
      await page.getByRole('link', { name: 'Availability' }).click()
      await expect(hours(page, 'Monday')).toHaveValue('9:00 AM – 5:00 PM')
      await expect(page.getByText('No time can be booked on this day.')).toBeVisible()
      if (javaScriptEnabled) await waitForHydration(page)

      for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
        await hours(page, day).fill('9-11, 1pm to 2pm')
      await hours(page, 'Sunday').fill('9-8')
      await save(page)
      await expect(page.getByText('“9-8” ends before it starts. Write 8:00 PM or 20:00')).toBeVisible()
      await expect(hours(page, 'Monday')).toHaveValue('9-11, 1pm to 2pm')
      await hours(page, 'Sunday').fill('9-11, 1pm to 2pm')
      await page.getByRole('textbox', { name: 'Most appointments a day' }).fill('4')
      await save(page)
      await expect(hours(page, 'Sunday')).toHaveValue('9:00 – 11:00 AM, 1:00 – 2:00 PM')

      const day = '2094-05-12'
      const card = page.getByRole('region', { name: 'Date Overrides' })
      await card.getByLabel('Date', { exact: true }).fill(day)
      await card.getByRole('button', { name: 'Save Date' }).click()
      await expect(card.getByRole('listitem')).toContainText(['Day off'])
      const [schedule] = await loadSchedules(coach)
      expect(schedule).toMatchObject({
        isDefault: true,
        dailyLimit: 4,
        overrides: [{ date: day, ranges: [] }],
      })
      expect(schedule!.hours).toHaveLength(14)

      const preview = page.getByRole('region', { name: 'Preview' })
      const tomorrow = preview.getByRole('list', { name: 'Times that can be booked' })
      await expect(tomorrow.getByRole('listitem')).toHaveText(['9:00 AM', '10:00 AM', '1:00 PM'])
      await preview.getByLabel('Day').fill(day)
      await preview.getByRole('button', { name: 'Show Times' }).click()
      await expect(preview.getByText('No time can be booked on this day.')).toBeVisible()
      await expect(preview.getByText('The hours of this date are different').first()).toBeVisible()
    })

    test('a coach decides how a type can be booked', async ({ app, page }) => {
      const coach = await app.createCoach()
      await addSchedule(coach)
      const { id } = await addType(coach)
      await open(coach, page)
      await page.getByRole('link', { name: 'Coaching' }).click()
      if (javaScriptEnabled) await waitForHydration(page)
      await page.getByLabel('Who can book it').selectOption('public')
      await page.getByLabel('Durations in minutes').fill('30, 45')
      await page.getByLabel('What it costs').selectOption('A price')
      await page.getByLabel('Price').fill('80')
      await page.getByLabel('Location').selectOption('video')
      await page.getByLabel('Minutes free after').fill('10')
      await page.getByLabel('Question 1').fill('Where are you?')
      await page.getByLabel('Kind').first().selectOption('choice')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Add an option')).toBeVisible()
      await page.getByLabel('Choices, separated by commas').first().fill('Here, There')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByLabel('Question 3')).toBeVisible()
      expect(await getAppointmentType(await contextFor(coach), id)).toMatchObject({
        visibility: 'public',
        slug: 'coaching',
        durations: [30, 45],
        priceCents: 8000,
        locationKind: 'video',
        bufferAfter: 10,
        bufferBefore: null,
        questions: [{ label: 'Where are you?', kind: 'choice', required: false, options: ['Here', 'There'] }],
      })
    })

    test('scheduling over another session warns first, and then goes on', async ({ app, page }) => {
      const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
      const [client] = await getClients(coach)
      const other = await createAppointment({ coach, clientId: client!.id, title: 'Review' })
      await open(coach, page, `/calendar?dialog=schedule`)
      if (javaScriptEnabled) await waitForHydration(page)
      const dialog = page.getByRole('dialog')
      await fillTimes(page, coach, other.startTime, other.endTime)
      await dialog.getByLabel('Title').fill('Second')
      if (javaScriptEnabled) {
        await dialog.getByRole('combobox', { name: 'Client or prospect' }).fill(client!.name)
        await dialog.getByRole('option', { name: client!.name }).click()
      } else await dialog.getByLabel('Client or prospect').selectOption({ label: client!.name })
      await dialog.getByRole('button', { name: 'Schedule' }).click()
      await expect(dialog.getByText(`Review with ${client!.name} is at the same time`)).toBeVisible()
      await dialog.getByRole('button', { name: 'Schedule Anyway' }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText('Appointment Created')).toBeVisible()
    })
  })

async function fillTimes(page: Page, coach: Coach, start: string, end: string): Promise<void> {
  const { timezone } = (await contextFor(coach)).account
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Date').fill(localDate(start, timezone))
  await dialog.getByLabel('Start').selectOption(roundToQuarter(localTime(start, timezone)))
  await dialog.getByLabel('End').selectOption(roundToQuarter(localTime(end, timezone)))
}

const roundToQuarter = (time: string): string =>
  `${time.slice(0, 3)}${String(Math.floor(Number(time.slice(3)) / 15) * 15).padStart(2, '0')}`

test('schedules are added, made the default, deleted and restored', async ({ app, page }) => {
  const coach = await app.createCoach()
  await addSchedule(coach)
  await open(coach, page)
  await waitForHydration(page)
  await page.getByRole('link', { name: 'New Schedule' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Evenings')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Schedule' }).click()
  await expect(page.getByRole('region', { name: 'Evenings' })).toBeVisible()
  await page.getByRole('button', { name: 'Make Default' }).click()
  await expect(page.getByRole('button', { name: 'Make Default' })).toBeHidden()
  expect((await loadSchedules(coach)).map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ['Evenings', true],
    ['Working hours', false],
  ])
  await page.getByRole('link', { name: 'Delete schedule' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Schedule' }).click()
  await expect(page.getByRole('region', { name: 'Working hours' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Evenings' })).toBeVisible()
})

test('hours that another tab changed are not overwritten unasked', async ({ app, page }) => {
  const coach = await app.createCoach()
  await addSchedule(coach)
  await open(coach, page)
  await waitForHydration(page)
  const second = await page.context().newPage()
  await second.goto(url)
  await waitForHydration(second)
  await hours(second, 'Monday').fill('10:00–11:00')
  await save(second)
  await expect(second.getByText('Working hours saved')).toBeVisible()
  await hours(page, 'Tuesday').fill('10:00–11:00')
  await save(page)
  await expect(page.getByText('This schedule was changed in another tab.')).toBeVisible()
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Working hours saved')).toBeVisible()
  await expect(hours(page, 'Monday')).toHaveValue('10:00 – 11:00 AM')
})

test('with weeks from Monday and 24 hours a coach sees them, types hours in any format and saves twice', async ({
  app,
  page,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await addSchedule(coach)
  await open(coach, page, '/settings')
  await waitForHydration(page)
  await page.getByLabel('Week starts on').selectOption('Monday')
  await page.getByLabel('Time format').selectOption('24-hour (14:30)')
  await page.getByLabel('Business name').fill('Ada')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Calendar', exact: true }).click()
  await page.getByRole('link', { name: 'Week', exact: true }).click()
  await expect(page.locator('.tg-date').first()).toContainText('Mon')
  await expect(page.getByRole('link', { name: 'New session on Friday, March 13 at 14:00' })).toBeAttached()
  await page.getByRole('link', { name: 'New Appointment' }).click()
  await expect(page.getByRole('dialog').getByLabel('Start').locator('option:checked')).toHaveText(/^\d\d:\d\d$/)

  await page.goto(url)
  await waitForHydration(page)
  await expect(hours(page, 'Monday')).toHaveValue('09:00 – 12:00')
  await hours(page, 'Monday').fill('9:00-17:30')
  await save(page)
  await expect(hours(page, 'Monday')).toHaveValue('09:00 – 17:30')
  await hours(page, 'Tuesday').fill('9am-5:30 pm')
  const card = page.getByRole('region', { name: 'Date Overrides' })
  await card.getByLabel('Date', { exact: true }).fill('2094-05-12')
  await card.getByRole('button', { name: 'Save Date' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await save(page)
  await expect(hours(page, 'Tuesday')).toHaveValue('09:00 – 17:30')
})

test('a coach sets hours, a date and a schedule by keyboard alone', async ({ app, page }) => {
  test.slow()
  await page.setViewportSize(phone)
  const coach = await app.createCoach()
  await addType(coach)
  await open(coach, page)
  await waitForHydration(page)
  await tabTo(page, hours(page, 'Monday'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('9-11, 1pm-2pm')
  await tabTo(page, hours(page, 'Tuesday'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(hours(page, 'Monday')).toHaveValue('9:00 – 11:00 AM, 1:00 – 2:00 PM')
  await expect(hours(page, 'Tuesday')).toHaveValue('')

  const card = page.getByRole('region', { name: 'Date Overrides' })
  await tabTo(page, card.getByLabel('Date', { exact: true }))
  await page.keyboard.type('05122094')
  await tabTo(page, card.getByLabel('Hours on that date'))
  await page.keyboard.type('10-12')
  await page.keyboard.press('Enter')
  await expect(card.getByRole('listitem')).toContainText(['10:00 AM – 12:00 PM'])
  await tabTo(page, card.getByRole('button', { name: /^Remove/ }))
  await page.keyboard.press('Enter')
  await expect(card.getByRole('listitem')).toHaveCount(0)

  await tabTo(page, page.getByRole('button', { name: 'Show Times' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Show Times' })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'New Schedule' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Evenings')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Evenings' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Make Default' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Make Default' })).toBeHidden()
  expect((await loadSchedules(coach)).map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ['Evenings', true],
    ['Working hours', false],
  ])
  const violations = await findViolations(page)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
})

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
