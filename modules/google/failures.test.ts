import type { ActionFunctionArgs } from '@remix-run/node'
import type { ToastMessage } from '#app/lib/flash.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeGoogle, type Failure } from '#tests/fakes/google/server.ts'
import type { CalendarStore } from '#tests/fakes/google/calendar-store.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import type { Ctx } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { messages } from './action-messages.ts'
import { connect, sync } from './e2e/support.ts'
import { poll } from './jobs.ts'
import { findConnection } from './queries/connection.ts'
import { sendReconnectEmail } from './services/reconnect-email.ts'
import { runSync } from './services/run.ts'
import { callCalendar } from './services/call.ts'
import { settingsAction } from './settings-action.server.ts'
import { describeHealth } from './status.ts'
import type { GoogleError } from './vendor/errors.ts'

const google = await startFakeGoogle({ now: () => app.clock.now })
const app = createTestApp(google.env)
afterAll(() => google.close())

let coach: Coach
let email: string
let calendar: CalendarStore
let appointmentId: number
let numbers = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  google.stopFailing()
  coach = await createCoach({ timezone: 'UTC' })
  const { id: clientId } = await createClient({ coach })
  email = `failing${++numbers}@gmail.com`
  await connect(coach, google, { email })
  calendar = google.account(email).get(email)!
  await sync(coach)
  const times = { startTime: '2026-03-12T09:00:00Z', endTime: '2026-03-12T10:00:00Z' }
  appointmentId = (await createAppointment({ coach, clientId, ...times })).id
})

const later = (minutes: number) => void (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000))
const connection = async () => (await findConnection(await contextFor(coach)))!
const health = async () => describeHealth(await connection(), { timezone: 'UTC', timeFormat: '12h' })
const call = (method: string, path: string) => app.call(method, `/api/google/${path}`, { as: coach })
const countJobs = async (queue: string) =>
  (
    await app.platform.readPool.queryGlobal<{ count: number }>({
      text: `select count(*)::int as count from pgboss.job where name = $1 and data->>'coachId' = $2`,
      values: [queue, String(coach.id)],
    })
  )[0]!.count

/** Nothing is lost: as soon as Google is back, everything is written and read. */
async function expectRecovery(): Promise<void> {
  google.stopFailing()
  calendar.insert({ start: { dateTime: '2026-03-13T09:00:00Z' }, end: { dateTime: '2026-03-13T10:00:00Z' } })
  expect(await sync(coach)).toBeNull()
  expect(await connection()).toMatchObject({ state: 'connected', lastError: null, failingSince: null, nextTryAt: null })
  expect(calendar.current()).toHaveLength(2)
  expect((await getAppointment(await contextFor(coach), appointmentId)).googleEventId).not.toBeNull()
}

