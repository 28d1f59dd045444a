import type { Locator, Page } from '@playwright/test'
import { localDate, dayStart } from '#app/lib/time.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import * as appointments from '#modules/scheduling/services/appointments.ts'
import { updateProfile } from '#tenants/accounts/accounts.ts'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { holdRequests } from '#tests/e2e/support/network.ts'
import { type Coach, contextFor, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { desktop, phone } from '#tests/e2e/support/screens.ts'
import { createClient } from '#tests/support/factories.ts'
import { createAppointment } from './factories.ts'
import { answerLeavePrompt } from '#tests/e2e/support/leave-prompt.ts'
import { waitForHydration, waitForIdle } from '#tests/e2e/support/wait-for-idle.ts'

const editorScript = /\/assets\/editor[^/]*\.js$/

/** A month without a clock change, in another year, so that dates show their year. */
const month = '2094-05'

async function openCalendar(
  coach: Coach,
  page: Page,
  sessions: { title: string; start: string; end: string; status?: string }[] = [],
  path = `/calendar?date=${month}-12`,
): Promise<void> {
  const [client] = await getClients(coach)
  await inTenant(coach, async (ctx) => {
    for (const { title, start, end, status } of sessions)
      await appointments.createAppointment(
        ctx,
        NewAppointment.parse({ title, clientId: client!.id, startTime: start, endTime: end, status }),
      )
  })
  await coach.signIn(page.context())
  await page.goto(path)
  await waitForHydration(page)
}

/** Reads the appointments from the database: title → start and minutes. */
async function getStoredAppointments(coach: Coach): Promise<Record<string, string>> {
  const rows = await (await contextFor(coach)).query<{ title: string; at: string }>({
    name: 'test.appointments',
    text: `select title, to_char(start_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' '
        || (extract(epoch from end_time - start_time) / 60)::int as at
      from appointment where deleted_at is null`,
  })
  return Object.fromEntries(rows.map(({ title, at }) => [title, at]))
}

const grid = (page: Page) => page.getByRole('group', { name: 'Month' })

async function choosePerson(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Client or prospect' }).fill(name)
  await dialog.getByRole('option', { name }).click()
}

test('a very long text in the combobox of people finds no one, and the next text is searched', async ({
  page,
  app,
}) => {
  const clients = Array.from({ length: 101 }, (_, index) => ({ name: `Client ${index}` }))
  const coach = await app.createCoach({ clients })
  await openCalendar(coach, page, [], '/calendar?dialog=schedule')
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  const person = dialog.getByRole('combobox', { name: 'Client or prospect' })
  await person.focus()
  await page.keyboard.insertText('Grace '.repeat(500))
  await expect(dialog.getByRole('status').filter({ hasText: 'No matches' })).toBeVisible()
  await choosePerson(dialog, 'Client 100')
  await expect(person).toHaveValue('Client 100')
})

test('a session is scheduled on the clicked day, validated, edited, deleted and restored', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page)
  await grid(page).getByRole('link', { name: 'New session on Thursday, May 20' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  await expect(dialog.getByLabel('Date')).toHaveValue(`${month}-20`)
  await expect(dialog.getByLabel('Start time')).toHaveValue('09:00')
  await expect(dialog.getByLabel('End time')).toHaveValue('10:00')

  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(
    page.getByText('Please fill in all required fields including selecting either a client or prospect.'),
  ).toBeVisible()
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Values')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(
    page.getByRole('alert').getByText('Please select either a client or prospect for the appointment'),
  ).toBeVisible()
  await choosePerson(dialog, 'Grace Hopper')
  await dialog.getByLabel('Appointment type').selectOption('Discovery')
  await dialog.getByLabel('End time').selectOption('9:00 AM')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Invalid Time')).toBeVisible()
  await expect(dialog.getByText('End time must be after start time.').first()).toBeVisible()
  await dialog.getByLabel('End time').selectOption('9:30 AM (30 min)')
  // A later start moves the end too.
  await dialog.getByLabel('Start time').selectOption('2:15 PM')
  await expect(dialog.getByLabel('End time')).toHaveValue('14:45')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Appointment Created')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect(await getStoredAppointments(coach)).toEqual({ Values: `${month}-20 18:15 30` })

  await grid(page)
    .getByRole('link', { name: /2:15 Grace/ })
    .click()
  const details = page.getByRole('dialog', { name: /Values/ })
  await expect(details.getByText('Thursday, May 20, 2094, 2:15 – 2:45 PM').first()).toBeVisible()
  await expect(details.getByText('Discovery')).toBeVisible()
  await expect(details.getByRole('link', { name: 'Mark Complete' })).toHaveCount(0)
  await details.getByRole('link', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Session' })
  await edit.getByLabel('Title').fill('')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please fill in all required fields.')).toBeVisible()
  await edit.getByLabel('Title').fill('Values, again')
  await edit.getByLabel('Status').selectOption('Confirmed')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Appointment Updated')).toBeVisible()

  await grid(page)
    .getByRole('link', { name: /Values, again, confirmed/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Appointment Deleted')).toBeVisible()
  await expect(grid(page).getByRole('link', { name: /Grace/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(grid(page).getByRole('link', { name: /Values, again, confirmed/ })).toHaveCount(1)
})

mainFlow(
  "a session is completed with notes, which show on the client's page and the dashboard",
  async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    // Ten minutes ago, but today: it counts for this month, and lies on one day.
    const begun = Math.max(
      app.now().getTime() - 600_000,
      dayStart(localDate(app.now(), 'America/New_York'), 'America/New_York').getTime(),
    )
    await openCalendar(
      coach,
      page,
      [{ title: 'Session 1', start: new Date(begun).toISOString(), end: new Date(begun + 300_000).toISOString() }],
      '/dashboard',
    )
    await page.getByRole('link', { name: /^This Month 1 session, / }).click()
    await expect(page).toHaveURL(/without=cancelled/)
    await expect(page.getByText('1 session.')).toBeVisible()
    await grid(page)
      .getByRole('link', { name: /Session 1/ })
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Mark Complete' }).click()
    const dialog = page.getByRole('dialog', { name: /Mark Complete/ })
    await dialog.locator('[contenteditable]').pressSequentially('Wrote the letter.')
    await dialog.getByRole('button', { name: 'Mark Complete' }).click()
    await expect(page.getByText('Session Completed')).toBeVisible()
    const [client] = await getClients(coach)
    await page.goto(`/clients/${client!.id}`)
    await expect(page.getByRole('region', { name: 'Timeline' }).getByText('Completed, ')).toBeVisible()
    await expect(page.getByText('Wrote the letter.').first()).toBeVisible()
  },
  { atTimeEdges: true },
)

test('notes are added to a completed session, but not without text', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [start, end] = [app.now().getTime() - 600_000, app.now().getTime()].map((at) => new Date(at).toISOString())
  await openCalendar(coach, page, [{ title: 'Values', start: start!, end: end!, status: 'completed' }], '/calendar')
  await grid(page).locator('[data-appointment]').first().click()
  await page.getByRole('dialog', { name: 'Values' }).getByRole('link', { name: 'Add Notes' }).click()
  const dialog = page.getByRole('dialog', { name: /^Add Notes/ })
  const notes = dialog.locator('[contenteditable]')
  await expect(notes).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Notes are required')).toBeVisible()
  await expect(notes).toBeFocused()
  await page.keyboard.type('Wrote the letter.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Notes Added')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  const [client] = await getClients(coach)
  await page.goto(`/clients/${client!.id}`)
  await expect(page.getByRole('region', { name: 'Timeline' }).getByText('Wrote the letter.')).toBeVisible()
})

test('the editor of notes replaces the text area without moving the button below it', async ({ page, app }) => {
  const coach = await app.createCoach()
  const { id: clientId } = await createClient({ coach })
  const { id: session } = await createAppointment({ coach, clientId })
  await coach.signIn(page.context())
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    const release = await holdRequests(page, editorScript)
    await page.goto(`/calendar?dialog=add-notes&appointment=${session}`)
    await waitForHydration(page)
    const dialog = page.getByRole('dialog', { name: /^Add Notes/ })
    await expect(dialog.getByLabel('Session notes')).toBeFocused()
    const getTop = async () => Math.round((await dialog.getByRole('button', { name: 'Add Notes' }).boundingBox())!.y)
    const before = await getTop()
    release()
    await expect(dialog.getByRole('toolbar')).toBeVisible()
    expect(await getTop()).toBe(before)
    await page.unroute(editorScript)
  }
})

test("a session is scheduled from a client's page without leaving it", async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  await openCalendar(coach, page, [], `/clients/${client!.id}`)
  await page.getByRole('link', { name: 'Schedule Session' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  await expect(dialog.getByLabel('Client or prospect')).toHaveValue('Grace Hopper')
  await dialog.getByLabel('Title').fill('Values')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Appointment Created')).toBeVisible()
  await expect(page).toHaveURL(`/clients/${client!.id}`)
  expect(Object.keys(await getStoredAppointments(coach))).toEqual(['Values'])
  await page.getByRole('region', { name: 'Client Information' }).getByRole('link', { name: 'Sessions' }).click()
  await expect(page).toHaveURL(`/calendar?client=${client!.id}`)
})

test("the schedule dialog shows the attendee's own time for the chosen day and time", async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: [{ name: 'Zeynep Kaya', timezone: 'Europe/Berlin' }, { name: 'Grace Hopper' }],
  })
  await openCalendar(coach, page, [], `/calendar?dialog=schedule&date=${month}-12&time=09:00`)
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  await choosePerson(dialog, 'Zeynep Kaya')
  await expect(dialog.getByText('3:00 PM for Zeynep, Berlin')).toBeVisible()
  await dialog.getByLabel('Start time').selectOption('19:30')
  await expect(dialog.getByText('1:30 AM, Thursday, May 13, for Zeynep, Berlin')).toBeVisible()
  await choosePerson(dialog, 'Grace Hopper')
  await expect(dialog.getByText('for Grace')).toBeHidden()
})

test('the details of a session open beside it', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const session = { title: 'Values', start: `${month}-12T14:00:00Z`, end: `${month}-12T15:00:00Z` }
  await openCalendar(coach, page, [session])
  const chip = grid(page).locator('[data-appointment]')
  await chip.click()
  const details = page.getByRole('dialog', { name: 'Values' }).locator('.dialog')
  await expect(details).toBeVisible()
  const [event, box] = [(await chip.boundingBox())!, (await details.boundingBox())!]
  const gap = Math.max(box.x - (event.x + event.width), event.x - (box.x + box.width))
  expect(gap).toBeGreaterThanOrEqual(0)
  expect(gap).toBeLessThan(16)
})

