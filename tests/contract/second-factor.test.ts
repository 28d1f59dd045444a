import { beforeEach, describe, expect, test } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { createResetToken } from '#tenants/auth/one-time-tokens.ts'
import {
  cancelSetup,
  checkSecondFactor,
  confirmSetup,
  getSecondFactor,
  getSetup,
  renewRecoveryCodes,
  startSetup,
  turnOff,
} from '#tenants/auth/second-factor.ts'
import { finishSignIn, startSignIn } from '#tenants/auth/sign-in-steps.ts'
import { AuthenticatorApp } from '#tenants/schema.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp, type CallResult } from '#tests/support/test-app.ts'

const app = createTestApp()
const password = 'correct horse'
const device = { userAgent: null, address: '::1' }
const browser = {
  ...device,
  tenant: null,
  viewer: { account: null, tenant: null, owner: null, sessionHash: null, domain: null },
}
const wrongCode = '000000'

beforeEach(() => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
})

const advanceSeconds = (seconds: number): void =>
  void (app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000))

type Protected = { coach: Coach; secret: string; recoveryCodes: string[] }

/** The code that the app shows, on a phone whose clock is `ahead` seconds ahead. */
const getCode = ({ secret }: Pick<Protected, 'secret'>, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now.getTime() + ahead * 1000 })

/** A coach with two-step sign-in, whose first code belongs to an earlier step. */
async function createProtectedCoach(): Promise<Protected> {
  const coach = await createCoach({ password })
  await inTenant(coach, (ctx) => startSetup(ctx, password))
  const { secret } = (await getSetup(await contextFor(coach)))!
  const recoveryCodes = await inTenant(coach, (ctx) => confirmSetup(ctx, getCode({ secret }), device))
  advanceSeconds(60)
  return { coach, secret, recoveryCodes }
}

const login = ({ email }: Coach, body: object = {}): Promise<CallResult> =>
  app.call('POST', '/api/login', { body: { email, password, ...body } })
const check = ({ coach }: Protected, code: string) => checkSecondFactor(app.platform, coach.id, code, device)

describe('setting up', () => {
  test('needs the password, and a code of the app', async () => {
    const coach = await createCoach({ password })
    await expect(inTenant(coach, (ctx) => startSetup(ctx, 'wrong'))).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'currentPassword', message: 'This password is wrong.' }],
    })
    await inTenant(coach, (ctx) => startSetup(ctx, password))
    expect((await login(coach)).status).toBe(200)
    await expect(inTenant(coach, (ctx) => confirmSetup(ctx, wrongCode, device))).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(await getSecondFactor(await contextFor(coach))).toEqual({ isOn: false, recoveryCodesLeft: 0 })
  })

  test('can be finished for 15 minutes', async () => {
    const coach = await createCoach({ password })
    await inTenant(coach, (ctx) => startSetup(ctx, password))
    const setup = await getSetup(await contextFor(coach))
    expect(setup!.uri).toContain(`secret=${setup!.secret}`)
    const confirm = () => inTenant(coach, (ctx) => confirmSetup(ctx, getCode(setup!), device))
    advanceSeconds(15 * 60)
    expect(await getSetup(await contextFor(coach))).toBeNull()
    await expect(confirm()).rejects.toThrow('a setup must be finished within 15 minutes. Start again.')
    advanceSeconds(-1)
    expect(await confirm()).toHaveLength(10)
  })

  test('can be cancelled until it is finished', async () => {
    const coach = await createCoach({ password })
    await inTenant(coach, (ctx) => startSetup(ctx, password))
    const setup = await getSetup(await contextFor(coach))
    await inTenant(coach, cancelSetup)
    expect(await getSetup(await contextFor(coach))).toBeNull()
    await expect(inTenant(coach, (ctx) => confirmSetup(ctx, getCode(setup!), device))).rejects.toThrow('Start again')
    const finished = await createProtectedCoach()
    await inTenant(finished.coach, cancelSetup)
    expect((await getSecondFactor(await contextFor(finished.coach))).isOn).toBe(true)
  })

  test('gives ten recovery codes, hides the secret and is refused the second time', async () => {
    const { coach, secret, recoveryCodes } = await createProtectedCoach()
    expect(new Set(recoveryCodes).size).toBe(10)
    // 31 characters are possible: 119 bits.
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/)
    expect(await getSetup(await contextFor(coach))).toBeNull()
    await expect(inTenant(coach, (ctx) => startSetup(ctx, password))).rejects.toMatchObject({ code: 'conflict' })
    const row = await inTenant(coach, ({ em }) => em.findOneOrFail(AuthenticatorApp, { coachId: coach.id }))
    expect(row.secret).not.toContain(secret)
  })
})

