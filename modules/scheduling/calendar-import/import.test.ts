import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { AppointmentTypeInput, ScheduleInput } from '../forms.ts'
import { createAppointment } from '../e2e/factories.ts'
import { listAppointments } from '../queries/appointments.ts'
import { getSlots } from '../queries/availability.ts'
import { describeOverlap } from '../queries/overlaps.ts'
import { deleteAppointment, restoreAppointment, updateAppointment } from '../services/appointments.ts'
import { createSchedule } from '../services/schedules.ts'
import { createType } from '../services/types.ts'
import { createClientSearch } from './plan.ts'
import { getImport, listImportedTimes, listImports } from './queries.ts'
import {
  cancelImport,
  prepareImport,
  removeImportedTime,
  restoreImportedTime,
  runImport,
  undoImport,
} from './service.ts'

const app = createTestApp()
let coach: Coach

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'Europe/Berlin' })
})

const load = (name: string): string => readFileSync(path.join(import.meta.dirname, 'fixtures', `${name}.ics`), 'utf8')
const prepare = async (text: string, of = coach): Promise<number> =>
  prepareImport(await contextFor(of), { name: 'work.ics', content: Buffer.from(text) })
async function importFile(text: string, of = coach): Promise<number> {
  const id = await prepare(text, of)
  await inTenant(of, (tx) => runImport(tx, id))
  return id
}
const range = { from: new Date('2026-01-01'), to: new Date('2028-01-01') }
const listTitles = async (of = coach) => {
  const ctx = await contextFor(of)
  return {
    sessions: (await listAppointments(ctx, {})).map(({ title, clientName }) => `${title}, ${clientName}`),
    busy: (await listImportedTimes(ctx, range)).map(({ title }) => title),
  }
}
const calendar = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', ...events.flatMap((lines) => ['BEGIN:VEVENT', lines, 'END:VEVENT']), 'END:VCALENDAR'].join('\r\n')
const event = (uid: string, title: string, start = '20260312T090000Z', more = ''): string =>
  `UID:${uid}\r\nDTSTART:${start}\r\nDURATION:PT1H\r\nSUMMARY:${title}${more}`

