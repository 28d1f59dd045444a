import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { beforeEach, describe, expect, test } from 'vitest'
import { visitorContext, type PermissionName } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { loadManagedBooking, managedBookingAction } from './booking/managed-booking.server.ts'
import { getAppointmentDialog } from './dialogs.ts'
import { AppointmentTypeInput, ScheduleInput } from './forms.ts'
import { getManageUrl } from './messages/manage-link.ts'
import { getSlots } from './queries/availability.ts'
import { getAppointment } from './queries/appointments.ts'
import type { AppointmentRecord, AppointmentTypeRecord } from './records.ts'
import { deleteAppointment, updateAppointment } from './services/appointments.ts'
import { bookSlot } from './services/bookings.ts'
import { createSchedule } from './services/schedules.ts'
import { createType } from './services/types.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '1' })
let coach: Coach
let type: AppointmentTypeRecord
let booking: AppointmentRecord
let addresses = 0
let address: string

const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '12:00' }))
const start = '2026-03-12T09:00:00.000Z'
const later = '2026-03-13T10:00:00.000Z'

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  address = `203.0.113.${++addresses}`
  coach = await createPractice()
  booking = await book()
})

async function createPractice(input: object = {}): Promise<Coach> {
  const created = await createCoach({ timezone: 'UTC', subdomain: `manage-${addresses}-${Date.now() % 100_000}` })
  await inTenant(created, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Hours', hours: everyDay })))
  type = await inTenant(created, (tx) =>
    createType(
      tx,
      AppointmentTypeInput.parse({
        name: 'First talk',
        visibility: 'public',
        cancellationNoticeMinutes: 24 * 60,
        minimumNoticeMinutes: 0,
        ...input,
      }),
    ),
  )
  return created
}

async function book(): Promise<AppointmentRecord> {
  const { id: clientId } = await createClient({ coach, email: 'mara@example.com' })
  return inTenant(coach, (tx) =>
    bookSlot(tx, { typeId: type.id, start: new Date(start), attendee: { clientId }, timezone: 'Asia/Tokyo' }),
  )
}

function visit(host: Coach | null): AppLoadContext {
  const { platform } = app
  return {
    nonce: 'nonce',
    log: platform.log,
    cookies: { toast: () => '' },
    tenant: host && { id: host.id, name: 'Winter Coaching' },
    requestContext: { platform, address },
    async visitor(permissions: readonly PermissionName[]) {
      const { account } = await contextFor(host!)
      return visitorContext(platform, account, { requestId: 'test', address }, permissions)
    },
  } as unknown as AppLoadContext
}

const getToken = async (id = booking.id, of = coach) =>
  getManageUrl(await contextFor(of), id)!
    .split('/')
    .at(-1)!

type Shown = Exclude<Awaited<ReturnType<typeof loadManagedBooking>>, { init: unknown }>
async function load(query = '', { token, host = coach }: { token?: string; host?: Coach | null } = {}) {
  const sent = token ?? (await getToken())
  const shown = await loadManagedBooking(visit(host), sent, new URL(`http://localhost/booking/${sent}${query}`))
  return ('init' in shown ? shown.data : shown) as Shown
}

async function send(fields: Record<string, string>, { token, host = coach }: { token?: string; host?: Coach } = {}) {
  const sent = token ?? (await getToken())
  const request = new Request(`http://localhost/booking/${sent}?step=x`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const response: unknown = await managedBookingAction({
    request,
    params: { token: sent },
    context: visit(host),
  } as unknown as ActionFunctionArgs)
  if (response instanceof Response) return response.headers.get('location')
  const { data } = response as { data: { result: { error: Record<string, string[]> } } }
  return Object.values(data.result.error).flat().join()
}

const getStatus = async () => (await getAppointment(await contextFor(coach), booking.id)).status
const isFree = async (time: string) => {
  const at = new Date(time)
  const query = { type: { id: type.id }, from: at, to: new Date(at.getTime() + 1) }
  return (await getSlots(await contextFor(coach), query)).slots.length > 0
}

describe('the link in the emails', () => {
  test("shows the present state in the attendee's time zone, and a GET changes nothing", async () => {
    expect((await load()).booking).toMatchObject({
      title: 'First talk',
      access: 'open',
      when: 'Thursday, March 12, 6:00 – 7:00 PM',
      zoneName: 'Tokyo time',
      canMove: true,
    })
    await load('?step=cancel')
    await load('?step=move')
    expect(await getStatus()).toBe('confirmed')
    await inTenant(coach, (tx) => deleteAppointment(tx, booking.id))
    expect((await load()).booking).toMatchObject({ access: 'cancelled' })
  })

  test('that is forged, cut, of another coach or on another host opens nothing', async () => {
    const other = await createPractice()
    const token = await getToken()
    expect(await load('', { token, host: other })).toMatchObject({ problem: 'elsewhere', booking: null, coach: null })
    expect(await load('', { token, host: null })).toMatchObject({ problem: 'elsewhere', booking: null })
    for (const forged of [
      '',
      'x',
      token.slice(0, -2),
      `A${token}`,
      '\u0000',
      'a'.repeat(5000),
      `${token.split('.')[0]}.`,
    ])
      expect(await load('', { token: forged })).toMatchObject({ problem: 'invalid', booking: null })
    await expect(send({ intent: 'cancel' }, { token, host: other })).resolves.toContain('not found')
    expect(await getStatus()).toBe('confirmed')
  })

  test('is refused after fifty that did not work', async () => {
    for (let tries = 0; tries < 50; tries++) await load('', { token: `wrong${tries}` })
    await expect(load('', { token: 'wrong' })).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await load()).booking).not.toBeNull()
  })

  test('says so when the session no longer exists', async () => {
    expect(await load('', { token: await getToken(999_999) })).toMatchObject({ problem: 'deleted', booking: null })
  })
})

