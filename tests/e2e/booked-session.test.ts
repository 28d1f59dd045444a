import type { Page } from '@playwright/test'
import { findTokens } from '#modules/google/services/oauth.ts'
import { AppointmentTypeInput } from '#modules/scheduling/forms.ts'
import { sendMessage } from '#modules/scheduling/messages/send.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { listOutbox } from '#tenants/mail.ts'
import { parseCalendarFile } from '#tests/support/calendar-file.ts'
import { findMail } from './support/mails.ts'
import { phone } from './support/screens.ts'
import { contextFor, expect, inTenant, test, type Coach, type TestApp } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

// The clock starts on Wednesday, March 11, 2026, at 10:00 in New York, the zone of the coach.

test('a session is booked on a phone in another zone, moved by link, seen in Google, reminded of once, and cancelled', async ({
  page,
  app,
  newContext,
  passTime,
}, testInfo) => {
  test.slow()
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell' })
  await inTenant(coach, (tx) =>
    createType(tx, AppointmentTypeInput.parse({ name: 'First talk', visibility: 'public', slug: 'first-talk' })),
  )
  const visitor = `noor${coach.id}@example.com`
  const mails = visitorMails(app, { coach, visitor, dataDir: testInfo.outputPath('later') })
  await coach.signIn(page.context())
  await page.goto('/calendar/availability')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Save Hours' }).click()
  await expect(page.getByRole('list', { name: 'Times that can be booked' })).toBeVisible()
  const google = await connectGoogle(page, coach)

  const phoneContext = await newContext({
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    baseURL: coach.origin,
    timezoneId: 'Europe/Berlin',
  })
  const mobile = await phoneContext.newPage()
  await mobile.goto('/book/first-talk')
  // 9 AM in New York is 2 PM in Berlin.
  await mobile.getByRole('link', { name: 'March 16, times available' }).click()
  await mobile.getByRole('link', { name: '2:00 PM' }).click()
  await mobile.getByRole('button', { name: 'Confirm 2:00 PM' }).click()
  await mobile.getByLabel('Name').fill('Noor Aziz')
  await mobile.getByLabel('Email').fill(visitor)
  // The form refuses programs, which send it at once.
  await passTime(phoneContext, 5_000)
  await mobile.getByRole('button', { name: 'Book this time' }).click()
  await expect(mobile.getByRole('heading', { name: 'You are booked' })).toBeVisible()

  const booked = await findMail(app, visitor)
  expect(booked.subject).toBe('Confirmed: First talk, Monday, March 16, 2:00 – 3:00 PM')
  const invitation = readInvitation(booked)
  expect(invitation).toMatchObject({ method: 'REQUEST', start: '20260316T130000Z' })

  await mobile.goto(new URL(/https?:\/\/\S+\/booking\/\S+/.exec(booked.text)![0]).pathname)
  const managed = mobile.url()
  await mobile.getByRole('link', { name: 'Choose another time' }).click()
  await mobile.getByRole('link', { name: 'March 17, times available' }).click()
  await mobile.getByRole('link', { name: '4:00 PM' }).click()
  await mobile.getByLabel('Reason (optional)').fill('My train is late')
  await mobile.getByRole('button', { name: 'Move 4:00 PM' }).click()
  await expect(mobile.getByText('Tuesday, March 17, 4:00 – 5:00 PM (Berlin time)')).toBeVisible()

  await page.goto('/calendar?date=2026-03-17')
  await waitForHydration(page)
  await page
    .getByRole('group', { name: 'Month' })
    .getByRole('link', { name: /Noor.*First talk/ })
    .click()
  await expect(page.getByRole('dialog').getByText('Moved by the client: My train is late')).toBeVisible()
  const busyStart = '2026-03-18T14:00:00Z'
  await google.insert({ start: { dateTime: busyStart }, end: { dateTime: '2026-03-18T15:00:00Z' } })
  await syncGoogle(page)
  expect((await google.list()).map(({ start }) => new Date(start.dateTime).toISOString()).toSorted()).toEqual([
    '2026-03-17T15:00:00.000Z',
    '2026-03-18T14:00:00.000Z',
  ])
  await mobile.goto('/book/first-talk?day=2026-03-18&zone=Europe%2FBerlin')
  const times = mobile.getByRole('list', { name: 'Free times' })
  await expect(times.getByRole('link', { name: '4:00 PM' })).toBeVisible()
  await expect(times.getByRole('link', { name: '3:00 PM' })).toHaveCount(0)

  await mails.sendDue(new Date('2026-03-16T15:00:00Z'))
  const untilReminder = [
    'Changed: First talk, Tuesday, March 17, 4:00 – 5:00 PM',
    'Confirmed: First talk, Monday, March 16, 2:00 – 3:00 PM',
    'Reminder: First talk, Tuesday, March 17, 4:00 – 5:00 PM',
  ]
  await expect.poll(mails.listSubjects).toEqual(untilReminder)
  const changed = readInvitation(await mails.find('Changed'))
  expect(changed).toMatchObject({ method: 'REQUEST', uid: invitation.uid, start: '20260317T150000Z' })
  expect(changed.sequence).toBeGreaterThan(invitation.sequence)

  await mobile.goto(`${managed}?step=cancel`)
  await mobile.getByRole('button', { name: 'Cancel session' }).click()
  await expect(mobile.getByRole('heading', { name: 'This session is cancelled' })).toBeVisible()
  // Another reminder was planned an hour before the start.
  await mails.sendDue(new Date('2026-03-17T14:30:00Z'))
  await expect
    .poll(mails.listSubjects)
    .toEqual(['Cancelled: First talk, Tuesday, March 17, 4:00 – 5:00 PM', ...untilReminder])
  const last = readInvitation(await mails.find('Cancelled'))
  expect(last).toMatchObject({ method: 'CANCEL', uid: invitation.uid })
  expect(last.sequence).toBeGreaterThan(changed.sequence)
})

