import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteClient, updateClient } from '#modules/crm/index.ts'
import { clientContext, visitorContext, type Ctx } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '#tests/support/software-authenticator.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { addPasskeyMinutes, maxPasskeys } from '../fields.ts'
import { endAccess, getAccess } from './access.ts'
import { cleanUp } from './clean-up.ts'
import { passkeyEmailQueue, sendPasskeyEmail, type PasskeyEmailJob } from './passkey-email.ts'
import {
  addPasskey,
  listOwnPasskeys,
  removeOwnPasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from './passkeys.ts'
import { createSession, findSessionClient, lockAccess } from './sign-in.ts'

const app = createTestApp({ APP_ORIGIN: 'https://attune.example' })
const device = { userAgent: 'Firefox/140.0 (Windows)', address: '203.0.113.7' }
const site = { origin: 'https://mara.attune.example', rpId: 'mara.attune.example' }
const otherSite = { origin: 'https://bea.attune.example', rpId: 'bea.attune.example' }
const minute = 60_000
let mara: Coach
let bea: Coach

beforeAll(async () => {
  mara = await createCoach({ subdomain: 'mara', businessName: 'Winter Coaching' })
  bea = await createCoach({ subdomain: 'bea' })
})
beforeEach(() => passTime(minute))

/** A challenge is as old as the clock says, and the emails are in the order of time. */
function passTime(ms: number): void {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

const visit = async (coach: Coach, { address } = device): Promise<Ctx> =>
  visitorContext(app.platform, (await contextFor(coach)).account, { requestId: 'test', address }, [])

/** The context of a client who signs in now. */
async function signedIn(coach: Coach, clientId: number): Promise<Ctx> {
  const visitor = await visit(coach)
  const email = await getEmail(coach, clientId)
  const token = await visitor.write((tx) => createSession(tx, { clientId, email }, { host: 'mara.localhost', device }))
  const client = (await findSessionClient(visitor, token, null))!
  return clientContext(app.platform, visitor.account, { requestId: 'test', address: device.address }, client)
}

async function getEmail(coach: Coach, clientId: number): Promise<string> {
  const [row] = await (await contextFor(coach)).query<{ email: string }>({
    name: 'test.client-email',
    text: 'select lower(email) as email from client where coach_id = $1 and id = $2',
    values: [coach.id, clientId],
  })
  return row!.email
}

type Key = SoftwareAuthenticator
async function addKey(ctx: Ctx, { key = createSoftwareAuthenticator(), name = 'Phone', at = site } = {}): Promise<Key> {
  const { challenge } = await startPasskey(ctx)
  await ctx.write((tx) => addPasskey(tx, { name, response: key.create({ challenge, ...at }) }, device))
  return key
}

async function createClientWithKey(coach = mara, at = site) {
  const { id } = await createClient({ coach })
  const ctx = await signedIn(coach, id)
  return { id, ctx, key: await addKey(ctx, { at }) }
}

async function use(key: Key, { coach = mara, at = site, count = 0, by = device } = {}): Promise<string> {
  passTime(1000)
  const visitor = await visit(coach)
  const { challenge } = await startPasskeySignIn(visitor)
  return signInWithPasskey(visitor, key.get({ challenge, ...at }, { count }), by)
}
const getClientId = async (token: string, coach = mara, domain: string | null = null) =>
  (await findSessionClient(await visit(coach), token, domain))?.id

/** Runs the jobs, and returns the emails to a client, the newest first. */
async function listEmails(coach: Coach, clientId: number) {
  for (const { data } of await app.platform.boss.fetch<PasskeyEmailJob>(passkeyEmailQueue, { batchSize: 100 }))
    await sendPasskeyEmail(app.platform, data)
  const email = await getEmail(coach, clientId)
  return (await listOutbox(app.platform.config, 100)).filter(({ to }) => to.toLowerCase() === email)
}

describe('adding a passkey', () => {
  test('stores it for the client alone, and emails them in the name of the practice', async () => {
    const { id, ctx, key } = await createClientWithKey()
    expect(await listOwnPasskeys(ctx)).toMatchObject([{ name: 'Phone', lastUsedAt: null }])
    const sibling = await createClient({ coach: mara })
    expect(await listOwnPasskeys(await signedIn(mara, sibling.id))).toEqual([])
    expect(await getClientId(await use(key))).toBe(id)
    const [mail] = await listEmails(mara, id)
    expect(mail).toMatchObject({
      subject: 'A passkey was added at Winter Coaching',
      from: expect.stringContaining('Winter Coaching'),
      replyTo: mara.email,
    })
    expect(mail!.text).toContain('Phone')
    expect(mail!.text).toContain('Firefox on Windows')
    expect(mail!.text).toContain('https://mara.attune.example/portal/account')
  })

  test('is for the address of the practice: the options name its host', async () => {
    const { id } = await createClient({ coach: mara, name: 'Grace Hopper' })
    const options = await startPasskey(await signedIn(mara, id))
    expect(options.rp).toEqual({ id: 'mara.attune.example', name: 'Winter Coaching' })
    expect(options.user).toMatchObject({ displayName: 'Grace Hopper' })
    expect((await startPasskeySignIn(await visit(bea))).rpId).toBe('bea.attune.example')
  })

  test('is refused with the challenge of another client, of another coach, of a sign-in, and an old one', async () => {
    const [own, sibling] = [await createClient({ coach: mara }), await createClient({ coach: mara })]
    const foreign = await createClient({ coach: bea })
    const ctx = await signedIn(mara, own.id)
    const add = (challenge: string, at = site) =>
      ctx.write((tx) =>
        addPasskey(tx, { name: 'Phone', response: createSoftwareAuthenticator().create({ challenge, ...at }) }, device),
      )
    const refused = { code: 'validation_failed', message: 'This passkey could not be verified. Please try again.' }
    for (const { challenge } of [
      await startPasskey(await signedIn(mara, sibling.id)),
      await startPasskey(await signedIn(bea, foreign.id)),
      await startPasskeySignIn(await visit(mara)),
    ])
      await expect(add(challenge)).rejects.toMatchObject(refused)
    await expect(add((await startPasskey(ctx)).challenge, otherSite)).rejects.toMatchObject(refused)
    const { challenge } = await startPasskey(ctx)
    passTime(5 * minute + 1)
    await expect(add(challenge)).rejects.toMatchObject(refused)
    expect(await listOwnPasskeys(ctx)).toEqual([])
  })

  test('works once per response, even concurrently and after its removal', async () => {
    const { id } = await createClient({ coach: mara })
    const ctx = await signedIn(mara, id)
    const { challenge } = await startPasskey(ctx)
    const response = createSoftwareAuthenticator().create({ challenge, ...site })
    const add = () => ctx.write((tx) => addPasskey(tx, { name: 'Phone', response }, device))
    const results = await concurrently(5, add)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [passkey] = await listOwnPasskeys(ctx)
    await ctx.write((tx) => removeOwnPasskey(tx, passkey!.id, device))
    await expect(add()).rejects.toThrow('already used')
    expect(await listOwnPasskeys(ctx)).toEqual([])
  })

  test('is possible within an hour after signing in', async () => {
    const { id } = await createClient({ coach: mara })
    const ctx = await signedIn(mara, id)
    const { challenge } = await startPasskey(ctx)
    passTime(addPasskeyMinutes * minute + 1)
    const response = createSoftwareAuthenticator().create({ challenge, ...site })
    await expect(startPasskey(ctx)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ctx.write((tx) => addPasskey(tx, { name: 'Phone', response }, device))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('stops at ten, also when twenty are added at once', async () => {
    const { id } = await createClient({ coach: mara })
    const ctx = await signedIn(mara, id)
    const results = await concurrently(20, () => addKey(ctx))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxPasskeys)
    expect(await listOwnPasskeys(ctx)).toHaveLength(maxPasskeys)
    await expect(startPasskey(ctx)).rejects.toMatchObject({ code: 'conflict' })
    await expect(addKey(await signedIn(mara, (await createClient({ coach: mara })).id))).resolves.toBeDefined()
  })

  test('is limited in an hour, because each one is emailed', async () => {
    const { id } = await createClient({ coach: mara })
    const ctx = await signedIn(mara, id)
    for (let count = 0; count < 20; count++) {
      await addKey(ctx)
      const [passkey] = await listOwnPasskeys(ctx)
      await ctx.write((tx) => removeOwnPasskey(tx, passkey!.id, device))
    }
    await expect(addKey(ctx)).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('is for clients alone', async () => {
    const ctx = await contextFor(mara)
    for (const call of [() => listOwnPasskeys(ctx), async () => listOwnPasskeys(await visit(mara))])
      await expect(async () => call()).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('signing in with a passkey', () => {
  test('is remembered as its last use', async () => {
    const { ctx, key } = await createClientWithKey()
    await use(key)
    expect(await listOwnPasskeys(ctx)).toMatchObject([{ lastUsedAt: app.clock.now.toISOString() }])
  })

  test('is refused at another practice, whose client the same person is', async () => {
    const email = 'both@example.com'
    const first = await createClient({ coach: mara, email })
    const second = await createClient({ coach: bea, email })
    const key = await addKey(await signedIn(mara, first.id))
    const other = await addKey(await signedIn(bea, second.id), { at: otherSite })
    for (const at of [site, otherSite])
      await expect(use(key, { coach: bea, at })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await getClientId(await use(other, { coach: bea, at: otherSite }), bea)).toBe(second.id)
    expect(await getClientId(await use(key))).toBe(first.id)
    // A challenge of one practice is worthless at the other.
    passTime(1000)
    const { challenge } = await startPasskeySignIn(await visit(bea))
    await expect(signInWithPasskey(await visit(mara), key.get({ challenge, ...site }), device)).rejects.toThrow(
      'could not be verified',
    )
  })

  test('is refused at another address, for an unknown passkey, a forged one and one without PIN or finger', async () => {
    const { key } = await createClientWithKey()
    const evil = { origin: 'https://evil.example', rpId: 'evil.example' }
    await expect(use(key, { at: evil })).rejects.toThrow('used at another address')
    await expect(use(key, { at: { ...site, rpId: 'attune.example' } })).rejects.toThrow('could not be verified')
    await expect(use(createSoftwareAuthenticator())).rejects.toThrow('not known here')
    const visitor = await visit(mara)
    const { challenge } = await startPasskeySignIn(visitor)
    const own = key.get({ challenge, ...site }, { isVerified: false })
    await expect(signInWithPasskey(visitor, own, device)).rejects.toThrow('could not be verified')
    const forged = { ...createSoftwareAuthenticator().get({ challenge, ...site }), id: own.id, rawId: own.id }
    await expect(signInWithPasskey(visitor, forged, device)).rejects.toThrow('could not be verified')
  })

  test('is for one address of the practice: at a domain of the coach’s own another one is needed', async () => {
    const { id, ctx, key } = await createClientWithKey()
    const atDomain = (of: Ctx): Ctx['account'] => ({ ...of.account, customDomain: 'coaching.example' })
    const visitor = await visit(mara)
    const there = visitorContext(app.platform, atDomain(visitor), { requestId: 'test' }, [])
    const client = clientContext(app.platform, atDomain(ctx), { requestId: 'test' }, ctx.client!)
    const at = { origin: 'https://coaching.example', rpId: 'coaching.example' }
    const useThere = async (used: Key) => {
      passTime(1000)
      const { challenge, rpId } = await startPasskeySignIn(there)
      expect(rpId).toBe('coaching.example')
      return signInWithPasskey(there, used.get({ challenge, ...at }), device)
    }
    await expect(useThere(key)).rejects.toThrow('not known here')
    expect(await listOwnPasskeys(client)).toEqual([])
    const second = await addKey(client, { at })
    expect(await getClientId(await useThere(second), mara, 'coaching.example')).toBe(id)
    await expect(use(second)).rejects.toThrow('not known here')
    expect(await listOwnPasskeys(ctx)).toHaveLength(1)
    // The coach reads how many work at the present address.
    const coach = await contextFor(mara)
    expect((await getAccess({ ...coach, account: atDomain(coach) }, id)).passkeys).toBe(1)
  })

  test('works once per challenge, even concurrently, and within 5 minutes', async () => {
    const { id, key } = await createClientWithKey()
    const visitor = await visit(mara)
    const { challenge } = await startPasskeySignIn(visitor)
    const response = key.get({ challenge, ...site })
    const results = await concurrently(10, () => signInWithPasskey(visitor, response, device))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(signInWithPasskey(visitor, response, device)).rejects.toThrow('already used')
    expect((await getAccess(await contextFor(mara), id)).devices).toHaveLength(2)
    const late = key.get({ challenge: (await startPasskeySignIn(visitor)).challenge, ...site })
    passTime(5 * minute + 1)
    await expect(signInWithPasskey(visitor, late, device)).rejects.toThrow('could not be verified')
  })

  test('is refused with a counter that has not grown: the passkey was copied', async () => {
    const { key } = await createClientWithKey()
    await use(key, { count: 5 })
    for (const count of [5, 4, 0]) await expect(use(key, { count })).rejects.toThrow('could not be verified')
    await expect(use(key, { count: 6 })).resolves.toBeDefined()
  })

  test('with one counter works once for two challenges at the same time', async () => {
    const { key } = await createClientWithKey()
    const visitor = await visit(mara)
    const responses: ReturnType<Key['get']>[] = []
    for (let count = 0; count < 5; count++) {
      passTime(1)
      const { challenge } = await startPasskeySignIn(visitor)
      responses.push(key.get({ challenge, ...site }, { count: 7 }))
    }
    const results = await concurrently(5, (n) => signInWithPasskey(visitor, responses[n]!, device))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is refused in the trash, with another address, after its removal and after the end of the access', async () => {
    const { id, ctx, key } = await createClientWithKey()
    const refused = { code: 'unauthorized' }
    const email = await getEmail(mara, id)
    await inTenant(mara, (tx) => updateClient(tx, id, { email: 'else@example.com' }))
    await expect(use(key)).rejects.toMatchObject(refused)
    expect((await getAccess(await contextFor(mara), id)).passkeys).toBe(0)
    await inTenant(mara, (tx) => updateClient(tx, id, { email }))
    await use(key)
    const second = await addKey(ctx)
    await listEmails(mara, id)
    passTime(1000)
    const [first] = await listOwnPasskeys(ctx)
    await ctx.write((tx) => removeOwnPasskey(tx, first!.id, device))
    await expect(use(key)).rejects.toMatchObject(refused)
    await expect(ctx.write((tx) => removeOwnPasskey(tx, first!.id, device))).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await listEmails(mara, id))[0]!.subject).toBe('A passkey was removed at Winter Coaching')
    expect((await getAccess(await contextFor(mara), id)).passkeys).toBe(1)
    await inTenant(mara, (tx) => endAccess(tx, id))
    await expect(use(second)).rejects.toMatchObject(refused)
    passTime(1000)
    const [mail] = await listEmails(mara, id)
    expect(mail!.text).toContain('By: Winter Coaching')
    const third = await addKey(await signedIn(mara, id))
    await inTenant(mara, (tx) => deleteClient(tx, id))
    await expect(use(third)).rejects.toMatchObject(refused)
  })

  test('ends with the access, and the client gets one email about all passkeys', async () => {
    const { id, ctx } = await createClientWithKey()
    await addKey(ctx, { name: 'Work laptop' })
    await listEmails(mara, id)
    passTime(1000)
    await inTenant(mara, (tx) => endAccess(tx, id))
    const [mail] = await listEmails(mara, id)
    expect(mail!.subject).toBe('Passkeys were removed at Winter Coaching')
    expect(mail!.text).toContain(
      'These passkeys were removed and no longer sign you in at Winter Coaching: Phone, Work laptop.',
    )
  })

  test('is slowed down for somebody who tries many, and not for others', async () => {
    const { key } = await createClientWithKey()
    const by = { ...device, address: '198.51.100.9' }
    const results = await concurrently(60, () => use(createSoftwareAuthenticator(), { by }))
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'ok'))
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(50)
    await expect(use(key, { by })).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(use(key)).resolves.toBeDefined()
  })
})

describe('signing out everywhere', () => {
  /** The transactions of this database that wait for an advisory lock. */
  const countWaiting = () =>
    asOwner(app.ownerUrl, async (db) => {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
      )
      return rows[0]!.count
    })
  const end = (id: number) => inTenant(mara, (tx) => endAccess(tx, id))

  test('leaves no session, whatever signs in at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, key } = await createClientWithKey()
      passTime(1000)
      const visitor = await visit(mara)
      const { challenge } = await startPasskeySignIn(visitor)
      const response = key.get({ challenge, ...site })
      await concurrently<unknown>(2, (n) => (n ? signInWithPasskey(visitor, response, device) : end(id)))
      expect((await getAccess(await contextFor(mara), id)).devices).toEqual([])
    }
  })

  test('waits for a sign-in on its way, and ends its session', async () => {
    const { id } = await createClientWithKey()
    const visitor = await visit(mara)
    const email = await getEmail(mara, id)
    let ended: Promise<void> | undefined
    await visitor.write(async (tx) => {
      await lockAccess(tx, id)
      ended = end(id)
      await expect.poll(countWaiting).toBe(1)
      await createSession(tx, { clientId: id, email }, { host: 'mara.localhost', device })
    })
    await ended
    expect((await getAccess(await contextFor(mara), id)).devices).toEqual([])
  })

  test('leaves no passkey to a request that began before', async () => {
    const { id } = await createClient({ coach: mara })
    const ctx = await signedIn(mara, id)
    const { challenge } = await startPasskey(ctx)
    await end(id)
    const response = createSoftwareAuthenticator().create({ challenge, ...site })
    await expect(ctx.write((tx) => addPasskey(tx, { name: 'Phone', response }, device))).rejects.toMatchObject({
      code: 'unauthorized',
    })
    expect((await getAccess(await contextFor(mara), id)).passkeys).toBe(0)
  })
})

test('a request of a client whose address has changed since adds no passkey', async () => {
  const { id } = await createClient({ coach: mara })
  const ctx = await signedIn(mara, id)
  const { challenge } = await startPasskey(ctx)
  await inTenant(mara, (tx) => updateClient(tx, id, { email: 'moved@example.com' }))
  const response = createSoftwareAuthenticator().create({ challenge, ...site })
  await expect(ctx.write((tx) => addPasskey(tx, { name: 'Phone', response }, device))).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

test('no client removes the passkey of another one, and no other coach ends it', async () => {
  const { ctx, key, id } = await createClientWithKey()
  const [passkey] = await listOwnPasskeys(ctx)
  const sibling = await signedIn(mara, (await createClient({ coach: mara })).id)
  const foreign = await signedIn(bea, (await createClient({ coach: bea })).id)
  for (const other of [sibling, foreign])
    await expect(other.write((tx) => removeOwnPasskey(tx, passkey!.id, device))).rejects.toMatchObject({
      code: 'not_found',
    })
  await expect(inTenant(bea, (tx) => endAccess(tx, id))).rejects.toMatchObject({ code: 'not_found' })
  expect(await getClientId(await use(key))).toBe(id)
})

test('a passkey that was removed is deleted a day later', async () => {
  const { id, ctx } = await createClientWithKey()
  await addKey(ctx)
  const [passkey] = await listOwnPasskeys(ctx)
  await ctx.write((tx) => removeOwnPasskey(tx, passkey!.id, device))
  const count = async () =>
    (
      await (
        await contextFor(mara)
      ).query({
        name: 'test.portal-passkeys',
        text: 'select id from portal_passkey where coach_id = $1 and client_id = $2',
        values: [mara.id, id],
      })
    ).length
  await cleanUp(app.platform)
  expect(await count()).toBe(2)
  passTime(1440 * minute)
  await cleanUp(app.platform)
  expect(await count()).toBe(1)
})
