import type { LoaderFunctionArgs } from '@remix-run/node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { listOutbox } from '#tenants/mail.ts'
import { Account } from '#tenants/schema.ts'
import type { JobData } from '#modules/core/manifest.ts'
import { startFakeZoom } from '#tests/fakes/zoom/server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { connect, readReturn } from './e2e/support.ts'
import { checkAll } from './jobs.ts'
import { findConnection } from './queries/connection.ts'
import { loader as startLoader } from './routes/connect.ts'
import { callZoom } from './services/call.ts'
import { checkConnection, checkNow } from './services/check.ts'
import { beginConnect, finishConnect, requiredScopes } from './services/connect.ts'
import { findStateOrigin, revoke } from './services/oauth.ts'
import { sendReconnectEmail } from './services/reconnect-email.ts'
import { readMeetingNumber } from './services/recordings.ts'
import { describeError } from './status.ts'
import { UserResponse } from './vendor/responses.ts'

const zoom = await startFakeZoom({ now: () => app.clock.now })
const app = createTestApp(zoom.env)
afterAll(() => zoom.close())

const start = new Date('2026-03-10T14:00:00Z')
let coach: Coach
let email: string
let numbers = 0

beforeEach(async () => {
  app.clock.now = start
  zoom.stopFailing()
  coach = await createCoach({ plan: 'pro' })
  email = `coach${++numbers}@zoom.example`
})

const getUser = async () => (await app.call('GET', '/api/user', { as: coach })).body
const authorize = async () => new URL((await app.call('GET', '/api/zoom/auth', { as: coach })).body.authUrl)
const check = async () => checkConnection(await contextFor(coach))
const getState = async () => findConnection(await contextFor(coach))
const later = (ms: number) => (app.clock.now = new Date(app.clock.now.getTime() + ms))
const queued = (name: string): Promise<JobData[]> =>
  asOwner(app.ownerUrl, async (db) => {
    const { rows } = await db.query(`select data from pgboss.job where name = $1 and data ->> 'coachId' = $2`, [
      name,
      String(coach.id),
    ])
    return rows.map(({ data }) => data)
  })

describe('a coach with a domain of their own', () => {
  test('is sent to Zoom from the platform’s host, and no answer is forwarded to the domain', async () => {
    const host = `zoom-${++numbers}`
    const owner = await createCoach({ plan: 'premium', subdomain: host })
    const begin = async () => {
      const address = await beginConnect(await contextFor(owner))
      return findStateOrigin(app.platform, new URL(address).searchParams.get('state')!)
    }
    expect(await begin()).toBe(`http://${host}.localhost:3000`)
    const domain = `${host}.her-name.example`
    await inTenant(owner, (tx) => tx.em.nativeUpdate(Account, { id: owner.id }, { customDomain: domain }))
    expect(await begin()).toBeNull()

    const context = { config: app.platform.config, requestContext: { viewer: { domain } } }
    const request = new Request(`http://${domain}/zoom/connect`)
    const response = await startLoader({ request, context, params: {} } as unknown as LoaderFunctionArgs)
    expect(response.headers.get('location')).toBe('http://localhost:3000/zoom/connect')
  })
})