describe('Google answers', () => {
  test.each<[Failure, string]>([
    [403, 'refused'],
    ['quota', 'busy'],
    [429, 'busy'],
    [500, 'down'],
    [503, 'down'],
    ['garbage', 'down'],
    ['nothing', 'down'],
  ])('%s to everything: it is tried again later, and nothing is lost', async (failure, kind) => {
    google.fail(/calendar\/v3/, failure)
    expect((await sync(coach))?.kind).toBe(kind)
    const { state, nextTryAt } = await connection()
    expect(state).toBe('connected')
    expect(new Date(nextTryAt!).getTime()).toBeGreaterThan(app.clock.now.getTime() + 59_000)
    expect((await getAppointment(await contextFor(coach), appointmentId)).status).toBe('scheduled')
    expect((await call('POST', 'sync')).body.code).toBe('upstream_failed')
    await expectRecovery()
  })

  test.each<[string, RegExp, Failure]>([
    ['403', /POST .*events$/, 403],
    ['409 for ever', /POST .*events$/, 409],
    ['garbage', /POST .*events$/, 'garbage'],
  ])(
    '%s to a session: the calendar is read all the same, and the session is written later',
    async (_name, path, failure) => {
      google.fail(path, failure)
      expect(await sync(coach)).not.toBeNull()
      await expectRecovery()
    },
  )

  test('412 again and again: it stops until the next try', async () => {
    await sync(coach)
    await inTenant(coach, (tx) =>
      tx.query({ text: 'update google_link set content_hash = null where coach_id = $1', values: [coach.id] }),
    )
    google.fail(/PATCH/, 412)
    expect((await sync(coach))?.kind).toBe('conflict')
    await expectRecovery()
  })

  test('410 to the sync token: it begins anew', async () => {
    google.fail(/GET .*events$/, 410, 1)
    expect(await sync(coach)).toBeNull()
    await expectRecovery()
  })

  test('401 to a token that still counts: it gets a new one', async () => {
    google.oauth.expireAccessTokens()
    expect(await sync(coach)).toBeNull()
    await expectRecovery()
  })

  test('401 to everything, with new tokens too: it stops until the coach connects again, and nothing is lost', async () => {
    google.fail(/calendar\/v3/, 401)
    expect((await sync(coach))?.kind).toBe('revoked')
    expect((await connection()).state).toBe('needs_reconnect')
    expect((await getAppointment(await contextFor(coach), appointmentId)).status).toBe('scheduled')
    expect((await call('POST', 'sync')).status).toBe(409)
    google.stopFailing()
    await connect(coach, google, { email })
    await expectRecovery()
  })

  test('with “wait”: it waits as long as Google says', async () => {
    google.fail(/calendar\/v3/, 429)
    await sync(coach)
    const { nextTryAt } = await connection()
    expect(new Date(nextTryAt!).getTime() - app.clock.now.getTime()).toBeGreaterThanOrEqual(600_000)
  })

  test('not at all: it waits ten seconds at most', async () => {
    google.fail(/calendar\/v3/, 'silence')
    const began = performance.now()
    expect((await sync(coach))?.kind).toBe('down')
    expect(performance.now() - began).toBeLessThan(14_000)
    await expectRecovery()
  }, 40_000)
})

describe('a form that fails says so as part-2 does', () => {
  const submit = async (intent: string, ctx: Ctx) => {
    const body = new URLSearchParams({ intent })
    const request = new Request('http://localhost/settings/google-calendar', { method: 'POST', body })
    const toasts: ToastMessage[] = []
    const cookies = { toast: (toast: ToastMessage) => (toasts.push(toast), '') }
    const context = { log: app.platform.log, cookies, coach: () => ctx }
    await settingsAction({ request, params: {}, context } as unknown as ActionFunctionArgs)
    return toasts[0]!
  }
  const broken = (ctx: Ctx): Ctx => ({ ...ctx, write: () => Promise.reject(new Error('the database is away')) })

  test('Sync Failed', async () => {
    google.fail(/calendar\/v3/, 500)
    const { title, text } = await submit('sync', await contextFor(coach))
    expect(title).toBe('Sync Failed')
    expect(text).toBe('Failed to sync with Google Calendar. Google Calendar can’t be reached. There is nothing to do.')
    expect(messages.sync.failed.text).toBe('Failed to sync with Google Calendar')
  })

  test('Disconnection Failed', async () => {
    const toast = await submit('disconnect', broken(await contextFor(coach)))
    expect(toast).toMatchObject({ title: 'Disconnection Failed', text: 'Failed to disconnect Google Calendar' })
  })
})