describe('signing in', () => {
  test('the API asks for a code after the right password only', async () => {
    const { coach } = await createProtectedCoach()
    const { status, body, headers } = await login(coach)
    expect([status, body.code, headers.get('set-cookie')]).toEqual([401, 'second_factor_required', null])
    expect((await login(coach, { password: 'wrong' })).body.code).toBe('unauthorized')
  })

  test('the API signs in with password and code, and refuses a wrong one', async () => {
    const account = await createProtectedCoach()
    const wrong = await login(account.coach, { code: wrongCode })
    expect([wrong.status, wrong.body.code, wrong.headers.get('set-cookie')]).toEqual([401, 'unauthorized', null])
    expect((await login(account.coach, { code: getCode(account) })).status).toBe(200)
  })

  test('the form has 5 minutes between password and code, once', async () => {
    const account = await createProtectedCoach()
    const start = () => startSignIn(app.platform, { email: account.coach.email, password }, browser)
    const { token, needsCode } = await start()
    expect(needsCode).toBe(true)
    expect((await app.call('GET', '/api/user', { as: { cookie: `session=${token}` } })).status).toBe(401)

    const session = await finishSignIn(app.platform, { token, code: getCode(account) }, browser)
    expect((await app.call('GET', '/api/user', { as: { cookie: `session=${session}` } })).status).toBe(200)
    advanceSeconds(60)
    const expired = { code: 'unauthorized', subject: 'sign-in' }
    await expect(finishSignIn(app.platform, { token, code: getCode(account) }, browser)).rejects.toMatchObject(expired)
    const late = await start()
    advanceSeconds(301)
    const finishLate = finishSignIn(app.platform, { token: late.token, code: getCode(account) }, browser)
    await expect(finishLate).rejects.toMatchObject(expired)
  })

  test("the step between password and code is the account's own", async () => {
    const [ada, bea] = [await createProtectedCoach(), await createProtectedCoach()]
    const { token } = await startSignIn(app.platform, { email: ada.coach.email, password }, browser)
    await expect(finishSignIn(app.platform, { token, code: getCode(bea) }, browser)).rejects.toThrow(
      'This code is wrong',
    )
  })

  test('a new password by the emailed link does not skip the code', async () => {
    const { coach } = await createProtectedCoach()
    const { token } = (await createResetToken(app.platform, coach.email))!
    const changed = await app.call('POST', '/api/auth/reset-password', { body: { token, password: 'battery staple' } })
    expect([changed.status, changed.headers.get('set-cookie')]).toEqual([204, null])
    expect((await login(coach, { password: 'battery staple' })).body.code).toBe('second_factor_required')
  })
})

