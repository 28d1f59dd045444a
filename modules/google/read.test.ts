import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import type { CalendarStore, EventInput } from '#tests/fakes/google/calendar-store.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { bookSlot, getSlots, holdSlot, releaseHold } from '#modules/scheduling/index.ts'
import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { describeOverlap } from '#modules/scheduling/queries/overlaps.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { connect, sync } from './e2e/support.ts'
import { poll, refresh } from './jobs.ts'
import { chooseCalendars, listCalendars } from './services/calendars.ts'
import { syncNow } from './services/sync-now.ts'

const google = await startFakeGoogle({ now: () => app.clock.now })
const app = createTestApp(google.env)
afterAll(() => google.close())

let coach: Coach
let typeId: number
let calendar: CalendarStore
let numbers = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  google.stopFailing()
  google.requests.splice(0)
  coach = await createCoach({ timezone: 'UTC' })
  const hours = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '12:00' }))
  await inTenant(coach, (tx) =>
    createSchedule(tx, ScheduleInput.parse({ name: 'Mornings', bookingWindowDays: 400, hours })),
  )
  const input = { name: 'Coaching', slug: 'coaching', visibility: 'public' }
  typeId = (await inTenant(coach, (tx) => createType(tx, AppointmentTypeInput.parse(input)))).id
  const email = `reader${++numbers}@gmail.com`
  await connect(coach, google, { email })
  calendar = google.account(email).get(email)!
})

const timed = (start: string, end: string): EventInput => ({
  start: { dateTime: `2026-03-12T${start}:00Z`, timeZone: 'UTC' },
  end: { dateTime: `2026-03-12T${end}:00Z`, timeZone: 'UTC' },
})

/** The starts that can be booked on a day, and those that can't because of Google. */
async function slots(date = '2026-03-12') {
  const from = new Date(`${date}T00:00:00Z`)
  const to = new Date(from.getTime() + 86_400_000)
  const found = await getSlots(await contextFor(coach), { type: { id: typeId }, from, to })
  const time = ({ start }: { start: Date }) => start.toISOString().slice(11, 16)
  const busy = found.refused.filter(({ reason }) => reason === 'google')
  return { free: found.slots.map(time), busy: busy.map(time) }
}

test('a sync by hand that meets another one ends with it, so that the coach sees when it was', async () => {
  const ctx = await contextFor(coach)
  const connections = await Promise.all([syncNow(ctx), syncNow(ctx)])
  const at = app.clock.now.toISOString()
  expect(connections.map(({ lastSuccessAt }) => lastSuccessAt)).toEqual([at, at])
})

