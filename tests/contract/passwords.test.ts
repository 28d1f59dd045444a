import { withTenant } from '#tenants/platform.ts'
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { startWorkers } from '#app/server/process/jobs.ts'
import { createAppApi, runtime } from '#app/server/process/runtime.ts'
import { sendResetEmail } from '#tenants/accounts/jobs.ts'
import { listOutbox } from '#tenants/mail.ts'
import { createHandoverToken, createInvitationToken } from '#tenants/auth/one-time-tokens.ts'
import { createDatabase } from '#tests/support/database.ts'
import { testConfig } from '#tests/support/config.ts'
import { createTestApp, concurrently, type CallResult } from '#tests/support/test-app.ts'
import { extractLink, mailServer, type MailServer } from '#tests/support/mail-server.ts'

const app = createTestApp({ APP_ORIGIN: 'https://attune.example' })
const host = 'attune.example'
const sessionCookie = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''
const advanceMinutes = (minutes: number): void =>
  void (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000))

const register = (email: string): Promise<CallResult> =>
  app.call('POST', '/api/register', {
    host,
    body: { email, password: 'the first one', firstName: 'Ada', lastName: 'Lovelace' },
  })
const login = (email: string, password: string): Promise<CallResult> =>
  app.call('POST', '/api/login', { host, body: { email, password } })
const reset = (token: string, password = 'another one'): Promise<CallResult> =>
  app.call('POST', '/api/auth/reset-password', { host, body: { token, password } })
const forgot = (email: unknown, headers: Record<string, string> = {}): Promise<CallResult> =>
  app.call('POST', '/api/auth/forgot-password', { host, body: { email }, headers })

/** Creates a reset token as the email job does. */
async function tokenFor(email: string): Promise<string> {
  advanceMinutes(1 / 60)
  await sendResetEmail(app.platform, { email })
  const [mail] = await listOutbox(app.platform.config, 1)
  expect(mail?.to).toBe(email)
  return extractLink(mail!.text).searchParams.get('token')!
}

describe('requesting a reset link', () => {
  test('is 202 for everybody, and never reveals who has an account', async () => {
    await register('known@example.com')
    const [known, unknown, nonsense] = [
      await forgot('known@example.com'),
      await forgot('unknown@example.com'),
      await forgot('not an address'),
    ]
    expect([known.status, unknown.status, nonsense.status]).toEqual([202, 202, 202])
    expect(known.text).toBe(unknown.text)
    expect(known.text).toBe(nonsense.text)
  })

  test.each([[undefined], [''], ['   '], [null], [5], [{}], [[]]])(
    'without an email address (%j) is a 422',
    async (email) => {
      const { status, body } = await forgot(email)
      expect([status, body.issues[0].path]).toEqual([422, 'email'])
    },
  )

  test.each(['often@example.com', 'nobody-often@example.com'])(
    'is allowed five times an hour for %s, then 429',
    async (email) => {
      if (email.startsWith('often')) await register(email)
      const answers = await concurrently(20, (index) => forgot(index % 2 ? email : email.toUpperCase()))
      const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
      expect(statuses.filter((status) => status === 202)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(15)
      const refused = await forgot(email)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
      advanceMinutes(61)
      expect((await forgot(email)).status).toBe(202)
    },
  )
})

describe('the reset link', () => {
  test("uses the configured origin, whatever the request's host", async () => {
    await register('origin@example.com')
    advanceMinutes(1)
    await forgot('origin@example.com', {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    })
    await sendResetEmail(app.platform, { email: 'origin@example.com' })
    const [mail] = await listOutbox(app.platform.config, 1)
    expect(extractLink(mail!.text).origin).toBe('https://attune.example')
    expect(extractLink(mail!.html).origin).toBe('https://attune.example')
    expect(JSON.stringify(mail)).not.toMatch(/evil|localhost/)
  })

  test('sets a new password once and ends every session', async () => {
    const { headers } = await register('resets@example.com')
    const second = await login('resets@example.com', 'the first one')
    const token = await tokenFor('resets@example.com')
    const done = await reset(token)
    expect([done.status, done.text]).toEqual([204, ''])
    for (const cookie of [sessionCookie(headers), sessionCookie(second.headers)])
      expect((await app.call('GET', '/api/user', { host, headers: { cookie } })).status).toBe(401)
    expect((await login('resets@example.com', 'the first one')).status).toBe(401)
    expect((await login('resets@example.com', 'another one')).status).toBe(200)
    const again = await reset(token, 'a third one')
    expect([again.status, again.body.issues[0].path]).toEqual([422, 'token'])
    expect((await login('resets@example.com', 'another one')).status).toBe(200)
  })

  test('used fifty times concurrently sets one password', async () => {
    await register('raced@example.com')
    const token = await tokenFor('raced@example.com')
    const answers = await concurrently(20, (index) => reset(token, `password ${index}`))
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 422)).toHaveLength(19)
    const winner = statuses.indexOf(204)
    expect((await login('raced@example.com', `password ${winner}`)).status).toBe(200)
  })

  test("invalidates the account's other links", async () => {
    await register('twolinks@example.com')
    const [first, second] = [await tokenFor('twolinks@example.com'), await tokenFor('twolinks@example.com')]
    expect((await reset(second)).status).toBe(204)
    expect((await reset(first)).status).toBe(422)
  })

  test('lasts an hour', async () => {
    await register('slow@example.com')
    const token = await tokenFor('slow@example.com')
    advanceMinutes(61)
    expect((await reset(token)).status).toBe(422)
  })

  test('is rejected if it is forged, truncated, or of another kind', async () => {
    const { body } = await register('forged@example.com')
    const token = await tokenFor('forged@example.com')
    const handover = await createHandoverToken(app.platform, body.id, 'forged')
    for (const wrong of [
      'x',
      '%00',
      '\u0000',
      'a'.repeat(1000),
      token.slice(1),
      `${token}A`,
      token.toLowerCase(),
      handover,
      "' or 1=1",
    ]) {
      expect([wrong, (await reset(wrong)).status]).toEqual([wrong, 422])
    }
    for (const input of [
      {},
      { token },
      { token: '', password: 'long enough' },
      { token: null, password: 'long enough' },
      { token, password: '12345' },
      { token, password: 'a\u0000bcdef' },
      { token: [token], password: 'long enough' },
    ]) {
      expect((await app.call('POST', '/api/auth/reset-password', { host, body: input })).status).toBe(422)
    }
    // Rejected input did not use it up.
    expect((await reset(token)).status).toBe(204)
  })

  test('of a removed coach is invalid, and so is their sign-in', async () => {
    const { body, headers } = await register('removed@example.com')
    const [token, invitation] = [
      await tokenFor('removed@example.com'),
      await createInvitationToken(app.platform, body.id),
    ]
    await withTenant(app.platform, body.id, (tx) =>
      tx.query({ text: 'update account set removed_at = now() where id = $1', values: [body.id] }),
    )
    expect((await reset(token)).status).toBe(422)
    expect((await reset(invitation)).status).toBe(422)
    expect((await app.call('GET', '/api/user', { host, headers: { cookie: sessionCookie(headers) } })).status).toBe(401)
    const [known, unknown] = [
      await login('removed@example.com', 'the first one'),
      await login('never-was@example.com', 'the first one'),
    ]
    expect([known.status, known.body.message]).toEqual([unknown.status, unknown.body.message])
    const before = (await listOutbox(app.platform.config)).length
    await sendResetEmail(app.platform, { email: 'removed@example.com' })
    expect((await listOutbox(app.platform.config)).length).toBe(before)
  })
})

