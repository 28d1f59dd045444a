import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { calendarAction } from './calendar-action.server.ts'
import { writeFeed } from './calendar-feed/feed.ts'
import { exportAppointments } from './export/appointments-csv.ts'
import { listClientSessions } from './queries/appointments.ts'
import type { AppointmentRecord } from './records.ts'
import { restoreAppointments } from './services/series.ts'
import { getAppointmentDialog } from './dialogs.ts'

const app = createTestApp()
let coach: Coach
let client: number

// A Monday; New York's clocks go back on November 1.
beforeEach(() => begin('2026-10-12T12:00:00Z'))

async function begin(now: string): Promise<void> {
  app.clock.now = new Date(now)
  coach = await createCoach()
  client = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })).id
}

const call = (method: string, path: string, body?: object) =>
  app.call(method, `/api/appointments${path}`, { as: coach, ...(body ? { body } : {}) })
const change = (id: number, scope: string, body: object) => call('PATCH', `/${id}?scope=${scope}`, body)
const remove = (id: number, scope: string) => call('DELETE', `/${id}?scope=${scope}`)
const input = (more: object = {}) => ({
  title: 'Weekly talk',
  // 10:00 in New York.
  startTime: '2026-10-19T14:00:00Z',
  endTime: '2026-10-19T15:00:00Z',
  clientId: client,
  recurrence: { unit: 'week', count: 4 },
  ...more,
})
/** Adds a series; returns its sessions. */
async function schedule(more: object = {}): Promise<AppointmentRecord[]> {
  const { status, body } = await call('POST', '', input(more))
  expect([status, body]).toEqual([201, expect.objectContaining({ seriesId: expect.any(Number) })])
  return (await list()).filter(({ seriesId }) => seriesId === body.seriesId)
}
const list = async (): Promise<AppointmentRecord[]> => (await call('GET', '')).body
const listStarts = async () => (await list()).map(({ startTime }) => startTime.slice(5, 16))
const listTitles = async () => (await list()).map(({ title }) => title)
const countSeries = () =>
  inTenant(coach, async (ctx) => {
    const [row] = await ctx.query<{ count: number }>({
      name: 'test.series',
      text: 'select count(*)::int as count from appointment_series where coach_id = $1',
      values: [ctx.coachId],
    })
    return row!.count
  })

