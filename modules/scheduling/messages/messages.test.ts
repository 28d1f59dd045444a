import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { startWorkers } from '#app/server/process/jobs.ts'
import type { Platform } from '#tenants/platform.ts'
import { parseCalendarFile } from '#tests/support/calendar-file.ts'
import { testConfig } from '#tests/support/config.ts'
import { createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { freePort } from '#tests/start/support/process.ts'
import { mailServer, type MailServer } from '#tests/support/mail-server.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { createAppointment } from '../e2e/factories.ts'
import type { AppointmentRecord } from '../records.ts'
import { deleteAppointment, restoreAppointment, updateAppointment } from '../services/appointments.ts'
import { updateType } from '../services/types.ts'
import { createType } from '../services/types.ts'
import { sendMessage } from './send.ts'

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
    const type = await inTenant(coach, (ctx) => createType(ctx, { name: 'Walk', reminderDay: false }))
    await schedule({ appointmentTypeId: type.id })
    await sendDue()
    expect(await remindersAfter(24 * 60)).toEqual([])
    await inTenant(coach, (ctx) => updateType(ctx, type.id, { reminderHour: false }))
    expect(await remindersAfter(23 * 60)).toEqual([])
    expect((await listKinds()).slice(1)).toEqual(['reminder_day off', 'reminder_hour off'])

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
