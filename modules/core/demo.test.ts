import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listClients } from '#modules/crm/index.ts'
import { listProducts } from '#modules/billing/index.ts'
import { loadCoachContext, updateProfile } from '#tenants/accounts/accounts.ts'
import { ensureAdmin } from '#tenants/accounts/admin-account.ts'
import type { Platform } from '#tenants/platform.ts'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { testConfig } from '#tests/support/config.ts'
import { createOwnerPlatform, createTestApp } from '#tests/support/test-app.ts'
import { localDate, dayMs } from '#app/lib/time.ts'
import { demoMoment } from './demo-dates.ts'
import { createDemoState, demoAccounts, readDemoState, type DemoState } from './demo-state.ts'
import { ensureDemo } from './demo.ts'
import { modules } from '../registry.ts'

const app = createTestApp()
const owner = createOwnerPlatform(app)

const signInWith = ({ email, password }: { email: string; password: string | null }): Promise<number> =>
  app.call('POST', '/api/login', { body: { email, password } }).then(({ status }) => status)
const asConfigured = (env: Record<string, string>): Platform => ({
  ...owner.platform,
  config: { ...testConfig(env), dataDir: app.platform.config.dataDir },
})
const readState = (): DemoState => readDemoState(app.platform.config.dataDir)!

test("a demo practice gets a later module's data once and keeps its changes", async () => {
  const { platform } = owner
  // Contracts keep their client.
  const later = ['billing', 'pipeline', 'scheduling', 'contracts']
  const earlier = modules.filter(({ id }) => !later.includes(id))
  await ensureDemo(platform, earlier, { demo: true })
  const id = readState().first.id!
  const ctx = (await loadCoachContext(platform, id, 'test'))!
  await ctx.write((tx) => updateProfile(tx, { businessName: 'My own name' }))
  await ctx.write((tx) => tx.query({ name: 'test.delete-clients', text: `delete from client where name like 'A%'` }))
  const clients = await listClients(ctx, { rows: null, after: null })
  expect([clients.length > 20, await listProducts(ctx)]).toEqual([true, []])

  const billing = modules.filter(({ id }) => id === 'crm' || id === 'billing')
  await ensureDemo(platform, billing, { demo: true })
  expect((await listProducts(ctx)).length).toBeGreaterThan(3)
  expect((await listClients(ctx, { rows: null, after: null })).map(({ id }) => id)).toEqual(clients.map(({ id }) => id))
  expect((await loadCoachContext(platform, id, 'test'))!.account.businessName).toBe('My own name')

  await ctx.write((tx) => tx.query({ name: 'test.delete-products', text: 'update product set deleted_at = now()' }))
  await ensureDemo(platform, billing, { demo: true })
  expect(await listProducts(ctx)).toEqual([])
}, 60_000)