describe('a series', () => {
  test('is on all weekdays that are checked in the form', async () => {
    const ctx = await contextFor(coach)
    const fields = {
      intent: 'schedule',
      title: 'Talk',
      attendee: `client-${client}`,
      type: '',
      date: '2026-10-19',
      startTime: '10:00',
      endDate: '',
      endTime: '11:00',
      repeat: 'week-1',
      repeatCount: '6',
      repeatUntil: '',
    }
    const body = new URLSearchParams(fields)
    for (const weekday of ['3', '5']) body.append('repeatWeekdays', weekday)
    const request = new Request('http://localhost/calendar', { method: 'POST', body })
    const cookies = { toast: (message: object) => encodeURIComponent(JSON.stringify(message)) }
    const context = { account: ctx.account, coach: () => ctx, write: ctx.write, cookies } as unknown as AppLoadContext
    await calendarAction({ request, params: {}, context } as ActionFunctionArgs)
    expect(await listStarts()).toEqual(
      ['10-19', '10-21', '10-23', '10-26', '10-28', '10-30'].map((date) => `${date}T14:00`),
    )
  })

  test('has an appointment for each date, at the same local time when the clocks change', async () => {
    const sessions = await schedule()
    expect(sessions.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
      ['2026-10-19T14:00:00.000Z', '2026-10-19T15:00:00.000Z'],
      ['2026-10-26T14:00:00.000Z', '2026-10-26T15:00:00.000Z'],
      ['2026-11-02T15:00:00.000Z', '2026-11-02T16:00:00.000Z'],
      ['2026-11-09T15:00:00.000Z', '2026-11-09T16:00:00.000Z'],
    ])
    expect(new Set(sessions.map(({ title, clientId, timezone }) => `${title} ${clientId} ${timezone}`)).size).toBe(1)
  })

  test('ends on a date, and is monthly on the last day of shorter months', async () => {
    await schedule({
      startTime: '2026-10-31T14:00:00Z',
      endTime: '2026-10-31T15:00:00Z',
      recurrence: { unit: 'month', interval: 1, until: '2027-02-28' },
    })
    expect(await listStarts()).toEqual(['10-31T14:00', '11-30T15:00', '12-31T15:00', '01-31T15:00', '02-28T15:00'])
  })

  test('is on several weekdays, each of which moves with one of them', async () => {
    const [first] = await schedule({ recurrence: { unit: 'week', weekdays: [4], count: 4 } })
    expect(await listStarts()).toEqual(['10-19T14:00', '10-22T14:00', '10-26T14:00', '10-29T14:00'])
    const repeats = async (id: number) => {
      const dialog = await getAppointmentDialog(await contextFor(coach), 'appointment', { appointment: String(id) })
      return 'appointment' in dialog ? dialog.appointment?.repeats : null
    }
    expect(await repeats(first!.id)).toBe('Every week on Monday and Thursday, 4 sessions until Oct 29, 2026')
    await change(first!.id, 'all', { startTime: '2026-10-20T15:00:00Z', endTime: '2026-10-20T16:00:00Z' })
    expect(await listStarts()).toEqual(['10-20T15:00', '10-23T15:00', '10-27T15:00', '10-30T15:00'])
    expect(await repeats(first!.id)).toBe('Every week on Tuesday and Friday, 4 sessions until Oct 30, 2026')
  })

  test('shows up in search, the timeline, the feed and the export', async () => {
    const sessions = await schedule()
    const found = (await app.call('GET', '/api/search?q=weekly%20talk', { as: coach })).text
    expect(found).toContain('Weekly talk')
    app.clock.now = new Date('2026-10-27T00:00:00Z')
    const ctx = await contextFor(coach)
    const timeline = await listClientSessions(ctx, client, 10)
    expect(timeline.map(({ id }) => id)).toEqual([sessions[1]!.id, sessions[0]!.id])
    const feed = await writeFeed(ctx, { showsDetails: true })
    for (const { id } of sessions) expect(feed).toContain(`appointment-${coach.id}-${id}@`)
    let csv = ''
    for await (const part of exportAppointments(ctx)) csv += part
    expect(csv.match(/Weekly talk/g)).toHaveLength(4)
  })

  test.each([
    ['weekdays only of weeks', { unit: 'month', weekdays: [1], count: 3 }, 'Only a weekly series has weekdays'],
    ['an end', { unit: 'week' }, 'Send either count or until'],
    ['one end', { unit: 'week', count: 3, until: '2026-12-01' }, 'Send either count or until'],
    ['at most 104 sessions', { unit: 'week', count: 105 }, 'Use at most 104 sessions within two years'],
    ['at most two years', { unit: 'month', count: 30 }, 'Use at most 104 sessions within two years'],
    ['at least two sessions', { unit: 'week', until: '2026-10-20' }, 'A series has at least two sessions'],
    ['weeks or months', { unit: 'day', count: 3 }, 'Choose one of week, month'],
  ])('needs %s, otherwise nothing is added', async (_name, recurrence, message) => {
    const { status, body } = await call('POST', '', input({ recurrence }))
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(message)])
    expect(await list()).toEqual([])
    expect(await countSeries()).toBe(0)
  })

  test('is not completed at once, and has whole minutes', async () => {
    expect((await call('POST', '', input({ status: 'completed' }))).status).toBe(422)
    expect((await call('POST', '', input({ startTime: '2026-10-19T14:00:30Z' }))).status).toBe(422)
  })

  test('of 104 sessions is added, changed and deleted as a whole', async () => {
    const sessions = await schedule({ recurrence: { unit: 'week', count: 104 } })
    expect(sessions).toHaveLength(104)
    expect((await change(sessions[0]!.id, 'all', { title: 'Talk' })).status).toBe(200)
    expect(new Set(await listTitles())).toEqual(new Set(['Talk']))
    expect((await remove(sessions[50]!.id, 'all')).status).toBe(204)
    expect(await list()).toEqual([])
  })

  test('is deleted once its last session is erased', async () => {
    const [first] = await schedule()
    await remove(first!.id, 'all')
    expect(await countSeries()).toBe(1)
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await eraseTrash(app.platform)
    expect(await countSeries()).toBe(0)
  })

  test('takes the time of each session', async () => {
    await schedule()
    const [row] = await inTenant(coach, (ctx) =>
      ctx.query<{ count: number }>({
        name: 'test.busy',
        text: 'select count(*)::int as count from busy_time where coach_id = $1',
        values: [ctx.coachId],
      }),
    )
    expect(row!.count).toBe(4)
  })
})

