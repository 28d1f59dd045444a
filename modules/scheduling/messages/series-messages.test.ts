import { beforeEach, expect, test } from 'vitest'
import { clearOutbox, listOutbox } from '#tenants/mail.ts'
import { parseCalendarFile } from '#tests/support/calendar-file.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { NewAppointments } from '../forms.ts'
import { updateAppointment } from '../services/appointments.ts'
import { createAppointments, deleteAppointments, restoreAppointments, updateAppointments } from '../services/series.ts'
import { saveMessageText } from '../services/message-texts.ts'
import { loadMessages } from '../messages-loader.server.ts'
import { groupSeriesMessages } from './group.ts'
import { listDoubtful, resendMessage } from './resend.ts'
import { sendMessage } from './send.ts'
import { sendTestMessage } from './send-test.ts'

const app = createTestApp()
let coach: Coach
let clientId: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  await clearOutbox(app.platform.config)
  coach = await createCoach({ businessName: 'Winter Coaching', timezone: 'America/New_York' })
  clientId = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com', timezone: 'Europe/Berlin' }))
    .id
})

const advance = (minutes: number): void => void (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000))

/** Three weekly sessions from March 24 on: New York's clocks have changed, Berlin's change on March 29. */
async function schedule(): Promise<number[]> {
  const { seriesId } = await inTenant(coach, (ctx) =>
    createAppointments(
      ctx,
      NewAppointments.parse({
        title: 'Career talk',
        clientId,
        startTime: '2026-03-24T14:00:00Z',
        endTime: '2026-03-24T15:00:00Z',
        notify: true,
        recurrence: { unit: 'week', count: 3 },
      }),
    ),
  )
  return list(`select id from appointment where coach_id = $1 and series_id = ${seriesId} order by start_time`)
}

const list = (text: string): Promise<number[]> =>
  inTenant(coach, async (ctx) => (await ctx.query<{ id: number }>({ text, values: [ctx.coachId] })).map(({ id }) => id))

/** Runs all jobs, also twice and at once, as two workers do. Returns the new emails. */
async function sendDue() {
  await clearOutbox(app.platform.config)
  const ids = await list('select id from appointment_message where coach_id = $1 order by id')
  await concurrently(2, async () => {
    for (const id of ids) await sendMessage(app.platform, coach.id, id)
  })
  const emails = await listOutbox(app.platform.config)
  return emails.map(({ subject, text, invitations = [] }) => {
    const files = invitations.map(({ method, content }) => ({ method, ...parseCalendarFile(content) }))
    // Calendars act on a file with one event, its organizer and its attendee (RFC 5546).
    for (const { method, properties, events } of files) {
      expect([properties.METHOD?.value, events.length]).toEqual([method, 1])
      expect(events[0]).toMatchObject({ ORGANIZER: {}, ATTENDEE: {}, SEQUENCE: {} })
    }
    return { subject, text, events: files.flatMap(({ events }) => events), methods: files.map(({ method }) => method) }
  })
}
const listUids = (events: { UID?: { value: string }; SEQUENCE?: { value: string } }[]) =>
  events.map((event) => event.UID?.value.split('@')[0])

test('a series is confirmed by one email with all dates and a calendar file for each', async () => {
  const ids = await schedule()
  const [email, ...more] = await sendDue()
  expect(more).toEqual([])
  expect(email!.subject).toBe('Confirmed: Career talk, 3 sessions from Tuesday, March 24, 3:00 – 4:00 PM')
  // Berlin's clock changes five days after the first session.
  expect(email!.text).toContain('Tuesday, March 31, 4:00 – 5:00 PM')
  expect(email!.text).toContain('Tuesday, April 7, 4:00 – 5:00 PM')
  expect(email!.methods).toEqual(['REQUEST', 'REQUEST', 'REQUEST'])
  expect(listUids(email!.events)).toEqual(ids.map((id) => `appointment-${coach.id}-${id}`))
  expect(await sendDue()).toEqual([])
})

test('of a series email that was cut off the coach hears once, and sends it again as one', async () => {
  const ids = await schedule()
  await inTenant(coach, (ctx) =>
    ctx.query({
      text: 'update appointment_message set claimed_at = $2 where coach_id = $1 and group_id is not null',
      values: [coach.id, ctx.now()],
    }),
  )
  advance(6)
  const [doubtful, ...more] = await inTenant(coach, (ctx) => listDoubtful(ctx))
  expect([doubtful, more]).toEqual([expect.objectContaining({ kind: 'confirmation', appointmentId: ids[0] }), []])
  await inTenant(coach, (ctx) => resendMessage(ctx, doubtful!.id))
  const [email, ...others] = await sendDue()
  expect([listUids(email!.events).length, others]).toEqual([3, []])
  expect(await inTenant(coach, (ctx) => listDoubtful(ctx))).toEqual([])
})

