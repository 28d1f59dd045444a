import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { connect, readReturn, sync } from './e2e/support.ts'
import { beginConnect, finishConnect } from './services/connect.ts'
import { listCalendars } from './services/calendars.ts'

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
    expect(await finishConnect(await contextFor(coach), back)).toEqual({ failure: null, inPopup: true })
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

  test('is possible on the free plan', async () => {
    await connect(coach, google, { email })
    await setPlan(coach, 'free')
    expect((await call('POST', 'disconnect')).status).toBe(204)
  })
})

test('without GOOGLE_CLIENT_ID the product says that it is not connected', async () => {
  const { google: configured } = app.platform.config
  app.platform.config.google = undefined
  await expect(beginConnect(await contextFor(coach), { inPopup: false })).rejects.toMatchObject({ code: 'unavailable' })
  expect((await call('GET', 'auth')).status).toBe(503)
  app.platform.config.google = configured
})