describe('an event in a calendar that blocks time', () => {
  test('removes the slots that it overlaps, and deleting it gives them back', async () => {
    const { id } = calendar.insert(timed('09:30', '10:30'))
    expect(await sync(coach)).toBeNull()
    expect(await slots()).toEqual({ free: ['11:00'], busy: ['09:00', '10:00'] })
    calendar.delete(id)
    expect(await sync(coach)).toBeNull()
    expect(await slots()).toEqual({ free: ['09:00', '10:00', '11:00'], busy: [] })
  })

  test('can’t be booked over, also by a visitor who saw the page before', async () => {
    calendar.insert(timed('10:00', '11:00'))
    await sync(coach)
    const { id: clientId } = await createClient({ coach })
    const book = (time: string) =>
      inTenant(coach, (tx) =>
        bookSlot(tx, { typeId, start: new Date(`2026-03-12T${time}:00Z`), attendee: { clientId }, timezone: 'UTC' }),
      )
    await expect(book('10:00')).rejects.toMatchObject({ code: 'conflict', subject: 'slot' })
    await expect(book('11:00')).resolves.toMatchObject({ status: 'confirmed' })
  })

  test('moves with its event', async () => {
    const { id } = calendar.insert(timed('09:00', '10:00'))
    await sync(coach)
    calendar.patch(id, timed('11:00', '12:00'))
    await sync(coach)
    expect((await slots()).busy).toEqual(['11:00'])
  })

  test.each([
    ['free', { transparency: 'transparent' }],
    ['declined', { attendees: [{ self: true, responseStatus: 'declined' }] }],
    ['the place of work', { eventType: 'workingLocation' }],
  ])('blocks nothing if it is %s', async (_name, more) => {
    calendar.insert({ ...timed('09:00', '12:00'), ...more })
    await sync(coach)
    expect((await slots()).busy).toEqual([])
  })

  test('of a whole day blocks it in the calendar’s zone', async () => {
    calendar.insert({ start: { date: '2026-03-12' }, end: { date: '2026-03-13' } })
    await sync(coach)
    expect((await slots()).busy).toEqual(['09:00', '10:00', '11:00'])
    expect((await slots('2026-03-13')).busy).toEqual([])
  })

  test('that is a series blocks each of its times but those that were moved or deleted', async () => {
    const { id } = calendar.insert({ ...timed('09:00', '10:00'), recurrence: ['RRULE:FREQ=DAILY'] })
    calendar.deleteOccurrence(id, { dateTime: '2026-03-13T09:00:00Z' })
    calendar.insert({
      recurringEventId: id,
      originalStartTime: { dateTime: '2026-03-14T09:00:00Z' },
      start: { dateTime: '2026-03-14T11:00:00Z' },
      end: { dateTime: '2026-03-14T12:00:00Z' },
    })
    await sync(coach)
    const busy = async (day: string) => (await slots(`2026-03-${day}`)).busy
    expect([await busy('12'), await busy('13'), await busy('14'), await busy('15')]).toEqual([
      ['09:00'],
      [],
      ['11:00'],
      ['09:00'],
    ])
    calendar.delete(id)
    await sync(coach)
    expect([await busy('12'), await busy('14'), await busy('15')]).toEqual([[], [], []])
  })

  test('that was moved out of a series blocks its new time alone, however far it was moved', async () => {
    const { id } = calendar.insert({
      start: { dateTime: '2026-02-26T09:00:00Z', timeZone: 'UTC' },
      end: { dateTime: '2026-02-26T10:00:00Z', timeZone: 'UTC' },
      recurrence: ['RRULE:FREQ=WEEKLY'],
    })
    const move = (originalStart: string, start: string, end: string) =>
      calendar.insert({
        recurringEventId: id,
        originalStartTime: { dateTime: originalStart },
        start: { dateTime: start },
        end: { dateTime: end },
      })
    move('2026-02-26T09:00:00Z', '2026-03-13T11:00:00Z', '2026-03-13T12:00:00Z')
    move('2026-03-26T09:00:00Z', '2026-03-14T10:00:00Z', '2026-03-14T11:00:00Z')
    await sync(coach)
    expect((await slots('2026-03-13')).busy).toEqual(['11:00'])
    expect((await slots('2026-03-14')).busy).toEqual(['10:00'])
    app.clock.now = new Date('2026-03-22T12:00:00Z')
    await refresh(app.platform)
    expect((await slots('2026-03-26')).busy).toEqual([])
    expect((await slots('2026-04-02')).busy).toEqual(['09:00'])
  })

  test('that is a series without an end is known for 400 days ahead, every day anew', async () => {
    calendar.insert({ ...timed('09:00', '10:00'), recurrence: ['RRULE:FREQ=WEEKLY'] })
    await sync(coach)
    app.clock.now = new Date('2027-03-01T12:00:00Z')
    await refresh(app.platform)
    expect((await slots('2028-02-24')).busy).toEqual(['09:00'])
  })
})

test('on the free plan what was read blocks nothing, until the plan has calendar sync again', async () => {
  calendar.insert(timed('09:00', '10:00'))
  await sync(coach)
  expect((await slots()).busy).toEqual(['09:00'])
  await setPlan(coach, 'free')
  const free = { free: ['09:00', '10:00', '11:00'], busy: [] }
  expect(await slots()).toEqual(free)
  await setPlan(coach, 'pro')
  expect((await slots()).busy).toEqual(['09:00'])
  await setPlan(coach, 'free')
  const choice = { typeId, start: new Date('2026-03-12T09:00:00Z') }
  const { token } = await inTenant(coach, (tx) => holdSlot(tx, choice))
  await inTenant(coach, (tx) => releaseHold(tx, token))
  await setPlan(coach, 'pro')
  expect((await slots()).busy).toEqual(['09:00'])
  await setPlan(coach, 'free')
  await poll(app.platform)
  expect(await slots()).toEqual(free)
  await setPlan(coach, 'pro')
  await sync(coach)
  expect((await slots()).busy).toEqual(['09:00'])
})

test('the coach is warned of a session at a time that is busy in Google', async () => {
  calendar.insert(timed('09:30', '10:30'))
  await sync(coach)
  const { id: clientId } = await createClient({ coach })
  const add = (start: string, end: string) => createAppointment({ coach, clientId, startTime: start, endTime: end })
  const [overlapping, later] = [
    await add('2026-03-12T09:00:00Z', '2026-03-12T10:00:00Z'),
    await add('2026-03-12T10:30:00Z', '2026-03-12T11:00:00Z'),
  ]
  const ctx = await contextFor(coach)
  expect(await describeOverlap(ctx, overlapping)).toBe(
    'A busy time in Google is at the same time: Thursday, March 12, 9:30 – 10:30 AM.',
  )
  expect(await describeOverlap(ctx, later)).toBeNull()
})

