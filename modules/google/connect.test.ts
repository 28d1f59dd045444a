import type { LoaderFunctionArgs } from '@remix-run/node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { dayMs } from '#app/lib/time.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { deleteExpired } from '#tenants/accounts/jobs.ts'
import { withTenant } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import type { JobData } from '#modules/core/manifest.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { getAppointment, updateAppointment } from '#modules/scheduling/index.ts'
import { toConnectToast } from './connect-result.ts'
import { connect, readReturn, sync } from './e2e/support.ts'
import { loader as startLoader } from './routes/connect.ts'
import { beginConnect, finishConnect } from './services/connect.ts'
import { listCalendars } from './services/calendars.ts'
import { findStateOrigin, revoke } from './services/oauth.ts'

const google = await startFakeGoogle({ now: () => app.clock.now })
const app = createTestApp(google.env)
afterAll(() => google.close())

let coach: Coach
let email: string
let numbers = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  google.stopFailing()
  google.oauth.redirectUris = ['http://localhost:3000/google/callback']
  coach = await createCoach()
  email = `coach${++numbers}@gmail.com`
})

const call = (method: string, path: string) => app.call(method, `/api/google/${path}`, { as: coach })
const getUser = async () => (await app.call('GET', '/api/user', { as: coach })).body
const authorize = async () => new URL((await call('GET', 'auth')).body.authUrl)

describe('a coach with a domain of their own', () => {
  test('is sent to Google from the platform’s host, and no answer is forwarded to the domain', async () => {
    const host = `google-${++numbers}`
    const owner = await createCoach({ plan: 'premium', subdomain: host })
    const begin = async () => {
      const address = await beginConnect(await contextFor(owner), { inPopup: false })
      return findStateOrigin(app.platform, new URL(address).searchParams.get('state')!)
    }
    expect(await begin()).toBe(`http://${host}.localhost:3000`)
    const domain = `${host}.her-name.example`
    await inTenant(owner, (tx) => tx.em.nativeUpdate(Account, { id: owner.id }, { customDomain: domain }))
    expect(await begin()).toBeNull()

    const context = { config: app.platform.config, requestContext: { viewer: { domain } } }
    const request = new Request(`http://${domain}/google/connect?meet=yes`)
    const response = await startLoader({ request, context, params: {} } as unknown as LoaderFunctionArgs)
    expect(response.headers.get('location')).toBe('http://localhost:3000/google/connect?meet=yes')
  })
})

