import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { startWorkers } from '#app/server/process/jobs.ts'
import type { Platform } from '#tenants/platform.ts'
import { parseCalendarFile } from '#tests/support/calendar-file.ts'
import { testConfig } from '#tests/support/config.ts'
import { createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { freePort } from '#tests/start/support/process.ts'
import { mailServer, type MailServer } from '#tests/support/mail-server.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { createAppointment } from '../e2e/factories.ts'
import { AppointmentTypeInput, NewAppointments, ScheduleInput } from '../forms.ts'
import type { AppointmentRecord } from '../records.ts'
import { deleteAppointment, restoreAppointment, updateAppointment } from '../services/appointments.ts'
import { bookSlot } from '../services/bookings.ts'
import { cancelBooking, rescheduleBooking } from '../services/managed-bookings.ts'
import { updateAppointmentFromForm } from '../services/local-schedule.ts'
import { updateMessageSettings } from '../services/message-settings.ts'
import { resetMessageText, saveMessageText } from '../services/message-texts.ts'
import { createSchedule } from '../services/schedules.ts'
import { createAppointments } from '../services/series.ts'
import { createType, updateType } from '../services/types.ts'
import { replanMessages } from './replan.ts'
import { listDoubtful, resendMessage } from './resend.ts'
import { requestTestMessage, sendTestMessage } from './send-test.ts'
import { sendMessage } from './send.ts'
import { simulateAppointment } from './simulate.ts'
import { standardTexts } from './texts.ts'

const app = createTestApp()
let mails: MailServer
/** As the worker of an installation with a mail server; its clock is the test's. */
let worker: Platform
let coach: Coach
let clientId: number

beforeAll(async () => {
  mails = await mailServer()
  worker = await openWorker(mails.url)
})
afterAll(async () => {
  await worker?.close()
  await mails?.close()
})
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ businessName: 'Winter Coaching', subdomain: null, timezone: 'America/New_York' })
  clientId = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com', timezone: 'Europe/Berlin' }))
    .id
})

const openWorker = (smtpUrl: string) =>
  runtime.open({
    appUrl: app.appUrl,
    config: testConfig({ ROLE: 'worker', SMTP_URL: smtpUrl }),
    now: () => app.clock.now,
  })
const advance = (minutes: number): void => void (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000))
const schedule = (fields: object = {}): Promise<AppointmentRecord> =>
  createAppointment({
    coach,
    clientId,
    title: 'Career talk',
    startTime: '2026-03-12T14:00:00Z',
    endTime: '2026-03-12T15:00:00Z',
    notify: true,
    ...fields,
  })

type Row = { id: number; kind: string; sequence: number; skipReason: string | null; isSent: boolean }
const listMessages = (): Promise<Row[]> =>
  inTenant(coach, (ctx) =>
    ctx.query<Row>({
      name: 'test.messages',
      text: `select id, kind, sequence, skip_reason as "skipReason", sent_at is not null as "isSent"
        from appointment_message where coach_id = $1 order by id`,
      values: [ctx.coachId],
    }),
  )
const listKinds = async (): Promise<string[]> =>
  (await listMessages()).map(({ kind, skipReason, isSent }) => `${kind} ${skipReason ?? (isSent ? 'sent' : 'planned')}`)

/** Runs the jobs of all messages, as the queue does when they are due. Returns what arrived. */
async function sendDue(): Promise<ReturnType<typeof readMail>[]> {
  for (const { id } of await listMessages()) await sendMessage(worker, coach.id, id)
  const arrived = []
  while (mails.unread()) arrived.push(readMail(await mails.next()))
  return arrived
}

/** The text of a header: '=?UTF-8?Q?A_=E2=80=93?=' is 'A –'. */
const decodeWords = (value: string): string =>
  value.replaceAll(/\?= =\?UTF-8\?Q\?/gi, '').replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) =>
    Buffer.from(
      word
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    ).toString(),
  )