describe('a change', () => {
  test('of this session leaves the others', async () => {
    const [, second] = await schedule()
    expect((await change(second!.id, 'this', { title: 'Review' })).status).toBe(200)
    expect(await listTitles()).toEqual(['Weekly talk', 'Review', 'Weekly talk', 'Weekly talk'])
    expect(await countSeries()).toBe(1)
  })

  test('of all moves the sessions to come, at the same local time, and leaves what one has of its own', async () => {
    const [first, second, third, fourth] = await schedule()
    await change(second!.id, 'this', { startTime: '2026-10-27T18:00:00Z', endTime: '2026-10-27T19:00:00Z' })
    await change(third!.id, 'this', { title: 'Review' })
    await change(fourth!.id, 'this', { status: 'cancelled' })
    // From Monday 10:00 to Tuesday 9:00, 90 minutes.
    const { status } = await change(first!.id, 'all', {
      title: 'Talk',
      startTime: '2026-10-20T13:00:00Z',
      endTime: '2026-10-20T14:30:00Z',
    })
    expect(status).toBe(200)
    expect((await list()).map((one) => [one.title, one.startTime.slice(5, 16), one.endTime.slice(11, 16)])).toEqual([
      ['Talk', '10-20T13:00', '14:30'],
      // The time is its own, the length is not.
      ['Talk', '10-27T18:00', '19:30'],
      ['Review', '11-03T14:00', '15:30'],
      ['Weekly talk', '11-09T15:00', '16:00'],
    ])
  })

  test('of all leaves sessions that have begun or are completed', async () => {
    await begin('2026-10-27T12:00:00Z')
    const [first, second, third] = await schedule()
    await call('POST', `/${first!.id}/complete`, {})
    expect((await change(third!.id, 'all', { title: 'Talk' })).status).toBe(200)
    expect(await listTitles()).toEqual(['Weekly talk', 'Weekly talk', 'Talk', 'Talk'])
    expect((await change(second!.id, 'all', { title: 'Past' })).status).toBe(200)
    expect(await listTitles()).toEqual(['Weekly talk', 'Past', 'Past', 'Past'])
  })

  test('of a moved session back to its usual time makes it follow its series again', async () => {
    const [first, second] = await schedule()
    const { startTime, endTime } = second!
    await change(second!.id, 'this', { startTime: '2026-10-27T18:00:00Z', endTime: '2026-10-27T19:00:00Z' })
    await change(second!.id, 'this', { startTime, endTime })
    await change(first!.id, 'all', { startTime: '2026-10-19T16:00:00Z', endTime: '2026-10-19T17:00:00Z' })
    expect(await listStarts()).toEqual(['10-19T16:00', '10-26T16:00', '11-02T17:00', '11-09T17:00'])
  })

  test('of this and the following splits the series, once', async () => {
    const [first, , third] = await schedule()
    const later = { startTime: '2026-11-04T15:00:00Z', endTime: '2026-11-04T16:00:00Z' }
    for (const _ of [1, 2]) expect((await change(third!.id, 'following', later)).status).toBe(200)
    expect(await listStarts()).toEqual(['10-19T14:00', '10-26T14:00', '11-04T15:00', '11-11T15:00'])
    expect(await countSeries()).toBe(2)
    await change(first!.id, 'all', { title: 'Before' })
    await change(third!.id, 'all', { title: 'After' })
    expect(await listTitles()).toEqual(['Before', 'Before', 'After', 'After'])
  })

  test('of a monthly series keeps the last days of months unless the day itself changes', async () => {
    const [first, second] = await schedule({
      startTime: '2026-10-31T14:00:00Z',
      endTime: '2026-10-31T15:00:00Z',
      recurrence: { unit: 'month', count: 4 },
    })
    await change(second!.id, 'all', { startTime: '2026-11-30T17:00:00Z', endTime: '2026-11-30T18:00:00Z' })
    expect(await listStarts()).toEqual(['10-31T16:00', '11-30T17:00', '12-31T17:00', '01-31T17:00'])
    await change(first!.id, 'all', { startTime: '2026-10-15T14:00:00Z', endTime: '2026-10-15T15:00:00Z' })
    expect(await listStarts()).toEqual(['10-15T14:00', '11-15T15:00', '12-15T15:00', '01-15T15:00'])
  })

  test('of the attendee and the status is for all, and of an appointment without a series for itself', async () => {
    const [first] = await schedule()
    const clientId = (await createClient({ coach, name: 'Noor', email: 'noor@example.com' })).id
    await change(first!.id, 'all', { clientId, status: 'confirmed' })
    expect((await list()).map((one) => [one.clientId, one.status])).toEqual(
      Array.from({ length: 4 }, () => [clientId, 'confirmed']),
    )
    const single = (await call('POST', '', input({ recurrence: null }))).body
    expect(single.seriesId).toBe(null)
    expect((await change(single.id, 'all', { title: 'Alone' })).body.title).toBe('Alone')
  })

  test('with an unknown scope, or that completes all, is refused', async () => {
    const [first] = await schedule()
    expect((await change(first!.id, 'some', { title: 'x' })).status).toBe(422)
    expect((await change(first!.id, 'all', { status: 'completed' })).status).toBe(422)
    expect(await listTitles()).toEqual(Array.from({ length: 4 }, () => 'Weekly talk'))
  })

  test('of one tab makes the form of another tab conflict', async () => {
    const [first, , third] = await schedule()
    const opened = await inTenant(coach, (ctx) =>
      getAppointmentDialog(ctx, 'edit-appointment', { appointment: String(third!.id) }),
    )
    await change(first!.id, 'all', { title: 'Talk' })
    const again = await inTenant(coach, (ctx) =>
      getAppointmentDialog(ctx, 'edit-appointment', { appointment: String(third!.id) }),
    )
    expect('version' in opened && 'version' in again && again.version - opened.version).toBe(1)
  })

  test('fifty at once leave one consistent series, and none fails', async () => {
    const sessions = await schedule()
    const results = await concurrently(50, (index) =>
      change(sessions[index % 4]!.id, ['all', 'following', 'this'][index % 3]!, { title: `Talk ${index}` }),
    )
    expect(new Set(results.map((one) => one.status === 'fulfilled' && one.value.status))).toEqual(new Set([200]))
    const rows = await inTenant(coach, (ctx) =>
      ctx.query<{ date: string }>({
        name: 'test.dates',
        text: 'select occurrence_date::text as date from appointment where coach_id = $1 order by start_time',
        values: [ctx.coachId],
      }),
    )
    expect(rows.map(({ date }) => date)).toEqual(['2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09'])
    expect(await countSeries()).toBe(new Set((await list()).map(({ seriesId }) => seriesId)).size)
  })
})