test('a closed session dialog leaves no history entry, and the calendar stays at today', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const start = (await contextFor(coach)).now()
  await openCalendar(
    coach,
    page,
    [{ title: 'Values', start: start.toISOString(), end: new Date(start.getTime() + 60_000).toISOString() }],
    '/dashboard',
  )
  await page.getByRole('navigation').getByRole('link', { name: 'Calendar' }).click()
  await grid(page).locator('[data-appointment]').first().click()
  await expect(page.getByRole('dialog', { name: 'Values' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/calendar')
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})

test('a month that fails to load says so and can be retried', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Next month' }).click()
  await expect(page.getByText('Failed to fetch appointments: the server could not be reached.')).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: /^June / })).toBeVisible()
  browserErrors.ignore(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
})

test('without clients and prospects the dialog links to adding one', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openCalendar(coach, page, [], '/calendar?dialog=schedule')
  await page
    .getByRole('dialog', { name: 'Schedule New Appointment' })
    .getByRole('link', { name: 'Add a client' })
    .click()
  await expect(page.getByRole('dialog', { name: 'Add Client' })).toBeVisible()
})

test("days follow the coach's time zone, wherever the browser is", async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await inTenant(coach, (ctx) => updateProfile(ctx, { timezone: 'Asia/Kolkata' }))
  // 23:00 and 00:30 in Kolkata, both the day before in New York.
  await openCalendar(coach, page, [
    { title: 'Late', start: `${month}-12T17:30:00Z`, end: `${month}-12T18:30:00Z` },
    { title: 'Early', start: `${month}-12T19:00:00Z`, end: `${month}-12T20:00:00Z` },
  ])
  await expect(grid(page).getByRole('link', { name: /11:00 Grace.*Late/ })).toHaveCount(1)
  await expect(grid(page).getByRole('link', { name: 'New session on Wednesday, May 12, 2094, 1 session' })).toHaveCount(
    1,
  )
  await expect(grid(page).getByRole('link', { name: 'New session on Thursday, May 13, 2094, 1 session' })).toHaveCount(
    1,
  )
  await page.goto(`/calendar?view=day&date=${month}-13`)
  await expect(page.getByRole('link', { name: /Early, 12:30 – 1:30 AM/ })).toBeVisible()
})