describe('reading', () => {
  test('asks only for what has changed since the last time', async () => {
    for (let hour = 0; hour < 5; hour++) calendar.insert(timed('10:00', '11:00'))
    calendar.pageSize = 2
    await sync(coach)
    expect(google.requests.filter((name) => /GET .*events$/.test(name))).toHaveLength(3)
    google.requests.splice(0)
    await sync(coach)
    expect(google.requests.filter((name) => /GET .*events$/.test(name))).toHaveLength(1)
  })

  test('after an expired sync token begins anew and drops what no longer exists', async () => {
    const { id } = calendar.insert(timed('09:00', '10:00'))
    calendar.insert(timed('11:00', '12:00'))
    await sync(coach)
    calendar.delete(id)
    // Google forgets deleted events: no answer mentions it any more.
    calendar.expireSyncTokens()
    expect(await sync(coach)).toBeNull()
    expect((await slots()).busy).toEqual(['11:00'])
  })

  test('takes an event with odd parts by its times, and the others as they are', async () => {
    calendar.insert({ ...timed('09:00', '10:00'), recurrence: [`RRULE:FREQ=DAILY;${'X'.repeat(10_001)}`] })
    calendar.insert({ ...timed('10:00', '11:00'), hangoutLink: `https://meet.google.com/${'x'.repeat(2001)}` })
    calendar.insert(timed('11:00', '12:00'))
    expect(await sync(coach)).toBeNull()
    expect((await slots()).busy).toEqual(['09:00', '10:00', '11:00'])
  })

  test('takes a series with a rule that can’t be read as one event, and an unknown zone as the calendar’s', async () => {
    const start = { dateTime: '2026-03-12T09:00:00Z', timeZone: 'Mars/Olympus' }
    calendar.insert({ ...timed('09:00', '10:00'), start, recurrence: ['RRULE:FREQ=SECONDLY'] })
    expect(await sync(coach)).toBeNull()
    expect((await slots()).busy).toEqual(['09:00'])
  })
})

describe('choosing calendars', () => {
  test('reads those that block time, and frees the time of those that no longer do', async () => {
    const family = google.account(calendar.id).get('family@group.calendar.google.com')!
    calendar.insert(timed('09:00', '10:00'))
    family.insert(timed('11:00', '12:00'))
    await sync(coach)
    expect((await slots()).busy).toEqual(['09:00'])
    const [own, shared] = await listCalendars(await contextFor(coach))
    const choose = (blockingIds: number[]) =>
      inTenant(coach, (tx) => chooseCalendars(tx, { targetId: own!.id, blockingIds, addsMeetLinks: false }))
    await choose([shared!.id])
    await sync(coach)
    expect((await slots()).busy).toEqual(['11:00'])
    await choose([own!.id, shared!.id])
    await sync(coach)
    expect((await slots()).busy).toEqual(['09:00', '11:00'])
  })

  test('refuses a calendar that may only be read, and one of another coach', async () => {
    const [own, , holidays] = await listCalendars(await contextFor(coach))
    const other = await createCoach()
    await connect(other, google, { email: `other${numbers}@gmail.com` })
    const [theirs] = await listCalendars(await contextFor(other))
    const choose = (targetId: number, blockingIds: number[]) =>
      inTenant(coach, (tx) => chooseCalendars(tx, { targetId, blockingIds, addsMeetLinks: false }))
    await expect(choose(holidays!.id, [])).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(choose(theirs!.id, [])).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(choose(own!.id, [theirs!.id])).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a calendar that is hidden from the list in Google still blocks its time', async () => {
    const family = google.account(calendar.id).get('family@group.calendar.google.com')!
    family.insert(timed('11:00', '12:00'))
    const [own, shared] = await listCalendars(await contextFor(coach))
    await inTenant(coach, (tx) =>
      chooseCalendars(tx, { targetId: own!.id, blockingIds: [own!.id, shared!.id], addsMeetLinks: false }),
    )
    await sync(coach)
    family.hidden = true
    expect(await sync(coach)).toBeNull()
    expect((await slots()).busy).toEqual(['11:00'])
  })

  test('a calendar that was deleted at Google frees its time', async () => {
    const account = google.account(calendar.id)
    const [own, shared] = await listCalendars(await contextFor(coach))
    account.get('family@group.calendar.google.com')!.insert(timed('11:00', '12:00'))
    await inTenant(coach, (tx) =>
      chooseCalendars(tx, { targetId: own!.id, blockingIds: [own!.id, shared!.id], addsMeetLinks: false }),
    )
    await sync(coach)
    expect((await slots()).busy).toEqual(['11:00'])
    account.delete('family@group.calendar.google.com')
    expect(await sync(coach)).toBeNull()
    expect((await slots()).busy).toEqual([])
  })
})
