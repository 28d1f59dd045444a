import type { Locator, Page } from '@playwright/test'
import { NewAppointments } from '#modules/scheduling/forms.ts'
import { createAppointments } from '#modules/scheduling/services/series.ts'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { type Coach, contextFor, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

/** A month without a clock change, in another year, so that dates show their year. */
const month = '2094-05'
const calendar = `/calendar?date=${month}-12`

const grid = (page: Page): Locator => page.getByRole('group', { name: 'Month' })
const dialog = (page: Page): Locator => page.getByRole('dialog')

async function open(coach: Coach, page: Page, path: string): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(path)
  await waitForHydration(page)
}

/** Four Mondays at 10:00 in New York, from May 3. Returns the id of the second. */
async function createSeries(coach: Coach): Promise<number> {
  const [client] = await getClients(coach)
  await inTenant(coach, (ctx) =>
    createAppointments(
      ctx,
      NewAppointments.parse({
        title: 'Talk',
        clientId: client!.id,
        startTime: `${month}-03T14:00:00Z`,
        endTime: `${month}-03T15:00:00Z`,
        recurrence: { unit: 'week', count: 4 },
      }),
    ),
  )
  return (await readSessions(coach))[1]!.id
}

/** The sessions outside the trash, by start. */
async function readSessions(coach: Coach): Promise<{ id: number; text: string }[]> {
  return (await contextFor(coach)).query<{ id: number; text: string }>({
    name: 'test.sessions',
    text: `select id, title || to_char(start_time at time zone 'America/New_York', ' MM-DD HH24:MI') as text
      from appointment where deleted_at is null order by start_time`,
  })
}
const readTexts = async (coach: Coach): Promise<string[]> => (await readSessions(coach)).map(({ text }) => text)

mainFlow(
  'a session that repeats is scheduled, changed from one session on, deleted and restored',
  async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    await open(coach, page, `${calendar}&dialog=schedule`)
    const form = page.getByRole('dialog', { name: 'Schedule New Appointment' })
    await form.getByRole('combobox', { name: 'Client or prospect' }).fill('Grace')
    await form.getByRole('option', { name: 'Grace Hopper' }).click()
    await form.getByLabel('Title').fill('Talk')
    await form.getByLabel('Date', { exact: true }).fill(`${month}-03`)
    await expect(form.getByLabel('Number of sessions')).toBeHidden()
    await form.getByLabel('Repeat').selectOption('Every week')
    await form.getByRole('button', { name: 'Schedule' }).click()
    await expect(form.getByText('Enter either a number or a date')).toBeVisible()
    await form.getByLabel('Number of sessions').fill('4')
    await form.getByRole('button', { name: 'Schedule' }).click()
    await expect(page.getByText('Monday, May 3, 2094, 9:00 – 10:00 AM, and 3 more')).toBeVisible()
    await expect(grid(page).getByRole('link', { name: /Talk/ })).toHaveCount(4)

    await grid(page).getByRole('link', { name: /Talk/ }).nth(2).click()
    await expect(dialog(page).getByText('Every week, 4 sessions until May 24, 2094')).toBeVisible()
    await dialog(page).getByRole('link', { name: 'Edit' }).click()
    await dialog(page).getByLabel('Title').fill('Longer talk')
    await dialog(page).getByLabel('Start time').selectOption('2:00 PM')
    await dialog(page).getByLabel('This and the following sessions').check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Appointment Updated')).toBeVisible()
    expect(await readTexts(coach)).toEqual([
      'Talk 05-03 09:00',
      'Talk 05-10 09:00',
      'Longer talk 05-17 14:00',
      'Longer talk 05-24 14:00',
    ])

    await grid(page)
      .getByRole('link', { name: /Longer talk/ })
      .first()
      .click()
    await dialog(page).getByRole('link', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Session' })
    await question.getByLabel('All sessions that are to come').check()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Appointment Deleted')).toBeVisible()
    await expect(grid(page).getByRole('link', { name: /Talk/ })).toHaveCount(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Appointments restored')).toBeVisible()
    await expect(grid(page).getByRole('link', { name: /talk/i })).toHaveCount(4)
  },
)

test('the coach is warned of the sessions of a series that overlap others, and may keep both', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await createSeries(coach)
  const [client] = await getClients(coach)
  await open(coach, page, `${calendar}&dialog=schedule&client=${client!.id}`)
  await dialog(page).getByLabel('Title').fill('Review')
  await dialog(page).getByLabel('Date', { exact: true }).fill(`${month}-10`)
  await dialog(page).getByLabel('Start time').selectOption('10:30 AM')
  await expect(dialog(page).getByLabel('Wed')).toBeHidden()
  await dialog(page).getByLabel('Repeat').selectOption('Every 2 weeks')
  await dialog(page).getByLabel('Wed').check()
  await dialog(page).getByLabel('Or until').fill(`${month}-31`)
  await dialog(page).getByRole('button', { name: 'Schedule' }).click()
  await expect(
    dialog(page).getByText(
      '2 sessions overlap another one. The first: Talk with Grace Hopper is at the same time: Monday, May 10, 2094, 10:00 – 11:00 AM.',
    ),
  ).toBeVisible()
  expect(await readTexts(coach)).toHaveLength(4)
  await expect(dialog(page).getByLabel('Or until')).toHaveValue(`${month}-31`)
  await expect(dialog(page).getByLabel('Wed')).toBeChecked()
  await dialog(page).getByRole('button', { name: 'Schedule Anyway' }).click()
  await expect(page.getByText('Appointment Created')).toBeVisible()
  expect((await readTexts(coach)).filter((text) => text.startsWith('Review'))).toEqual([
    'Review 05-10 10:30',
    'Review 05-12 10:30',
    'Review 05-24 10:30',
    'Review 05-26 10:30',
  ])
})

test('a session of a series that is dragged moves alone, and says so', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const id = await createSeries(coach)
  await open(coach, page, calendar)
  await page.locator(`[data-appointment="${id}"]`).focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(page.getByText('The rest of the series stays.')).toBeVisible()
  expect(await readTexts(coach)).toEqual([
    'Talk 05-03 10:00',
    'Talk 05-11 10:00',
    'Talk 05-17 10:00',
    'Talk 05-24 10:00',
  ])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a session of a series is deleted alone', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    const id = await createSeries(coach)
    await coach.signIn(page.context())
    await page.goto(`${calendar}&dialog=delete-appointment&appointment=${id}`)
    await expect(page.getByLabel('This session')).toBeChecked()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Appointment Deleted')).toBeVisible()
    expect(await readTexts(coach)).toEqual(['Talk 05-03 10:00', 'Talk 05-17 10:00', 'Talk 05-24 10:00'])
  })
})