describe('deleting', () => {
  test.each([
    ['this', [true, false, true, true]],
    ['following', [true, false, false, false]],
    ['all', [false, false, false, false]],
  ])('%s moves these sessions to the trash, and Undo restores exactly them', async (scope, left) => {
    const sessions = await schedule()
    const kept = (await schedule({ startTime: '2026-10-19T17:00:00Z', endTime: '2026-10-19T18:00:00Z' })).length
    const second = sessions[1]!
    expect((await remove(second.id, scope)).status).toBe(204)
    const remaining = new Set((await list()).map(({ id }) => id))
    expect(sessions.map(({ id }) => remaining.has(id))).toEqual(left)
    expect(remaining.size).toBe(left.filter(Boolean).length + kept)
    expect((await remove(second.id, scope)).status).toBe(404)
    for (const _ of [1, 2]) await inTenant(coach, (ctx) => restoreAppointments(ctx, second.id))
    expect(await list()).toHaveLength(4 + kept)
  })

  test('all leaves sessions that have begun or are completed', async () => {
    await begin('2026-10-27T12:00:00Z')
    const [first, , third] = await schedule()
    await call('POST', `/${first!.id}/complete`, {})
    await remove(third!.id, 'all')
    expect(await listStarts()).toEqual(['10-19T14:00', '10-26T14:00'])
  })

  test('Undo leaves a session that was deleted before', async () => {
    const [first, , third] = await schedule()
    await remove(third!.id, 'this')
    app.clock.now = new Date('2026-10-12T12:01:00Z')
    await remove(first!.id, 'all')
    await inTenant(coach, (ctx) => restoreAppointments(ctx, first!.id))
    expect(await listStarts()).toEqual(['10-19T14:00', '10-26T14:00', '11-09T15:00'])
  })
})