test('a moved series is announced by one email, with the same events and growing sequences', async () => {
  const [first, , third] = await schedule()
  const [confirmation] = await sendDue()
  advance(10)
  await inTenant(coach, (ctx) =>
    updateAppointments(
      ctx,
      first!,
      { startTime: new Date('2026-03-24T16:00:00Z'), endTime: new Date('2026-03-24T17:00:00Z') },
      { scope: 'all' },
    ),
  )
  expect(await sendDue()).toEqual([])
  // Changed again before the email is sent: told with its own message.
  await inTenant(coach, (ctx) =>
    updateAppointment(ctx, third!, {
      startTime: new Date('2026-04-08T16:00:00Z'),
      endTime: new Date('2026-04-08T17:00:00Z'),
    }),
  )
  advance(2)
  const emails = await sendDue()
  expect(emails.map(({ subject }) => subject).toSorted()).toEqual([
    'Changed: Career talk, 2 sessions from Tuesday, March 24, 5:00 – 6:00 PM',
    'Changed: Career talk, Wednesday, April 8, 6:00 – 7:00 PM',
  ])
  const moved = emails.find(({ events }) => events.length === 2)!
  expect(listUids(moved.events)).toEqual(listUids(confirmation!.events).slice(0, 2))
  for (const [index, event] of moved.events.entries())
    expect(Number(event.SEQUENCE?.value)).toBeGreaterThan(Number(confirmation!.events[index]!.SEQUENCE?.value))
})

test('a deleted series is cancelled by one email, and by none after Undo', async () => {
  const [first] = await schedule()
  const [confirmation] = await sendDue()
  await inTenant(coach, (ctx) => deleteAppointments(ctx, first!, { scope: 'all' }))
  await inTenant(coach, (ctx) => restoreAppointments(ctx, first!))
  advance(2)
  expect(await sendDue()).toEqual([])
  await inTenant(coach, (ctx) => deleteAppointments(ctx, first!, { scope: 'all' }))
  advance(2)
  const [email, ...more] = await sendDue()
  expect(more).toEqual([])
  expect(email!.subject).toBe('Cancelled: Career talk, 3 sessions from Tuesday, March 24, 3:00 – 4:00 PM')
  expect(email!.events.map(({ STATUS }) => STATUS?.value)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
  expect(email!.methods).toEqual(['CANCEL', 'CANCEL', 'CANCEL'])
  expect(listUids(email!.events)).toEqual(listUids(confirmation!.events))
  for (const [index, event] of email!.events.entries())
    expect(Number(event.SEQUENCE?.value)).toBeGreaterThan(Number(confirmation!.events[index]!.SEQUENCE?.value))
})

test('a series email has the coach’s own text, with each place where they differ', async () => {
  const text = {
    subject: '{{number of sessions}} × {{session}}',
    body: 'Dear {{client first name}}\n\n{{sessions}}\n\nWhere: {{place}}\n\nLink: {{link}}',
  }
  await inTenant(coach, (ctx) => saveMessageText(ctx, 'series_confirmation', text))
  const [first, second] = await schedule()
  for (const [index, id] of [first!, second!].entries())
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { meetingUrl: `https://meet.example.com/${index}` }))
  await inTenant(coach, (ctx) => groupSeriesMessages(ctx, first!))
  const email = (await sendDue()).find(({ events }) => events.length === 3)!
  expect(email.subject).toBe('3 × Career talk')
  expect(email.text).toContain(
    [
      'Dear Mara',
      '',
      'Tuesday, March 24, 3:00 – 4:00 PM: https://meet.example.com/0',
      'Tuesday, March 31, 4:00 – 5:00 PM: https://meet.example.com/1',
      'Tuesday, April 7, 4:00 – 5:00 PM',
    ].join('\n'),
  )
  expect(email.text).not.toMatch(/Where:|Link:/)
})

test('the preview and the test of a series text have three sessions', async () => {
  const page = await loadMessages(await contextFor(coach), 'http://localhost/calendar/messages?message=series_change')
  expect(page.preview.values['number of sessions']).toBe('3')
  expect(page.preview.values.sessions.split('\n')).toEqual([
    'Tuesday, March 17, 10:00 – 11:00 AM',
    'Tuesday, March 24, 10:00 – 11:00 AM',
    'Tuesday, March 31, 10:00 – 11:00 AM',
  ])
  await clearOutbox(app.platform.config)
  await sendTestMessage(app.platform, coach.id, { kind: 'series_change', appointmentId: null })
  expect((await listOutbox(app.platform.config)).map(({ to, subject }) => [to, subject])).toEqual([
    [coach.email, 'Test: Changed: Coaching, 3 sessions from Tuesday, March 17, 10:00 – 11:00 AM'],
  ])
})