test('the calendar is used by keyboard: from day to day, to a session, its details and back', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page)
  await grid(page).getByRole('link', { name: 'New session on Wednesday, May 12, 2094' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(grid(page).getByRole('link', { name: 'New session on Thursday, May 20, 2094' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('Values')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Grace')
  await page.keyboard.press('Tab')
  await dialog.getByLabel('Title').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Appointment Created')).toBeVisible()
  await grid(page)
    .getByRole('link', { name: /Values/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(grid(page).getByRole('link', { name: /Values/ })).toBeFocused()
})

test('editing an appointment deleted in another tab shows a message and keeps the form values', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [{ title: 'Values', start: `${month}-12T13:00:00Z`, end: `${month}-12T14:00:00Z` }])
  await grid(page)
    .getByRole('link', { name: /Values/ })
    .click()
  await page.getByRole('dialog').getByRole('link', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  await dialog.getByLabel('Title').fill('Typed')
  await inTenant(coach, (ctx) => ctx.query({ name: 'test.delete', text: 'update appointment set deleted_at = now()' }))
  await refocus(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This appointment was deleted.')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Typed')
})

test('a session that is being scheduled keeps what was typed when the page reloads its data', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  await openCalendar(coach, page, [], `/calendar?dialog=schedule&client=${client!.id}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Typed')
  const date = await dialog.getByLabel('Date', { exact: true }).inputValue()
  // The suggested time is now that of this session, a week later.
  await createAppointment({ coach, clientId: client!.id, title: 'Session' })
  await refocus(page)
  await expect(grid(page).getByRole('link', { name: /Session/ })).toHaveCount(1)
  await expect(dialog.getByLabel('Title')).toHaveValue('Typed')
  await expect(dialog.getByLabel('Date', { exact: true })).toHaveValue(date)
})

/** Returns to the window, which reloads the page's data. */
async function refocus(page: Page): Promise<void> {
  const reload = page.waitForResponse(/\/calendar\.data/)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await reload
}

const week = `/calendar?view=week&date=${month}-12`
const values = { title: 'Values', start: `${month}-12T13:00:00Z`, end: `${month}-12T14:00:00Z` }
const getLink = (page: Page) => page.getByRole('region', { name: 'Hours' }).getByRole('link', { name: /Values, / })
const block = (page: Page) => getLink(page).locator('..')

/** Drags from the middle of a block by whole days and minutes. */
async function pull(
  page: Page,
  from: Locator,
  days: number,
  minutes: number,
  at: 'middle' | 'edge' = 'middle',
): Promise<void> {
  const box = (await from.boundingBox())!
  const day = (await page.locator('.tg-day').first().boundingBox())!
  const [x, y] = [box.x + box.width / 2, at === 'middle' ? box.y + box.height / 2 : box.y + box.height - 3]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 4, y + 4)
  await page.mouse.move(x + days * day.width, y + (minutes / 1440) * day.height, { steps: 6 })
}

test('a session is moved to another day and time, resized and undone by mouse', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values], week)
  await pull(page, block(page), 1, 90)
  await expect(page.locator('.tg-ev.is-dragging')).toContainText('10:30 – 11:30 AM')
  await page.mouse.up()
  await expect(page.getByText('Thursday, May 13, 2094, 10:30 – 11:30 AM')).toBeVisible()
  await expect(page).toHaveURL(/view=week/)
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-13 14:30 60` })

  await pull(page, block(page), 0, 30, 'edge')
  await page.mouse.up()
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-13 14:30 90` })
  await expect(page.getByText('10:30 AM – 12:00 PM').first()).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-13 14:30 60` })
})