describe('connecting', () => {
  test('asks for offline access with a proof key, and stores the account and its calendars', async () => {
    const asked = await authorize()
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/google/callback',
      state: expect.stringMatching(new RegExp(`^${coach.id}-[\\w-]{43}$`)),
    })
    const back = readReturn(google.oauth.agree(asked.searchParams, { email }))
    expect(await finishConnect(await contextFor(coach), back)).toEqual({
      failure: null,
      inPopup: true,
      withMeet: false,
    })
    expect(await getUser()).toMatchObject({ googleConnected: true, googleEmail: email })
    const { body } = await call('GET', 'calendars')
    expect(
      body.map(({ name, canWrite, blocks, isTarget }: Record<string, unknown>) => [name, canWrite, blocks, isTarget]),
    ).toEqual([
      [email, true, true, true],
      ['Family', true, false, false],
      ['Holidays', false, false, false],
    ])
  })

  test('works once for each time the coach was sent to Google, within ten minutes', async () => {
    const ctx = await contextFor(coach)
    const asked = (await authorize()).searchParams
    const first = readReturn(google.oauth.agree(asked, { email }))
    expect((await finishConnect(ctx, first)).failure).toBeNull()
    const again = readReturn(google.oauth.agree(asked, { email }))
    expect((await finishConnect(ctx, again)).failure).toBe('expired')
    const late = readReturn(google.oauth.agree((await authorize()).searchParams, { email }))
    app.clock.now = new Date(app.clock.now.getTime() + 10 * 60_000)
    expect((await finishConnect(await contextFor(coach), late)).failure).toBe('expired')
  })

  test('with the state of another coach is refused', async () => {
    const other = await createCoach()
    const theirs = readReturn(google.oauth.agree((await authorize()).searchParams, { email }))
    expect((await finishConnect(await contextFor(other), theirs)).failure).toBe('expired')
    expect((await app.call('GET', '/api/user', { as: other })).body.googleConnected).toBe(false)
  })

  test.each([
    ['a code that was made up', { code: '4/made-up' }],
    ['no code', { code: null }],
    ['a refusal', { code: null, error: 'access_denied' }],
  ])('with %s stores nothing', async (_name, answer) => {
    const back = readReturn(google.oauth.agree((await authorize()).searchParams, { email }))
    const { failure } = await finishConnect(await contextFor(coach), { ...back, ...answer })
    expect(failure).toBe('error' in answer ? 'access_denied' : 'failed')
    expect(await getUser()).toMatchObject({ googleConnected: false, googleEmail: null })
  })

  test('without one of the permissions stores nothing, and gives the token back', async () => {
    const scopes = ['openid', 'email', 'https://www.googleapis.com/auth/calendar.events']
    expect((await connect(coach, google, { email, scopes })).failure).toBe('missing_permission')
    expect(google.oauth.hasAccess(email)).toBe(false)
    expect((await getUser()).googleConnected).toBe(false)
  })

  test.each([
    ['Google is away', /calendarList/, 'nothing'],
    ['Google answers garbage', /calendarList/, 'garbage'],
    ['Google fails', /calendarList/, 500],
    ['the code can’t be exchanged', /token/, 400],
  ] as const)('while %s stores nothing', async (_name, path, failure) => {
    google.fail(path, failure)
    expect((await connect(coach, google, { email })).failure).toBe('failed')
    google.stopFailing()
    expect((await getUser()).googleConnected).toBe(false)
    expect((await connect(coach, google, { email })).failure).toBeNull()
  })

  test('that fails says so as part-2 does', () => {
    const toast = (search: string) => toConnectToast(new URLSearchParams(search))
    const failed = { tone: 'error', title: 'Connection Failed' }
    expect(toast('google_connected=success').title).toBe('Google Calendar Connected')
    expect(toast('google_connected=error&reason=invalid_client')).toEqual({
      ...failed,
      text: 'OAuth configuration error. Please check your Google Cloud Console settings.',
    })
    for (const reason of ['failed', 'toString', ''])
      expect(toast(`google_connected=error&reason=${reason}`)).toEqual({
        ...failed,
        text: 'Failed to connect to Google Calendar',
      })
  })

  test('with a wrong secret says what to check', async () => {
    const { clientSecret } = google.client
    google.client.clientSecret = 'another one'
    expect((await connect(coach, google, { email })).failure).toBe('invalid_client')
    google.client.clientSecret = clientSecret
  })

  test('again with the same account keeps the chosen calendars, with another one begins anew', async () => {
    await connect(coach, google, { email })
    await inTenant(coach, (ctx) =>
      ctx.query({ text: 'update google_calendar set blocks = true where coach_id = $1', values: [coach.id] }),
    )
    await connect(coach, google, { email })
    const blocking = async () => (await listCalendars(await contextFor(coach))).filter(({ blocks }) => blocks).length
    expect(await blocking()).toBe(3)
    await connect(coach, google, { email: `other-${email}` })
    expect(await getUser()).toMatchObject({ googleEmail: `other-${email}` })
    expect(await blocking()).toBe(1)
  })

  test('keeps tokens encrypted, and no response or history has them', async () => {
    await connect(coach, google, { email })
    const tables = await asOwner(app.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
      const { rows } = await db.query('select refresh_token, access_token from google_token')
      const { rows: history } = await db.query(`select 1 from history where kind like 'google%'`)
      return { tokens: rows, history }
    })
    expect(tables.tokens).toEqual([
      { refresh_token: expect.stringMatching(/^v1\./), access_token: expect.stringMatching(/^v1\./) },
    ])
    expect(tables.history).toEqual([])
    for (const path of ['/api/user', '/api/google/calendars'])
      expect((await app.call('GET', path, { as: coach })).text).not.toMatch(/ya29|1\/\/|v1\./)
  })
})

describe('the API', () => {
  test('says what is missing: the plan first, then the connection', async () => {
    for (const [method, path] of [
      ['GET', 'calendars'],
      ['POST', 'sync'],
      ['POST', 'disconnect'],
    ] as const)
      expect([path, (await call(method, path)).status]).toEqual([path, 409])
    await setPlan(coach, 'free')
    for (const [method, path] of [
      ['GET', 'auth'],
      ['GET', 'calendars'],
      ['POST', 'sync'],
    ] as const)
      expect((await call(method, path)).body.code).toBe('plan_required')
    expect((await call('POST', 'disconnect')).status).toBe(409)
  })
})