describe('connecting', () => {
  test('asks with a proof key, and stores the account', async () => {
    const asked = await authorize()
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/zoom/callback',
      state: expect.stringMatching(new RegExp(`^${coach.id}-[\\w-]{43}$`)),
    })
    expect(
      await finishConnect(await contextFor(coach), readReturn(zoom.agree(asked.searchParams, { email }))),
    ).toBeNull()
    expect(await getUser()).toMatchObject({ zoomConnected: true, zoomEmail: email })
  })

  test('works once for each time the coach was sent to Zoom, within ten minutes', async () => {
    const ctx = await contextFor(coach)
    const asked = (await authorize()).searchParams
    expect(await finishConnect(ctx, readReturn(zoom.agree(asked, { email })))).toBeNull()
    expect(await finishConnect(ctx, readReturn(zoom.agree(asked, { email })))).toBe('expired')
    const late = readReturn(zoom.agree((await authorize()).searchParams, { email }))
    later(10 * 60_000)
    expect(await finishConnect(await contextFor(coach), late)).toBe('expired')
  })

  test('with the state of another coach is refused', async () => {
    const other = await createCoach()
    const theirs = readReturn(zoom.agree((await authorize()).searchParams, { email }))
    expect(await finishConnect(await contextFor(other), theirs)).toBe('expired')
    expect((await app.call('GET', '/api/user', { as: other })).body.zoomConnected).toBe(false)
  })

  test.each([
    ['a code that was made up', { code: 'made-up' }, 'failed'],
    ['no code', { code: null }, 'failed'],
    ['a refusal', { code: null, error: 'access_denied' }, 'access_denied'],
  ])('with %s stores nothing', async (_name, answer, failure) => {
    const back = readReturn(zoom.agree((await authorize()).searchParams, { email }))
    expect(await finishConnect(await contextFor(coach), { ...back, ...answer })).toBe(failure)
    expect(await getUser()).toMatchObject({ zoomConnected: false, zoomEmail: null })
  })

  test('without one of the permissions stores nothing, and gives the token back', async () => {
    expect(await connect(coach, zoom, { email, scopes: requiredScopes.slice(1) })).toBe('missing_permission')
    expect(zoom.hasAccess(email)).toBe(false)
    expect((await getUser()).zoomConnected).toBe(false)
  })

  test.each([
    ['Zoom is away', /users/, 'nothing'],
    ['Zoom answers garbage', /token/, 'garbage'],
    ['Zoom fails', /token/, 500],
  ] as const)('while %s stores nothing', async (_name, path, failure) => {
    zoom.fail(path, failure)
    expect(await connect(coach, zoom, { email })).toBe('failed')
    expect((await getUser()).zoomConnected).toBe(false)
    zoom.stopFailing()
    expect(await connect(coach, zoom, { email })).toBeNull()
  })

  test('with a wrong secret says what to check', async () => {
    const { clientSecret } = zoom.client
    zoom.client.clientSecret = 'another one'
    expect(await connect(coach, zoom, { email })).toBe('invalid_client')
    zoom.client.clientSecret = clientSecret
  })

  test('again with another account gives the access to the first one back', async () => {
    await connect(coach, zoom, { email })
    await connect(coach, zoom, { email: `other-${email}` })
    expect(await getUser()).toMatchObject({ zoomEmail: `other-${email}` })
    expect([zoom.hasAccess(email), zoom.hasAccess(`other-${email}`)]).toEqual([false, true])
  })

  test('keeps tokens encrypted, and no response or history has them', async () => {
    await connect(coach, zoom, { email })
    const found = await asOwner(app.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
      const { rows: tokens } = await db.query('select refresh_token, access_token from zoom_token')
      const { rows: history } = await db.query(`select 1 from history where kind like 'zoom%'`)
      return { tokens, history }
    })
    expect(found).toEqual({
      tokens: [{ refresh_token: expect.stringMatching(/^v1\./), access_token: expect.stringMatching(/^v1\./) }],
      history: [],
    })
    expect((await app.call('GET', '/api/user', { as: coach })).text).not.toMatch(/eyJ|v1\./)
  })

  test('needs a plan with summaries', async () => {
    await setPlan(coach, 'free')
    const { status, body } = await app.call('GET', '/api/zoom/auth', { as: coach })
    expect([status, body.code]).toEqual([403, 'plan_required'])
  })
})