describe('an import', () => {
  test('adds events with a client as sessions, the others as busy times', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    const id = await prepare(load('google'))
    expect((await getImport(await contextFor(coach), id)).summary).toMatchObject({
      appointments: 3,
      busyTimes: 1,
      leftOut: { cancelled: 1, free: 1 },
      series: { appointments: [{ title: 'Coaching', clientName: 'Mara Lind', count: 3 }] },
    })
    expect(await listTitles()).toEqual({ sessions: [], busy: [] })
    expect(await inTenant(coach, (tx) => runImport(tx, id))).toEqual({ appointments: 3, busyTimes: 1 })
    expect(await listTitles()).toEqual({
      sessions: ['Coaching, Mara Lind', 'Coaching (moved), Mara Lind', 'Coaching, Mara Lind'],
      busy: ['Retreat'],
    })
    await importFile(load('outlook'))
    // The full name in the title is enough.
    expect((await listTitles()).sessions.filter((one) => one.startsWith('Review'))).toHaveLength(3)
  })

  test('adds sessions whose ids in calendar files don’t name the host', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    await importFile(calendar(event('a', 'Session with Mara Lind')))
    const rows = await inTenant(coach, (tx) =>
      tx.query<{ namesHost: boolean }>({
        name: 'test.ids-with-host',
        text: 'select uid_names_host as "namesHost" from appointment where coach_id = $1',
        values: [coach.id],
      }),
    )
    expect(rows).toEqual([{ namesHost: false }])
  })

  test('leaves out what is over and of no client, and sessions that came from here', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    const own = ['localhost', '49960de5880e8c687434170f'].map((ending) => `appointment-${coach.id}-1@${ending}`)
    const file = calendar(
      event('a', 'Dentist', '20260301T090000Z'),
      event('b', 'Session with Mara Lind', '20260301T090000Z'),
      ...own.map((uid) => event(uid, 'Session')),
    )
    const id = await importFile(file)
    expect(await listTitles()).toEqual({ sessions: ['Session with Mara Lind, Mara Lind'], busy: [] })
    expect((await getImport(await contextFor(coach), id)).summary.leftOut).toEqual({ past: 1, known: 2 })
  })

  test('of the same file adds nothing, also of one with other times, and after a session was deleted', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    await importFile(load('google'))
    const [first] = await listAppointments(await contextFor(coach), {})
    await inTenant(coach, (tx) => deleteAppointment(tx, first!.id))
    const before = await listTitles()
    for (const text of [load('google'), load('google').replaceAll('T090000', 'T093000'), load('google')]) {
      const id = await prepare(text.replaceAll('20260324T093000', '20260324T090000'))
      await inTenant(coach, (tx) => runImport(tx, id))
    }
    const after = await listTitles()
    expect(after.busy).toEqual(before.busy)
    expect(after.sessions.length).toBeGreaterThanOrEqual(before.sessions.length)
    const again = await prepare(load('google'))
    expect((await getImport(await contextFor(coach), again)).summary).toMatchObject({ appointments: 0, busyTimes: 0 })
  })

  test('adds busy times that the search finds by their title, until they are removed', async () => {
    await importFile(calendar(event('a', 'Dentist in Kiel')))
    const search = async (as: Coach) => (await app.call('GET', '/api/search?q=dentist&in=content', { as })).body
    const { id } = (await listImportedTimes(await contextFor(coach), range))[0]!
    expect(await search(coach)).toEqual([
      { type: 'busy time', id, title: 'Dentist in Kiel', subtitle: 'Mar 12, 2026', to: `/calendar/busy/${id}` },
    ])
    expect(await search(await createCoach())).toEqual([])
    await inTenant(coach, (tx) => removeImportedTime(tx, id))
    expect(await search(coach)).toEqual([])
  })

  test('runs once, also when it is confirmed twice at the same time', async () => {
    const id = await prepare(calendar(event('a', 'Dentist')))
    const runs = await Promise.allSettled([1, 2].map(() => inTenant(coach, (tx) => runImport(tx, id))))
    expect(runs.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await listTitles()).busy).toEqual(['Dentist'])
  })

  test('is undone: busy times go, sessions go to the trash unless they were changed, and it can be imported again', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    const id = await importFile(load('google'))
    const [first] = await listAppointments(await contextFor(coach), {})
    await inTenant(coach, (tx) => updateAppointment(tx, first!.id, { title: 'Mine' }))
    expect(await inTenant(coach, (tx) => undoImport(tx, id))).toEqual({ kept: 1 })
    expect(await listTitles()).toEqual({ sessions: ['Mine, Mara Lind'], busy: [] })
    expect(await listImports(await contextFor(coach))).toEqual([])
    await importFile(load('google'))
    expect((await listTitles()).sessions).toHaveLength(3)
  })

  test('after undoing one adds no session a second time that was restored from the trash', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    const id = await importFile(load('google'))
    const [first] = await listAppointments(await contextFor(coach), {})
    expect(await inTenant(coach, (tx) => undoImport(tx, id))).toEqual({ kept: 0 })
    await inTenant(coach, (tx) => restoreAppointment(tx, first!.id))
    const again = await prepare(load('google'))
    expect((await getImport(await contextFor(coach), again)).summary).toMatchObject({ appointments: 2 })
    expect(await inTenant(coach, (tx) => runImport(tx, again))).toEqual({ appointments: 2, busyTimes: 1 })
    expect((await listTitles()).sessions).toHaveLength(3)
  })

  test('that was not confirmed can be cancelled, and the next file replaces it', async () => {
    const [first, second] = [await prepare(load('google')), await prepare(load('apple'))]
    await expect(inTenant(coach, (tx) => runImport(tx, first))).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(coach, (tx) => cancelImport(tx, second))
    await expect(inTenant(coach, (tx) => runImport(tx, second))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of another coach is not found', async () => {
    const id = await prepare(load('google'))
    const other = await createCoach()
    for (const run of [runImport, undoImport, cancelImport])
      await expect(inTenant(other, (tx) => run(tx, id) as Promise<unknown>)).rejects.toMatchObject({
        code: 'not_found',
      })
    await expect(getImport(await contextFor(other), id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of 10,000 events ends in time', async () => {
    await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
    const events = Array.from({ length: 10_000 }, (_, index) =>
      event(String(index), index % 5 ? 'Busy' : 'Session with Mara Lind', `202604${10 + (index % 20)}T090000Z`),
    )
    const began = performance.now()
    await importFile(calendar(...events))
    expect(performance.now() - began).toBeLessThan(60_000)
    expect((await listAppointments(await contextFor(coach), {})).length).toBe(2000)
  }, 120_000)
})

describe('an imported busy time', () => {
  async function listDay(): Promise<string[]> {
    const { slots, refused } = await getSlots(await contextFor(coach), {
      type: { slug: 'call' },
      from: new Date('2026-03-12T08:00:00Z'),
      to: new Date('2026-03-12T11:00:00Z'),
    })
    return [...slots.map(() => 'free'), ...refused.map(({ reason }) => reason)].sort()
  }

  test('can’t be booked, until it is removed; removing it can be undone', async () => {
    const hours = [{ weekday: 4, start: '09:00', end: '12:00' }]
    await inTenant(coach, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Hours', hours })))
    const type = AppointmentTypeInput.parse({ name: 'Call', slug: 'call', visibility: 'public' })
    await inTenant(coach, (tx) => createType(tx, type))
    expect(await listDay()).toEqual(['free', 'free', 'free'])
    await importFile(calendar(event('a', 'Dentist'), event('b', 'Overlapping')))
    expect(await listDay()).toEqual(['external', 'free', 'free'])
    await expectOverlap('Dentist')
    const ids = (await listImportedTimes(await contextFor(coach), range)).map(({ id }) => id)
    for (const id of ids) await inTenant(coach, (tx) => removeImportedTime(tx, id))
    expect(await listDay()).toEqual(['free', 'free', 'free'])
    expect((await listTitles()).busy).toEqual([])
    await inTenant(coach, (tx) => restoreImportedTime(tx, ids[0]!))
    await inTenant(coach, (tx) => restoreImportedTime(tx, ids[0]!))
    expect(await listDay()).toEqual(['external', 'free', 'free'])
    await importFile(calendar(event('b', 'Overlapping')))
    expect((await listTitles()).busy).toEqual(['Dentist'])
    const other = await createCoach()
    await expect(inTenant(other, (tx) => removeImportedTime(tx, ids[0]!))).rejects.toMatchObject({ code: 'not_found' })
  })
})

/** The coach is warned of an imported time, when a session is entered there. */
async function expectOverlap(title: string): Promise<void> {
  const { id: clientId } = await createClient({ coach })
  const [busy] = await listImportedTimes(await contextFor(coach), range)
  const session = await createAppointment({ coach, clientId, startTime: busy!.start, endTime: busy!.end })
  const ctx = await contextFor(coach)
  expect(await describeOverlap(ctx, session)).toMatch(new RegExp(`^A busy time, ${title}, is at the same time: `))
  await inTenant(coach, (tx) => deleteAppointment(tx, session.id))
}

test('the client of an event is the only one who takes part, or whose full name is in the title', () => {
  const [mara, maria, ada, ben] = ['Mara Lind', 'María José Gómez', 'Ada', 'Ben Okri'].map((name, id) => ({
    id,
    name,
    email: `${id}@example.com`,
  })) as [Contact, Contact, Contact, Contact]
  const twin = { id: 9, name: 'Ben Okri', email: '9@example.com' }
  const find = createClientSearch([mara, maria, ada, ben, twin], 'own@example.com')
  const cases: [string[], string, Contact | null][] = [
    [['own@example.com', '0@example.com'], 'Anything', mara],
    [['0@EXAMPLE.com'.toLowerCase()], 'With maria jose gomez', mara],
    [['0@example.com', '1@example.com'], 'Group', null],
    [[], 'Coaching: mara lind (2nd)', mara],
    [[], 'Maria Jose Gomez / session', maria],
    [[], 'Amara Lindner', null],
    [[], 'Ada', null],
    [[], 'Ben Okri', null],
    [['own@example.com'], 'Own', null],
  ]
  for (const [emails, title, expected] of cases) expect([title, find(emails, title)]).toEqual([title, expected])
})
type Contact = { id: number; name: string; email: string }
