import { describe, expect, test } from 'vitest'
import { requestEmailChange } from '#tenants/accounts/email-change.ts'
import { resendVerification } from '#tenants/accounts/email-verification.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { coachContext } from '#tenants/context.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp, type CallResult } from '#tests/support/test-app.ts'

// A fifth of the limits: 2 wrong passwords per account and client, 20 per client, 20 per account; 20 registrations, 1
// reset.
const app = createTestApp({ RATE_LIMIT_FACTOR: '0.2', TRUST_PROXY: '1' })
const password = 'the right one'

const from = (address: string) => ({ 'x-forwarded-for': address })
const signIn = async (email: string, address: string, tried = password): Promise<number> =>
  (await app.call('POST', '/api/login', { body: { email, password: tried }, headers: from(address) })).status
const register = (address: string, email = `${crypto.randomUUID()}@example.com`): Promise<CallResult> =>
  app.call('POST', '/api/register', {
    body: { email, password, firstName: 'Ada', lastName: 'Lovelace' },
    headers: from(address),
  })
const forgot = async (email: string, address: string): Promise<number> =>
  (await app.call('POST', '/api/auth/forgot-password', { body: { email }, headers: from(address) })).status

const countResetJobs = (email: string): Promise<number> =>
  asOwner(app.ownerUrl, async (db) => {
    const { rows } = await db.query(
      `select count(*)::int as n from pgboss.job where name = 'mail.reset' and data->>'email' = $1`,
      [email],
    )
    return rows[0].n
  })

describe('wrong passwords', () => {
  test('are limited for an account whatever the addresses, but not for a client that signed in before', async () => {
    const { email } = await createCoach({ password })
    expect(await signIn(email, '198.51.100.1')).toBe(200)
    for (let client = 0; client < 10; client += 1)
      for (const guess of ['one', 'two']) expect(await signIn(email, `203.0.113.${client}`, guess)).toBe(401)
    expect(await signIn(email, '203.0.113.99')).toBe(429)
    expect(await signIn(email, '198.51.100.1')).toBe(200)
  })

  test('are limited for a client, but its accounts that signed in there before still can', async () => {
    const [{ email }, other] = [await createCoach({ password }), await createCoach({ password })]
    const address = '198.51.100.2'
    expect(await signIn(email, address)).toBe(200)
    for (let guess = 0; guess < 20; guess += 1)
      expect(await signIn(`nobody${guess}@example.com`, address, 'wrong')).toBe(401)
    expect(await signIn(other.email, address)).toBe(429)
    expect(await signIn(email, address)).toBe(200)
  })

  test('of one IPv6 /64 count together', async () => {
    const { email } = await createCoach({ password })
    const statuses = []
    for (let host = 1; host < 4; host += 1) statuses.push(await signIn(email, `2001:db8:1:2::${host}`, 'wrong'))
    expect(statuses).toEqual([401, 401, 429])
    expect(await signIn(email, '2001:db8:1:3::1')).toBe(200)
  })
})

test('registrations are limited for a client, the refused ones too, and not for others', async () => {
  const taken = 'taken@example.com'
  expect((await register('203.0.113.1', taken)).status).toBe(201)
  const statuses = []
  for (let at = 0; at < 21; at += 1) statuses.push((await register('203.0.113.2', at % 2 ? taken : undefined)).status)
  expect(statuses.filter((status) => status === 429)).toEqual([429])
  expect((await register('203.0.113.3')).status).toBe(201)
})

describe('a reset link', () => {
  test("can be asked for by its owner, however often others ask, and isn't sent without end", async () => {
    const email = 'asked-for@example.com'
    for (let client = 0; client < 10; client += 1) expect(await forgot(email, `203.0.113.${100 + client}`)).toBe(202)
    expect(await forgot(email, '203.0.113.100')).toBe(429)
    expect(await forgot(email, '198.51.100.3')).toBe(202)
    expect(await countResetJobs(email)).toBe(4)
  })

  test('of one client is limited for all addresses together', async () => {
    const statuses = []
    for (let at = 0; at < 13; at += 1) statuses.push(await forgot(`person${at}@example.com`, '203.0.113.200'))
    expect(statuses.slice(11)).toEqual([202, 429])
  })

  test('of one IPv6 site is limited, whichever of its networks asks, and not of others', async () => {
    const ask = (at: number, site: string) => forgot(`asker${at}@example.com`, `2001:db8:${site}:${at % 60}::1`)
    for (let at = 0; at < 60; at += 1) expect(await ask(at, 'a')).toBe(202)
    expect([await ask(61, 'a'), await ask(61, 'b')]).toEqual([429, 202])
  })

  test('can be asked for by a client that signed in before, even if all others are refused', async () => {
    const { email } = await createCoach({ password })
    expect(await signIn(email, '198.51.100.4')).toBe(200)
    const key = hashToken('forgot').toString('base64url')
    await asOwner(app.ownerUrl, (db) => db.query('update rate_limit set attempts = 5000 where key = $1', [key]))
    expect([await forgot(email, '203.0.113.210'), await forgot(email, '198.51.100.4')]).toEqual([429, 202])
    await asOwner(app.ownerUrl, (db) => db.query('delete from rate_limit where key = $1', [key]))
  })

  test('leaves no job that stays for days', async () => {
    const { rows } = await asOwner(app.ownerUrl, (db) =>
      db.query<{ hours: number; deletedAfter: number }>(
        `select extract(epoch from keep_until - start_after) / 3600 as hours, deletion_seconds as "deletedAfter"
          from pgboss.job where name = 'mail.reset'`,
      ),
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { hours, deletedAfter } of rows) {
      expect(Number(hours)).toBeLessThanOrEqual(6)
      expect(deletedAfter).toBeLessThanOrEqual(600)
    }
  })
})

describe('emails of a signed-in coach are limited for a client, and not for others,', () => {
  const contextAt = async ({ id, platform }: Coach, address: string) =>
    coachContext(platform, (await contextFor({ id, platform })).account, { requestId: 'test', address })
  const countUntilRefused = async (ask: (address: string) => Promise<void>): Promise<number> => {
    for (let asked = 0; asked < 20; asked += 1) {
      try {
        await ask('203.0.113.201')
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited' })
        await ask('203.0.113.202')
        return asked
      }
    }
    return Infinity
  }

  test('with a link to verify the address', async () => {
    const ask = async (address: string) => {
      const ctx = await contextAt(await createCoach({ emailVerified: false }), address)
      await ctx.write(resendVerification)
    }
    expect(await countUntilRefused(ask)).toBe(12)
  })

  test('with links to change the address', async () => {
    const ask = async (address: string) => {
      const ctx = await contextAt(await createCoach({ password }), address)
      await requestEmailChange(ctx, { email: `${crypto.randomUUID()}@example.com`, currentPassword: password })
    }
    expect(await countUntilRefused(ask)).toBe(12)
  })
})

test('wrong tokens are refused before the password is hashed, and limited for a client', async () => {
  const reset = async () =>
    (
      await app.call('POST', '/api/auth/reset-password', {
        body: { token: createToken().token, password },
        headers: from('203.0.113.250'),
      })
    ).status
  const before = process.cpuUsage()
  const statuses = []
  for (let at = 0; at < 11; at += 1) statuses.push(await reset())
  const { user } = process.cpuUsage(before)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  // Hashing alone would take more than 20 ms each.
  expect(user / 1000).toBeLessThan(10 * 20)
})