describe("the app's code", () => {
  test.each([-30, 0, 30])('is accepted from a clock that is %i seconds off', async (ahead) => {
    const account = await createProtectedCoach()
    await check(account, getCode(account, ahead))
  })

  test.each([-90, 90])('from a clock that is %i seconds off gets a message about the clock', async (ahead) => {
    const account = await createProtectedCoach()
    advanceSeconds(90)
    await expect(check(account, getCode(account, ahead))).rejects.toThrow('The clock of your phone is wrong')
  })

  test('works once: of fifty at the same time one wins, and later none', async () => {
    const account = await createProtectedCoach()
    const results = await concurrently(50, () => check(account, getCode(account)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    advanceSeconds(15 * 60)
    await check(account, getCode(account))
    await expect(check(account, getCode(account))).rejects.toThrow('already used')
    await expect(check(account, getCode(account, -30))).rejects.toThrow('already used')
  })

  test('can be guessed ten times in 15 minutes, from any address', async () => {
    const account = await createProtectedCoach()
    const results = await concurrently(30, () => check(account, wrongCode))
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'accepted'))
    expect(codes.filter((code) => code === 'unauthorized').length).toBeLessThanOrEqual(10)
    expect(codes).not.toContain('accepted')
    await expect(check(account, getCode(account))).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('works after SECRET_KEY was rotated, and later without the old key', async () => {
    const account = await createProtectedCoach()
    const { config } = app.platform
    const [oldKey] = config.secretKeys
    try {
      config.secretKeys = ['a new key of this test', oldKey!]
      await check(account, getCode(account))
      config.secretKeys = ['a new key of this test']
      advanceSeconds(60)
      await check(account, getCode(account))
    } finally {
      config.secretKeys = [oldKey!]
    }
  })

  test("can't be checked when SECRET_KEY is lost, but a recovery code works", async () => {
    const account = await createProtectedCoach()
    const { config } = app.platform
    const [oldKey] = config.secretKeys
    try {
      config.secretKeys = ['a new key of this test']
      await expect(check(account, getCode(account))).rejects.toMatchObject({ code: 'unavailable' })
      await check(account, account.recoveryCodes[0]!)
    } finally {
      config.secretKeys = [oldKey!]
    }
  })
})

describe('a recovery code', () => {
  test('works once, in any letter case and without hyphens', async () => {
    const account = await createProtectedCoach()
    const [code] = account.recoveryCodes
    const results = await concurrently(5, () => check(account, ` ${code!.toUpperCase().replaceAll('-', '')} `))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await getSecondFactor(await contextFor(account.coach))).toEqual({ isOn: true, recoveryCodesLeft: 9 })
  })

  test("of another coach doesn't work", async () => {
    const [ada, bea] = [await createProtectedCoach(), await createProtectedCoach()]
    await expect(check(ada, bea.recoveryCodes[0]!)).rejects.toThrow('This code is wrong')
  })

  test('says how to proceed when all were used', async () => {
    const account = await createProtectedCoach()
    for (const code of account.recoveryCodes) await check(account, code)
    await expect(check(account, account.recoveryCodes[0]!)).rejects.toThrow('All your recovery codes were used.')
    await check(account, getCode(account))
  })

  test('is replaced with the password only', async () => {
    const account = await createProtectedCoach()
    const { coach, recoveryCodes } = account
    await expect(inTenant(coach, (ctx) => renewRecoveryCodes(ctx, 'wrong', device))).rejects.toThrow(
      'password is wrong',
    )
    const renewed = await inTenant(coach, (ctx) => renewRecoveryCodes(ctx, password, device))
    await expect(check(account, recoveryCodes[0]!)).rejects.toThrow('This code is wrong')
    await check(account, renewed[0]!)
  })
})

describe('turning off', () => {
  test('needs the password or a code, and removes the recovery codes', async () => {
    const [byPassword, byCode, byRecoveryCode] = [
      await createProtectedCoach(),
      await createProtectedCoach(),
      await createProtectedCoach(),
    ]
    const off = ({ coach }: Protected, secret: string) => inTenant(coach, (ctx) => turnOff(ctx, secret, device))
    await expect(off(byPassword, 'wrong')).rejects.toThrow('password is wrong')
    await expect(off(byCode, wrongCode)).rejects.toMatchObject({ code: 'validation_failed' })

    await off(byPassword, password)
    await off(byCode, getCode(byCode))
    await off(byRecoveryCode, byRecoveryCode.recoveryCodes[3]!)
    for (const { coach } of [byPassword, byCode, byRecoveryCode]) {
      expect(await getSecondFactor(await contextFor(coach))).toEqual({ isOn: false, recoveryCodesLeft: 0 })
      expect((await login(coach)).status).toBe(200)
    }
  })
})