describe('Google refuses', () => {
  const attempt = async (work: Parameters<typeof callCalendar>[1]) =>
    callCalendar(await contextFor(coach), work).then(
      () => null,
      (error: GoogleError) => [error.status, error.code],
    )

  test('parameters and fields that it doesn’t know, or of another type', async () => {
    const times = { start: { dateTime: '2026-03-13T09:00:00Z' }, end: { dateTime: '2026-03-13T10:00:00Z' } }
    const insert = (requestBody: object, more: object = {}) =>
      attempt((api) => api.events.insert({ calendarId: email, requestBody: { ...times, ...requestBody }, ...more }))
    expect(await insert({ summary: 'Lunch' })).toBeNull()
    expect(await insert({ title: 'Lunch' })).toEqual([400, 'parseError'])
    expect(await insert({ summary: 7 })).toEqual([400, 'parseError'])
    expect(await insert({ start: { dateTime: '2026-03-13T09:00:00' } })).toEqual([400, 'parseError'])
    expect(await insert({ start: { dateTime: '2026-03-13T09:00:00', timeZone: 'Mars/Base' } })).toEqual([
      400,
      'parseError',
    ])
    expect(await insert({}, { notify: true })).toEqual([400, 'invalidParameter'])
    expect(await insert({}, { sendUpdates: 'some' })).toEqual([400, 'invalidParameter'])
    const list = (more: object) => attempt((api) => api.events.list({ calendarId: email, ...more }))
    expect(await list({ maxResults: 2501 })).toEqual([400, 'invalidParameter'])
    expect(await list({ timeMin: '2026-03-13' })).toEqual([400, 'invalidParameter'])
  })

  test('each call without its permission', async () => {
    const scope = 'https://www.googleapis.com/auth/calendar'
    const withScopes = (...scopes: string[]) => {
      google.oauth.limitScopes(email, scopes)
      return Promise.all([
        attempt((api) => api.calendarList.list()),
        attempt((api) => api.events.list({ calendarId: email })),
        attempt((api) => api.events.delete({ calendarId: email, eventId: 'missing' })),
      ])
    }
    const refused = [403, 'insufficientPermissions']
    expect(await withScopes(`${scope}.calendarlist.readonly`)).toEqual([null, refused, refused])
    expect(await withScopes(`${scope}.events`)).toEqual([refused, null, [404, 'notFound']])
    expect(await withScopes(`${scope}.events.readonly`)).toEqual([refused, null, refused])
  })
})

describe('the health line', () => {
  test('says when it last worked, and changes only after half an hour', async () => {
    expect(await health()).toEqual({ tone: 'success', label: 'Connected', text: 'Last synced: Mar 10, 2026, 2:00 PM.' })
    google.fail(/calendar\/v3/, 500)
    for (const minutes of [5, 20]) {
      later(minutes)
      await sync(coach)
      expect((await health()).label).toBe('Connected')
    }
    later(95)
    await sync(coach)
    const { label, text } = await health()
    expect(label).toBe('Not syncing')
    expect(text).toMatch(
      /^Last synced: Mar 10, 2026, 2:00 PM\. Google Calendar can’t be reached\. There is nothing to do\. Next try: .*\.$/,
    )
    await expectRecovery()
    expect((await health()).label).toBe('Connected')
  })

  test('jobs wait for the next try, and there is one; a person need not wait', async () => {
    google.fail(/calendar\/v3/, 500)
    await sync(coach)
    const { nextTryAt } = await connection()
    const planned = await countJobs('google.sync')
    google.requests.splice(0)
    for (const writesOnly of [true, false])
      expect(await runSync(await contextFor(coach), { writesOnly, onlyIfDue: true })).toBeNull()
    expect(google.requests).toEqual([])
    expect((await call('POST', 'sync')).body.code).toBe('upstream_failed')
    expect(await countJobs('google.sync')).toBe(planned)
    expect((await connection()).nextTryAt).toBe(nextTryAt)
    google.stopFailing()
    later(2)
    expect(await runSync(await contextFor(coach), { onlyIfDue: true })).toBeNull()
    expect((await connection()).nextTryAt).toBeNull()
  })

  test('the pauses grow to an hour', async () => {
    google.fail(/calendar\/v3/, 500)
    const pauses: number[] = []
    for (let tries = 0; tries < 5; tries++) {
      await sync(coach)
      const { nextTryAt } = await connection()
      pauses.push((new Date(nextTryAt!).getTime() - app.clock.now.getTime()) / 60_000)
      later(70)
    }
    for (const [index, minutes] of [1, 5, 15, 60, 60].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(minutes)
      expect(pauses[index]).toBeLessThan(minutes * 1.1 + 0.1)
    }
  })
})

