import { beforeAll, describe, expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { ensureAdmin } from '#tenants/accounts/admin-account.ts'
import { createResetToken } from '#tenants/auth/one-time-tokens.ts'
import { listSecurityEvents } from '#tenants/auth/security-events.ts'
import type { Platform } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { testConfig } from '#tests/support/config.ts'
import {
  addSecondFactors,
  contextFor,
  countSecondFactors,
  createCoach,
  createSession,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { createOwnerPlatform, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const owner = createOwnerPlatform(app)
const password = 'chosen by the operator'
let attempts = 0

const start = (email: string, adminPassword?: string): Promise<void> => {
  const env = { ADMIN_EMAIL: email, ...(adminPassword ? { ADMIN_PASSWORD: adminPassword } : {}) }
  return ensureAdmin({ ...owner.platform, config: testConfig(env) } satisfies Platform)
}
/** [status, isAdmin] of a sign-in. */
async function login(email: string, word: string): Promise<[number, boolean | undefined]> {
  const { status, body } = await app.call('POST', '/api/login', { body: { email, password: word } })
  return [status, body.isAdmin]
}
const isSignedIn = async (coach: Pick<Coach, 'cookie'>): Promise<boolean> =>
  (await app.call('GET', '/api/user', { as: coach })).status === 200
const newEmail = (): string => `operator${++attempts}@example.com`

describe('ADMIN_EMAIL', () => {
  test('creates an administrator whose address counts as verified', async () => {
    const email = newEmail()
    await start(email.toUpperCase(), password)
    await start(email, password)
    expect(await login(email, password)).toEqual([200, true])
  })

  test('takes over an account that never verified its address, with all that its maker could sign in with', async () => {
    const email = newEmail()
    const stranger = await createCoach({ email, password: "the stranger's own", emailVerified: false })
    const reset = await createResetToken(app.platform, email)
    await addSecondFactors(stranger)

    await start(email, password)
    expect(await isSignedIn(stranger)).toBe(false)
    expect(await login(email, "the stranger's own")).toEqual([401, undefined])
    const body = { token: reset!.token, password: "the stranger's next" }
    expect((await app.call('POST', '/api/auth/reset-password', { body })).status).toBe(422)
    expect(await login(email, password)).toEqual([200, true])
    expect(await countSecondFactors(stranger)).toEqual([0, 0, 0])
  })

  test('takes it over even if its maker guessed ADMIN_PASSWORD', async () => {
    const email = newEmail()
    const stranger = await createCoach({ email, password, emailVerified: false })
    await start(email, password)
    expect(await isSignedIn(stranger)).toBe(false)
  })

  test('without ADMIN_PASSWORD refuses an account that never verified its address', async () => {
    const email = newEmail()
    const stranger = await createCoach({ email, password: "the stranger's own", emailVerified: false })
    await expect(start(email)).rejects.toThrow(/^ADMIN_EMAIL can't be used: .+ never verified its address; .+\.$/)
    expect(await login(email, "the stranger's own")).toEqual([200, false])
    expect(await isSignedIn(stranger)).toBe(true)
  })

  test('without ADMIN_PASSWORD promotes a verified account, which keeps its password and sessions', async () => {
    const email = newEmail()
    const coach = await createCoach({ email, password: 'my very own word' })
    await start(email)
    expect(await login(email, 'my very own word')).toEqual([200, true])
    expect(await isSignedIn(coach)).toBe(true)
  })

  test('refuses an account that was removed', async () => {
    const email = newEmail()
    const coach = await createCoach({ email })
    await inTenant(coach, ({ em }) => em.nativeUpdate(Account, { id: coach.id }, { removedAt: app.clock.now }))
    await expect(start(email, password)).rejects.toThrow(/^ADMIN_EMAIL can't be used: .+ was removed\.$/)
  })

  test('demotes the former administrator at once', async () => {
    const [former, next] = [newEmail(), newEmail()]
    await start(former, password)
    const { headers } = await app.call('POST', '/api/login', { body: { email: former, password } })
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    expect((await app.call('GET', '/api/admin/stats', { headers: { cookie } })).status).toBe(200)
    await start(next, password)
    expect((await app.call('GET', '/api/admin/stats', { headers: { cookie } })).status).toBe(403)
    expect([await login(former, password), await login(next, password)]).toEqual([
      [200, false],
      [200, true],
    ])
  })
})

describe('ADMIN_PASSWORD', () => {
  const email = 'the-admin@example.com'
  let admin: Coach
  beforeAll(async () => {
    admin = await createCoach({ email, password: 'an older word for it', isAdmin: true })
  })

  test('replaces another password and ends all sessions', async () => {
    await start(email, password)
    expect(await login(email, 'an older word for it')).toEqual([401, undefined])
    expect(await login(email, password)).toEqual([200, true])
    expect(await isSignedIn(admin)).toBe(false)
  })

  test.each(['1q2w3e4r5t6y', 'PasswordPassword'])('can not be the common %j', async (common) => {
    const config = testConfig({ ADMIN_EMAIL: newEmail(), ADMIN_PASSWORD: common })
    // Nothing is reached at this address: the password is checked before.
    await expect(runtime.prepare({ ownerUrl: 'postgresql://owner@127.0.0.1:1/practice', config })).rejects.toThrow(
      "ADMIN_PASSWORD can't be used: too many people use this password.",
    )
  })

  test('that did not change ends nothing', async () => {
    const cookie = `session=${await createSession(admin)}`
    await start(email, password)
    expect(await isSignedIn({ cookie })).toBe(true)
  })

  test('is in the security log of the account, which gets an email', async () => {
    const coach = await createCoach({ email: newEmail(), password: 'an older word for it', isAdmin: true })
    await start(coach.email, password)
    const [entry] = await listSecurityEvents(await contextFor(coach))
    expect(entry).toMatchObject({ title: 'Password changed', device: 'Unknown device' })
    const jobs = await asOwner(app.ownerUrl, (db) =>
      db.query(`select data from pgboss.job where name = 'mail.security' and data->>'eventId' = $1`, [entry!.id]),
    )
    expect(jobs.rows).toEqual([{ data: { coachId: coach.id, eventId: entry!.id } }])
  })
})
