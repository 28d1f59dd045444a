import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { visitorContext, type PermissionName } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { bookingAction } from '../booking/booking-action.server.ts'
import { loadLinkBooking } from '../booking/link-loader.server.ts'
import { readConfirmation, signForm } from '../booking/signed-values.ts'
import { AppointmentTypeInput, ScheduleInput } from '../forms.ts'
import { listAppointments } from '../queries/appointments.ts'
import { createSchedule } from '../services/schedules.ts'
import { createType } from '../services/types.ts'
import { createBookingLink, listBookingLinks, revokeBookingLink } from './booking-links.ts'
import { linkPage } from './link-token.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '100' })
let coach: Coach
let client: number
let type: number

const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '12:00' }))
const start = '2026-03-12T09:00:00.000Z'

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'UTC' })
  client = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })).id
  type = await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: everyDay }))
    return (await createType(tx, AppointmentTypeInput.parse({ name: 'Deep dive' }))).id
  })
})

const createLink = (days: number | null = null) =>
  inTenant(coach, (tx) => createBookingLink(tx, { clientId: client, prospectId: null, appointmentTypeId: type, days }))
const getToken = (id: number) => linkPage({ platform: app.platform, coachId: coach.id }, id).slice('for/'.length)

/** The context of a request of a visitor on the coach's host. */
function visit(host: Coach): AppLoadContext {
  const { platform } = app
  return {
    nonce: 'nonce',
    log: platform.log,
    cookies: { toast: () => '' },
    tenant: { id: host.id, name: 'Ada' },
    requestContext: { platform, address: '203.0.113.7', tenant: host },
    async visitor(permissions: readonly PermissionName[]) {
      const { account } = await contextFor(host)
      return visitorContext(platform, account, { requestId: 'test', address: '203.0.113.7' }, permissions)
    },
  } as unknown as AppLoadContext
}

async function open(token: string, host = coach) {
  const url = new URL(`http://localhost/book/for/${token}`)
  const { data, init } = toData(await loadLinkBooking(visit(host), token, url))
  return { status: init?.status ?? 200, ...data }
}
type Loaded = Awaited<ReturnType<typeof loadLinkBooking>>
type Page = Extract<Loaded, { booking: unknown }>
const toData = (loaded: Loaded) =>
  ('type' in loaded ? loaded : { data: loaded, init: null }) as { data: Page; init: { status: number } | null }

/** Sends the form a minute after it was opened. Returns where it leads, or the status of a refusal. */
async function book(token: string, fields: Record<string, string> = {}, host = coach): Promise<string | number> {
  const signature = signForm(app.platform, host.id, new Date(app.clock.now.getTime() - 60_000))
  const form = { intent: 'book', start, signature, name: 'Mara Winter', email: 'mara@example.com', ...fields }
  const url = `http://localhost/book/for/${token}`
  const response = (await bookingAction({
    request: new Request(url, { method: 'POST', body: new URLSearchParams(form) }),
    params: { token },
    context: visit(host),
  } as unknown as ActionFunctionArgs)) as Response | { init: { status: number } }
  return response instanceof Response ? response.headers.get('location')! : response.init.status
}