test('a session that is dropped on another one is saved only once the coach says so', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const other = { title: 'Review', start: `${month}-13T14:00:00Z`, end: `${month}-13T15:00:00Z` }
  await openCalendar(coach, page, [values, other], week)
  const question = page.getByRole('alertdialog', { name: 'Move it to a time that is taken?' })
  const before = await block(page).boundingBox()
  await pull(page, block(page), 1, 90)
  await page.mouse.up()
  const warning = 'Review with Grace Hopper is at the same time: Thursday, May 13, 2094, 10:00 – 11:00 AM.'
  await expect(question.getByText(warning)).toBeVisible()
  // It is shown there, but not saved.
  await expect(getLink(page)).toHaveAccessibleName(/10:30 – 11:30 AM/)
  expect(await getStoredAppointments(coach)).toMatchObject({ Values: `${month}-12 13:00 60` })
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect.poll(() => block(page).boundingBox()).toEqual(before)

  await getLink(page).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  for (let steps = 0; steps < 4; steps++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('button', { name: 'Put It Back' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // The announcement for screen readers has the time in a longer sentence.
  await expect(page.getByText('Thursday, May 13, 2094, 10:00 – 11:00 AM', { exact: true })).toBeVisible()
  await expect.poll(() => getStoredAppointments(coach)).toMatchObject({ Values: `${month}-13 14:00 60` })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => getStoredAppointments(coach)).toMatchObject({ Values: `${month}-12 13:00 60` })
})

test('a move that the server rejects is undone with a message', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values], week)
  await page.route('**/api/appointments/*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
  )
  const before = await block(page).boundingBox()
  await pull(page, block(page), -1, 60)
  await page.mouse.up()
  await expect(page.getByText('Failed to update appointment')).toBeVisible()
  expect(await block(page).boundingBox()).toEqual(before)
  expect(await getStoredAppointments(coach)).toEqual({ Values: `${month}-12 13:00 60` })
  browserErrors.ignore(/503/)
})