function readMail({ to, raw }: { to: string[]; raw: string }) {
  const decode = (part: string): string => {
    const [head = '', ...body] = part.split('\r\n\r\n')
    const text = body.join('\r\n\r\n').replace(/\r\n$/, '')
    if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString()
    return /quoted-printable/i.test(head)
      ? Buffer.from(
          text
            .replaceAll(/=\r\n/g, '')
            .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        ).toString()
      : text
  }
  const parts = raw.split(/\r\n--[^\r\n]+\r\n/)
  const find = (type: string) =>
    parts.find((part) => new RegExp(`^Content-Type: ${type}`, 'im').test(part.split('\r\n\r\n')[0]!))
  const calendar = find('text/calendar')
  const header = (name: string) =>
    decodeWords(new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(raw)?.[1]?.replaceAll(/\r\n\s+/g, ' ') ?? '')
  return {
    to,
    raw,
    header,
    text: decode(find('text/plain')!),
    html: decode(find('text/html')!),
    calendarType: /Content-Type: (text\/calendar[^\r]*(?:\r\n\s+[^\r]+)*)/i.exec(calendar ?? '')?.[1] ?? null,
    calendar: calendar
      ? parseCalendarFile(
          decode(calendar)
            .replaceAll(/\r?\n/g, '\r\n')
            .replace(/(\r\n)*$/, '\r\n'),
        )
      : null,
  }
}

test('the email of a series carries a request for each session, as mail programs look for them', async () => {
  const times = { startTime: '2026-03-24T14:00:00Z', endTime: '2026-03-24T15:00:00Z' }
  const input = { title: 'Career talk', clientId, ...times, notify: true, recurrence: { unit: 'week', count: 3 } }
  await inTenant(coach, (ctx) => createAppointments(ctx, NewAppointments.parse(input)))
  const [mail, ...others] = await sendDue()
  expect(others).toEqual([])
  expect(mail!.calendarType).toContain('method=REQUEST')
  expect(mail!.raw.match(/^Content-Type: text\/calendar; charset=utf-8;\s+method=REQUEST/gim)).toHaveLength(3)
  expect(mail!.raw.match(/filename=invite(-\d)?\.ics/g)?.toSorted()).toEqual([
    'filename=invite-2.ics',
    'filename=invite-3.ics',
    'filename=invite.ics',
  ])
})

describe('an appointment that the coach enters', () => {
  test('is announced only if the coach chooses it, and never changes then either', async () => {
    const { id } = await schedule({ notify: false })
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { startTime: new Date('2026-03-12T13:00:00Z') }))
    await inTenant(coach, (ctx) => deleteAppointment(ctx, id))
    expect(await listMessages()).toEqual([])
  })

  test("is confirmed in the attendee's time zone and the coach's name, with an invitation", async () => {
    await schedule({ meetingUrl: 'https://example.com/room' })
    const [mail, ...others] = await sendDue()
    expect(others).toEqual([])
    expect(mail!.to).toEqual(['mara@example.com'])
    expect(mail!.header('From')).toContain('Winter Coaching')
    expect(mail!.header('Reply-To')).toContain(coach.email)
    expect(mail!.header('Subject')).toBe('Confirmed: Career talk, Thursday, March 12, 3:00 – 4:00 PM')
    for (const part of [mail!.text, mail!.html]) {
      expect(part).toContain('Your session with Winter Coaching is confirmed.')
      expect(part).toContain('When: Thursday, March 12, 3:00 – 4:00 PM (Central European Standard Time)')
      expect(part).toContain('https://example.com/room')
    }
    expect(mail!.calendarType).toContain('method=REQUEST')
    expect(mail!.calendar!.events[0]).toMatchObject({
      SEQUENCE: { value: '1' },
      DTSTART: { value: '20260312T140000Z' },
      STATUS: { value: 'CONFIRMED' },
      ATTENDEE: { value: 'mailto:mara@example.com' },
      ORGANIZER: { value: `mailto:${coach.email}` },
    })
  })

  test('needs a confirmed address of the coach to be announced', async () => {
    coach = await createCoach({ emailVerified: false })
    clientId = (await createClient({ coach, email: 'mara@example.com' })).id
    await expect(schedule()).rejects.toMatchObject({ code: 'forbidden' })
    await schedule({ notify: false })
  })
})

