import { describe, expect, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { confirmEmailChange, requestEmailChange, sendEmailChangeLink } from '#tenants/accounts/email-change.ts'
import { changePassword } from '#tenants/accounts/password-change.ts'
import { createApiKey, listApiKeys } from '#tenants/api-keys/api-keys.ts'
import { authorize, coachContext, type Ctx } from '#tenants/context.ts'
import { createResetToken } from '#tenants/auth/one-time-tokens.ts'
import { addPasskey, signInWithPasskey, startPasskey, startPasskeySignIn } from '#tenants/auth/passkeys.ts'
import { checkSecondFactor, startSetup, turnOff } from '#tenants/auth/second-factor.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { captureSecurityLog } from '#tests/support/security-lines.ts'
import { createSoftwareAuthenticator } from '#tests/support/software-authenticator.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// A fifth of the limits.
const app = createTestApp({ TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.2' })
const password = 'correct horse battery'
const guess = 'what a client typed'
const address = '203.0.113.7'
const device = { address, userAgent: 'a browser of this test' }
const from = { headers: { 'x-forwarded-for': address } }

const { clear, getText, readLines } = captureSecurityLog(app)
const getContext = async (coach: Coach): Promise<Ctx> =>
  coachContext(app.platform, (await contextFor(coach)).account, { requestId: 'test', address })
const login = (email: string, tried: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/login', { body: { email, password: tried }, headers: { ...from.headers, ...headers } })
const rejected = (work: Promise<unknown>) => expect(work).rejects.toThrow()

describe('a line with account, address and reason is written for', () => {
  test('each sign-in, and each one that fails', async () => {
    const [coach, other] = [await createCoach({ password, subdomain: 'ada-log' }), await createCoach({ password })]
    clear()
    await login(coach.email, guess)
    await login('nobody@example.com', guess)
    await login(coach.email, password)
    await login(other.email, password, { host: 'ada-log.localhost:3000' })
    expect(readLines()).toEqual([
      { event: 'sign_in_failed', account: coach.id, address, reason: 'wrong_password' },
      { event: 'sign_in_failed', account: null, address, reason: 'unknown_account' },
      { event: 'new_device', account: coach.id, address },
      { event: 'sign_in_failed', account: other.id, address, reason: 'other_host' },
    ])
    expect(getText()).not.toMatch(/@example\.com|what a client typed/)
  })

  test('a sign-in that is refused by a limit, with the name of the limit', async () => {
    const { email } = await createCoach({ password })
    for (let tried = 0; tried < 2; tried++) await login(email, guess)
    clear()
    expect((await login(email, password)).status).toBe(429)
    expect(readLines()).toEqual([{ event: 'rate_limited', account: null, address, reason: 'sign-in' }])
    expect(getText()).not.toContain(email)
  })

  test('a header that pretends to be an address, without its text', async () => {
    await app.call('POST', '/api/login', {
      body: { email: 'nobody@example.com', password: guess },
      headers: { 'x-forwarded-for': 'text of a client' },
    })
    expect(readLines()).toMatchObject([{ event: 'sign_in_failed', address: null }])
    expect(getText()).not.toContain('text of a client')
  })

  test('a wrong code and a wrong password of the signed-in coach', async () => {
    const coach = await createCoach({ password })
    const ctx = await getContext(coach)
    clear()
    await rejected(checkSecondFactor(app.platform, coach.id, '000000', device))
    await rejected(ctx.write((tx) => turnOff(tx, guess, device)))
    await rejected(ctx.write((tx) => startSetup(tx, guess)))
    expect(readLines()).toEqual([
      { event: 'second_factor_failed', account: coach.id, address },
      { event: 'second_factor_failed', account: coach.id, address },
      { event: 'password_check_failed', account: coach.id, address },
    ])
  })

  test('an API key that does not work; the line of a request names the key that does', async () => {
    const coach = await createCoach({ password })
    const input = { name: 'Reports', scopes: ['*:read' as const], days: null, currentPassword: password }
    const key = await inTenant(coach, (tx) => createApiKey(tx, input, device))
    const [stored] = await listApiKeys(await contextFor(coach))
    // With the log of this test.
    const http = createApp({ platform: app.platform, api: createAppApi(), ready: async () => true })
    const call = async (bearer: string) => {
      const headers = { host: 'localhost:3000', ...from.headers, authorization: `Bearer ${bearer}` }
      return http.fetch(new Request('http://localhost:3000/api/clients', { headers }))
    }
    clear()
    expect([(await call(key)).status, (await call(`${key}x`)).status]).toEqual([200, 401])
    expect(readLines()).toEqual([{ event: 'api_key_refused', account: null, address, reason: 'unknown_or_expired' }])
    expect(getText()).toContain(`"key":${stored!.id}`)
    expect(getText()).not.toContain(key)
  })

  test('a refused passkey', async () => {
    const { challenge } = await startPasskeySignIn(app.platform)
    const site = { challenge, origin: 'http://localhost:3000', rpId: 'localhost' }
    const context = {
      ...device,
      tenant: null,
      viewer: { account: null, tenant: null, owner: null, sessionHash: null, domain: null },
    }
    clear()
    await rejected(signInWithPasskey(app.platform, createSoftwareAuthenticator().get(site), context))
    expect(readLines()).toEqual([{ event: 'passkey_refused', account: null, address, reason: 'unknown' }])
  })

  test('a passkey response that is sent again', async () => {
    const coach = await createCoach({ password })
    const site = { origin: 'http://localhost:3000', rpId: 'localhost' }
    const context = {
      ...device,
      tenant: null,
      viewer: { account: null, tenant: null, owner: null, sessionHash: null, domain: null },
    }
    const authenticator = createSoftwareAuthenticator()
    const added = await inTenant(coach, (ctx) => startPasskey(ctx, password))
    const response = authenticator.create({ challenge: added.challenge, ...site })
    await inTenant(coach, (ctx) => addPasskey(ctx, { name: 'Laptop', response }, context))
    const { challenge } = await startPasskeySignIn(app.platform)
    const answer = authenticator.get({ challenge, ...site })
    await signInWithPasskey(app.platform, answer, context)
    clear()
    await rejected(signInWithPasskey(app.platform, answer, context))
    expect(readLines()).toEqual([{ event: 'passkey_refused', account: coach.id, address, reason: 'used' }])
  })

  test('a new account, and a link that does not work', async () => {
    const { body } = await app.call('POST', '/api/register', {
      body: { email: 'new@example.com', password, firstName: 'Nora', lastName: 'Lind' },
      ...from,
    })
    await app.call('POST', '/api/auth/reset-password', { body: { token: guess, password }, ...from })
    expect(readLines()).toEqual([
      { event: 'account_registered', account: body.id, address },
      { event: 'sign_in', account: body.id, address },
      { event: 'link_refused', account: null, address, reason: 'reset' },
    ])
    expect(getText()).not.toMatch(/new@example\.com|what a client typed|Nora/)
  })

  test('a new password, by the emailed link and by its owner', async () => {
    const coach = await createCoach({ password })
    clear()
    await app.call('POST', '/api/auth/forgot-password', { body: { email: coach.email }, ...from })
    const { token } = (await createResetToken(app.platform, coach.email))!
    await app.call('POST', '/api/auth/reset-password', { body: { token, password: 'battery staple' }, ...from })
    await changePassword(
      await getContext(coach),
      { currentPassword: 'battery staple', newPassword: 'staple battery' },
      { ...device, viewer: { domain: null } },
    )
    expect(readLines()).toEqual([
      { event: 'password_reset_requested', account: null, address },
      { event: 'password_reset', account: coach.id, address },
      { event: 'password_changed', account: coach.id, address },
      { event: 'new_device', account: coach.id, address },
    ])
    for (const secret of [token, coach.email, 'staple']) expect(getText()).not.toContain(secret)
  })

  test('a new email address', async () => {
    const coach = await createCoach({ password, emailVerified: false })
    clear()
    await requestEmailChange(await getContext(coach), { email: 'other@example.com', currentPassword: password })
    await sendEmailChangeLink(app.platform, { coachId: coach.id, side: 'new' })
    const [mail] = await listOutbox(app.platform.config, 1)
    const token = /token=([\w-]+)/.exec(mail!.text)![1]!
    await confirmEmailChange(app.platform, token, device)
    expect(readLines()).toEqual([
      { event: 'email_change_requested', account: coach.id, address },
      { event: 'email_changed', account: coach.id, address },
    ])
    expect(getText()).not.toContain('@example.com')
  })

  test('an account that may not do what it asks for', async () => {
    const coach = await createCoach()
    const ctx = await getContext(coach)
    clear()
    expect(() => authorize({ ...ctx, can: () => false }, 'crm:client:write')).toThrow("You don't have permission")
    expect(readLines()).toEqual([
      { event: 'permission_refused', account: coach.id, address, reason: 'crm:client:write' },
    ])
  })
})

test('nothing is written for a change that is rolled back', async () => {
  const coach = await createCoach({ password })
  clear()
  await rejected(
    inTenant(coach, async (ctx) => {
      ctx.logSecurity({ event: 'password_changed', account: coach.id, address })
      throw new Error('rolled back')
    }),
  )
  expect(readLines()).toEqual([])
})