describe('cancelling by link', () => {
  test('frees the time at once, keeps the reason, and shows it to the coach', async () => {
    expect(await isFree(start)).toBe(false)
    expect(await send({ intent: 'cancel', reason: 'I am ill' })).toMatch(/^\/booking\//)
    expect([await getStatus(), await isFree(start)]).toEqual(['cancelled', true])
    const dialog = await getAppointmentDialog(await contextFor(coach), 'appointment', {
      appointment: String(booking.id),
    })
    expect(dialog).toMatchObject({ appointment: { description: 'Cancelled by the client: I am ill' } })
    const activities = (await app.call('GET', '/api/activities', { as: coach })).text
    expect(activities).toContain('Session cancelled by the client')
    expect(await send({ intent: 'cancel' })).toBe('This session has already been cancelled.')
    expect((await load()).booking).toMatchObject({ access: 'cancelled', move: null })
    await inTenant(coach, (tx) => updateAppointment(tx, booking.id, { status: 'confirmed' }))
    expect(await send({ intent: 'cancel' })).toMatch(/^\/booking\//)
  })

  test('ends when the notice of the type begins, and with the start', async () => {
    app.clock.now = new Date('2026-03-11T09:00:00Z')
    expect((await load()).booking).toMatchObject({ access: 'open' })
    app.clock.now = new Date('2026-03-11T09:00:01Z')
    expect((await load('?step=cancel')).booking).toMatchObject({ access: 'late', step: null, notice: '24 h' })
    expect(await send({ intent: 'cancel' })).toBe('It is too late to change this session online.')
    expect(await send({ intent: 'move', start: later })).toBe('It is too late to change this session online.')
    app.clock.now = new Date(start)
    expect((await load()).booking).toMatchObject({ access: 'over' })
    expect(await getStatus()).toBe('confirmed')
  })
})

describe('moving by link', () => {
  test('offers a month as the booking page does; the old time is free at once', async () => {
    const { month } = (await load('?step=move')).booking!.move!
    expect(month).toMatchObject({ title: 'March 2026', day: { title: 'Wednesday, March 11' } })
    const chosen = (await load('?step=move&day=2026-03-12')).booking!.move!.month
    expect(chosen.times.map((time) => time.start)).not.toContain(start)
    const other = (await load(`?step=move&start=${later}`)).booking!.move!
    expect(other.month.times.map((time) => time.start)).toContain(later)
    expect((await load('?step=move&month=2026-09')).booking!.move!.month).toMatchObject({
      times: [],
      reason: 'it is too far ahead',
    })
    expect(await send({ intent: 'move', start: later })).toMatch(/^\/booking\//)
    expect(await getAppointment(await contextFor(coach), booking.id)).toMatchObject({ startTime: later })
    expect([await isFree(start), await isFree(later)]).toEqual([true, false])
  })

  test('keeps the reason, until the session is moved again, and shows it to the coach', async () => {
    const describe = async () => {
      const dialog = await getAppointmentDialog(await contextFor(coach), 'appointment', {
        appointment: String(booking.id),
      })
      return dialog && 'appointment' in dialog ? dialog.appointment?.description : null
    }
    await send({ intent: 'move', start: later, reason: 'My train is late' })
    expect(await describe()).toBe('Moved by the client: My train is late')
    expect((await app.call('GET', '/api/activities', { as: coach })).text).toContain('My train is late')
    const history = (await app.call('GET', `/api/history/appointment/${booking.id}`, { as: coach })).text
    expect(history).toContain('Reason for the new time')
    await send({ intent: 'move', start })
    expect(await describe()).toBe('')
    expect(await send({ intent: 'move', start: later, reason: 'x'.repeat(1001) })).toMatch(/1,?000/)
    expect(await describe()).toBe('')
  })

  test('twice by the same form moves it once, and says so once', async () => {
    for (let sent = 0; sent < 2; sent++) expect(await send({ intent: 'move', start: later })).toMatch(/^\/booking\//)
    const activities = (await app.call('GET', '/api/activities', { as: coach })).text
    expect(activities.split('Session moved by the client')).toHaveLength(2)
  })

  test('to a time that is taken, not offered or no time says so', async () => {
    await send({ intent: 'move', start: later })
    const other = await book()
    const token = await getToken(other.id)
    expect(await send({ intent: 'move', start: later }, { token })).toContain('just been taken')
    expect(await send({ intent: 'move', start: '2026-03-13T03:00:00.000Z' }, { token })).toContain(
      'no longer available',
    )
    expect(await send({ intent: 'move' }, { token })).toBe('Choose a time')
    for (const wrong of ['', 'tomorrow', '2026-99-99T00:00:00.000Z'])
      expect(await send({ intent: 'move', start: wrong }, { token })).toBe('Choose a time')
  })

  test('twenty times at once moves it once, and nobody else is overlapped', async () => {
    const other = await book().catch(() => null)
    expect(other).toBeNull()
    const results = await concurrently(20, () => send({ intent: 'move', start: later }))
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await getAppointment(await contextFor(coach), booking.id)).toMatchObject({ startTime: later })
  })

  test('of a type that the coach confirms has to be confirmed again', async () => {
    coach = await createPractice({ confirmation: 'manual' })
    booking = await book()
    await inTenant(coach, (tx) => updateAppointment(tx, booking.id, { status: 'confirmed' }))
    await send({ intent: 'move', start: later })
    expect(await getStatus()).toBe('scheduled')
  })
})