describe('a change', () => {
  test('is announced with the same UID and a higher sequence, and not before it can be undone', async () => {
    const { id } = await schedule()
    const [confirmation] = await sendDue()
    await inTenant(coach, (ctx) =>
      updateAppointment(ctx, id, {
        startTime: new Date('2026-03-13T09:00:00Z'),
        endTime: new Date('2026-03-13T10:00:00Z'),
      }),
    )
    expect(await sendDue()).toEqual([])
    advance(1)
    const [change] = await sendDue()
    expect(change!.header('Subject')).toBe('Changed: Career talk, Friday, March 13, 10:00 – 11:00 AM')
    const [first, second] = [confirmation!, change!].map((mail) => mail.calendar!.events[0]!)
    expect(second!.UID!.value).toBe(first!.UID!.value)
    expect(Number(second!.SEQUENCE!.value)).toBeGreaterThan(Number(first!.SEQUENCE!.value))
  })

  test('of the description or the title, or one that is undone, is not announced', async () => {
    const { id, startTime, endTime } = await schedule()
    await sendDue()
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { description: 'Bring the notes' }))
    const moved = { startTime: new Date('2026-03-13T09:00:00Z'), endTime: new Date('2026-03-13T10:00:00Z') }
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, moved))
    const back = { startTime: new Date(startTime), endTime: new Date(endTime) }
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, back))
    advance(2)
    expect(await sendDue()).toEqual([])
  })
})

describe('a cancellation', () => {
  test.each(['status', 'trash'])('by %s is announced, and nothing after it', async (how) => {
    const { id } = await schedule()
    const [confirmation] = await sendDue()
    await inTenant<unknown>(coach, (ctx) =>
      how === 'trash' ? deleteAppointment(ctx, id) : updateAppointment(ctx, id, { status: 'cancelled' }),
    )
    advance(1)
    const [cancellation, ...others] = await sendDue()
    expect(others).toEqual([])
    expect(cancellation!.header('Subject')).toBe('Cancelled: Career talk, Thursday, March 12, 3:00 – 4:00 PM')
    expect(cancellation!.calendarType).toContain('method=CANCEL')
    const [first, last] = [confirmation!, cancellation!].map((mail) => mail.calendar!.events[0]!)
    expect(last).toMatchObject({ UID: first!.UID!, STATUS: { value: 'CANCELLED' } })
    expect(Number(last!.SEQUENCE!.value)).toBeGreaterThan(Number(first!.SEQUENCE!.value))
    advance(47 * 60)
    expect(await sendDue()).toEqual([])
    expect(await listKinds()).toEqual(['confirmation sent', 'cancellation sent'])
  })

  test('before the confirmation was sent sends neither; when it is undone, the confirmation', async () => {
    const { id } = await schedule()
    await inTenant(coach, (ctx) => deleteAppointment(ctx, id))
    advance(2)
    expect(await sendDue()).toEqual([])
    await inTenant(coach, (ctx) => restoreAppointment(ctx, id))
    expect((await sendDue()).map((mail) => mail.header('Subject'))).toEqual([
      'Confirmed: Career talk, Thursday, March 12, 3:00 – 4:00 PM',
    ])
  })

  test('goes to the attendee who had the confirmation, which the new one gets', async () => {
    const { id } = await schedule()
    await sendDue()
    const other = await createClient({ coach, name: 'Noor', email: 'noor@example.com' })
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { clientId: other.id }))
    advance(1)
    const sent = await sendDue()
    expect(sent.map(({ to, header }) => [to[0], header('Subject').split(':')[0]])).toEqual([
      ['mara@example.com', 'Cancelled'],
      ['noor@example.com', 'Confirmed'],
    ])
  })
})

