import { beforeEach, describe, expect, test } from 'vitest'
import { NewPasskey, PasskeySignIn } from '#tenants/auth/forms.ts'
import { endAccess } from '#tenants/auth/one-time-tokens.ts'
import {
  addPasskey,
  getPasskeyDomain,
  listPasskeys,
  removePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '#tenants/auth/passkeys.ts'
import type { SignInContext } from '#tenants/auth/sessions.ts'
import { findViewer } from '#tenants/auth/sessions.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '#tests/support/software-authenticator.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp({ APP_ORIGIN: 'https://attune.example' })
const password = 'correct horse'
const site = { origin: 'https://attune.example', rpId: 'attune.example' }
const platformHost: SignInContext = {
  userAgent: null,
  address: '::1',
  tenant: null,
  viewer: { account: null, tenant: null, owner: null, sessionHash: null, domain: null },
}

beforeEach(() => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
})

/** The host of a coach. */
async function getHost({ subdomain }: Coach): Promise<SignInContext> {
  const { tenant } = await findViewer(app.platform, undefined, subdomain)
  return { ...platformHost, tenant }
}

async function addPasskeyTo(coach: Coach, authenticator: SoftwareAuthenticator, at = site): Promise<void> {
  const { challenge } = await inTenant(coach, (ctx) => startPasskey(ctx, password))
  const response = authenticator.create({ challenge, ...at })
  await inTenant(coach, (ctx) => addPasskey(ctx, { name: 'Laptop', response }, platformHost))
}

async function createCoachWithPasskey(options: { subdomain?: string } = {}) {
  const coach = await createCoach({ password, ...options })
  const authenticator = createSoftwareAuthenticator()
  await addPasskeyTo(coach, authenticator)
  return { coach, authenticator }
}

async function useForSignIn(authenticator: SoftwareAuthenticator, context = platformHost, at = site): Promise<string> {
  const { challenge } = await startPasskeySignIn(app.platform)
  return signInWithPasskey(app.platform, authenticator.get({ challenge, ...at }), context)
}

const getAccountId = async (token: string) => (await findViewer(app.platform, token, null)).account?.id

describe('adding a passkey', () => {
  test('needs the password, and works with what the browser sends as JSON', async () => {
    const coach = await createCoach({ password })
    await expect(inTenant(coach, (ctx) => startPasskey(ctx, 'wrong'))).rejects.toThrow('password is wrong')
    const options = await inTenant(coach, (ctx) => startPasskey(ctx, password))
    expect(options).toMatchObject({ rp: { id: 'attune.example' }, user: { name: coach.email } })
    const response = createSoftwareAuthenticator().create({ challenge: options.challenge, ...site })
    const input = NewPasskey.parse({ name: ' Laptop ', response: JSON.stringify(response) })
    await inTenant(coach, (ctx) => addPasskey(ctx, input, platformHost))
    expect(await listPasskeys(await contextFor(coach))).toMatchObject([{ name: 'Laptop', lastUsedAt: null }])
  })

  test("is refused with another coach's challenge, an old one, one used before, and at another address", async () => {
    const [ada, bea] = [await createCoach({ password }), await createCoach({ password })]
    const add = (challenge: string, at = site) => {
      const response = createSoftwareAuthenticator().create({ challenge, ...at })
      return inTenant(ada, (ctx) => addPasskey(ctx, { name: 'Laptop', response }, platformHost))
    }
    const start = async (coach: Coach) => (await inTenant(coach, (ctx) => startPasskey(ctx, password))).challenge
    await expect(add(await start(bea))).rejects.toThrow('could not be verified')
    await expect(add((await startPasskeySignIn(app.platform)).challenge)).rejects.toThrow('could not be verified')
    const evil = { origin: 'https://evil.example', rpId: 'evil.example' }
    await expect(add(await start(ada), evil)).rejects.toThrow('could not be verified')
    const challenge = await start(ada)
    await add(challenge)
    await expect(add(challenge)).rejects.toThrow('already used')
    const old = await start(ada)
    app.clock.now = new Date(app.clock.now.getTime() + 5 * 60_000 + 1)
    await expect(add(old)).rejects.toThrow('could not be verified')
  })

  test('is impossible on an IP address', () => {
    const { config } = app.platform
    expect(getPasskeyDomain({ ...config, origin: 'https://192.0.2.7' })).toBeNull()
    expect(getPasskeyDomain({ ...config, origin: 'http://[::1]:3000' })).toBeNull()
  })
})