describe('a personal link', () => {
  test('books a hidden type for its client, whose name and email address are filled in', async () => {
    const token = getToken(await createLink())
    const { booking } = await open(token)
    expect(booking).toMatchObject({
      person: { name: 'Mara Winter', email: 'mara@example.com' },
      type: { name: 'Deep dive' },
      types: [],
    })
    // Another name is for somebody else: the link books for its own client.
    const to = await book(token, { name: 'Somebody', email: 'else@example.com' })
    const id = readConfirmation(app.platform, coach.id, String(to).split('/').at(-1)!)
    expect(await listAppointments(await contextFor(coach), {})).toMatchObject([
      { id, clientId: client, title: 'Deep dive', status: 'confirmed' },
    ])
    expect(await listBookingLinks(await contextFor(coach))).toMatchObject([
      { attendeeName: 'Mara Winter', usedAt: '2026-03-10T14:00:00.000Z' },
    ])
  })

  test('works once: then the page leads to the session, and sending the form again to that page', async () => {
    const token = getToken(await createLink())
    expect(await book(token)).toMatch(/^\/book\/confirmed\//)
    const page = await open(token)
    expect(page).toMatchObject({ status: 410, problem: 'used', booking: null, coach: { email: coach.email } })
    expect(page.session).toMatch(/^\/booking\//)
    expect(await book(token, { start: '2026-03-12T10:00:00.000Z' })).toBe(`/book/for/${token}`)
    expect(await listAppointments(await contextFor(coach), {})).toHaveLength(1)
  })

  test('fifty at once, of different times, book one', async () => {
    const token = getToken(await createLink())
    const results = await concurrently(50, (index) =>
      book(token, {
        start: `2026-03-${String(11 + (index % 15)).padStart(2, '0')}T10:00:00.000Z`,
        email: `mara${index}@example.com`,
      }),
    )
    const booked = results.filter(
      (result) => result.status === 'fulfilled' && String(result.value).startsWith('/book/confirmed/'),
    )
    const refused = results.filter((result) => result.status === 'fulfilled' && result.value === `/book/for/${token}`)
    expect([booked.length, refused.length]).toEqual([1, 49])
    expect(await listAppointments(await contextFor(coach), {})).toHaveLength(1)
  })

  test('stays unused when the time has just been taken', async () => {
    const [first, second] = [getToken(await createLink()), getToken(await createLink())]
    expect(await book(first)).toMatch(/^\/book\/confirmed\//)
    expect(await book(second)).toBe(409)
    expect(await open(second)).toMatchObject({ status: 200, problem: null })
    expect(await book(second, { start: '2026-03-12T10:00:00.000Z' })).toMatch(/^\/book\/confirmed\//)
  })

  test('that has expired, was revoked or whose client is in the trash says so, with a way forward', async () => {
    const [expiring, revoked, used] = [await createLink(7), await createLink(), await createLink()]
    app.clock.now = new Date('2026-03-17T14:00:00Z')
    expect(await open(getToken(expiring))).toMatchObject({ status: 410, problem: 'expired' })
    expect(await book(getToken(expiring), { start: '2026-03-19T09:00:00.000Z' })).toBe(
      `/book/for/${getToken(expiring)}`,
    )
    await inTenant(coach, (tx) => revokeBookingLink(tx, revoked))
    expect(await open(getToken(revoked))).toMatchObject({ status: 404, problem: 'revoked', coach: {} })
    await book(getToken(used), { start: '2026-03-19T10:00:00.000Z' })
    await expect(inTenant(coach, (tx) => revokeBookingLink(tx, used))).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(coach, (tx) => deleteClient(tx, client))
    expect(await open(getToken(expiring))).toMatchObject({ status: 404, problem: 'revoked' })
    expect(await listBookingLinks(await contextFor(coach))).toEqual([])
  })

  test('that is forged, or opened on the host of another coach, shows nothing and books nothing', async () => {
    const token = getToken(await createLink())
    const other = await createCoach({ timezone: 'UTC' })
    const nothing = { status: 404, booking: null, coach: null, session: null }
    expect(await open(`${token}x`)).toMatchObject({ ...nothing, problem: 'invalid' })
    expect(await open(token, other)).toMatchObject({ ...nothing, problem: 'elsewhere' })
    expect(await book(token, {}, other)).toBe(`/book/for/${token}`)
    expect(await book(`${token}x`)).toBe(`/book/for/${token}x`)
    expect(await listAppointments(await contextFor(coach), {})).toEqual([])
    await expect(inTenant(other, (tx) => revokeBookingLink(tx, 1))).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      inTenant(other, (tx) =>
        createBookingLink(tx, { clientId: client, prospectId: null, appointmentTypeId: type, days: null }),
      ),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(await listBookingLinks(await contextFor(other))).toEqual([])
  })
})
