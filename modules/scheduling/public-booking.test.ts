import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visitorContext, type PermissionName } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { bookingAction } from './booking/booking-action.server.ts'
import { loadBooking } from './booking/booking-loader.server.ts'
import { readConfirmation, signConfirmation, signForm } from './booking/signed-values.ts'
import { AppointmentTypeInput, ScheduleInput } from './forms.ts'
import { listPublicTypes } from './queries/bookable-types.ts'
import { getBooking } from './queries/bookings.ts'
import type { AppointmentTypeRecord } from './records.ts'
import { loader as loadConfirmation } from './routes/book-confirmed.tsx'
import { updateAppointment } from './services/appointments.ts'
import { createSchedule } from './services/schedules.ts'
import { createType } from './services/types.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '1' })
let coach: Coach
let addresses = 0
let address: string

const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '12:00' }))

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  address = `203.0.113.${++addresses}`
  coach = await createCoach({ timezone: 'UTC' })
  await addSchedule(coach)
})

const addSchedule = (to: Coach) =>
  inTenant(to, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: everyDay })))
const addType = (input: object = {}, to = coach): Promise<AppointmentTypeRecord> =>
  inTenant(to, (tx) =>
    createType(tx, AppointmentTypeInput.parse({ name: 'First talk', visibility: 'public', ...input })),
  )

/** The context of a request of a visitor on the coach's host. */
function visit(host: Coach | null = coach): AppLoadContext {
  const { platform } = app
  return {
    nonce: 'nonce',
    log: platform.log,
    cookies: { toast: () => '' },
    tenant: host && { name: 'Ada Coaching' },
    requestContext: { platform, address, tenant: host },
    async visitor(permissions: readonly PermissionName[]) {
      if (!host) throw new Error('not_found')
      const { account } = await contextFor(host)
      return visitorContext(platform, account, { requestId: 'test', address }, permissions)
    },
  } as unknown as AppLoadContext
}

const load = (query = '', slug = 'first-talk', host = coach) =>
  loadBooking(visit(host), slug, new URL(`http://localhost/book/${slug}${query}`))