const card = (page: Page) => page.getByRole('region', { name: 'Google Calendar' })

async function syncGoogle(page: Page): Promise<void> {
  await page.goto('/calendar')
  await waitForHydration(page)
  await card(page).getByRole('button', { name: 'Sync' }).click()
  await expect(page.getByText('Calendar Synced')).toBeVisible()
}

type GoogleEvent = { start: { dateTime: string }; end: { dateTime: string } }

/** Connects as a coach does. Returns what works in Google's own calendar. */
async function connectGoogle(page: Page, coach: Coach) {
  await page.goto('/calendar')
  await waitForHydration(page)
  const opened = page.waitForEvent('popup')
  await card(page).getByRole('link', { name: 'Connect Google Calendar' }).click()
  const popup = await opened
  const email = `booked${coach.id}@gmail.com`
  await popup.getByRole('textbox', { name: 'Email' }).fill(email)
  const { origin } = new URL(popup.url())
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Google Calendar Connected')).toBeVisible()
  const url = `${origin}/calendar/v3/calendars/${encodeURIComponent(email)}/events`
  const call = async (init: RequestInit = {}): Promise<{ items: GoogleEvent[] }> => {
    const { accessToken } = (await findTokens(await contextFor(coach)))!
    const response = await fetch(url, { ...init, headers: { Authorization: `Bearer ${accessToken}` } })
    expect(response.ok).toBe(true)
    return (await response.json()) as { items: GoogleEvent[] }
  }
  return {
    list: async () => (await call()).items,
    insert: (event: GoogleEvent) => call({ method: 'POST', body: JSON.stringify(event) }),
  }
}

type MailOptions = { coach: Coach; visitor: string; dataDir: string }

/** The emails to a visitor: of the server, and of workers at a later time, whose outbox is in `dataDir`. */
function visitorMails(app: TestApp, { coach, visitor, dataDir }: MailOptions) {
  const { platform } = app
  const later = { ...platform.config, dataDir }
  const list = async () => {
    const all = await Promise.all([platform.config, later].map((config) => listOutbox(config, 100)))
    return all.flat().filter(({ to }) => to === visitor)
  }
  return {
    listSubjects: async () => (await list()).map(({ subject }) => subject).toSorted(),
    find: async (start: string) => (await list()).find(({ subject }) => subject.startsWith(start))!,
    /** Runs the jobs that are due at a time, twice and at once, as two workers do. */
    async sendDue(now: Date): Promise<void> {
      const messages = await (await contextFor(coach)).query<{ id: number }>({
        name: 'test.messages',
        text: 'select id from appointment_message where coach_id = $1 and due_at <= $2 order by id',
        values: [coach.id, now],
      })
      const sendAll = async () => {
        for (const { id } of messages) await sendMessage({ ...platform, config: later, now: () => now }, coach.id, id)
      }
      await Promise.all([sendAll(), sendAll()])
    },
  }
}

function readInvitation({ invitations = [] }: { invitations?: { method: string; content: string }[] }) {
  const [{ method, content }, ...others] = invitations as [{ method: string; content: string }]
  expect(others).toEqual([])
  const { events } = parseCalendarFile(content)
  const { UID, SEQUENCE, DTSTART } = events[0]!
  return { method, uid: UID!.value, sequence: Number(SEQUENCE!.value), start: DTSTART!.value }
}
