import { beforeEach, describe, expect, test } from 'vitest'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
let coach: Coach
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach()
})

const path = '/api/availability/schedules'
const post = (body: object) => app.call('POST', path, { as: coach, body })
const patch = (id: number, body: object) => app.call('PATCH', `${path}/${id}`, { as: coach, body })
const get = async (at: string) => (await app.call('GET', at, { as: coach })).body
const hours = [
  { weekday: 1, start: '09:00', end: '12:30' },
  { weekday: 1, start: '13:00', end: '24:00' },
]

describe('a schedule', () => {
  test('has weekly hours with several ranges a day, other hours on single dates, and limits', async () => {
    const overrides = [
      { date: '2026-12-24', ranges: [] },
      {
        date: '2026-12-31',
        ranges: [
          { start: '09:00', end: '10:00' },
          { start: '11:00', end: '12:00' },
        ],
      },
    ]
    const { status, body } = await post({ name: 'Working hours', hours, overrides, dailyLimit: 5 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Working hours',
      isDefault: true,
      timezone: null,
      hours,
      overrides,
      dailyLimit: 5,
      weeklyLimit: null,
      bufferBefore: 0,
      minimumNoticeMinutes: 240,
      bookingWindowDays: 60,
      version: 1,
    })
    expect(await get(`${path}/${body.id}`)).toEqual(body)
    const changed = (await patch(body.id, { hours: [hours[0]], bufferAfter: 10 })).body
    expect(changed).toMatchObject({ hours: [hours[0]], overrides, bufferAfter: 10, version: 2 })
  })

  test('keeps its hours in the history', async () => {
    const { id } = (await post({ name: 'Working hours', hours })).body
    await patch(id, { hours: [hours[0]], overrides: [{ date: '2026-12-24', ranges: [] }] })
    const [latest] = await get(`/api/history/availability_schedule/${id}`)
    expect(latest.changes.map(({ label, from, to }: Record<string, string>) => [label, from, to])).toEqual([
      ['Working hours', 'Mon 09:00–12:30, 13:00–24:00', 'Mon 09:00–12:30'],
      ['Date overrides', '', '2026-12-24 off'],
    ])
  })

  test.each([
    [{ hours: [{ weekday: 7, start: '09:00', end: '10:00' }] }, 'hours.0.weekday'],
    [{ hours: [{ weekday: 1, start: '10:00', end: '10:00' }] }, 'hours.0.end'],
    [{ hours: [{ weekday: 1, start: '9', end: '10:00' }] }, 'hours.0.start'],
    [{ hours: [{ weekday: 1, start: '09:00', end: '24:01' }] }, 'hours.0.end'],
    [{ overrides: [{ date: '2026-02-30', ranges: [] }] }, 'overrides.0.date'],
    [{ overrides: [{ date: '2026-02-03' }, { date: '2026-02-03' }] }, 'overrides'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ bookingWindowDays: 0 }, 'bookingWindowDays'],
    [{ name: ' ' }, 'name'],
  ])('with %j is rejected', async (input, field) => {
    const { status, body } = await post({ name: 'Working hours', ...input })
    expect([status, body.issues[0].path]).toEqual([422, field])
  })

  test('has a unique name, also when it comes out of the trash', async () => {
    await post({ name: 'Working hours' })
    expect((await post({ name: 'working HOURS' })).status).toBe(409)
    const { id } = (await post({ name: 'Evenings' })).body
    expect((await app.call('DELETE', `${path}/${id}`, { as: coach })).status).toBe(204)
    await post({ name: 'Evenings' })
    expect((await app.call('POST', `${path}/${id}/restore`, { as: coach })).status).toBe(409)
  })

  test('can be made the default; after that one is deleted, the oldest is', async () => {
    const first = (await post({ name: 'Working hours' })).body
    const second = (await post({ name: 'Evenings' })).body
    expect(second.isDefault).toBe(false)
    expect((await patch(second.id, { isDefault: true })).body.isDefault).toBe(true)
    expect((await get(`${path}/${first.id}`)).isDefault).toBe(false)
    expect((await patch(second.id, { isDefault: false })).status).toBe(422)
    expect((await app.call('DELETE', `${path}/${second.id}`, { as: coach })).status).toBe(204)
    expect((await get(`${path}/${first.id}`)).isDefault).toBe(true)
    expect((await app.call('POST', `${path}/${second.id}/restore`, { as: coach })).body.isDefault).toBe(false)
    for (const { id } of [first, second]) await app.call('DELETE', `${path}/${id}`, { as: coach })
    expect((await app.call('POST', `${path}/${second.id}/restore`, { as: coach })).body.isDefault).toBe(true)
  })
})