describe('disconnecting', () => {
  test('ends the access at Google, keeps appointments and forgets the rest', async () => {
    const client = await createClient({ coach })
    const { id } = await createAppointment({ coach, clientId: client.id })
    await connect(coach, google, { email })
    expect(await sync(coach)).toBeNull()
    expect((await getAppointment(await contextFor(coach), id)).googleEventId).not.toBeNull()
    expect((await call('POST', 'disconnect')).status).toBe(204)
    expect(google.oauth.hasAccess(email)).toBe(false)
    expect(await getUser()).toMatchObject({ googleConnected: false, googleEmail: null })
    expect(await getAppointment(await contextFor(coach), id)).toMatchObject({
      status: 'scheduled',
      googleEventId: null,
    })
    expect(google.account(email).get(email)!.current()).toHaveLength(1)
    expect((await call('POST', 'disconnect')).status).toBe(409)
  })

  test.each(['nothing', 500, 401] as const)('works while Google answers %s', async (failure) => {
    await connect(coach, google, { email })
    google.fail(/./, failure)
    expect((await call('POST', 'disconnect')).status).toBe(204)
    expect((await getUser()).googleConnected).toBe(false)
  })

  test('while Google is away lets a job end the access later', async () => {
    await connect(coach, google, { email })
    google.fail(/revoke/, 500)
    expect((await call('POST', 'disconnect')).status).toBe(204)
    await expect(runRevocations()).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(google.oauth.hasAccess(email)).toBe(true)
    google.stopFailing()
    await runRevocations()
    expect(google.oauth.hasAccess(email)).toBe(false)
    // Again, as after a worker that was killed.
    await runRevocations()
  })

  test('is possible on the free plan', async () => {
    await connect(coach, google, { email })
    await setPlan(coach, 'free')
    expect((await call('POST', 'disconnect')).status).toBe(204)
  })
})

/** Runs the jobs of the queue, as workers do. */
async function runRevocations(): Promise<void> {
  const jobs = await app.platform.readPool.queryGlobal<{ data: JobData }>({
    text: `select data from pgboss.job where name = 'google.revoke' and data->>'coachId' = $1`,
    values: [String(coach.id)],
  })
  expect(jobs).toHaveLength(1)
  for (const { data } of jobs) {
    expect(JSON.stringify(data)).not.toContain('1//')
    await revoke(app.platform, data)
  }
}

test('erasing a coach ends the access at Google, after the rows are deleted', async () => {
  await connect(coach, google, { email })
  await withTenant(app.platform, coach.id, ({ em }) =>
    em.nativeUpdate(Account, { id: coach.id }, { removedAt: app.clock.now }),
  )
  app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
  await deleteExpired(app.platform, runtime.entities)
  expect(await loadCoachContext(app.platform, coach.id, 'test')).toBeNull()
  expect(google.oauth.hasAccess(email)).toBe(true)
  await runRevocations()
  expect(google.oauth.hasAccess(email)).toBe(false)
})

describe('connecting again', () => {
  const times = { startTime: '2026-03-12T09:00:00Z', endTime: '2026-03-12T10:00:00Z' }
  const events = () => google.account(email).get(email)!.current()
  const countBusyTimes = async () =>
    (
      await (
        await contextFor(coach)
      ).query({
        name: 'test.google-times',
        text: `select id from busy_time where coach_id = $1 and source = 'google'`,
        values: [coach.id],
      })
    ).length

  test('deletes the events of sessions that were cancelled in the meantime: they block nothing', async () => {
    const client = await createClient({ coach })
    const [kept, cancelled] = [
      await createAppointment({ coach, clientId: client.id, ...times }),
      await createAppointment({ coach, clientId: client.id, ...times }),
    ]
    await connect(coach, google, { email })
    await sync(coach)
    await call('POST', 'disconnect')
    await inTenant(coach, (tx) => updateAppointment(tx, cancelled.id, { status: 'cancelled' }))
    expect(events()).toHaveLength(2)
    await connect(coach, google, { email })
    expect(await sync(coach)).toBeNull()
    expect(events().map(({ id }) => id)).toEqual([
      (await getAppointment(await contextFor(coach), kept.id)).googleEventId,
    ])
    expect(await countBusyTimes()).toBe(0)
  })

  test('leaves a copy of such an event, which blocks time like any other event', async () => {
    const client = await createClient({ coach })
    await createAppointment({ coach, clientId: client.id, ...times })
    await connect(coach, google, { email })
    await sync(coach)
    const { id: _id, ...copy } = events()[0]!
    google.account(email).get(email)!.insert(copy)
    expect(await sync(coach)).toBeNull()
    expect(events()).toHaveLength(2)
    expect(await countBusyTimes()).toBe(1)
  })
})

test('without GOOGLE_CLIENT_ID the product says that it is not connected', async () => {
  const { google: configured } = app.platform.config
  app.platform.config.google = undefined
  await expect(beginConnect(await contextFor(coach), { inPopup: false })).rejects.toMatchObject({ code: 'unavailable' })
  expect((await call('GET', 'auth')).status).toBe(503)
  app.platform.config.google = configured
})
