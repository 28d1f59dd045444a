import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startWorkers } from '#app/server/process/jobs.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import type { CalendarStore } from '#tests/fakes/google/calendar-store.ts'
import { testConfig } from '#tests/support/config.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { clearOutbox, listOutbox } from '#tenants/mail.ts'
import { deleteClient, restoreClient, updateClient } from '#modules/crm/services/clients.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import {
  getAppointment,
  listAppointments,
  updateAppointment,
  type AppointmentRecord,
} from '#modules/scheduling/index.ts'
import { deleteAppointment, restoreAppointment } from '#modules/scheduling/services/appointments.ts'
import { NewAppointments } from '#modules/scheduling/forms.ts'
import { sendMessage } from '#modules/scheduling/messages/send.ts'
import { createAppointments, updateAppointments } from '#modules/scheduling/services/series.ts'
import { connect, sync } from './e2e/support.ts'
import { addMeetLink, offerMeetLink } from './services/meet.ts'
import { markChanged } from './services/links.ts'
import { chooseCalendars, listCalendars } from './services/calendars.ts'

const google = await startFakeGoogle({ now: () => app.clock.now })
const app = createTestApp(google.env)
afterAll(() => google.close())

let coach: Coach
let clientId: number
let email: string
let calendar: CalendarStore
let numbers = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  google.stopFailing()
  coach = await createCoach({ timezone: 'UTC' })
  clientId = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })).id
  email = `writer${++numbers}@gmail.com`
  await connect(coach, google, { email })
  calendar = google.account(email).get(email)!
})

const later = (minutes: number) => void (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000))
const hours = (start: string, end: string) => ({
  startTime: new Date(`2026-03-12T${start}:00Z`),
  endTime: new Date(`2026-03-12T${end}:00Z`),
})
const eventHours = (start: string, end: string) => ({
  start: { dateTime: `2026-03-12T${start}:00.000Z` },
  end: { dateTime: `2026-03-12T${end}:00.000Z` },
})
const schedule = (title = 'Coaching'): Promise<AppointmentRecord> =>
  createAppointment({
    coach,
    clientId,
    title,
    startTime: '2026-03-12T09:00:00Z',
    endTime: '2026-03-12T10:00:00Z',
  })
/** Three weekly sessions. */
const scheduleSeries = ({ notify = false } = {}): Promise<AppointmentRecord> => {
  const times = { startTime: '2026-03-12T09:00:00Z', endTime: '2026-03-12T10:00:00Z' }
  const recurrence = { unit: 'week', count: 3 }
  const input = NewAppointments.parse({ title: 'Coaching', clientId, ...times, notify, recurrence })
  return inTenant(coach, (tx) => createAppointments(tx, input))
}
const read = async (id: number) => getAppointment(await contextFor(coach), id)
const update = (id: number, change: Parameters<typeof updateAppointment>[2]) =>
  inTenant(coach, (tx) => updateAppointment(tx, id, change))
const [event, starts] = [() => calendar.current()[0]!, () => calendar.current().map(({ start }) => start?.dateTime)]
const activities = async () =>
  ((await app.call('GET', '/api/activities', { as: coach })).body as { title: string }[] | null)?.map(
    ({ title }) => title,
  )