describe('a revoked connection', () => {
  test('stops quietly, tells the coach once, and works again after connecting again', async () => {
    google.oauth.revokeAccount(email)
    expect((await sync(coach))?.kind).toBe('revoked')
    expect((await health()).label).toBe('Disconnected by Google')
    expect((await app.call('GET', '/api/user', { as: coach })).body.googleConnected).toBe(false)
    google.requests.splice(0)
    expect(await sync(coach)).toBeNull()
    await poll(app.platform)
    expect(google.requests).toEqual([])
    expect(await countJobs('google.email')).toBe(1)
    expect((await call('POST', 'sync')).status).toBe(409)
    await sendReconnectEmail(await contextFor(coach))
    expect((await listOutbox(app.platform.config)).map(({ to, subject }) => [to, subject])).toContainEqual([
      coach.email,
      'Connect Google Calendar again',
    ])
    await connect(coach, google, { email })
    await expectRecovery()
  })

  test('is not reported by email if the coach has switched it off', () =>
    expectSwitchable('google.reconnect', async () => {
      const own = await createCoach()
      const ownEmail = `switched${++numbers}@gmail.com`
      await connect(own, google, { email: ownEmail })
      google.oauth.revokeAccount(ownEmail)
      await sync(own)
      return {
        coach: own,
        send: async () => {
          await sendReconnectEmail(await contextFor(own))
          return (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === own.email).length
        },
      }
    }))

  test('can be disconnected', async () => {
    google.oauth.revokeAccount(email)
    await sync(coach)
    expect((await call('POST', 'disconnect')).status).toBe(204)
  })

  test('is one whose tokens no key can read', async () => {
    await inTenant(coach, (tx) =>
      tx.query({ text: `update google_token set refresh_token = 'v1.x.y.z' where coach_id = $1`, values: [coach.id] }),
    )
    expect((await sync(coach))?.kind).toBe('revoked')
  })
})

test('a sync that meets another one follows it', async () => {
  const claimUntil = (time: Date | null) =>
    inTenant(coach, (tx) =>
      tx.query({
        text: 'update google_connection set claimed_until = $2 where coach_id = $1',
        values: [coach.id, time],
      }),
    )
  await claimUntil(new Date(app.clock.now.getTime() + 60_000))
  google.requests.splice(0)
  expect(await runSync(await contextFor(coach), { onlyIfDue: true })).toBeNull()
  expect(google.requests).toEqual([])
  const planned = await countJobs('google.sync')
  await claimUntil(null)
  await runSync(await contextFor(coach), { writesOnly: true })
  expect(await countJobs('google.sync')).toBe(planned + 1)
  await runSync(await contextFor(coach), { writesOnly: true })
  expect(await countJobs('google.sync')).toBe(planned + 1)
})

test('a slow process whose work another one has taken over changes nothing more', async () => {
  await sync(coach)
  const { lastSuccessAt } = await connection()
  later(10)
  calendar.insert({ start: { dateTime: '2026-03-13T09:00:00Z' }, end: { dateTime: '2026-03-13T10:00:00Z' } })
  const ctx = await contextFor(coach)
  let writes = 0
  const takeOver = () =>
    ctx.write((tx) =>
      tx.query({
        text: 'update google_connection set claim = gen_random_uuid(), claimed_until = $2 where coach_id = $1',
        values: [coach.id, new Date(app.clock.now.getTime() + 60_000)],
      }),
    )
  const slow: Ctx = {
    ...ctx,
    write: async (work) => {
      if (++writes === 2) await takeOver()
      return ctx.write(work)
    },
  }
  expect(await runSync(slow)).toBeNull()
  expect((await connection()).lastSuccessAt).toBe(lastSuccessAt)
  const [left] = await ctx.query<{ claimed: boolean; events: number }>({
    name: 'test.claim',
    text: `select claim is not null as claimed, (select count(*)::int from google_event where coach_id = $1) as events
      from google_connection where coach_id = $1`,
    values: [coach.id],
  })
  expect(left).toEqual({ claimed: true, events: 0 })
})

describe('the poll', () => {
  test('reads each connected calendar, but not before the next try', async () => {
    const before = await countJobs('google.sync')
    await poll(app.platform)
    expect(await countJobs('google.sync')).toBe(before + 1)
    google.fail(/calendar\/v3/, 500)
    await sync(coach)
    const planned = await countJobs('google.sync')
    await poll(app.platform)
    expect(await countJobs('google.sync')).toBe(planned)
  })

  test('leaves out the free plan', async () => {
    await setPlan(coach, 'free')
    google.requests.splice(0)
    expect(await sync(coach)).toBeNull()
    expect(google.requests).toEqual([])
  })
})