describe('signing in with a passkey', () => {
  test('works on the platform host and on the own host', async () => {
    const { coach, authenticator } = await createCoachWithPasskey({ subdomain: 'ada-passkey' })
    expect(await getAccountId(await useForSignIn(authenticator))).toBe(coach.id)
    const ownSite = { ...site, origin: 'https://ada-passkey.attune.example' }
    const token = await useForSignIn(authenticator, await getHost(coach), ownSite)
    expect(await getAccountId(token)).toBe(coach.id)
    expect((await listPasskeys(await contextFor(coach)))[0]!.lastUsedAt).toBe(app.clock.now.toISOString())
  })

  test("is refused on another coach's host, with a clear message", async () => {
    const { authenticator } = await createCoachWithPasskey()
    const other = await createCoach({ subdomain: 'bea-passkey' })
    const otherSite = { ...site, origin: 'https://bea-passkey.attune.example' }
    await expect(useForSignIn(authenticator, await getHost(other), otherSite)).rejects.toThrow(
      'This passkey belongs to another account. Sign in at https://attune.example instead.',
    )
  })

  test('is refused for a passkey of another domain, an unknown one and one without PIN or finger', async () => {
    const { authenticator } = await createCoachWithPasskey()
    const evil = { origin: 'https://evil.example', rpId: 'evil.example' }
    await expect(useForSignIn(authenticator, platformHost, evil)).rejects.toThrow('used at another address')
    const otherDomain = { ...site, rpId: 'old.example' }
    await expect(useForSignIn(authenticator, platformHost, otherDomain)).rejects.toThrow('could not be verified')
    await expect(useForSignIn(createSoftwareAuthenticator())).rejects.toThrow('not known here')
    const { challenge } = await startPasskeySignIn(app.platform)
    const unverified = authenticator.get({ challenge, ...site }, { isVerified: false })
    await expect(signInWithPasskey(app.platform, unverified, platformHost)).rejects.toThrow('could not be verified')
  })

  test('is refused for a forged signature', async () => {
    const { coach, authenticator } = await createCoachWithPasskey()
    const thief = createSoftwareAuthenticator()
    const { challenge } = await startPasskeySignIn(app.platform)
    const { id } = authenticator.get({ challenge, ...site })
    const forged = { ...thief.get({ challenge, ...site }), id, rawId: id }
    await expect(signInWithPasskey(app.platform, forged, platformHost)).rejects.toThrow('could not be verified')
    expect(coach.id).toBeGreaterThan(0)
  })

  test('works once per challenge, even concurrently, and within 5 minutes', async () => {
    const { authenticator } = await createCoachWithPasskey()
    const { challenge } = await startPasskeySignIn(app.platform)
    const response = authenticator.get({ challenge, ...site })
    const results = await concurrently(10, () => signInWithPasskey(app.platform, response, platformHost))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const late = authenticator.get({ challenge: (await startPasskeySignIn(app.platform)).challenge, ...site })
    app.clock.now = new Date(app.clock.now.getTime() + 5 * 60_000 + 1)
    await expect(signInWithPasskey(app.platform, late, platformHost)).rejects.toThrow('could not be verified')
  })

  test('works once even if all access was ended in between', async () => {
    const { coach, authenticator } = await createCoachWithPasskey()
    const { challenge } = await startPasskeySignIn(app.platform)
    const response = authenticator.get({ challenge, ...site })
    await signInWithPasskey(app.platform, response, platformHost)
    await inTenant(coach, (ctx) => endAccess(ctx, coach.id))
    await expect(signInWithPasskey(app.platform, response, platformHost)).rejects.toThrow('already used')
  })

  test('of a removed passkey is refused, and removing needs the password', async () => {
    const { coach, authenticator } = await createCoachWithPasskey()
    const [passkey] = await listPasskeys(await contextFor(coach))
    const remove = (currentPassword: string, by = coach) =>
      inTenant(by, (ctx) => removePasskey(ctx, { id: passkey!.id, currentPassword }, platformHost))
    await expect(remove('wrong')).rejects.toThrow('password is wrong')
    await expect(remove(password, await createCoach({ password }))).rejects.toMatchObject({ code: 'not_found' })
    await remove(password)
    await expect(useForSignIn(authenticator)).rejects.toThrow('not known here')
  })

  test.each(['', 'null', '[]', '{}', '{"id":"a","rawId":"a","response":{}}', `"${'a'.repeat(30_000)}"`])(
    'rejects %.60j as input',
    (response) => {
      expect(PasskeySignIn.safeParse({ response }).success).toBe(false)
      expect(NewPasskey.safeParse({ name: 'Laptop', response }).success).toBe(false)
    },
  )
})
