import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workJobs } from '#app/server/process/jobs.ts'
import { kernel } from '#app/server/process/runtime.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { modules } from '#modules/registry.ts'
import { sweep } from '#tenants/accounts/jobs.ts'
import type { Platform } from '#tenants/platform.ts'
import { inTenant } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import { testConfig } from '#tests/support/config.ts'
import { aCoach, aHouse, asCoach, type Coach } from '#tests/support/test-app.ts'
import { mailServer, type MailServer } from '#tests/support/mail-server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { twoPractices, type Practices } from '#tests/support/two-tenants.ts'
import { tenantColumn, tenantTables } from '#tests/support/row-security.ts'

const house = aHouse()
const day = 86_400_000

async function queued(name: string, email: string): Promise<number> {
  return asOwner(house.ownerUrl, async (db) => {
    const { rows } = await db.query(
      `select count(*)::int as n from pgboss.job where name = $1 and data->>'email' = $2`,
      [name, email],
    )
    return rows[0].n
  })
}

/** Table → how many rows of `coach` it holds. */
async function rowsOf(coachId: number): Promise<Record<string, number>> {
  return asOwner(house.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    const counts: Record<string, number> = {}
    for (const table of await tenantTables(db))
      counts[table] = Number(
        (await db.query(`select count(*) as n from "${table}" where ${tenantColumn(table)} = $1`, [coachId])).rows[0].n,
      )
    return counts
  })
}

describe('a job', () => {
  test('is there if its change is committed, and not if it is rolled back', async () => {
    const coach = await aCoach(house)
    const change = (email: string, fails: boolean) =>
      asCoach(coach, async (ctx) => {
        await ctx.enqueue('mail.reset', { email })
        await ctx.em.nativeUpdate(Account, { id: coach.id }, { bio: email })
        if (fails) throw new Error('no')
      })
    await expect(change('rolled-back@example.com', true)).rejects.toThrow('no')
    await change('committed@example.com', false)
    expect([
      await queued('mail.reset', 'rolled-back@example.com'),
      await queued('mail.reset', 'committed@example.com'),
    ]).toEqual([0, 1])
    expect((await house.call('GET', '/api/user', { as: coach })).body.bio).toBe('committed@example.com')
  })

  test.runIf(modules.some(({ id }) => id === 'admin'))(
    'of an invitation goes out once for a new coach, never for a taken address',
    async () => {
      const admin = await aCoach(house, { isAdmin: true })
      const taken = await aCoach(house)
      expect((await house.call('POST', '/api/admin/coaches', { as: admin, body: { email: taken.email } })).status).toBe(
        409,
      )
      expect(await queued('mail.invitation', taken.email)).toBe(0)
      const invite = () =>
        house.call('POST', '/api/admin/coaches', {
          as: admin,
          body: { email: 'invited@example.com' },
          headers: { 'idempotency-key': 'invite' },
        })
      const [first, second] = [await invite(), await invite()]
      expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
      expect(await queued('mail.invitation', 'invited@example.com')).toBe(1)
    },
  )

  describe('whose worker was killed half-way', () => {
    let mails: MailServer
    let other: Platform
    beforeAll(async () => {
      mails = await mailServer()
      other = await kernel.open({ appUrl: house.appUrl, config: testConfig({ ROLE: 'worker', SMTP_URL: mails.url }) })
    })
    afterAll(async () => {
      await other?.close()
      await mails?.close()
    })

    test('is run again by another one within half a minute', async () => {
      const coach = await aCoach(house, { email: 'half-way@example.com' })
      await house.platform.boss.send('mail.reset', { email: coach.email })
      // Taken, and never heard of again: what a killed process leaves behind.
      let taken: unknown[] = []
      for (
        let at = 0;
        at < 10 && !taken.some((job) => (job as { data: { email: string } }).data.email === coach.email);
        at += 1
      )
        taken = await house.platform.boss.fetch('mail.reset')
      expect(taken).toHaveLength(1)
      const began = Date.now()
      await workJobs(other)
      for (let mail = await mails.next(); !mail.to.includes(coach.email); ) mail = await mails.next()
      expect(Date.now() - began).toBeLessThan(30_000)
    }, 60_000)
  })
})

