import { expect, test } from 'vitest'
import { clientsNewestFirst } from '#modules/crm/index.ts'
import { productsNewestFirst } from '#modules/billing/index.ts'
import { ctxOf, saveProfile } from '#tenants/accounts.ts'
import { aHouse } from '#tests/support/house.ts'
import { dateOf } from '#app/lib/time.ts'
import { demoMoment } from './demo-days.ts'
import { demoSignIns, seedDemo } from './demo.ts'
import { modules } from './registry.ts'

const house = aHouse()

test('a demo practice of an earlier version gets what a later module has, once, and keeps what was done in it', async () => {
  const { platform } = house
  const earlier = modules.filter(({ id }) => !['billing', 'pipeline', 'calendar'].includes(id))
  await seedDemo(platform, earlier)
  const [account] = await platform.reads.look<{ id: number }>({ name: 'demo.account', text: 'select id from sign_in_account($1)', values: [demoSignIns[0].email] })
  const ctx = (await ctxOf(platform, account!.id, 'test'))!
  await ctx.write((tx) => saveProfile(tx, { businessName: 'My own name' }))
  await ctx.write((tx) => tx.rows({ name: 'demo.test', text: `delete from client where name like 'A%'` }))
  const clients = await clientsNewestFirst(ctx, { rows: null, after: null })
  expect([clients.length > 20, await productsNewestFirst(ctx)]).toEqual([true, []])

  const billing = modules.filter(({ id }) => id === 'crm' || id === 'billing')
  await seedDemo(platform, billing)
  expect((await productsNewestFirst(ctx)).length).toBeGreaterThan(3)
  expect((await clientsNewestFirst(ctx, { rows: null, after: null })).map(({ id }) => id)).toEqual(clients.map(({ id }) => id))
  expect((await ctxOf(platform, account!.id, 'test'))!.account.businessName).toBe('My own name')

  await ctx.write((tx) => tx.rows({ name: 'demo.test-products', text: 'delete from product' }))
  await seedDemo(platform, billing)
  expect(await productsNewestFirst(ctx)).toEqual([])
}, 60_000)

test.each(['America/New_York', 'Pacific/Auckland'])('what happens in it in %s happens by day, and never tomorrow', (zone) => {
  for (const now of ['2026-03-10T03:00:00Z', '2026-03-10T15:00:00Z', '2026-11-01T06:30:00Z'].map((at) => new Date(at))) {
    for (let days = 1; days < 200; days += 7) {
      const at = demoMoment(now, days, zone, `Client ${days}`)
      const hour = Number(new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(at))
      expect([hour >= 9 && hour < 16, at < now, dateOf(at, zone)]).toEqual([true, true, dateOf(new Date(now.getTime() - days * 86_400_000), zone)])
    }
    expect(demoMoment(now, 0, zone, 'x').getTime()).toBeLessThanOrEqual(now.getTime())
  }
})