describe('through a mail server', () => {
  let mails: MailServer
  let closeAll: () => Promise<void>
  let call: (path: string, body: object) => Promise<Response>

  beforeAll(async () => {
    mails = await mailServer({ refuse: 1 })
    const database = await createDatabase(inject('ownerUrl'))
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'practice-mail-'))
    const config = testConfig({
      SMTP_URL: mails.url,
      MAIL_FROM: 'Hello <hello@attune.example>',
      APP_ORIGIN: 'https://attune.example',
      ROLE: 'all',
      DATA_DIR: dataDir,
    })
    const platform = await runtime.open({ appUrl: database.appUrl, config })
    await startWorkers(platform)
    const otherApp = createApp({ platform, api: createAppApi(), ready: async () => true })
    call = async (to, body) =>
      otherApp.fetch(
        new Request(`https://attune.example${to}`, {
          method: 'POST',
          headers: { host, 'content-type': 'application/json', 'content-length': String(JSON.stringify(body).length) },
          body: JSON.stringify(body),
        }),
      )
    closeAll = async () => {
      await platform.close()
      await database.drop()
      await mails.close()
    }
  })
  afterAll(() => closeAll?.())

  test("a rejected email is sent again, in the coach's name, and its link works", async () => {
    await call('/api/register', {
      email: 'smtp@example.com',
      password: 'the first one',
      firstName: 'Ada',
      lastName: 'Lovelace',
    })
    expect((await call('/api/auth/forgot-password', { email: 'SMTP@example.com' })).status).toBe(202)
    // The first one confirms the address.
    const { to, raw } = [await mails.next(), await mails.next()].find((mail) => mail.raw.includes('/auth/reset?'))!
    expect(to).toEqual(['smtp@example.com'])
    expect(raw).toMatch(/^From: "?Ada Lovelace"? <hello@attune\.example>/m)
    expect(raw).toMatch(/^Subject: Reset your password/m)
    const link = extractLink(raw)
    expect(link.origin).toBe('https://attune.example')
    expect(
      (await call('/api/auth/reset-password', { token: link.searchParams.get('token'), password: 'another one' }))
        .status,
    ).toBe(204)
    expect((await call('/api/login', { email: 'smtp@example.com', password: 'another one' })).status).toBe(200)
    expect(mails.unread()).toBe(0)
  }, 60_000)
})