describe('reminders', () => {
  const remindersAfter = async (minutes: number) => {
    advance(minutes)
    return (await sendDue()).map((mail) => mail.header('Subject').split(':')[0])
  }

  test('are sent a day and an hour before, once', async () => {
    await schedule()
    await sendDue()
    expect(await remindersAfter(23 * 60)).toEqual([])
    expect(await remindersAfter(60)).toEqual(['Reminder'])
    expect(await remindersAfter(60)).toEqual([])
    expect(await remindersAfter(22 * 60)).toEqual(['Reminder'])
    expect(await remindersAfter(60)).toEqual([])
  })

  test('follow the appointment when it is moved', async () => {
    const { id } = await schedule()
    await sendDue()
    expect(await remindersAfter(24 * 60)).toEqual(['Reminder'])
    const moved = { startTime: new Date('2026-03-20T14:00:00Z'), endTime: new Date('2026-03-20T15:00:00Z') }
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, moved))
    expect(await remindersAfter(60)).toEqual(['Changed'])
    expect(await remindersAfter(24 * 60)).toEqual([])
    app.clock.now = new Date('2026-03-19T14:00:00Z')
    expect(await remindersAfter(0)).toEqual(['Reminder'])
  })

  test('that are switched off for the type, too late, or of a client in the trash are not sent', async () => {
    const type = await inTenant(coach, (ctx) => createType(ctx, { name: 'Walk', reminderMinutes: [60] }))
    await schedule({ appointmentTypeId: type.id })
    await sendDue()
    expect(await remindersAfter(24 * 60)).toEqual([])
    await inTenant(coach, (ctx) => updateType(ctx, type.id, { reminderMinutes: [] }))
    expect(await remindersAfter(23 * 60)).toEqual([])
    expect((await listKinds()).slice(1)).toEqual(['reminder off'])

    app.clock.now = new Date('2026-03-10T14:00:00Z')
    await schedule()
    await sendDue()
    app.clock.now = new Date('2026-03-12T15:30:00Z')
    expect(await remindersAfter(0)).toEqual([])
  })
})

describe('each message is sent once', () => {
  test('by twenty workers at once', async () => {
    await schedule()
    const [{ id }] = (await listMessages()) as [Row]
    await concurrently(20, () => sendMessage(worker, coach.id, id))
    expect(mails.unread()).toBe(1)
    await mails.next()
  })

  test('also by the queues of two workers', async () => {
    const workers = [await openWorker(mails.url), await openWorker(mails.url)]
    try {
      await Promise.all(workers.map(startWorkers))
      await schedule({ title: 'Queued' })
      expect(readMail(await mails.next()).header('Subject')).toContain('Queued')
      for (let sent = false; !sent; ) sent = (await listMessages()).some(({ isSent }) => isSent)
      expect(mails.unread()).toBe(0)
    } finally {
      await Promise.all(workers.map((one) => one.close()))
    }
  }, 60_000)

  test('and never again after a worker was killed between the mark and the mail server', async () => {
    await schedule()
    const [{ id }] = (await listMessages()) as [Row]
    const silent = await mailServer({ hang: true })
    const killed = await openWorker(silent.url)
    const lost = sendMessage(killed, coach.id, id).catch(() => {})
    await silent.asked()
    await sendMessage(worker, coach.id, id)
    expect(mails.unread()).toBe(0)
    await silent.close()
    await lost
    await killed.close()
    await sendMessage(worker, coach.id, id)
    expect(mails.unread()).toBe(0)
    advance(6)
    expect(await inTenant(coach, (ctx) => listDoubtful(ctx))).toMatchObject([{ id, kind: 'confirmation' }])
    await inTenant(coach, (ctx) => resendMessage(ctx, id))
    expect((await sendDue()).map(({ to }) => to)).toEqual([['mara@example.com']])
    await expect(inTenant(coach, (ctx) => resendMessage(ctx, id))).rejects.toMatchObject({ code: 'conflict' })
  })

  test('again if the mail server is away or busy', async () => {
    const away = await openWorker(`smtp://127.0.0.1:${await freePort()}`)
    const busy = await mailServer({ refuse: 1 })
    const other = await openWorker(busy.url)
    await schedule()
    const [{ id }] = (await listMessages()) as [Row]
    for (const failing of [away, other])
      await expect(sendMessage(failing, coach.id, id)).rejects.toThrow('The mail server did not take a message.')
    await sendMessage(other, coach.id, id)
    expect(busy.unread()).toBe(1)
    await away.close()
    await other.close()
    await busy.close()
  })

  test('not if the mail server refused the address', async () => {
    const strict = await mailServer({ refuse: 1, refusal: 550 })
    const other = await openWorker(strict.url)
    await schedule()
    const [{ id }] = (await listMessages()) as [Row]
    await sendMessage(other, coach.id, id)
    await sendMessage(other, coach.id, id)
    expect([strict.unread(), ...(await listKinds()).slice(0, 1)]).toEqual([0, 'confirmation refused'])
    await other.close()
    await strict.close()
  })
})