describe('a session', () => {
  test('gets an event, with the client’s name and a link back', async () => {
    const { id } = await schedule()
    expect(await sync(coach)).toBeNull()
    expect(event()).toMatchObject({
      summary: 'Coaching (Mara Winter)',
      description: `http://localhost:3000/calendar?dialog=appointment&appointment=${id}`,
      start: { dateTime: '2026-03-12T09:00:00.000Z', timeZone: 'UTC' },
      extendedProperties: { private: { practice: `localhost:3000:${coach.id}`, appointment: String(id) } },
    })
    expect((await read(id)).googleEventId).toBe(event().id)
  })

  test('that is moved moves its event; saved without a difference it changes nothing', async () => {
    const { id } = await schedule()
    await sync(coach)
    await update(id, hours('11:00', '12:00'))
    await sync(coach)
    expect(starts()).toEqual(['2026-03-12T11:00:00.000Z'])
    const { etag } = event()
    await update(id, { description: 'For the coach alone' })
    await sync(coach)
    expect(event().etag).toBe(etag)
  })

  test('that is cancelled, deleted or hidden with its client has none, and gets one again', async () => {
    const { id } = await schedule()
    const after = async (change: () => Promise<unknown>) => {
      await change()
      expect(await sync(coach)).toBeNull()
      return calendar.current().length
    }
    expect(await after(() => update(id, { status: 'cancelled' }))).toBe(0)
    expect(await after(() => update(id, { status: 'scheduled' }))).toBe(1)
    expect(await after(() => inTenant(coach, (tx) => deleteAppointment(tx, id)))).toBe(0)
    expect(await after(() => inTenant(coach, (tx) => restoreAppointment(tx, id)))).toBe(1)
    expect(await after(() => inTenant(coach, (tx) => deleteClient(tx, clientId)))).toBe(0)
    expect(await after(() => inTenant(coach, (tx) => restoreClient(tx, clientId)))).toBe(1)
    expect((await read(id)).googleEventId).toBe(event().id)
  })

  test('is one of any number that change at once', async () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => 1_000_000_000 + index)
    // They don't exist: what matters is that no statement has a parameter for each of them.
    await expect(inTenant(coach, (tx) => markChanged(tx, ids))).rejects.toThrow(/foreign key/)
  })

  test('of the past gets none', async () => {
    await createAppointment({ coach, clientId, startTime: '2026-03-09T09:00:00Z', endTime: '2026-03-09T10:00:00Z' })
    await sync(coach)
    expect(calendar.current()).toEqual([])
  })

  test('is written once, also when the answer to the first try was lost', async () => {
    const { id } = await schedule()
    google.fail(/POST .*events$/, 'nothing', 1)
    expect((await sync(coach))?.kind).toBe('down')
    await sync(coach)
    // As if the event had been stored and only the answer lost.
    await inTenant(coach, (tx) =>
      tx.query({
        text: `update google_link set event_id = null, google_calendar_id = null, etag = null, changes = changes + 1
          where coach_id = $1`,
        values: [coach.id],
      }),
    )
    expect(await sync(coach)).toBeNull()
    expect(calendar.current()).toHaveLength(1)
    expect((await read(id)).googleEventId).toBe(event().id)
  })

  test('moves to another calendar when that is chosen', async () => {
    await schedule()
    await sync(coach)
    const [own, family] = await listCalendars(await contextFor(coach))
    await inTenant(coach, (tx) =>
      chooseCalendars(tx, { targetId: family!.id, blockingIds: [own!.id], addsMeetLinks: false }),
    )
    expect(await sync(coach)).toBeNull()
    expect(calendar.current()).toEqual([])
    expect(google.account(email).get('family@group.calendar.google.com')!.current()).toHaveLength(1)
  })

  test('is written by the workers of the queue, and again when its client is renamed', async () => {
    const worker = await runtime.open({
      appUrl: app.appUrl,
      config: testConfig({ ...google.env, ROLE: 'worker' }),
      now: () => app.clock.now,
    })
    try {
      await startWorkers(worker)
      await schedule()
      await expect.poll(starts, { timeout: 20_000 }).toEqual(['2026-03-12T09:00:00.000Z'])
      await inTenant(coach, (tx) => updateClient(tx, clientId, { name: 'Mara Summer' }))
      await expect.poll(() => event().summary, { timeout: 20_000 }).toBe('Coaching (Mara Summer)')
    } finally {
      await worker.close()
    }
  }, 60_000)
})