test('an action right after a move reaches the server after it', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values], week)
  const order: string[] = []
  const release = await holdRequests(page, '**/api/appointments/*', async (route) => {
    const response = await route.fetch()
    order.push('moved')
    await route.fulfill({ response })
  })
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/calendar')) order.push('form sent')
  })
  await getLink(page).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  await remove.press('Enter')
  await expect(remove).toHaveAttribute('aria-busy', 'true')
  release()
  await expect(page.getByText('Appointment Deleted')).toBeVisible()
  expect(order).toEqual(['moved', 'form sent'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-13 13:00 60` })
})

test('a session is moved and resized by keyboard, and each step is announced', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values], week)
  const link = getLink(page)
  await link.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Picked up. Wednesday, May 12, 2094, 9:00 – 10:00 AM.')).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('Thursday, May 13, 2094, 9:15 – 10:30 AM.', { exact: true })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Move cancelled.')).toBeAttached()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-13 13:15 75` })
  await expect(link).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Values/ })).toBeVisible()
})

test('in the month view a session is moved to another day by mouse and keyboard and keeps its time', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values])
  const chip = grid(page).getByRole('link', { name: /Values/ })
  const [from, to] = [
    (await chip.boundingBox())!,
    (await grid(page).getByRole('link', { name: 'New session on Friday, May 21, 2094' }).boundingBox())!,
  ]
  await page.mouse.move(from.x + 30, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 36, from.y + 14)
  await page.mouse.move(to.x + 30, to.y + 50, { steps: 6 })
  await expect(page.locator('.day.is-over')).toHaveCount(1)
  await page.mouse.up()
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-21 13:00 60` })
  await expect(page.getByText('Appointment Updated')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await chip.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-13 13:00 60` })
  await expect(chip).toBeFocused()
})

test('data that were read before a move was saved do not undo it', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values])
  const [client] = await getClients(coach)
  // Only a reload shows it.
  await createAppointment({
    coach,
    title: 'Added',
    clientId: client!.id,
    startTime: `${month}-03T13:00:00Z`,
    endTime: `${month}-03T14:00:00Z`,
  })
  const { promise: isRead, resolve: onRead } = Promise.withResolvers<void>()
  const { promise: isReleased, resolve: releaseData } = Promise.withResolvers<void>()
  await page.route(
    /\/calendar\.data/,
    async (route) => {
      const response = await route.fetch()
      onRead()
      await isReleased
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  const chip = grid(page).getByRole('link', { name: /Values/ })
  const moveByAWeek = async () => {
    await expect(chip).toBeFocused()
    for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
  }
  await chip.focus()
  await moveByAWeek()
  await isRead
  const releaseReload = await holdRequests(page, '/api/user')
  const reload = page.waitForRequest('/api/user')
  await moveByAWeek()
  // The move is saved.
  await reload
  releaseData()
  await expect(grid(page).getByRole('link', { name: /Added/ })).toBeVisible()
  const lastDay = grid(page).locator('.day', { has: page.locator(`[data-day="${month}-26"]`) })
  await expect(lastDay.getByRole('link', { name: /Values/ })).toBeFocused()
  releaseReload()
  await expect.poll(() => getStoredAppointments(coach)).toMatchObject({ Values: `${month}-26 13:00 60` })
  await waitForIdle(page)
  await expect(lastDay.getByRole('link', { name: /Values/ })).toBeFocused()
})