describe('a connection', () => {
  beforeEach(async () => void (await connect(coach, zoom, { email })))

  test('refreshes its tokens once for many calls at the same time', async () => {
    later(2 * 3_600_000)
    zoom.requests.splice(0)
    const ctx = await contextFor(coach)
    await concurrently(5, () => callZoom(ctx, (api) => api.get(UserResponse, '/users/me')))
    expect(zoom.requests.filter((name) => name.endsWith('/oauth/token'))).toHaveLength(1)
    zoom.expireAccessTokens()
    expect(await check()).toBeNull()
    expect((await getState())?.state).toBe('connected')
  })

  test('fails for half an hour before the coach is warned, and recovers by itself', async () => {
    zoom.fail(/users/, 503)
    expect((await check())?.kind).toBe('down')
    expect((await getState())?.state).toBe('connected')
    later(31 * 60_000)
    await check()
    const failing = await getState()
    expect(failing).toMatchObject({ state: 'failing', lastError: '503' })
    expect(new Date(failing!.nextTryAt!) > app.clock.now).toBe(true)
    expect((await queued('zoom.check')).length).toBeGreaterThan(0)
    zoom.stopFailing()
    expect(await check()).toBeNull()
    expect(await getState()).toMatchObject({ state: 'connected', lastError: null, nextTryAt: null })
  })

  test.each([
    [403, 'Zoom refused the request (403). Connect again or contact support.'],
    [500, 'Zoom can’t be reached. There is nothing to do.'],
    ['nothing', 'Zoom can’t be reached. There is nothing to do.'],
  ] as const)('says what to do when Zoom answers %s', async (failure, message) => {
    zoom.fail(/users/, failure)
    await expect(checkNow(await contextFor(coach))).rejects.toMatchObject({ code: 'upstream_failed', message })
    expect(describeError((await getState())!.lastError)).toBe(message)
  })

  test('waits as long as Zoom asks for', async () => {
    zoom.fail(/users/, 429)
    expect(await check()).toMatchObject({ kind: 'busy', retryAfterSeconds: 600 })
    expect((await getState())?.nextTryAt).toBe(new Date(start.getTime() + 600_000).toISOString())
  })

  test('that Zoom has ended stops, is reported once by email, and is no connection any more', async () => {
    zoom.revokeAccount(email)
    await check()
    await check()
    expect((await getState())?.state).toBe('needs_reconnect')
    expect(await queued('zoom.email')).toHaveLength(1)
    expect(await getUser()).toMatchObject({ zoomConnected: false, zoomEmail: null })
    zoom.requests.splice(0)
    await check()
    expect(zoom.requests).toEqual([])
  })

  test('that Zoom has ended is not reported by email if the coach has switched it off', () =>
    expectSwitchable('zoom.reconnect', async () => {
      const own = await createCoach({ plan: 'pro' })
      const ownEmail = `coach${++numbers}@zoom.example`
      await connect(own, zoom, { email: ownEmail })
      zoom.revokeAccount(ownEmail)
      await checkConnection(await contextFor(own))
      return {
        coach: own,
        send: async () => {
          await sendReconnectEmail(await contextFor(own))
          return (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === own.email).length
        },
      }
    }))

  test('is used each day, or Zoom would end it after 90 days', async () => {
    later(dayMs)
    await checkAll(app.platform)
    expect(await queued('zoom.check')).toHaveLength(1)
  })
})

describe('disconnecting', () => {
  const disconnect = () => app.call('POST', '/api/zoom/disconnect', { as: coach, body: {} })

  test('revokes the access, and a second time is a conflict', async () => {
    await connect(coach, zoom, { email })
    expect((await disconnect()).status).toBe(204)
    expect(zoom.hasAccess(email)).toBe(false)
    expect((await disconnect()).status).toBe(409)
  })

  test('works while Zoom is away: a job revokes it later', async () => {
    await connect(coach, zoom, { email })
    zoom.fail(/revoke/, 503)
    expect((await disconnect()).status).toBe(204)
    const [data] = await queued('zoom.revoke')
    await expect(revoke(app.platform, data!)).rejects.toMatchObject({ code: 'upstream_failed' })
    zoom.stopFailing()
    await revoke(app.platform, data!)
    expect(zoom.hasAccess(email)).toBe(false)
    // Encrypted: jobs are kept for some days.
    expect(JSON.stringify(data)).not.toContain('eyJ')
  })
})

test.each([
  ['https://us02web.zoom.us/j/86512345678?pwd=abc', '86512345678'],
  ['https://zoom.us/wc/join/86512345678', '86512345678'],
  ['https://zoom.us/my/grace', null],
  ['https://zoom.us.example.com/j/86512345678', null],
  ['https://meet.google.com/abc-defg-hij', null],
  [null, null],
])('the meeting of %s is %s', (address, number) => expect(readMeetingNumber(address)).toBe(number))

test('nothing of one coach is seen by another', async () => {
  await connect(coach, zoom, { email })
  const other = await createCoach()
  expect(await findConnection(await contextFor(other))).toBeNull()
  await expect(inTenant(other, (tx) => callZoom(tx, (api) => api.get(UserResponse, '/users/me')))).rejects.toThrow(
    'no_token',
  )
  await expect(beginConnect(await contextFor(other))).resolves.toContain('/oauth/authorize')
})