describe('a change in Google', () => {
  test('moves the session, and is not sent back', async () => {
    const { id } = await schedule()
    await sync(coach)
    later(5)
    calendar.patch(event().id, eventHours('14:00', '15:30'))
    const { etag } = event()
    expect(await sync(coach)).toBeNull()
    expect(await read(id)).toMatchObject({ startTime: '2026-03-12T14:00:00.000Z', endTime: '2026-03-12T15:30:00.000Z' })
    await sync(coach)
    expect(event().etag).toBe(etag)
  })

  test('that deletes the event cancels the session', async () => {
    const { id } = await schedule()
    await sync(coach)
    calendar.delete(event().id)
    expect(await sync(coach)).toBeNull()
    expect(await read(id)).toMatchObject({ status: 'cancelled', googleEventId: null })
    await update(id, { status: 'confirmed' })
    await sync(coach)
    expect(starts()).toEqual(['2026-03-12T09:00:00.000Z'])
  })

  test('that deletes the event of a session that is over leaves the session alone', async () => {
    const { id } = await schedule()
    await sync(coach)
    app.clock.now = new Date('2026-03-13T09:00:00Z')
    calendar.delete(event().id)
    expect(await sync(coach)).toBeNull()
    expect(await read(id)).toMatchObject({ status: 'scheduled', googleEventId: null })
    expect(calendar.current()).toEqual([])
  })

  test('that was forgotten by Google still cancels the session', async () => {
    const { id } = await schedule()
    await sync(coach)
    later(5)
    calendar.delete(event().id)
    calendar.expireSyncTokens()
    expect(await sync(coach)).toBeNull()
    expect((await read(id)).status).toBe('cancelled')
  })

  test('of its color or text leaves the session alone', async () => {
    const before = await schedule()
    await sync(coach)
    later(5)
    calendar.patch(event().id, { colorId: '5', summary: 'My own words' })
    await sync(coach)
    expect((await read(before.id)).updatedAt).toBe(before.updatedAt)
    expect(event().summary).toBe('My own words')
  })

  test('to a whole day is put back', async () => {
    const { id } = await schedule()
    await sync(coach)
    later(5)
    const wholeDay = (date: string) => ({ date, dateTime: null, timeZone: null })
    calendar.patch(event().id, { start: wholeDay('2026-03-12'), end: wholeDay('2026-03-13') })
    expect(await sync(coach)).toBeNull()
    expect(await sync(coach)).toBeNull()
    expect((await read(id)).startTime).toBe('2026-03-12T09:00:00.000Z')
    expect(event().start).toEqual({ dateTime: '2026-03-12T09:00:00.000Z', timeZone: 'UTC' })
  })

  test('that the practice refuses is put back, and the coach reads why', async () => {
    const { id } = await schedule()
    await sync(coach)
    later(5)
    calendar.patch(event().id, eventHours('14:00', '15:30'))
    // The coach's storage is full.
    vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValueOnce(true)
    expect(await sync(coach)).toBeNull()
    await sync(coach)
    expect((await read(id)).startTime).toBe('2026-03-12T09:00:00.000Z')
    expect(starts()).toEqual(['2026-03-12T09:00:00.000Z'])
    expect(await activities()).toContain('A move in Google Calendar was not possible')
  })

  test('of a completed session is ignored', async () => {
    const { id } = await schedule()
    await sync(coach)
    app.clock.now = new Date('2026-03-12T09:30:00Z')
    await update(id, { status: 'completed' })
    calendar.delete(event().id)
    await sync(coach)
    expect((await read(id)).status).toBe('completed')
  })
})

