import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayMs } from '#app/lib/time.ts'
import { deleteClient, restoreClient } from '#modules/crm/services/clients.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { AppointmentTypeInput, NewAppointment, ScheduleInput } from './forms.ts'
import { expireHolds } from './jobs.ts'
import { getAvailability, getSlots, toFreeStarts } from './queries/availability.ts'
import type { AppointmentTypeRecord } from './records.ts'
import { createAppointment, deleteAppointment, restoreAppointment, updateAppointment } from './services/appointments.ts'
import { bookSlot, holdSlot, moveBooking, releaseHold } from './services/bookings.ts'
import { createSchedule, updateSchedule } from './services/schedules.ts'
import { createType, updateType } from './services/types.ts'

const app = createTestApp()
const minute = 60_000
let coach: Coach
let clientId: number
let scheduleId: number
let type: AppointmentTypeRecord

const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '17:00' }))
const at = (time: string) => new Date(`2026-03-12T${time}:00Z`)

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'UTC' })
  clientId = (await createClient({ coach, name: 'Mara Winter' })).id
  scheduleId = await addSchedule({ hours: everyDay })
  type = await addType({ name: 'Coaching' })
})

const addSchedule = async (input: object = {}) =>
  (
    await inTenant(coach, (tx) =>
      createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', bookingWindowDays: 365, ...input })),
    )
  ).id
const addType = (input: object) =>
  inTenant(coach, (tx) => createType(tx, AppointmentTypeInput.parse({ visibility: 'public', ...input })))
const book = (start: Date, more: object = {}) =>
  inTenant(coach, (tx) =>
    bookSlot(tx, { typeId: type.id, start, attendee: { clientId }, timezone: 'Europe/Berlin', ...more }),
  )
const hold = (start: Date, more: object = {}) =>
  inTenant(coach, (tx) => holdSlot(tx, { typeId: type.id, start, ...more }))
const enter = (start: Date, end: Date, more: object = {}) =>
  inTenant(coach, (tx) =>
    createAppointment(
      tx,
      NewAppointment.parse({
        title: 'Entered',
        startTime: start.toISOString(),
        endTime: end.toISOString(),
        clientId,
        ...more,
      }),
    ),
  )
const slots = async (date = '2026-03-12', more: object = {}) => {
  const from = new Date(`${date}T00:00:00Z`)
  return getSlots(await contextFor(coach), {
    type: { id: type.id },
    from,
    to: new Date(from.getTime() + dayMs),
    ...more,
  })
}
const offered = async (date?: string, more?: object) =>
  (await slots(date, more)).slots.map(({ start }) => start.toISOString().slice(11, 16))
const taken = { code: 'conflict', subject: 'slot' }