test('a move is saved while the reload after the one before waits for the server', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await openCalendar(coach, page, [values])
  const release = await holdRequests(page, '/api/user')
  const chip = grid(page).getByRole('link', { name: /Values/ })
  await chip.focus()
  for (const day of [19, 26]) {
    await expect(chip).toBeFocused()
    for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    await expect.poll(() => getStoredAppointments(coach)).toEqual({ Values: `${month}-${day} 13:00 60` })
  }
  release()
})

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true, isMobile: true })

  test('tapping a day lists its sessions, where one is scheduled and opened', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    await openCalendar(coach, page, [{ title: 'Values', start: `${month}-20T13:00:00Z`, end: `${month}-20T14:00:00Z` }])
    await grid(page).getByRole('link', { name: 'Thursday, May 20, 2094, 1 session', exact: true }).tap()
    const day = page.getByRole('region', { name: 'Thursday, May 20, 2094' })
    await expect(day.getByRole('link', { name: /Grace Hopper 9:00 AM, Values/ })).toBeVisible()
    await day.getByRole('link', { name: /^New session/ }).tap()
    await expect(page.getByRole('dialog').getByLabel('Date')).toHaveValue(`${month}-20`)
  })

  test('a session is moved by a long press', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    const other = { title: 'Review', start: `${month}-12T14:30:00Z`, end: `${month}-12T15:30:00Z` }
    await openCalendar(coach, page, [values, other], `/calendar?view=day&date=${month}-12`)
    const box = (await block(page).boundingBox())!
    const day = (await page.locator('.tg-day').first().boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const touch = await page.context().newCDPSession(page)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    // A long press picks it up.
    await expect(page.locator('.tg-ev.is-dragging')).toBeVisible()
    for (const part of [0.25, 0.5, 0.75, 1])
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x, y: y + part * (60 / 1440) * day.height }],
      })
    await expect(page.locator('.tg-ev.is-dragging')).toContainText('10:00 – 11:00 AM')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Move Anyway' }).tap()
    await expect.poll(() => getStoredAppointments(coach)).toMatchObject({ Values: `${month}-12 14:00 60` })
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a session is validated, scheduled, edited and deleted', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    await coach.signIn(page.context())
    await page.goto(`/calendar?date=${month}-12`)
    await grid(page).getByRole('link', { name: 'New session on Thursday, May 20' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
    await dialog.getByLabel('Title').fill('Values')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await expect(dialog.getByText('Please select either a client or prospect for the appointment')).toBeVisible()
    await expect(dialog.getByLabel('Title')).toHaveValue('Values')
    await expect(dialog.getByLabel('Date')).toHaveValue(`${month}-20`)
    await dialog.getByLabel('Client or prospect').selectOption('Grace Hopper')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await expect(page.getByText('Appointment Created')).toBeVisible()
    await grid(page)
      .getByRole('link', { name: /Values/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Session' }).click()
    await expect(grid(page).getByRole('link', { name: /Values, cancelled/ })).toBeVisible()
    await grid(page)
      .getByRole('link', { name: /Values/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Appointment Deleted')).toBeVisible()
  })
})

test('appointment types are added, renamed and deleted in Settings', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openCalendarSettings(coach, page)
  await page.getByRole('link', { name: 'Add Type' }).click()
  await page.getByRole('dialog', { name: 'Add Appointment Type' }).getByLabel('Name').fill('Coaching')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Type' }).click()
  await expect(page.getByText('Appointment type created')).toBeVisible()
  await page.getByRole('link', { name: 'Add Type' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('coaching')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Type' }).click()
  await expect(page.getByText('An appointment type with this name already exists.').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await answerLeavePrompt(page, 'Discard')
  await page.getByRole('link', { name: 'Edit Coaching' }).click()
  await page.getByRole('dialog', { name: 'Edit Appointment Type' }).getByLabel('Name').fill('Deep work')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Appointment type updated')).toBeVisible()
  await page.getByRole('link', { name: 'Delete Deep work' }).click()
  await expect(page.getByText('Are you sure you want to delete "Deep work"?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Appointment type deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('list', { name: 'Appointment Types' }).getByText('Deep work')).toBeVisible()
})

async function openCalendarSettings(coach: Coach, page: Page): Promise<void> {
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
}