// Decision 0058.
describe('if both have changed', () => {
  test.each([
    ['Google', 'here first', '16:00'],
    ['here', 'in Google first', '11:00'],
  ])('the later move wins: %s', async (later_, first, expected) => {
    const { id } = await schedule()
    await sync(coach)
    const here = () => update(id, hours('11:00', '12:00'))
    const there = async () => void calendar.patch(event().id, eventHours('16:00', '17:00'))
    for (const change of first === 'here first' ? [here, there] : [there, here]) {
      later(5)
      await change()
    }
    expect(await sync(coach)).toBeNull()
    expect(await sync(coach)).toBeNull()
    expect((await read(id)).startTime).toBe(`2026-03-12T${expected}:00.000Z`)
    expect(starts()).toEqual([`2026-03-12T${expected}:00.000Z`])
    expect(await activities()).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`the later change, ${later_ === 'here' ? 'here' : 'in Google'}`),
      ]),
    )
  })

  test('a cancellation wins over a move, on either side', async () => {
    const [first, second] = [await schedule('First'), await schedule('Second')]
    await sync(coach)
    const getEventId = async (id: number) => (await read(id)).googleEventId!
    later(5)
    await update(first.id, { status: 'cancelled' })
    calendar.delete(await getEventId(second.id))
    later(5)
    calendar.patch(await getEventId(first.id), eventHours('16:00', '17:00'))
    await update(second.id, hours('11:00', '12:00'))
    expect(await sync(coach)).toBeNull()
    expect([(await read(first.id)).status, (await read(second.id)).status]).toEqual(['cancelled', 'cancelled'])
    expect(calendar.current()).toEqual([])
  })
})