test('the passwords are random, stored for the owner of DATA_DIR alone and shown once', async () => {
  const state = readState()
  const passwords = [state.first.password, state.second.password, state.admin.password]
  expect(new Set(passwords).size).toBe(3)
  for (const password of passwords) expect(password).toMatch(/^([a-z2-9]{4}-){2}[a-z2-9]{4}$/)
  expect(createDemoState().first.password).not.toBe(createDemoState().first.password)
  expect(statSync(path.join(app.platform.config.dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
  const signIns = await ensureDemo(owner.platform, [], { demo: true })
  expect(signIns.map(({ password }) => password)).toEqual([null, null, null])
  for (const { which, email } of demoAccounts) {
    expect(await signInWith({ email, password: state[which].password })).toBe(200)
    expect(await signInWith({ email, password: 'demo-practice' })).toBe(401)
  }
})

test('a start without the demo closes its accounts, and a later one with it opens them again', async () => {
  const state = readState()
  const { headers } = await app.call('POST', '/api/login', {
    body: { email: 'admin@example.com', password: state.admin.password },
  })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  expect((await app.call('GET', '/api/user', { headers: { cookie } })).status).toBe(200)

  expect(await ensureDemo(owner.platform, modules, { demo: false })).toEqual([])
  expect((await app.call('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
  for (const { which, email } of demoAccounts)
    expect(await signInWith({ email, password: state[which].password })).toBe(401)
  expect((await app.call('GET', '/api/user', { host: 'stillwater.localhost:3000' })).status).toBe(421)

  const signIns = await ensureDemo(owner.platform, [], { demo: true })
  expect(signIns.map(({ password }) => password)).toEqual(Object.values(state).map(({ password }) => password))
  expect((await app.call('GET', '/api/user', { host: 'stillwater.localhost:3000' })).status).toBe(401)
  for (const signIn of signIns) expect(await signInWith(signIn)).toBe(200)
  expect((await app.call('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
})

test('a configured administrator replaces the demo administrator', async () => {
  const { admin } = readState()
  const signIns = await ensureDemo(asConfigured({ ADMIN_EMAIL: 'boss@example.com' }), [], { demo: true })
  expect(signIns.map(({ email }) => email)).toEqual(['demo@example.com', 'demo2@example.com'])
  expect(await signInWith({ email: 'admin@example.com', password: admin.password })).toBe(401)

  // The operator's own account, even by the demo's name.
  const own = asConfigured({ ADMIN_EMAIL: 'Admin@example.com', ADMIN_PASSWORD: 'an own long word' })
  const shown = await ensureDemo(own, [], { demo: true })
  expect(shown.at(-1)).toMatchObject({ email: 'admin@example.com', password: '(your ADMIN_PASSWORD)' })
  await ensureAdmin(own)
  expect(await signInWith({ email: 'admin@example.com', password: admin.password })).toBe(401)
  expect(await signInWith({ email: 'admin@example.com', password: 'an own long word' })).toBe(200)
  await ensureDemo(own, [], { demo: false })
  expect(await signInWith({ email: 'admin@example.com', password: 'an own long word' })).toBe(200)
})

describe.each([true, false])('an installation of an earlier version, with the demo: %s', (demo) => {
  const earlier = createTestApp()
  const earlierOwner = createOwnerPlatform(earlier)

  test('loses its published passwords and sessions at the next start', async () => {
    const coaches: Coach[] = []
    for (const { which, email } of demoAccounts)
      coaches.push(await createCoach({ app: earlier, email, password: 'demo-practice', isAdmin: which === 'admin' }))
    await ensureDemo(earlierOwner.platform, [], { demo })
    const state = readDemoState(earlier.platform.config.dataDir)!
    const login = (email: string, password: string) =>
      earlier.call('POST', '/api/login', { body: { email, password } }).then(({ status }) => status)
    for (const [index, { which, email }] of demoAccounts.entries()) {
      expect(await login(email, 'demo-practice')).toBe(401)
      expect(await login(email, state[which].password)).toBe(demo ? 200 : 401)
      expect((await earlier.call('GET', '/api/user', { as: coaches[index]! })).status).toBe(401)
    }
  })
})

describe('a stranger with the address of the demo administrator', () => {
  const other = createTestApp()
  const otherOwner = createOwnerPlatform(other)

  test('keeps the account and is no administrator', async () => {
    const stranger = { email: 'admin@example.com', password: 'chosen by a stranger' }
    await createCoach({ app: other, ...stranger })
    const signIns = await ensureDemo(otherOwner.platform, [], { demo: true })
    expect(signIns.map(({ email }) => email)).toEqual(['demo@example.com', 'demo2@example.com'])
    const { status, body } = await other.call('POST', '/api/login', { body: stranger })
    expect([status, body.isAdmin]).toEqual([200, false])
  })
})

test.each(['America/New_York', 'Pacific/Auckland'])(
  'its records in %s lie in working hours and in the past',
  (zone) => {
    for (const now of ['2026-03-10T03:00:00Z', '2026-03-10T15:00:00Z', '2026-11-01T06:30:00Z'].map(
      (at) => new Date(at),
    )) {
      for (let days = 1; days < 200; days += 7) {
        const at = demoMoment(now, days, zone, `Client ${days}`)
        const hour = Number(
          new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(at),
        )
        expect([hour >= 9 && hour < 16, at < now, localDate(at, zone)]).toEqual([
          true,
          true,
          localDate(new Date(now.getTime() - days * dayMs), zone),
        ])
      }
      expect(demoMoment(now, 0, zone, 'x').getTime()).toBeLessThanOrEqual(now.getTime())
    }
  },
)