type Sent = { status: number; to: string | null; errors: Record<string, string[]>; kept: Record<string, unknown> }
type Failure = {
  data: { result: { error: Sent['errors']; initialValue: Sent['kept'] } }
  init: { status: number }
}
/** Submits a form of the page, as a browser without JavaScript does. */
async function send(
  fields: Record<string, string>,
  { query = '', slug = 'first-talk', host = coach } = {},
): Promise<Sent> {
  const request = new Request(`http://localhost/book/${slug}${query}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const response: unknown = await bookingAction({
    request,
    params: { type: slug },
    context: visit(host),
  } as unknown as ActionFunctionArgs)
  if (response instanceof Response)
    return { status: response.status, to: response.headers.get('location'), errors: {}, kept: {} }
  const { data, init } = response as Failure
  return { status: init.status, to: null, errors: data.result.error, kept: data.result.initialValue }
}

/** The results of calls that all succeed. */
const values = <T>(results: PromiseSettledResult<T>[]): T[] =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : expect.unreachable(String(result.reason))))

const start = '2026-03-12T09:00:00.000Z'
const person = { name: 'Noor Aziz', email: 'noor@example.com' }
/** Sends the form a minute after it was opened. */
const book = (fields: Record<string, string> = {}, options: Parameters<typeof send>[1] = {}) => {
  const signature = signForm(app.platform, coach.id, new Date(app.clock.now.getTime() - 60_000))
  return send({ intent: 'book', start, signature, ...person, ...fields }, options)
}
const getBooked = async (to: string | null, host = coach) => {
  const id = readConfirmation(app.platform, host.id, to!.split('/').at(-1)!)!
  return { id, ...(await getBooking(await contextFor(host), id)) }
}
const attendees = async () =>
  (await contextFor(coach)).query({
    name: 'test.attendees',
    text: `select a.title, coalesce(c.email, p.email) as email, c.email as client, a.answers, a.description from appointment a
      left join client c on c.coach_id = $1 and c.id = a.client_id
      left join prospect_person p on p.coach_id = $1 and p.id = a.prospect_id
      where a.coach_id = $1 order by a.id`,
    values: [coach.id],
  })

describe('the page', () => {
  test('shows the days and times of a month in the visitor’s zone, also across the date line', async () => {
    await addType()
    const { month, zone } = await load('?zone=Pacific/Kiritimati&month=2026-03')
    expect(zone).toBe('Pacific/Kiritimati')
    // 09:00 UTC on March 11 is 23:00 there; 10:00 UTC is midnight of March 12.
    const free = month!.days.filter(({ isFree }) => isFree).map(({ date }) => date)
    expect(free[0]).toBe('2026-03-11')
    expect(month!.times).toEqual([{ start: '2026-03-11T09:00:00.000Z', label: '11:00 PM' }])
    const next = await load('?zone=Pacific/Kiritimati&day=2026-03-12')
    expect(next.month!.times.map(({ label }) => label)).toEqual(['12:00 AM', '1:00 AM', '11:00 PM'])
    const west = await load('?zone=Pacific/Pago_Pago&day=2026-03-10')
    expect(west.month!.times.map(({ label }) => label)).toEqual(['10:00 PM', '11:00 PM'])
  })

  test('takes an unknown zone, month, day, time and duration for none', async () => {
    await addType({ durations: [60, 30] })
    const { state, zone, month } = await load(
      '?zone=Nowhere/Land&month=2026-13&day=2026-02-31&start=yesterday&duration=45&step=details&hold=x',
    )
    expect([zone, state.zone, state.duration, state.start, state.hold]).toEqual(['UTC', null, null, null, null])
    expect(month!.month).toBe('2026-03')
    expect((await load('?month=2101-01')).month!.month).toBe('2028-03')
    expect((await load('?day=2026-02-31')).month!.times).not.toEqual([])
    expect((await load('?start=2026-02-31T99:00:00.000Z&step=details')).details).toBeNull()
  })

  test('ends the months at the booking window, and names the next free day of an empty month', async () => {
    await addType({ bookingWindowDays: 30, minimumNoticeMinutes: 28 * 24 * 60 })
    const march = await load()
    expect([march.month!.next, march.month!.times, march.month!.nextDay?.date]).toEqual(['2026-04', [], '2026-04-08'])
    expect((await load('?month=2026-04')).month!.next).toBeNull()
  })

  test('lists public types only; one by link has an address, a hidden one has none', async () => {
    await addType()
    await addType({ name: 'By link', visibility: 'link' })
    await addType({ name: 'Hidden', visibility: 'hidden', slug: 'hidden' })
    expect((await listPublicTypes(await contextFor(coach))).map(({ name }) => name)).toEqual(['First talk'])
    expect((await load('', 'by-link')).types).toEqual([])
    await expect(load('', 'hidden')).rejects.toMatchObject({ code: 'not_found' })
    await expect(load('', 'nothing')).rejects.toMatchObject({ code: 'not_found' })
    expect(await book({}, { slug: 'hidden' })).toMatchObject({ status: 404 })
    expect(await send({ intent: 'hold', start }, { slug: 'hidden' })).toMatchObject({ status: 404 })
  })

  test('another coach’s types, holds and confirmations don’t exist on this host', async () => {
    const other = await createCoach({ timezone: 'UTC' })
    await addSchedule(other)
    await addType({ name: 'Only there' }, other)
    await addType()
    await expect(load('', 'only-there')).rejects.toMatchObject({ code: 'not_found' })
    const { to } = await book()
    const token = to!.split('/').at(-1)!
    const request = new Request(`http://localhost${to}`)
    const confirmation = (host: Coach) =>
      loadConfirmation({ params: { booking: token }, request, context: visit(host) } as never)
    expect(await confirmation(coach)).toMatchObject({ title: 'You are booked' })
    await expect(confirmation(other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      loadConfirmation({ params: { booking: `${token}x` }, request, context: visit() } as never),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('refuses a client that asks for thousands of pages, and no other one', async () => {
    await addType()
    for (let page = 0; page < 300; page++) await load()
    for (let page = 0; page < 10; page++) await expect(load()).rejects.toMatchObject({ code: 'rate_limited' })
    address = '198.51.100.7'
    expect((await load()).page).toBe('first-talk')
  })
})

describe('booking', () => {
  test('a held time is booked, and until then nobody else is offered it', async () => {
    await addType()
    const { to } = await send({ intent: 'hold', start }, { query: '?zone=Europe%2FBerlin' })
    const query = to!.slice(to!.indexOf('?'))
    expect((await load(query)).details).toMatchObject({
      isFree: true,
      isHeld: true,
      when: 'Thursday, March 12, 10:00 AM',
    })
    expect((await load('?day=2026-03-12')).month!.times.map(({ label }) => label)).toEqual(['10:00 AM', '11:00 AM'])
    const booked = await getBooked((await book({}, { query })).to)
    expect(booked).toMatchObject({
      name: 'First talk',
      status: 'confirmed',
      startTime: start,
      timezone: 'Europe/Berlin',
    })
    expect(await attendees()).toMatchObject([{ email: 'noor@example.com' }])
  })

  test('a form that is sent twice without scripts holds and books once, and shows how things are', async () => {
    await addType()
    const { holdKey } = (await load()).month!
    for (let sent = 0; sent < 2; sent++) {
      const { to } = await send({ intent: 'hold', start, hold: holdKey })
      expect(to).toContain(`hold=${holdKey}`)
      expect((await load(`?${to!.split('?')[1]}`)).details).toMatchObject({ isFree: true, isHeld: true })
    }
    const query = `?start=${start}&step=details&hold=${holdKey}`
    const sent = values(await concurrently(5, () => book({}, { query })))
    sent.push(await book({}, { query }))
    const booked = await Promise.all(sent.map(async ({ to }) => (await getBooked(to)).id))
    expect(new Set(booked).size).toBe(1)
    expect(await attendees()).toHaveLength(1)
    expect(await book({ email: 'other@example.com' }, { query })).toMatchObject({ status: 409 })
  })

  test('waits for the coach where the coach confirms', async () => {
    await addType({ confirmation: 'manual' })
    expect(await getBooked((await book()).to)).toMatchObject({ status: 'scheduled' })
  })

  test('a known address is that client, an unknown one what the type says, and the page never tells', async () => {
    await addType({ newVisitor: 'client' })
    await createClient({ coach, name: 'Ada', email: 'Ada@Example.com' })
    const sent = [
      await book({ email: 'ada@example.com' }),
      await book({ start: '2026-03-12T10:00:00.000Z', email: 'noor@example.com' }),
      await book({ start: '2026-03-12T11:00:00.000Z', email: 'NOOR@example.com' }),
    ]
    expect(sent.map(({ status }) => status)).toEqual([302, 302, 302])
    expect(await attendees()).toMatchObject([
      { client: 'Ada@Example.com' },
      { client: 'noor@example.com' },
      { client: 'noor@example.com' },
    ])
  })

  test('the page of a booking names the address it is emailed to, but no other client’s', async () => {
    await addType()
    const { to } = await book({ email: 'Noor@Example.com' })
    const { id, emailedTo } = await getBooked(to)
    expect(emailedTo).toBe('noor@example.com')
    const other = await createClient({ coach, name: 'Ada', email: 'ada@example.com' })
    await inTenant(coach, (tx) => updateAppointment(tx, id, { clientId: other.id, prospectId: null }))
    expect((await getBooked(to)).emailedTo).toBeNull()
  })

  test('a time that was just taken is a clear message with the next free ones, and the input stays', async () => {
    await addType()
    expect((await book()).status).toBe(302)
    const refused = await book({ email: 'mina@example.com', notes: 'About my new job' })
    expect(refused).toMatchObject({
      status: 409,
      errors: { start: ['This time has just been taken. Please choose another one.'] },
      kept: { email: 'mina@example.com', notes: 'About my new job' },
    })
    const { details } = await load(`?start=${encodeURIComponent(start)}&step=details`)
    expect([details!.isFree, details!.instead.length, details!.instead[0]?.label]).toEqual([
      false,
      6,
      'Thursday, March 12, 10:00 AM',
    ])
    expect((await book({ email: 'mina@example.com', start: details!.instead[0]!.value })).status).toBe(302)
    // A prospect of the refused form would be left over.
    expect(await attendees()).toHaveLength(2)
  })

  test('a visitor reads nothing about the plan of a coach whose storage is full, and the input stays', async () => {
    await addType()
    await createClient({ coach, ...person })
    vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValueOnce(true)
    const refused = await book()
    expect(refused.errors).toEqual({ '': ['This is not possible at the moment. Please get in touch instead.'] })
    expect([refused.status, refused.kept]).toMatchObject([409, person])
    expect((await book()).to).toContain('/book/confirmed/')
  })

  test('of twenty visitors of one time one gets it, and the others leave nothing behind', async () => {
    await addType()
    const results = await concurrently(20, (index) => book({ email: `visitor${index}@example.com` }))
    expect(values(results).filter(({ status }) => status === 302)).toHaveLength(1)
    expect(values(results).filter(({ status }) => status === 409)).toHaveLength(19)
    const ctx = await contextFor(coach)
    const [counted] = await ctx.query<{ people: number }>({
      name: 'test.count',
      text: `select (select count(*) from prospect_person where coach_id = $1)::int
        + (select count(*) from client where coach_id = $1)::int as people`,
      values: [coach.id],
    })
    expect([await attendees(), counted!.people]).toMatchObject([[{}], 1])
  })

  test('questions are answered, and the place is chosen', async () => {
    await addType({
      locationKind: 'client_choice',
      questions: [
        { label: 'What brings you here?', kind: 'long', required: true },
        { label: 'How did you hear of me?', kind: 'choice', options: ['Friend', 'Search'] },
      ],
    })
    const refused = await book({ 'answer-0': ' ', 'answer-1': 'Radio', place: 'phone', phone: '' })
    expect(refused.status).toBe(422)
    expect(refused.errors).toEqual({
      phone: ['Enter the number to call'],
      'answer-0': ['Please answer this question'],
      'answer-1': ['Choose one of the answers'],
    })
    expect((await book({ 'answer-0': 'x', place: '' })).errors).toEqual({ place: ['Choose where you want to meet'] })
    const { to } = await book({ 'answer-0': 'A new job', 'answer-1': '', place: 'phone', phone: '+1 808 555 0100' })
    expect(await getBooked(to)).toMatchObject({ location: 'Phone: +1 808 555 0100' })
    expect(await attendees()).toMatchObject([
      { answers: [{ question: 'What brings you here?', answer: 'A new job' }], description: null },
    ])
  })

  test('the history names no actor', async () => {
    await addType()
    const { id } = await getBooked((await book()).to)
    const rows = await (await contextFor(coach)).query({
      name: 'test.history',
      text: `select actor_id as actor from history where coach_id = $1 and kind = 'appointment' and record_id = $2`,
      values: [coach.id, id],
    })
    expect(rows).toEqual([{ actor: null }])
  })
})

describe('bad input', () => {
  test.each([
    ['a line break in an address', { email: 'noor@example.com\r\nBcc: all@example.com' }, 'email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
    ['a line break in a name', { name: 'Noor\r\nAziz' }, 'name'],
    ['no name', { name: '  ' }, 'name'],
    ['no time', { start: '' }, 'start'],
    ['a time that is none', { start: '2026-02-31T99:00:00.000Z' }, 'start'],
    ['notes without an end', { notes: 'x'.repeat(2001) }, 'notes'],
    ['a place that is none', { place: 'moon' }, 'place'],
  ])('%s is refused at its field', async (_name, fields: Record<string, string>, field) => {
    await addType()
    const { status, errors } = await book(fields)
    expect([status, Object.keys(errors)]).toEqual([422, [field]])
    expect(await attendees()).toEqual([])
  })

  test('programs are refused: a filled trap, a form sent at once, an old or forged one', async () => {
    await addType()
    const now = app.clock.now.getTime()
    const sign = (age: number, coachId = coach.id) => signForm(app.platform, coachId, new Date(now - age))
    const forms: Record<string, string>[] = [
      { website: 'https://spam.example' },
      { signature: sign(1_000) },
      { signature: sign(25 * 3_600_000) },
      { signature: sign(60_000, coach.id + 1) },
      { signature: signConfirmation(app.platform, coach.id, 1) },
      { signature: '' },
    ]
    for (const form of forms) {
      const { status, errors, kept } = await book(form)
      expect([status, Object.keys(errors), kept.name]).toEqual([400, [''], person.name])
    }
    expect(await attendees()).toEqual([])
  })

  test('a time outside of the working hours, too soon, in the past or too far ahead is refused', async () => {
    await addType()
    for (const at of ['2026-03-12T20:00:00.000Z', '2026-03-10T09:00:00.000Z', '2026-12-24T09:00:00.000Z'])
      expect([at, (await book({ start: at })).status]).toEqual([at, 409])
  })

  test('holds and bookings of one client are limited', async () => {
    await addType()
    const holds = await concurrently(35, () => send({ intent: 'hold', start }))
    expect(values(holds).filter(({ status }) => status === 429)).toHaveLength(5)
    const bookings = await concurrently(35, () => book({ start: '2026-03-12T20:00:00.000Z' }))
    expect(values(bookings).filter(({ status }) => status === 429)).toHaveLength(5)
  })
})

describe('across the date line', () => {
  test('a visitor sees the slots on the dates of their own zone, and books that instant', async () => {
    const west = await createCoach({ timezone: 'Pacific/Pago_Pago' })
    await addSchedule(west)
    await addType({}, west)
    const zone = 'Pacific/Kiritimati'
    // 9 to 12 on Wednesday, March 11 in Pago Pago is 10 to 13 on Thursday in Kiritimati.
    const { month } = await load(`?zone=${zone}&day=2026-03-12`, 'first-talk', west)
    expect(month!.day).toEqual({ date: '2026-03-12', title: 'Thursday, March 12' })
    expect(month!.times).toEqual(
      ['20:00', '21:00', '22:00'].map((time, index) => ({
        start: `2026-03-11T${time}:00.000Z`,
        label: ['10:00 AM', '11:00 AM', '12:00 PM'][index],
      })),
    )
    const signature = signForm(app.platform, west.id, new Date(app.clock.now.getTime() - 60_000))
    const chosen = { start: '2026-03-11T20:00:00.000Z', zone, signature }
    const { to } = await book(chosen, { host: west, query: `?zone=${zone}` })
    expect(await getBooked(to, west)).toMatchObject({ startTime: '2026-03-11T20:00:00.000Z', timezone: zone })
    expect((await load(`?zone=${zone}&day=2026-03-12`, 'first-talk', west)).month!.times).toHaveLength(2)
  })
})

test('working hours move with the time zone of the coach, unless the schedule has its own; bookings stay', async () => {
  await addType()
  const { to } = await book()
  const own = await addZonedType()
  const first = async (slug: string) => (await load('?day=2026-03-13', slug)).month!.times[0]!.start
  expect([await first('first-talk'), await first(own)]).toEqual([
    '2026-03-13T09:00:00.000Z',
    '2026-03-13T08:00:00.000Z',
  ])
  const body = { firstName: 'Ada', lastName: 'Winter', timezone: 'America/New_York' }
  expect((await app.call('PUT', '/api/auth/profile', { as: coach, body })).status).toBe(200)
  expect([await first('first-talk'), await first(own)]).toEqual([
    '2026-03-13T13:00:00.000Z',
    '2026-03-13T08:00:00.000Z',
  ])
  expect(await getBooked(to)).toMatchObject({ startTime: start, timezone: 'UTC' })
})

/** A type with a schedule in Berlin. */
async function addZonedType(): Promise<string> {
  const schedule = ScheduleInput.parse({ name: 'Berlin', timezone: 'Europe/Berlin', hours: everyDay })
  const { id: scheduleId } = await inTenant(coach, (tx) => createSchedule(tx, schedule))
  await addType({ name: 'Second talk', scheduleId })
  return 'second-talk'
}