describe('a Meet link', () => {
  const wantMeetLinks = async () => {
    const [own] = await listCalendars(await contextFor(coach))
    await inTenant(coach, (tx) =>
      chooseCalendars(tx, { targetId: own!.id, blockingIds: [own!.id], addsMeetLinks: true }),
    )
  }

  test('is made on request for a session without a place', async () => {
    await wantMeetLinks()
    const { id } = await schedule()
    const other = await createAppointment({ coach, clientId, meetingUrl: 'https://meet.example.com/room' })
    await sync(coach)
    expect((await read(id)).meetingUrl).toMatch(/^https:\/\/meet\.google\.com\//)
    expect((await read(other.id)).meetingUrl).toBe('https://meet.example.com/room')
    const { etag } = event()
    await sync(coach)
    expect(event().etag).toBe(etag)
  })

  test('is also made for a video call without a link', async () => {
    await wantMeetLinks()
    const [video, phone] = [await schedule(), await schedule()]
    const setLocation = (id: number, location: string) =>
      inTenant(coach, (tx) =>
        tx.query({
          text: 'update appointment set location = $3 where coach_id = $1 and id = $2',
          values: [coach.id, id, location],
        }),
      )
    await setLocation(video.id, 'Video call')
    await setLocation(phone.id, 'Phone: 030 1234567')
    await sync(coach)
    expect((await read(video.id)).meetingUrl).toMatch(/^https:\/\/meet\.google\.com\//)
    expect((await read(phone.id)).meetingUrl).toBeNull()
  })

  test('of a session in a series is replaced with the link of the series', async () => {
    await wantMeetLinks()
    const { id, seriesId } = await scheduleSeries()
    await sync(coach)
    const links = async () =>
      (await listAppointments(await contextFor(coach), {}))
        .filter((session) => session.seriesId === seriesId)
        .map(({ meetingUrl }) => meetingUrl)
    expect(new Set(await links()).size).toBe(3)
    const meetingUrl = 'https://meet.example.com/room'
    await inTenant(coach, (tx) => updateAppointments(tx, id, { meetingUrl }, { scope: 'all' }))
    expect(await links()).toEqual([meetingUrl, meetingUrl, meetingUrl])
  })

  test('is announced once for all sessions of a series', async () => {
    await wantMeetLinks()
    await scheduleSeries({ notify: true })
    const sendDue = async () => {
      await clearOutbox(app.platform.config)
      const ids = await inTenant(coach, (tx) =>
        tx.query<{ id: number }>({
          text: 'select id from appointment_message where coach_id = $1 order by id',
          values: [coach.id],
        }),
      )
      for (const { id } of ids) await sendMessage(app.platform, coach.id, id)
      return (await listOutbox(app.platform.config)).map(({ subject }) => subject)
    }
    const told = 'Coaching, 3 sessions from'
    expect(await sendDue()).toEqual([expect.stringContaining(`Confirmed: ${told}`)])
    await sync(coach)
    later(2)
    expect(await sendDue()).toEqual([expect.stringContaining(`Changed: ${told}`)])
  })

  test('may come later', async () => {
    await wantMeetLinks()
    calendar.delaysMeetLinks = true
    const { id } = await schedule()
    await sync(coach)
    expect((await read(id)).meetingUrl).toBeNull()
    later(1)
    calendar.finishMeetLinks()
    await sync(coach)
    expect((await read(id)).meetingUrl).toMatch(/^https:\/\/meet\.google\.com\//)
  })

  test('is not made unless the coach wants it', async () => {
    const { id } = await schedule()
    await sync(coach)
    expect((await read(id)).meetingUrl).toBeNull()
  })

  test('is added to one session on request, also beside another place, once', async () => {
    const [{ id }, other] = [await schedule(), await schedule()]
    await inTenant(coach, (tx) =>
      tx.query({
        text: `update appointment set location = 'My office' where coach_id = $1 and id = $2`,
        values: [coach.id, id],
      }),
    )
    await sync(coach)
    const ctx = await contextFor(coach)
    const offer = await offerMeetLink(ctx, id)
    expect(offer?.fields).toEqual({ intent: 'add-meet', id: String(id) })
    expect(await addMeetLink(ctx, id)).toBe(true)
    expect((await read(id)).meetingUrl).toMatch(/^https:\/\/meet\.google\.com\//)
    expect((await read(other.id)).meetingUrl).toBeNull()
    expect(await offerMeetLink(ctx, id)).toBeNull()
    await expect(addMeetLink(ctx, id)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('that the coach removed comes back on request alone', async () => {
    const { id } = await schedule()
    await sync(coach)
    const ctx = await contextFor(coach)
    expect(await addMeetLink(ctx, id)).toBe(true)
    const { meetingUrl } = await read(id)
    await update(id, { meetingUrl: null })
    await sync(coach)
    expect((await read(id)).meetingUrl).toBeNull()
    expect(await addMeetLink(ctx, id)).toBe(true)
    expect((await read(id)).meetingUrl).toBe(meetingUrl)
  })

  test('is there also when another process is writing already', async () => {
    const sessions = [await schedule(), await schedule(), await schedule()]
    const ctx = await contextFor(coach)
    expect(await Promise.all(sessions.map(({ id }) => addMeetLink(ctx, id)))).toEqual([true, true, true])
  })

  test('that was asked for while Google was away follows later', async () => {
    const { id } = await schedule()
    google.fail(/calendar\/v3/, 500)
    expect(await addMeetLink(await contextFor(coach), id)).toBe(false)
    google.stopFailing()
    await sync(coach)
    expect((await read(id)).meetingUrl).toMatch(/^https:\/\/meet\.google\.com\//)
  })

  test('is offered for no session that is over, cancelled or of another practice', async () => {
    const { id } = await schedule()
    const ctx = await contextFor(coach)
    const other = await createCoach()
    await expect(offerMeetLink(await contextFor(other), id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(addMeetLink(await contextFor(other), id)).rejects.toMatchObject({ code: 'conflict' })
    await update(id, { status: 'cancelled' })
    expect(await offerMeetLink(ctx, id)).toBeNull()
    await update(id, { status: 'confirmed' })
    expect(await offerMeetLink(ctx, id)).not.toBeNull()
    app.clock.now = new Date('2026-03-12T10:00:00Z')
    expect(await offerMeetLink(ctx, id)).toBeNull()
  })
})
