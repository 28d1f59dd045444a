import { afterAll, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { changePlan, deleteCoach, restoreCoach } from '#modules/admin/services/coaches.ts'
import { updateBranding } from '#tenants/accounts/accounts.ts'
import { changePassword } from '#tenants/accounts/password-change.ts'
import { createApiKey } from '#tenants/api-keys/api-keys.ts'
import { createHandoverToken } from '#tenants/auth/one-time-tokens.ts'
import { findViewer } from '#tenants/auth/sessions.ts'
import {
  checkDomain,
  checkDomainNow,
  domainQueues,
  removeCustomDomain,
  setCustomDomain,
} from '#tenants/domains/custom-domain.ts'
import { DomainForm } from '#tenants/domains/forms.ts'
import { runDomainCheck, sendDomainStopped } from '#tenants/domains/jobs.ts'
import { findCustomDomain, getDomainState } from '#tenants/domains/queries.ts'
import { listOutbox } from '#tenants/mail.ts'
import { withTenant } from '#tenants/platform.ts'
import { Account, Session } from '#tenants/schema.ts'
import { startFakeDns } from '#tests/fakes/dns/server.ts'
import { contextFor, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const dns = await startFakeDns()
const app = createTestApp({ ...dns.env, APP_ORIGIN: 'https://attune.example' })
afterAll(() => dns.close())

const device = { userAgent: null, address: '127.0.0.1' }
dns.set('attune.example', { A: ['192.0.2.10', '192.0.2.11'], AAAA: ['2001:db8::10'] })

const password = 'the secret of a test'
let number = 0
const nextName = (): string => `coaching-${++number}.her-name.example`
const createHost = (options = {}): Promise<Coach> =>
  createCoach({ subdomain: `host-${++number}`, password, ...options })

const add = (coach: Coach, hostname: string) =>
  inTenant(coach, (ctx) => setCustomDomain(ctx, DomainForm.parse({ hostname, currentPassword: password }), device))
const find = async (coach: Coach) => (await findCustomDomain(await contextFor(coach)))!
const check = async (coach: Coach) => {
  await checkDomain(await contextFor(coach))
  const domain = await find(coach)
  return [getDomainState(domain), domain.problem]
}

/** Adds the records that the page shows. */
async function prove(coach: Coach, records: Parameters<typeof dns.set>[1] = { CNAME: ['attune.example'] }) {
  const { hostname, token } = await find(coach)
  dns.set(`_practice-verify.${hostname}`, { TXT: ['v=spf1 -all', `practice-verify=${token}`] })
  dns.set(hostname, records)
}

async function connect(coach: Coach, hostname = nextName()): Promise<string> {
  await add(coach, hostname)
  await prove(coach)
  expect(await check(coach)).toEqual(['connected', null])
  return hostname
}

const getUser = (coach: Coach, host: string) => app.call('GET', '/api/user', { as: coach, host })

describe('a domain', () => {
  test('serves its coach once DNS has the proof among other texts, and the way to the platform', async () => {
    const coach = await createHost()
    const hostname = nextName()
    await add(coach, `https://${hostname.toUpperCase()}/`)
    expect((await getUser(coach, hostname)).status).toBe(421)
    expect(await check(coach)).toEqual(['waiting', 'no_proof'])
    dns.set(`_practice-verify.${hostname}`, { TXT: ['practice-verify=of somebody else'] })
    expect(await check(coach)).toEqual(['waiting', 'other_proof'])
    await prove(coach, { TXT: ['unrelated'] })
    expect(await check(coach)).toEqual(['waiting', 'no_address'])
    expect((await getUser(coach, hostname)).status).toBe(421)
    await prove(coach)
    expect(await check(coach)).toEqual(['connected', null])
    expect((await getUser(coach, hostname)).body.id).toBe(coach.id)
  })

  test('that one check has proved isn’t undone by an earlier one that took longer', async () => {
    const coach = await createHost()
    await add(coach, nextName())
    const ctx = await contextFor(coach)
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()]
    const listTexts = () => {
      asked.resolve()
      return answered.promise
    }
    const slow = checkDomain({ ...ctx, platform: { ...ctx.platform, dns: { ...ctx.platform.dns, listTexts } } })
    await asked.promise
    await prove(coach)
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    expect(await check(coach)).toEqual(['connected', null])
    answered.resolve([])
    await slow
    const domain = await find(coach)
    expect([getDomainState(domain), domain.problem]).toEqual(['connected', null])
  })

  test.each([
    [{ A: ['192.0.2.10'] }, null],
    [{ A: ['192.0.2.10'], AAAA: ['2001:db8::10'] }, null],
    [{ CNAME: ['host-1.attune.example'] }, null],
    [{ CNAME: ['her-name.example.net'] }, 'no_address'],
    [{ CNAME: ['evil-attune.example'] }, 'no_address'],
    [{ A: ['203.0.113.7'] }, 'other_address'],
    [{ A: ['192.0.2.10', '203.0.113.7'] }, 'other_address'],
    [{ A: ['192.0.2.10'], AAAA: ['2001:db8::99'] }, 'other_ipv6'],
  ])('with the records %j has the problem %s', async (records, problem) => {
    const coach = await createHost()
    await add(coach, nextName())
    await prove(coach, records)
    expect(await check(coach)).toEqual([problem ? 'waiting' : 'connected', problem])
  })

  test('is another host than the platform: sessions of others, registration and administration are not there', async () => {
    const [coach, other] = [await createHost({ isAdmin: true }), await createHost()]
    const host = await connect(coach)
    expect((await getUser(other, host)).status).toBe(401)
    expect((await app.call('GET', '/api/admin/stats', { as: coach, host })).status).toBe(404)
    expect((await app.call('POST', '/api/register', { host, body: {} })).status).toBe(404)
    const write = (origin: string) =>
      app.call('PUT', '/api/branding', { as: coach, host, body: {}, headers: { origin } })
    expect((await write(`https://${host}`)).status).toBe(200)
    for (const origin of ['https://attune.example', `https://${coach.subdomain}.attune.example`, `http://${host}`])
      expect([origin, (await write(origin)).status]).toEqual([origin, 403])
  })

  test('has cookies of its own, and keeps TLS for itself alone', async () => {
    const coach = await createHost()
    const host = await connect(coach)
    const body = { email: coach.email, password }
    const { headers } = await app.call('POST', '/api/login', { host, body })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    const onPlatform = await app.call('GET', '/healthz', { host: 'attune.example' })
    expect(onPlatform.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })

  test('is where links to the subdomain lead from then on; calls, pictures and forms stay', async () => {
    const coach = await createHost()
    const old = `${coach.subdomain}.attune.example`
    const at = (method: string, path: string) => app.call(method, path, { host: old, as: coach })
    expect((await at('GET', '/book')).status).not.toBe(301)
    const host = await connect(coach)
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await at(method, '/book/intro?zone=UTC%2B1')
      expect([status, headers.get('location')]).toEqual([301, `https://${host}/book/intro?zone=UTC%2B1`])
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
    expect((await at('GET', '//evil.example/')).headers.get('location')).toBe(`https://${host}//evil.example/`)
    expect((await at('GET', '/api/user')).status).toBe(200)
    expect((await at('POST', '/book/intro')).status).not.toBe(301)
    expect((await at('GET', '/book.data')).status).not.toBe(301)
  })

  test('ends at once when it is removed, and links lead to the subdomain again', async () => {
    const coach = await createHost()
    const host = await connect(coach)
    await inTenant(coach, (ctx) => removeCustomDomain(ctx, device))
    expect((await getUser(coach, host)).status).toBe(421)
    expect((await app.call('GET', '/book', { host: `${coach.subdomain}.attune.example` })).status).not.toBe(301)
    await expect(inTenant(coach, (ctx) => removeCustomDomain(ctx, device))).rejects.toThrow('no domain')
  })

  test('ends at once when another one replaces it; the same one again changes nothing', async () => {
    const coach = await createHost()
    const host = await connect(coach)
    const { token } = await find(coach)
    await add(coach, host)
    expect(await find(coach)).toMatchObject({ hostname: host, token })
    expect((await getUser(coach, host)).status).toBe(200)
    await add(coach, nextName())
    expect((await getUser(coach, host)).status).toBe(421)
    expect(getDomainState(await find(coach))).toBe('waiting')
  })

  test('stops below Premium and is back with it, without another proof', async () => {
    const coach = await createHost()
    const host = await connect(coach)
    const links = () => app.call('GET', '/book', { host: `${coach.subdomain}.attune.example` })
    for (const plan of ['pro', 'free'] as const) {
      await setPlan(coach, plan)
      expect((await getUser(coach, host)).status).toBe(421)
      expect((await links()).status).not.toBe(301)
      expect((await app.call('POST', '/api/domain/check', { as: coach, host: 'attune.example' })).status).toBe(403)
    }
    await setPlan(coach, 'premium')
    expect((await getUser(coach, host)).status).toBe(200)
    expect((await links()).status).toBe(301)
  })

  test('needs a web address behind it, which stays', async () => {
    const coach = await createHost({ subdomain: null })
    await expect(add(coach, nextName())).rejects.toThrow('Choose a web address')
    await inTenant(coach, (ctx) => updateBranding(ctx, { subdomain: `behind-${++number}` }))
    const host = await connect(coach)
    const clear = () => inTenant(coach, (ctx) => updateBranding(ctx, { subdomain: null }))
    await expect(clear()).rejects.toThrow('Remove your own domain first')
    await inTenant(coach, (ctx) => updateBranding(ctx, { subdomain: `moved-${++number}` }))
    expect((await getUser(coach, host)).status).toBe(200)
    await inTenant(coach, (ctx) => removeCustomDomain(ctx, device))
    await clear()
  })

  test('is not signed in to by passkeys, which belong to the platform', async () => {
    const coach = await createHost()
    const { getPasskeyDomain } = await import('#tenants/auth/passkeys.ts')
    const host = await connect(coach)
    const { tenant } = await findViewer(app.platform, undefined, host)
    expect(getPasskeyDomain(app.platform.config, tenant)).toBeNull()
    expect(getPasskeyDomain(app.platform.config)).toBe('attune.example')
  })
})

describe('a session that was made at a domain', () => {
  const signIn = async (coach: Coach, host: string): Promise<Coach> => {
    const { headers } = await app.call('POST', '/api/login', { host, body: { email: coach.email, password } })
    return { ...coach, cookie: headers.get('set-cookie')!.split(';')[0]! }
  }
  const statusAt = async (as: Coach, host: string) => (await app.call('GET', '/api/user', { as, host })).status
  const setUp = async () => {
    const coach = await createHost({ isAdmin: true })
    const host = await connect(coach)
    const visitor = await signIn(coach, host)
    expect(await statusAt(visitor, host)).toBe(200)
    return { coach, host, visitor }
  }
  const listDomains = (coach: Coach) =>
    withTenant(app.platform, coach.id, async ({ em }) =>
      (await em.find(Session, { coachId: coach.id }, { orderBy: { id: 1 } })).map(({ domain }) => domain),
    )

  test('is valid there alone: not on the platform, the subdomain or another domain', async () => {
    const { coach, host, visitor } = await setUp()
    const other = await connect(await createHost())
    const hosts = ['attune.example', `${coach.subdomain}.attune.example`, other]
    for (const each of hosts) expect([each, await statusAt(visitor, each)]).toEqual([each, 401])
    expect((await app.call('GET', '/api/admin/stats', { as: visitor, host: 'attune.example' })).status).toBe(401)
    expect(await listDomains(coach)).toEqual([null, host])
  })

  test('stays one of the domain when the password is changed there', async () => {
    const { coach, host } = await setUp()
    const { domain } = await findViewer(app.platform, undefined, host)
    const passwords = { currentPassword: password, newPassword: 'another secret of a test' }
    await changePassword(await contextFor(coach), passwords, { ...device, viewer: { domain } })
    expect(await listDomains(coach)).toEqual([host])
  })

  test('ends with the domain, permanently: removed, replaced, or stopped', async () => {
    const ends = {
      removed: (coach: Coach) => inTenant(coach, (ctx) => removeCustomDomain(ctx, device)),
      replaced: (coach: Coach) => add(coach, nextName()),
      stopped: async (coach: Coach, host: string) => {
        dns.set(`_practice-verify.${host}`, {})
        for (let checks = 0; checks < 3; checks++) await check(coach)
      },
    }
    for (const [how, end] of Object.entries(ends)) {
      const { coach, host } = await setUp()
      await end(coach, host)
      expect([how, await listDomains(coach)]).toEqual([how, [null]])
    }
  })

  test('ends when the plan no longer includes the domain, and when the coach is removed', async () => {
    const { coach: admin } = await setUp()
    const own = await contextFor(admin)
    const downgraded = await setUp()
    await own.write((ctx) => changePlan(ctx, downgraded.coach.id, 'pro'))
    expect(await listDomains(downgraded.coach)).toEqual([null])
    await own.write((ctx) => changePlan(ctx, downgraded.coach.id, 'premium'))
    expect(await statusAt(downgraded.visitor, downgraded.host)).toBe(401)
    const removed = await setUp()
    await own.write((ctx) => deleteCoach(ctx, removed.coach.id))
    expect(await listDomains(removed.coach)).toEqual([])
  })

  test('can be made by a hand-over only at the host that it is for', async () => {
    const { coach, host } = await setUp()
    const arrive = async (at: string, token: string) => {
      const raw = new URLSearchParams({ token }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return (await app.call('POST', '/handover', { host: at, raw, headers })).headers.get('location')
    }
    const subdomain = `${coach.subdomain}.attune.example`
    const { text } = await app.call('POST', '/handover', { as: coach, host: 'attune.example' })
    const [, token = ''] = /name="token" value="([\w-]{43})"/.exec(text) ?? []
    expect(await arrive(subdomain, token)).toBe('/auth')
    expect(await arrive(host, token)).toBe('/dashboard')
    expect(await arrive(host, token)).toBe('/auth')
    expect(await listDomains(coach)).toEqual([null, host, host])
    const toSubdomain = await createHandoverToken(app.platform, coach.id, coach.subdomain!)
    expect(await arrive(host, toSubdomain)).toBe('/auth')
    expect(await arrive(subdomain, toSubdomain)).toBe('/dashboard')
  })
})

test('adding a domain asks for the password, and no API key may', async () => {
  const coach = await createHost()
  const put = (currentPassword: string, headers: Record<string, string> = {}) =>
    app.call('PUT', '/api/domain', {
      as: coach,
      host: 'attune.example',
      body: { hostname: nextName(), currentPassword },
      headers,
    })
  const { status, body } = await put('wrong')
  expect([status, body.issues]).toEqual([422, [{ path: 'currentPassword', message: 'This password is wrong.' }]])
  const key = await inTenant(coach, (ctx) =>
    createApiKey(ctx, { name: 'All', scopes: ['*:write'], days: null, currentPassword: password }, device),
  )
  const byKey = await put(password, { authorization: `Bearer ${key}` })
  expect([byKey.status, byKey.body.code]).toEqual([403, 'forbidden'])
  expect((await put(password)).status).toBe(200)
})

test('the API adds a domain, shows its records, checks and removes it', async () => {
  const coach = await createHost()
  const call = (method: string, path: string, body?: object) =>
    app.call(method, path, { as: coach, host: 'attune.example', ...(body ? { body } : {}) })
  const hostname = nextName()
  expect((await call('GET', '/api/domain')).status).toBe(404)
  const { status, body } = await call('PUT', '/api/domain', { hostname, currentPassword: password })
  expect([status, body.state, body.records]).toEqual([
    200,
    'waiting',
    [
      {
        type: 'TXT',
        name: `_practice-verify.${hostname}`,
        value: expect.stringMatching(/^practice-verify=[0-9a-f]{32}$/),
      },
      { type: 'CNAME', name: hostname, value: 'attune.example' },
    ],
  ])
  for (const { type, name, value } of body.records) dns.set(name, { [type]: [value] })
  expect((await call('POST', '/api/domain/check')).body).toMatchObject({ state: 'connected', problem: null })
  expect((await call('DELETE', '/api/domain')).status).toBe(204)
  expect((await call('DELETE', '/api/domain')).status).toBe(404)
})

describe('a name is refused', () => {
  test.each([
    ['*.her-name.example', 'A wildcard is not possible'],
    ['192.0.2.7', 'This is an IP address'],
    ['192.0.2.7:8080', 'This is an IP address'],
    ['[2001:db8::1]', 'This is an IP address'],
    ['::1', 'This is an IP address'],
    ['0x7f.1', 'Enter a domain'],
    ['xn--ttune-3ve.example', 'letters beyond a–z'],
    ['аttune.example', 'letters beyond a–z'],
    ['coaching', 'Enter a domain'],
    ['her_name.example', 'Enter a domain'],
    ['her-name.example/book', 'Enter a domain'],
    ['her-name.example:8443', 'Enter a domain'],
    ['user@her-name.example', 'Enter a domain'],
    [`${'a'.repeat(64)}.example`, 'Enter a domain'],
    [`${'a.'.repeat(130)}example`, 'Enter a domain'],
    ['printer.local', 'can’t be reached from the internet'],
    ['her-name.localhost', 'can’t be reached from the internet'],
    ['co.uk', 'Anyone can register names'],
    ['github.io', 'Anyone can register names'],
    ['attune.example', 'an address of Attune'],
    ['www.attune.example', 'an address of Attune'],
    ['another-coach.attune.example', 'an address of Attune'],
    ['attune-login.example', 'looks like an address of Attune'],
    ['attune.her-name.example', 'looks like an address of Attune'],
    ['login.attunee.com', 'looks like an address of Attune'],
    ['my-att-une.com', 'looks like an address of Attune'],
  ])('%s: %s', async (hostname, message) => {
    const coach = await createHost()
    const { status, body } = await app.call('PUT', '/api/domain', {
      as: coach,
      host: 'attune.example',
      body: { hostname, currentPassword: password },
    })
    expect([status, body.issues]).toEqual([422, [{ path: 'hostname', message: expect.stringContaining(message) }]])
  })

  test('below Premium', async () => {
    await expect(add(await createHost({ plan: 'pro' }), nextName())).rejects.toThrow('part of the Premium plan')
  })
})

describe('a takeover', () => {
  test('of a connected domain is refused, and its records prove nothing for another practice', async () => {
    const [owner, thief] = [await createHost(), await createHost()]
    const host = nextName()
    // Claimed before it was anybody's.
    await add(thief, host)
    await connect(owner, host)
    expect(await check(thief)).toEqual(['waiting', 'other_proof'])
    await inTenant(thief, (ctx) => removeCustomDomain(ctx, device))
    await expect(add(thief, host)).rejects.toThrow('Another practice uses this domain')
    expect((await getUser(owner, host)).body.id).toBe(owner.id)
  })

  test('of a released domain by the records that were left behind is refused, also for the coach who left it', async () => {
    const [owner, thief] = [await createHost(), await createHost()]
    const host = await connect(owner)
    await inTenant(owner, (ctx) => removeCustomDomain(ctx, device))
    for (const coach of [thief, owner]) {
      await add(coach, host)
      expect(await check(coach)).toEqual(['waiting', 'other_proof'])
      expect((await getUser(coach, host)).status).toBe(421)
      await inTenant(coach, (ctx) => removeCustomDomain(ctx, device))
    }
  })

  test('is impossible for fifty coaches who claim one domain at once: one gets it', async () => {
    const host = nextName()
    const coaches = await Promise.all(Array.from({ length: 50 }, () => createHost()))
    // Few at once: each of them has a password to check.
    for (let from = 0; from < 50; from += 5) await concurrently(5, (index) => add(coaches[from + index]!, host))
    const tokens = await Promise.all(coaches.map(async (coach) => (await find(coach)).token))
    dns.set(`_practice-verify.${host}`, { TXT: tokens.map((token) => `practice-verify=${token}`) })
    dns.set(host, { CNAME: ['attune.example'] })
    await concurrently(50, (index) => check(coaches[index]!))
    const states = await Promise.all(coaches.map(async (coach) => getDomainState(await find(coach))))
    expect(states.filter((state) => state === 'connected')).toHaveLength(1)
    const problems = await Promise.all(coaches.map(async (coach) => (await find(coach)).problem))
    expect(problems.filter((problem) => problem === 'taken')).toHaveLength(49)
    const winner = coaches[states.indexOf('connected')]!
    expect((await getUser(winner, host)).body.id).toBe(winner.id)
  })

  test('of the domain of a coach who was removed needs a proof too, and then succeeds', async () => {
    const [former, next] = [await createHost(), await createHost()]
    const host = await connect(former)
    await inTenant(former, ({ em, now }) => em.nativeUpdate(Account, { id: former.id }, { removedAt: now() }))
    expect((await getUser(next, host)).status).toBe(421)
    await add(next, host)
    expect(await check(next)).toEqual(['waiting', 'other_proof'])
    await prove(next)
    expect(await check(next)).toEqual(['waiting', 'taken'])
    await runDomainCheck(app.platform, { coachId: former.id, at: 0 })
    expect(await check(next)).toEqual(['connected', null])
  })

  test('of a coach who is taken back after a removal is checked again, and connects', async () => {
    const [coach, admin] = [await createHost(), await createHost({ isAdmin: true })]
    const host = await connect(coach)
    const own = await contextFor(admin)
    await own.write((ctx) => deleteCoach(ctx, coach.id))
    await runDomainCheck(app.platform, { coachId: coach.id, at: 0 })
    await own.write((ctx) => restoreCoach(ctx, coach.id))
    const { nextCheckAt } = await find(coach)
    await runDomainCheck(app.platform, { coachId: coach.id, at: Date.parse(nextCheckAt!) })
    expect(getDomainState(await find(coach))).toBe('connected')
    expect((await findViewer(app.platform, undefined, host)).tenant?.id).toBe(coach.id)
  })
})

describe('the checks', () => {
  const runNext = async (coach: Coach) => {
    const { nextCheckAt } = await find(coach)
    app.clock.now = new Date(nextCheckAt!)
    await runDomainCheck(app.platform, { coachId: coach.id, at: Date.parse(nextCheckAt!) })
  }
  const pause = async (coach: Coach) => Date.parse((await find(coach)).nextCheckAt!) - app.clock.now.getTime()

  test('of a new domain come at growing intervals for a week, and then only when the coach asks', async () => {
    const coach = await createHost()
    await add(coach, nextName())
    expect(await pause(coach)).toBe(0)
    const minutes: number[] = []
    for (let checks = 0; checks < 8; checks++) {
      await runNext(coach)
      minutes.push((await pause(coach)) / 60_000)
    }
    expect(minutes).toEqual([1, 2, 5, 10, 15, 30, 60, 60])
    app.clock.now = new Date(app.clock.now.getTime() + 7 * dayMs)
    expect(await check(coach)).toEqual(['waiting', 'no_proof'])
    expect((await find(coach)).nextCheckAt).toBeNull()
    await prove(coach)
    expect(getDomainState(await checkDomainNow(await contextFor(coach)))).toBe('connected')
  })

  test('of a connected domain come every day; three failures in a row stop it, with one email', async () => {
    const coach = await createHost()
    const host = await connect(coach)
    dns.set(`_practice-verify.${host}`, {})
    for (const state of ['failing', 'failing', 'stopped'] as const) {
      expect(await pause(coach)).toBe(dayMs)
      expect((await getUser(coach, host)).status).toBe(200)
      await runNext(coach)
      expect(getDomainState(await find(coach))).toBe(state)
    }
    expect((await getUser(coach, host)).status).toBe(421)
    expect((await find(coach)).nextCheckAt).toBeNull()
    const all = await app.platform.boss.fetch<{ coachId: number; id: number }>(domainQueues.email, { batchSize: 50 })
    const jobs = all.filter(({ data }) => data.coachId === coach.id)
    expect(jobs.map(({ data }) => data)).toEqual([{ coachId: coach.id, id: (await find(coach)).id }])
    await sendDomainStopped(app.platform, jobs[0]!.data)
    const [email] = await listOutbox(app.platform.config)
    expect([email!.to, email!.subject]).toEqual([coach.email, `${host} no longer leads to your practice`])
    expect(email!.text).toContain('The TXT record is missing.')
    await prove(coach)
    expect(await check(coach)).toEqual(['connected', null])
  })

  test('stop nothing while DNS does not answer, and come every hour', async () => {
    const coach = await createHost()
    const host = await connect(coach)
    for (const how of ['servfail', 'refused', 'silent'] as const) {
      dns.fail(`_practice-verify.${host}`, how)
      await runNext(coach)
      expect([(await find(coach)).problem, await pause(coach)]).toEqual(['no_answer', 3_600_000])
    }
    expect((await getUser(coach, host)).status).toBe(200)
    dns.fail(`_practice-verify.${host}`, null)
    await runNext(coach)
    expect(await find(coach)).toMatchObject({ problem: null, failures: 0 })
  })

  test('run once, however often they are planned', async () => {
    const coach = await createHost()
    const host = nextName()
    await add(coach, host)
    const planned = { coachId: coach.id, at: Date.parse((await find(coach)).nextCheckAt!) }
    await runDomainCheck(app.platform, planned)
    const asked = dns.questions.length
    await runDomainCheck(app.platform, planned)
    await inTenant(coach, (ctx) => removeCustomDomain(ctx, device))
    await runDomainCheck(app.platform, planned)
    expect(dns.questions.length).toBe(asked)
  })
})

describe('the address that a proxy asks before it gets a certificate', () => {
  const socket = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress }, httpVersion: '1.1' } })
  const ask = async (domain: string, { from = '127.0.0.1', headers = {} as Record<string, string> } = {}) => {
    const request = new Request(`http://127.0.0.1:3000/internal/tls?domain=${encodeURIComponent(domain)}`, {
      headers: { host: '127.0.0.1:3000', ...headers },
    })
    return (await app.fetch(request, socket(from))).status
  }

  test('names the hosts that are served, and no other', async () => {
    const [coach, waiting] = [await createHost(), await createHost()]
    const host = await connect(coach)
    const unproved = nextName()
    await add(waiting, unproved)
    for (const name of ['attune.example', host, `${coach.subdomain}.attune.example`])
      expect([name, await ask(name)]).toEqual([name, 200])
    for (const name of ['', unproved, 'nobody.attune.example', 'evil.example', '127.0.0.1', 'localhost', `a.${host}`])
      expect([name, await ask(name)]).toEqual([name, 404])
    await setPlan(coach, 'pro')
    expect(await ask(host)).toBe(404)
  })

  test('answers this machine alone, and nobody through a proxy', async () => {
    expect(await ask('attune.example', { from: '192.0.2.1' })).toBe(404)
    expect(await ask('attune.example', { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(404)
  })
})