describe('the times of reminders and follow-ups', () => {
  const setRules = (input: Parameters<typeof updateMessageSettings>[1]) =>
    inTenant(coach, (ctx) => updateMessageSettings(ctx, input))
  const subjectsAfter = async (minutes: number) => {
    advance(minutes)
    return (await sendDue()).map((mail) => mail.header('Subject'))
  }

  test("are the coach's, and change for sessions that are planned", async () => {
    await schedule()
    await sendDue()
    await setRules({ reminderMinutes: [2 * 1440 - 60] })
    await replanMessages(worker, coach.id)
    expect(await subjectsAfter(60)).toEqual(['Reminder: Career talk, Thursday, March 12, 3:00 – 4:00 PM'])
    await replanMessages(worker, coach.id)
    expect(await subjectsAfter(24 * 60)).toEqual([])
    expect(await listKinds()).toEqual(['confirmation sent', 'reminder sent'])
  })

  test('of a type take the place of the coach’s', async () => {
    await setRules({ reminderMinutes: [], followUp: true, followUpMinutes: 30 })
    const type = await inTenant(coach, (ctx) =>
      createType(ctx, { name: 'Walk', reminderMinutes: [120], followUp: 'off' }),
    )
    await schedule({ appointmentTypeId: type.id })
    await sendDue()
    expect(await subjectsAfter(46 * 60)).toEqual(['Reminder: Career talk, Thursday, March 12, 3:00 – 4:00 PM'])
    expect(await subjectsAfter(5 * 60)).toEqual([])
  })

  test('after a session are sent once, also if it is completed before', async () => {
    await setRules({ reminderMinutes: [], followUp: true, followUpMinutes: 120 })
    const { id } = await schedule()
    await sendDue()
    advance(49 * 60)
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { status: 'completed', description: 'Done' }))
    expect(await subjectsAfter(119)).toEqual([])
    expect(await subjectsAfter(1)).toEqual(['Thank you: Career talk'])
    expect(await subjectsAfter(60)).toEqual([])
  })

  test('after a session are not sent again when their delay or its end changes, but when it is moved', async () => {
    await setRules({ reminderMinutes: [], followUp: true, followUpMinutes: 120 })
    const { id } = await schedule()
    await sendDue()
    expect(await subjectsAfter(51 * 60)).toEqual(['Thank you: Career talk'])
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { endTime: new Date('2026-03-12T16:30:00Z') }))
    expect(await subjectsAfter(2 * 60)).toEqual([])
    await setRules({ followUpMinutes: 24 * 60 })
    await replanMessages(worker, coach.id)
    expect(await listKinds()).toEqual(['confirmation sent', 'follow_up sent'])
    const simulated = await inTenant(coach, (ctx) => simulateAppointment(ctx, id))
    expect(simulated.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'confirmation sent',
      'follow_up sent',
      'reminder left-out',
    ])
    const times = { startTime: new Date('2026-03-14T14:00:00Z'), endTime: new Date('2026-03-14T15:00:00Z') }
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, times))
    expect(await subjectsAfter(2)).toEqual([expect.stringContaining('March 14')])
    expect(await subjectsAfter(68 * 60)).toEqual(['Thank you: Career talk'])
  })

  test('after a session that was cancelled, or are switched off since, are not sent', async () => {
    await setRules({ reminderMinutes: [], followUp: true, followUpMinutes: 120 })
    const { id } = await schedule()
    await schedule({ startTime: '2026-03-12T16:00:00Z', endTime: '2026-03-12T17:00:00Z' })
    await sendDue()
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { status: 'cancelled' }))
    expect(await subjectsAfter(2)).toEqual(['Cancelled: Career talk, Thursday, March 12, 3:00 – 4:00 PM'])
    await setRules({ followUp: false })
    expect(await subjectsAfter(60 * 60)).toEqual([])
    expect(await listKinds()).toContain('follow_up off')
  })
})

