import { expect, test } from 'vitest'
import { listClients } from '#modules/crm/index.ts'
import { listProducts } from '#modules/billing/index.ts'
import { loadCoachContext, updateProfile } from '#tenants/accounts/accounts.ts'
import { testConfig } from '#tests/support/config.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { localDate, dayMs } from '#app/lib/time.ts'
import { demoMoment } from './demo-dates.ts'
import { demoSignIns, listDemoSignIns, seedDemo, setDemoAdminPassword } from './demo.ts'
import { modules } from '../registry.ts'

const app = createTestApp()

test("a demo practice of an earlier version gets a later module's data once and keeps its changes", async () => {
  const { platform } = app
  const earlier = modules.filter(({ id }) => !['billing', 'pipeline', 'scheduling'].includes(id))
  await seedDemo(platform, earlier)
  const [account] = await platform.readPool.queryGlobal<{ id: number }>({
    name: 'demo.account',
    text: 'select id from find_account_by_email($1)',
    values: [demoSignIns[0].email],
  })
  const ctx = (await loadCoachContext(platform, account!.id, 'test'))!
  await ctx.write((tx) => updateProfile(tx, { businessName: 'My own name' }))
  await ctx.write((tx) => tx.query({ name: 'test.delete-clients', text: `delete from client where name like 'A%'` }))
  const clients = await listClients(ctx, { rows: null, after: null })
  expect([clients.length > 20, await listProducts(ctx)]).toEqual([true, []])

  const billing = modules.filter(({ id }) => id === 'crm' || id === 'billing')
  await seedDemo(platform, billing)
  expect((await listProducts(ctx)).length).toBeGreaterThan(3)
  expect((await listClients(ctx, { rows: null, after: null })).map(({ id }) => id)).toEqual(clients.map(({ id }) => id))
  expect((await loadCoachContext(platform, account!.id, 'test'))!.account.businessName).toBe('My own name')

  await ctx.write(async (tx) => {
    await tx.query({ name: 'test.delete-purchases', text: 'delete from purchase' })
    await tx.query({ name: 'test.delete-products', text: 'delete from product' })
  })
  await seedDemo(platform, billing)
  expect(await listProducts(ctx)).toEqual([])
}, 60_000)

test('ADMIN_PASSWORD sets the password of the account that ADMIN_EMAIL names, and of no other', async () => {
  const { platform } = app
  await seedDemo(platform, [])
  const env = { ADMIN_EMAIL: 'Admin@example.com', ADMIN_PASSWORD: 'my own word' }
  const signIn = (email: string, password: string) =>
    app.call('POST', '/api/login', { body: { email, password } }).then(({ status }) => status)
  await setDemoAdminPassword(platform)
  await setDemoAdminPassword({ ...platform, config: testConfig({ ...env, ADMIN_EMAIL: 'demo@example.com' }) })
  expect([
    await signIn('admin@example.com', 'demo-practice'),
    await signIn('demo@example.com', 'demo-practice'),
  ]).toEqual([200, 200])
  await setDemoAdminPassword({ ...platform, config: testConfig(env) })
  expect([
    await signIn('admin@example.com', 'my own word'),
    await signIn('admin@example.com', 'demo-practice'),
  ]).toEqual([200, 401])
  expect(listDemoSignIns(testConfig(env)).map(({ password }) => password)).toEqual([
    'demo-practice',
    'demo-practice',
    '(your ADMIN_PASSWORD)',
  ])
}, 60_000)

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