describe('a booking', () => {
  test('is confirmed, or scheduled where the coach confirms it, and takes its slot', async () => {
    expect(await book(at('10:00'))).toMatchObject({
      title: 'Coaching',
      clientId,
      startTime: '2026-03-12T10:00:00.000Z',
      endTime: '2026-03-12T11:00:00.000Z',
      timezone: 'Europe/Berlin',
      status: 'confirmed',
      appointmentTypeId: type.id,
    })
    expect(await offered()).toEqual(['09:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00'])
    await inTenant(coach, (tx) => updateType(tx, type.id, { confirmation: 'manual' }))
    expect(await book(at('11:00'))).toMatchObject({ status: 'scheduled' })
    const activities = (await app.call('GET', '/api/activities', { as: coach })).body
    expect(activities.slice(0, 2)).toMatchObject([
      { title: 'Session requested', clientId },
      { title: 'Session booked', clientId },
    ])
  })

  test('fifty at once of one slot give one', async () => {
    const results = await concurrently(50, () => book(at('10:00')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: expect.stringMatching(/conflict|unavailable/) })
    expect(await countAppointments()).toBe(1)
  })

  test('is of one coach: another one is free at that time', async () => {
    await book(at('10:00'))
    const first = { coach, clientId, type }
    coach = await createCoach({ timezone: 'UTC' })
    clientId = (await createClient({ coach })).id
    await addSchedule({ hours: everyDay })
    type = await addType({ name: 'Coaching' })
    await book(at('10:00'))
    await expect(book(at('11:00'), { typeId: first.type.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(book(at('11:00'), { attendee: { clientId: first.clientId } })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('fifty at once, of slots that overlap by a part or by their buffers, never overlap', async () => {
    await inTenant(coach, (tx) =>
      updateType(tx, type.id, { slotIntervalMinutes: 15, bufferAfter: 15, durations: [30, 60] }),
    )
    await concurrently(50, (index) =>
      book(new Date(at('09:00').getTime() + (index % 10) * 15 * minute), { durationMinutes: index % 2 ? 30 : 60 }),
    )
    const overlaps = await (await contextFor(coach)).query({
      name: 'test.overlaps',
      text: 'select 1 from busy_time a join busy_time b on a.during && b.during and a.id < b.id',
    })
    expect(overlaps).toEqual([])
    expect(await countAppointments()).toBeGreaterThan(0)
  })

  test('is refused at any time that is not offered', async () => {
    for (const time of ['08:00', '09:01', '16:30', '17:00']) await expect(book(at(time))).rejects.toMatchObject(taken)
    await expect(book(new Date('2026-03-10T10:00:00Z'))).rejects.toThrow('too soon')
    await expect(book(new Date('2028-03-10T10:00:00Z'))).rejects.toThrow('too far ahead')
  })

  test('is refused with a duration that the type does not offer, and for a type that is hidden', async () => {
    await expect(book(at('10:00'), { durationMinutes: 90 })).rejects.toMatchObject({ code: 'validation_failed' })
    const hidden = await addType({ name: 'Internal', visibility: 'hidden' })
    await expect(book(at('10:00'), { typeId: hidden.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('keeps the buffers of both appointments free', async () => {
    await enter(at('12:00'), at('13:00'))
    await inTenant(coach, (tx) =>
      updateType(tx, type.id, { bufferBefore: 30, bufferAfter: 60, slotIntervalMinutes: 30 }),
    )
    await book(at('10:00'))
    expect(await offered()).toEqual(['13:30', '14:00', '14:30', '15:00', '15:30', '16:00'])
    // Changed buffers apply to the appointments of the type that are there.
    await inTenant(coach, (tx) => updateType(tx, type.id, { bufferBefore: 0, bufferAfter: 0 }))
    expect((await offered()).slice(0, 4)).toEqual(['09:00', '11:00', '13:00', '13:30'])
  })

  test('ends with the limits of the day and the week', async () => {
    await inTenant(coach, (tx) => updateSchedule(tx, scheduleId, { dailyLimit: 2, weeklyLimit: 3 }))
    await enter(at('18:00'), at('19:00'))
    await book(at('10:00'))
    await expect(book(at('12:00'))).rejects.toMatchObject(taken)
    expect((await slots()).refused.map(({ reason }) => reason)).toContain('daily-limit')
    await book(new Date('2026-03-13T10:00:00Z'))
    expect((await slots('2026-03-14')).refused.map(({ reason }) => reason)).toContain('weekly-limit')
    await expect(book(new Date('2026-03-14T10:00:00Z'))).rejects.toMatchObject(taken)
  })
})

describe('the coach', () => {
  test('may overlap bookings, holds and own appointments on purpose', async () => {
    await book(at('10:00'))
    await hold(at('11:00'))
    await enter(at('09:30'), at('12:00'))
    const { id } = await enter(at('14:00'), at('15:00'))
    await inTenant(coach, (tx) => updateAppointment(tx, id, { startTime: at('10:00'), endTime: at('10:30') }))
    expect(await countAppointments()).toBe(3)
  })

  test('and fifty visitors at once: nothing is booked over the appointment of the coach', async () => {
    const results = await concurrently(51, (index) =>
      index === 25 ? enter(at('10:00'), at('11:00')) : book(at('10:00')),
    )
    expect(results[25]).toMatchObject({ status: 'fulfilled' })
    const booked = results.filter(({ status }, index) => status === 'fulfilled' && index !== 25)
    expect(booked.length).toBeLessThanOrEqual(1)
  })
})

describe('a time is free at once', () => {
  test('when its appointment is cancelled, deleted or moved, and taken when that is reverted', async () => {
    const { id } = await book(at('10:00'))
    const isFree = async () => (await offered()).includes('10:00')
    const change = (input: object) => inTenant(coach, (tx) => updateAppointment(tx, id, input))
    expect(await isFree()).toBe(false)
    await change({ status: 'cancelled' })
    expect(await isFree()).toBe(true)
    await change({ status: 'scheduled' })
    expect(await isFree()).toBe(false)
    await inTenant(coach, (tx) => deleteAppointment(tx, id))
    expect(await isFree()).toBe(true)
    await inTenant(coach, (tx) => restoreAppointment(tx, id))
    expect(await isFree()).toBe(false)
    await inTenant(coach, (tx) => moveBooking(tx, id, { start: at('11:00') }))
    expect(await offered()).toEqual(['09:00', '10:00', '12:00', '13:00', '14:00', '15:00', '16:00'])
  })

  test('while its client is in the trash', async () => {
    await book(at('10:00'))
    await inTenant(coach, (tx) => deleteClient(tx, clientId))
    expect(await offered()).toContain('10:00')
    await inTenant(coach, (tx) => restoreClient(tx, clientId))
    expect(await offered()).not.toContain('10:00')
  })
})

describe('moving a booking', () => {
  test('to the same time changes nothing; one that overlaps its old time is possible', async () => {
    const { id } = await book(at('10:00'))
    const move = (start: Date) => inTenant(coach, (tx) => moveBooking(tx, id, { start }))
    expect(await move(at('10:00'))).toMatchObject({ startTime: '2026-03-12T10:00:00.000Z' })
    expect(await offered()).not.toContain('10:00')
    await inTenant(coach, (tx) => updateType(tx, type.id, { slotIntervalMinutes: 30 }))
    expect(await move(at('10:30'))).toMatchObject({ startTime: '2026-03-12T10:30:00.000Z' })
    await book(at('13:00'))
    await expect(move(at('13:30'))).rejects.toMatchObject(taken)
    expect(await offered()).not.toContain('10:30')
  })
})

describe('a hold', () => {
  test('keeps a slot for its visitor for ten minutes', async () => {
    const { token, expiresAt } = await hold(at('10:00'))
    expect(expiresAt).toEqual(new Date('2026-03-10T14:10:00Z'))
    expect(await offered()).not.toContain('10:00')
    expect(await offered('2026-03-12', { holdToken: token })).toContain('10:00')
    await expect(book(at('10:00'))).rejects.toMatchObject(taken)
    await expect(hold(at('10:00'))).rejects.toMatchObject(taken)
    expect(await book(at('10:00'), { holdToken: token })).toMatchObject({ status: 'confirmed' })
  })

  test('expires: others can book the slot, and the visitor too if nobody has', async () => {
    const { token } = await hold(at('10:00'))
    await hold(at('11:00'))
    app.clock.now = new Date('2026-03-10T14:10:00Z')
    expect(await offered()).toContain('10:00')
    await book(at('10:00'))
    await expect(book(at('10:00'), { holdToken: token })).rejects.toMatchObject(taken)
    await book(at('11:00'), { holdToken: token })
  })

  test('moves when the visitor chooses another slot, and can be released', async () => {
    const { token } = await hold(at('10:00'))
    const second = await hold(at('11:00'), { holdToken: token })
    expect(await offered()).toContain('10:00')
    await inTenant(coach, (tx) => releaseHold(tx, second.token))
    expect(await offered()).toContain('11:00')
  })

  test('does not protect from the coach', async () => {
    const { token } = await hold(at('10:00'))
    await enter(at('10:30'), at('11:00'))
    await expect(book(at('10:00'), { holdToken: token })).rejects.toMatchObject(taken)
  })

  test('is deleted by a job once it has expired', async () => {
    await hold(at('10:00'))
    await expireHolds(app.platform)
    expect(await countBusyTimes()).toBe(1)
    app.clock.now = new Date('2026-03-10T14:10:00Z')
    await expireHolds(app.platform)
    expect(await countBusyTimes()).toBe(0)
  })

  test('of fifty visitors at once, one has the slot', async () => {
    const results = await concurrently(50, () => hold(at('10:00')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

test('the database itself refuses a time that overlaps in all lanes', async () => {
  const insert = (time: string, lane: string) =>
    inTenant(coach, (tx) =>
      tx.query({
        name: 'test.claim',
        text: `insert into busy_time (coach_id, start_time, end_time, during, lane)
          values ($1, $2, $2::timestamptz + interval '1 hour', tstzrange($2, $2::timestamptz + interval '1 hour'), $3)`,
        values: [coach.id, at(time), lane],
      }),
    )
  await insert('10:00', '(,)')
  for (const lane of ['(,)', '[7,8)']) await expect(insert('10:30', lane)).rejects.toMatchObject({ code: '23P01' })
  await insert('11:00', '[7,8)')
  await insert('11:00', '[8,9)')
  await expect(insert('11:30', '(,)')).rejects.toMatchObject({ code: '23P01' })
})

test('a type without a schedule follows the default one, also while its own is in the trash', async () => {
  const own = await addSchedule({ name: 'Evenings', hours: [{ weekday: 4, start: '18:00', end: '20:00' }] })
  await inTenant(coach, (tx) => updateType(tx, type.id, { scheduleId: own }))
  expect(await offered()).toEqual(['18:00', '19:00'])
  await app.call('DELETE', `/api/availability/schedules/${own}`, { as: coach })
  expect((await offered())[0]).toBe('09:00')
  await app.call('DELETE', `/api/availability/schedules/${scheduleId}`, { as: coach })
  expect(await offered()).toEqual([])
  await expect(book(at('10:00'))).rejects.toMatchObject(taken)
})

// Zones with a change of an hour, of half an hour, at midnight, and without any.
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu']
// Days shortly before a change of the clocks in most of them.
const beginnings = ['2026-03-06', '2026-03-27', '2026-04-03', '2026-09-04', '2026-10-23']
const isoTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const range = fc
  .tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 6, max: 60 }))
  .map(([start, length]) => ({ start: isoTime(start * 15), end: isoTime(Math.min(start * 15 + length * 15, 1440)) }))
const limits = {
  dailyLimit: fc.option(fc.integer({ min: 1, max: 3 })),
  weeklyLimit: fc.option(fc.integer({ min: 2, max: 6 })),
}
const minutes = (max: number) => fc.integer({ min: 0, max })

/** A practice with hours, limits and appointments, and times to book within the first five days. */
const arbitraryPractice = fc.record({
  begin: fc.constantFrom(...beginnings),
  zone: fc.constantFrom(...zones),
  coachZone: fc.constantFrom(...zones),
  hours: fc.uniqueArray(fc.record({ weekday: minutes(6), times: range }), {
    selector: ({ weekday }) => weekday,
    minLength: 3,
  }),
  overrides: fc.uniqueArray(fc.record({ day: minutes(5), times: fc.option(range) }), {
    selector: ({ day }) => day,
    maxLength: 2,
  }),
  rules: fc.record({
    ...limits,
    slotIntervalMinutes: fc.constantFrom(15, 30, 45),
    bufferBefore: minutes(40),
    bufferAfter: minutes(40),
    minimumNoticeMinutes: minutes(2000),
    bookingWindowDays: fc.integer({ min: 3, max: 10 }),
  }),
  type: fc.record({ ...limits, durations: fc.constantFrom([20], [45], [60, 90]) }),
  entered: fc.array(fc.record({ start: minutes(5 * 1440), length: fc.integer({ min: 10, max: 300 }) }), {
    maxLength: 6,
  }),
  offeredOnes: fc.array(fc.nat(), { minLength: 2, maxLength: 3 }),
  others: fc.array(minutes(5 * 96), { minLength: 2, maxLength: 3 }),
})

test('for random schedules, zones, limits and appointments, every offered slot can be booked, and no other time', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPractice, async ({ begin, coachZone, entered, offeredOnes, others, ...random }) => {
      const from = new Date(`${begin}T00:00:00Z`)
      const query = { from, to: new Date(from.getTime() + 5 * dayMs) }
      app.clock.now = new Date(from.getTime() - dayMs / 3)
      coach = await createCoach({ timezone: coachZone })
      clientId = (await createClient({ coach })).id
      await addSchedule({
        timezone: random.zone,
        ...random.rules,
        hours: random.hours.map(({ weekday, times }) => ({ weekday, ...times })),
        overrides: random.overrides.map(({ day, times }) => ({
          date: addDays(begin, day),
          ranges: times ? [times] : [],
        })),
      })
      type = await addType({ name: 'Coaching', ...random.type })
      const time = (offset: number) => new Date(from.getTime() + offset * minute)
      for (const { start, length } of entered) await enter(time(start), time(start + length))
      const listStarts = async () => (await slots(begin, query)).slots.map(({ start }) => start.getTime())
      const attempt = async (start: number) => {
        const isOffered = (await listStarts()).includes(start)
        expect((await listFree(query)).includes(start)).toBe(isOffered)
        const result = await book(new Date(start)).then(
          () => true,
          (error: { code: string }) => (expect(error.code).toBe('conflict'), false),
        )
        expect(result).toBe(isOffered)
      }
      expect(await listFree(query)).toEqual(await listStarts())
      for (const number of offeredOnes) {
        const starts = await listStarts()
        if (starts.length) await attempt(starts[number % starts.length]!)
      }
      for (const step of others) await attempt(time(step * 15).getTime())
    }),
    { numRuns: 10 },
  )
}, 60_000)

/** Reads as the booking page does: only when time is taken, not by what. */
async function listFree(query: { from: Date; to: Date }): Promise<number[]> {
  const ctx = await contextFor(coach)
  const availability = await getAvailability(ctx, { type: { id: type.id }, ...query, onlyFree: true })
  return toFreeStarts(ctx, availability, query).starts
}

async function count(name: string, table: string): Promise<number> {
  const [row] = await (await contextFor(coach)).query<{ count: number }>({
    name,
    text: `select count(*) from ${table} where coach_id = $1`,
    values: [coach.id],
  })
  return row!.count
}
const countAppointments = () => count('test.appointments', 'appointment')
const countBusyTimes = () => count('test.busy-times', 'busy_time')