describe("the coach's own texts", () => {
  test('are plain text in both parts, with the branding of the coach', async () => {
    await inTenant(coach, (ctx) =>
      saveMessageText(ctx, 'confirmation', {
        subject: 'See you, {{client first name}}',
        body: 'Dear {{client first name}},\n<b>{{session}}</b>\nWhere: {{place}}\n\n{{coach name}}',
      }),
    )
    await schedule({ title: 'A <i>talk</i> & more' })
    const [mail] = await sendDue()
    expect(mail!.header('Subject')).toBe('See you, Mara')
    expect(mail!.text.replaceAll('\r\n', '\n')).toContain('Dear Mara,\n<b>A <i>talk</i> & more</b>\n\nWinter Coaching')
    expect(mail!.html).toContain('Dear Mara,<br>&lt;b&gt;A &lt;i&gt;talk&lt;/i&gt; &amp; more&lt;/b&gt;')
    expect(mail!.html).not.toContain('Where:')
  })

  test('are refused with the name of an unknown placeholder, and beyond the limits', async () => {
    const patch = async (confirmation: unknown) =>
      app.call('PATCH', '/api/messages/texts', { as: coach, body: { confirmation } })
    const { status, body } = await patch({ subject: 'Hello', body: 'Hello {{client}}' })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('There is no placeholder {{client}}')])
    const wrong = [
      { subject: 'A\r\nBcc: x@example.com', body: 'Text' },
      { subject: 'A\nB', body: 'Text' },
      { subject: 'x'.repeat(201), body: 'Text' },
      { subject: 'Hello', body: 'x'.repeat(5001) },
      { subject: ' ', body: 'Text' },
      { subject: 'Hello', body: ' \n ' },
    ]
    for (const text of wrong) expect((await patch(text)).status).toBe(422)
    expect((await patch({ subject: 'Hello', body: 'x'.repeat(5000) })).status).toBe(200)
  })

  test('are not overwritten by another tab, also after the standard text was restored', async () => {
    const save = (version: number) =>
      inTenant(coach, (ctx) => saveMessageText(ctx, 'reminder', { subject: 'Soon', body: 'Soon' }, version))
    const { version } = await save(1)
    await expect(save(1)).rejects.toMatchObject({ code: 'conflict', subject: 'message' })
    const reset = await inTenant(coach, (ctx) => resetMessageText(ctx, 'reminder'))
    expect(reset).toMatchObject({ isStandard: true, subject: standardTexts.reminder.subject })
    await expect(save(version)).rejects.toMatchObject({ code: 'conflict' })
    const restored = await inTenant(coach, (ctx) => resetMessageText(ctx, 'reminder', { restore: true }))
    expect(restored).toMatchObject({ isStandard: false, subject: 'Soon' })
  })

  test('are sent as a test to the coach alone', async () => {
    const { id } = await schedule()
    await sendTestMessage(worker, coach.id, { kind: 'confirmation', appointmentId: id })
    const mail = readMail(await mails.next())
    expect([mail.to, mail.header('Subject')]).toEqual([
      [coach.email],
      'Test: Confirmed: Career talk, Thursday, March 12, 3:00 – 4:00 PM',
    ])
    expect(mail.calendar).toBeNull()
    await expect(
      inTenant(coach, (ctx) => requestTestMessage(ctx, { kind: 'reminder', appointmentId: 999_999 })),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the simulator', () => {
  const simulate = async (id: number) =>
    (await inTenant(coach, (ctx) => simulateAppointment(ctx, id))).map(({ label, state, at, why }) =>
      [label, state, at, state === 'left-out' ? why : null].filter(Boolean).join(' | '),
    )

  test('says what was sent, what goes out and when, and what does not with the reason', async () => {
    const { id } = await schedule()
    await sendDue()
    expect(await simulate(id)).toEqual([
      'Confirmation | sent | 2026-03-10T14:00:00.000Z',
      'Reminder 24 h before | planned | 2026-03-11T14:00:00.000Z',
      'Reminder 1 h before | planned | 2026-03-12T13:00:00.000Z',
      'Follow-up | left-out | It is switched off.',
    ])
    await inTenant(coach, (ctx) => updateAppointment(ctx, id, { status: 'cancelled' }))
    expect(await simulate(id)).toEqual([
      'Confirmation | sent | 2026-03-10T14:00:00.000Z',
      'Cancellation | planned | 2026-03-10T14:01:00.000Z',
      'Reminder 24 h before | left-out | The session is cancelled.',
      'Reminder 1 h before | left-out | The session is cancelled.',
      'Follow-up | left-out | It is switched off.',
    ])
  })

  test('of a session without emails, without an address or too soon says why', async () => {
    const quiet = await schedule({ notify: false })
    expect(await simulate(quiet.id)).toContain('Confirmation | left-out | This session was entered without emails.')
    const { id: nobody } = await createClient({ coach, email: 'x@example.com' })
    const nowhere = await schedule({ clientId: nobody })
    await app.call('PATCH', `/api/clients/${nobody}`, { as: coach, body: { email: null } })
    const soon = await schedule({ startTime: '2026-03-10T16:00:00Z', endTime: '2026-03-10T17:00:00Z' })
    expect(await simulate(soon.id)).toContain('Reminder 24 h before | left-out | It is too late.')
    expect(nowhere.id).toBeGreaterThan(0)
  })

  test('of an imagined session agrees with what is planned when it is entered', async () => {
    const type = await inTenant(coach, (ctx) =>
      createType(ctx, { name: 'Walk', reminderMinutes: [60], followUp: 'on' }),
    )
    const [startTime, endTime] = ['2026-03-12T14:00:00.000Z', '2026-03-12T15:00:00.000Z']
    const imagined = await app.call(
      'GET',
      `/api/messages/simulation?appointmentTypeId=${type.id}&startTime=${startTime}&endTime=${endTime}`,
      { as: coach },
    )
    const { id } = await schedule({ appointmentTypeId: type.id, startTime, endTime })
    const real = await app.call('GET', `/api/appointments/${id}/messages`, { as: coach })
    const pick = ({ body }: { body: { messages: { label: string; state: string; at: string | null }[] } }) =>
      body.messages.map(({ label, state, at }) => `${label} ${state} ${at}`)
    expect(pick(real)).toEqual([
      'Confirmation planned 2026-03-10T14:00:00.000Z',
      'Reminder 1 h before planned 2026-03-12T13:00:00.000Z',
      'Follow-up 2 h after planned 2026-03-12T17:00:00.000Z',
    ])
    expect(pick(imagined)).toEqual([...pick(real), 'To you: booked planned 2026-03-10T14:00:00.000Z'])
  })
})

describe('the coach', () => {
  const book = async () => {
    const type = await inTenant(coach, (ctx) =>
      createType(
        ctx,
        AppointmentTypeInput.parse({ name: 'First talk', visibility: 'public', minimumNoticeMinutes: 0 }),
      ),
    )
    const hours = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '12:00' }))
    await inTenant(coach, (ctx) => createSchedule(ctx, ScheduleInput.parse({ name: 'Hours', hours })))
    const start = new Date('2026-03-12T14:00:00Z')
    return inTenant(coach, (ctx) =>
      bookSlot(ctx, { typeId: type.id, start, attendee: { clientId }, timezone: 'Asia/Tokyo' }),
    )
  }
  const toCoach = async () => (await sendDue()).filter(({ to }) => to[0] === coach.email)

  test('gets one email when a client books, moves or cancels, with a calendar file', async () => {
    const { id } = await book()
    const [booked, ...others] = await toCoach()
    expect(others).toEqual([])
    expect(booked!.header('Subject')).toBe('Booked: Mara Winter, Thursday, March 12, 10:00 – 11:00 AM')
    expect(booked!.header('Reply-To')).toContain('mara@example.com')
    expect(booked!.calendarType).toContain('method=PUBLISH')
    await inTenant(coach, (ctx) =>
      rescheduleBooking(ctx, id, { start: new Date('2026-03-13T15:00:00Z'), reason: 'My train is late' }),
    )
    await inTenant(coach, (ctx) =>
      rescheduleBooking(ctx, id, { start: new Date('2026-03-13T15:00:00Z'), reason: 'My train is late' }),
    )
    const [moved, ...again] = await toCoach()
    expect(again).toEqual([])
    expect(moved!.text).toContain('Before: Thursday, March 12, 10:00 – 11:00 AM')
    expect(moved!.text).toContain('Reason: My train is late')
    expect(moved!.calendar!.events[0]!.DTSTART).toMatchObject({ value: '20260313T150000Z' })
    await inTenant(coach, (ctx) => cancelBooking(ctx, id, { reason: 'I am ill' }))
    const [cancelled] = await toCoach()
    expect(cancelled!.text).toContain('Reason: I am ill')
    expect(cancelled!.calendar!.events[0]).toMatchObject({ STATUS: { value: 'CANCELLED' } })
    expect(await toCoach()).toEqual([])
  })

  test('who moves a booking leaves its times in the zone that the visitor chose', async () => {
    const { id } = await book()
    await sendDue()
    await inTenant(coach, (ctx) => updateAppointmentFromForm(ctx, id, { startTime: '11:00', endTime: '12:00' }))
    advance(2)
    expect((await sendDue()).map((mail) => mail.header('Subject'))).toEqual([
      expect.stringContaining('Friday, March 13, 12:00 – 1:00 AM'),
    ])
  })

  test('gets none about their own entries, nor with the setting off', async () => {
    await schedule({ startTime: '2026-03-15T14:00:00Z', endTime: '2026-03-15T15:00:00Z' })
    expect(await toCoach()).toEqual([])
    await inTenant(coach, (ctx) => updateMessageSettings(ctx, { tellsCoach: false }))
    await book()
    expect(await toCoach()).toEqual([])
    expect(await listKinds()).toContain('coach_booked off')
  })

  test.each([['scheduling.booked'], ['scheduling.moved'], ['scheduling.cancelled']] as const)(
    'gets no email of the kind %s if they have switched it off',
    (notification) =>
      expectSwitchable(notification, async () => {
        coach = await createCoach({ subdomain: null, timezone: 'America/New_York' })
        clientId = (await createClient({ coach })).id
        const { id } = await book()
        if (notification !== 'scheduling.booked') await sendDue()
        const start = new Date('2026-03-13T15:00:00Z')
        if (notification === 'scheduling.moved')
          await inTenant(coach, (ctx) => rescheduleBooking(ctx, id, { start, reason: null }))
        if (notification === 'scheduling.cancelled')
          await inTenant(coach, (ctx) => cancelBooking(ctx, id, { reason: null }))
        return { coach, send: async () => (await toCoach()).length }
      }),
  )
})