describe('the sweep', () => {
  let practices: Practices
  let bea: Coach
  beforeAll(async () => {
    practices = await twoPractices(house)
    bea = practices.bea
  })

  test('erases a removed coach after 30 days, to the last row, and nothing of others', async () => {
    const { ada } = practices
    const before = { ada: await rowsOf(ada.id), bea: await rowsOf(bea.id) }
    expect(Object.values(before.bea).every((count) => count > 0)).toBe(true)
    await inTenant(house.platform, bea.id, ({ em }) =>
      em.nativeUpdate(Account, { id: bea.id }, { removedAt: house.clock.now }),
    )

    house.clock.now = new Date(house.clock.now.getTime() + 30 * day - 1000)
    await sweep(house.platform, kernel.entities)
    expect((await rowsOf(bea.id)).account).toBe(1)

    house.clock.now = new Date(house.clock.now.getTime() + 2000)
    await sweep(house.platform, kernel.entities)
    expect(Object.values(await rowsOf(bea.id)).every((count) => count === 0)).toBe(true)
    // Of the other practice only what had run out by itself is gone.
    const { session: _session, one_time_token: _token, retry: _retry, ...kept } = await rowsOf(ada.id)
    expect(before.ada).toMatchObject(kept)
    expect(Object.values(kept).every((count) => count > 0)).toBe(true)
  })

  test('run again, or twice at once, it changes nothing more', async () => {
    const before = await rowsOf(practices.ada.id)
    await Promise.all([sweep(house.platform, kernel.entities), sweep(house.platform, kernel.entities)])
    expect(await rowsOf(practices.ada.id)).toEqual(before)
  })

  test('takes away sessions, links, retries and counters that have run out', async () => {
    const coach = await aCoach(house)
    await house.call('POST', '/api/subscription/trial', {
      as: await aCoach(house, { plan: 'free' }),
      headers: { 'idempotency-key': 'old' },
    })
    await house.call('POST', '/api/login', { body: { email: 'nobody@example.com', password: 'wrong' } })
    house.clock.now = new Date(house.clock.now.getTime() + 31 * day)
    await sweep(house.platform, kernel.entities)
    expect(await rowsOf(coach.id)).toMatchObject({ account: 1, session: 0, one_time_token: 0, retry: 0 })
    const [row] = await house.platform.reads.look<{ n: number }>({
      name: 'test.throttle',
      text: 'select count(*)::int as n from throttle',
    })
    expect(row!.n).toBe(0)
  })
})

describe.runIf(modules.some(({ id }) => id === 'crm'))('the trash', () => {
  test('is erased after 30 days, with what belongs to the client, and nothing else', async () => {
    const [coach, other] = [await aCoach(house), await aCoach(house)]
    const add = async (as: Coach, name: string): Promise<number> =>
      (await house.call('POST', '/api/clients', { as, body: { name, email: `${name}@example.com` } })).body.id
    const [deleted, kept, theirs] = [await add(coach, 'deleted'), await add(coach, 'kept'), await add(other, 'theirs')]
    for (const [as, id] of [
      [coach, deleted],
      [other, theirs],
    ] as const)
      expect((await house.call('DELETE', `/api/clients/${id}`, { as })).status).toBe(204)
    expect((await house.call('POST', `/api/clients/${theirs}/restore`, { as: other })).status).toBe(200)

    house.clock.now = new Date(house.clock.now.getTime() + 30 * day - 1000)
    await eraseTrash(house.platform)
    expect((await rowsOf(coach.id)).client).toBe(2)
    house.clock.now = new Date(house.clock.now.getTime() + 2000)
    await eraseTrash(house.platform)
    await eraseTrash(house.platform)
    expect(await rowsOf(coach.id)).toMatchObject({ client: 1, activity: 1 })
    expect((await rowsOf(other.id)).client).toBe(1)
    const { rows } = await asOwner(house.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
      return db.query('select id::int from client where coach_id = $1', [coach.id])
    })
    expect(rows).toEqual([{ id: kept }])
  })
})
