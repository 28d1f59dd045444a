import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { enableTenantPolicy } from '#db/policies.ts'
import { nameRoles } from '#db/roles.ts'
import { startWorkers } from '#app/server/process/jobs.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { modules } from '#modules/registry.ts'
import { deleteExpired } from '#tenants/accounts/jobs.ts'
import type { Platform } from '#tenants/platform.ts'
import { withTenant } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import { testConfig } from '#tests/support/config.ts'
import { createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { getDatabaseName } from '#tests/support/database.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { freePort } from '#tests/start/support/process.ts'
import { mailServer, type MailServer } from '#tests/support/mail-server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'
import { tenantColumn, listTenantTables } from '#tests/support/row-security.ts'

const app = createTestApp()

async function countQueuedJobs(name: string, email: string): Promise<number> {
  return asOwner(app.ownerUrl, async (db) => {
    const { rows } = await db.query(
      `select count(*)::int as n from pgboss.job where name = $1 and data->>'email' = $2`,
      [name, email],
    )
    return rows[0].n
  })
}

/** Counts the coach's rows in each table. */
async function countRows(coachId: number): Promise<Record<string, number>> {
  return asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    const counts: Record<string, number> = {}
    for (const table of await listTenantTables(db))
      counts[table] = Number(
        (await db.query(`select count(*) as n from "${table}" where ${tenantColumn(table)} = $1`, [coachId])).rows[0].n,
      )
    return counts
  })
}

describe('a job', () => {
  test('is enqueued if its transaction commits, and not if it rolls back', async () => {
    const coach = await createCoach()
    const change = (email: string, fails: boolean) =>
      inTenant(coach, async (ctx) => {
        await ctx.enqueue('mail.reset', { email })
        await ctx.em.nativeUpdate(Account, { id: coach.id }, { bio: email })
        if (fails) throw new Error('no')
      })
    await expect(change('rolled-back@example.com', true)).rejects.toThrow('no')
    await change('committed@example.com', false)
    expect([
      await countQueuedJobs('mail.reset', 'rolled-back@example.com'),
      await countQueuedJobs('mail.reset', 'committed@example.com'),
    ]).toEqual([0, 1])
    expect((await app.call('GET', '/api/user', { as: coach })).body.bio).toBe('committed@example.com')
  })

  test.runIf(modules.some(({ id }) => id === 'admin'))(
    'for an invitation is enqueued once for a new coach, never for a taken email address',
    async () => {
      const admin = await createCoach({ isAdmin: true })
      const taken = await createCoach()
      expect((await app.call('POST', '/api/admin/coaches', { as: admin, body: { email: taken.email } })).status).toBe(
        409,
      )
      expect(await countQueuedJobs('mail.invitation', taken.email)).toBe(0)
      const invite = () =>
        app.call('POST', '/api/admin/coaches', {
          as: admin,
          body: { email: 'invited@example.com' },
          headers: { 'idempotency-key': 'invite' },
        })
      const [first, second] = [await invite(), await invite()]
      expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
      expect(await countQueuedJobs('mail.invitation', 'invited@example.com')).toBe(1)
    },
  )

  describe('of another worker', () => {
    let mails: MailServer
    let other: Platform
    beforeAll(async () => {
      mails = await mailServer()
      other = await runtime.open({ appUrl: app.appUrl, config: testConfig({ ROLE: 'worker', SMTP_URL: mails.url }) })
    })
    afterAll(async () => {
      await other?.close()
      await mails?.close()
    })

    test('that was killed is retried within half a minute', async () => {
      const coach = await createCoach({ email: 'half-way@example.com' })
      await app.platform.boss.send('mail.reset', { email: coach.email })
      // A job as a killed process leaves it.
      let taken: unknown[] = []
      for (
        let index = 0;
        index < 10 && !taken.some((job) => (job as { data: { email: string } }).data.email === coach.email);
        index += 1
      )
        taken = await app.platform.boss.fetch('mail.reset')
      expect(taken).toHaveLength(1)
      const began = Date.now()
      await startWorkers(other)
      for (let mail = await mails.next(); !mail.to.includes(coach.email); ) mail = await mails.next()
      expect(Date.now() - began).toBeLessThan(30_000)
    }, 60_000)

    test('has account emails sent in batches: one behind a hundred others arrives soon', async () => {
      const coach = await createCoach({ email: 'in-a-hurry@example.com' })
      for (let at = 0; at < 100; at += 1)
        await app.platform.boss.send('mail.reset', { email: `unknown${at}@example.com` })
      await app.platform.boss.send('mail.reset', { email: coach.email })
      const began = Date.now()
      for (let mail = await mails.next(); !mail.to.includes(coach.email); ) mail = await mails.next()
      expect(Date.now() - began).toBeLessThan(20_000)
    }, 60_000)
  })
})

test('an email waits for hours for a mail server that is away, and the request succeeds', async () => {
  const port = await freePort()
  const config = testConfig({ ROLE: 'worker', SMTP_URL: `smtp://127.0.0.1:${port}` })
  const worker = await runtime.open({ appUrl: app.appUrl, config })
  onTestFinished(() => worker.close())
  await startWorkers(worker)
  const { email } = await createCoach({ email: 'waiting@example.com' })
  expect((await app.call('POST', '/api/auth/forgot-password', { body: { email } })).status).toBe(202)
  const findJob = () =>
    asOwner(app.ownerUrl, async (db) => {
      const { rows } = await db.query<{ state: string; hours: number }>(
        `select state, retry_limit * retry_delay_max / 3600 as hours from pgboss.job
          where name = 'mail.reset' and data->>'email' = $1`,
        [email],
      )
      return rows[0]!
    })
  await expect.poll(findJob, { timeout: 10_000 }).toEqual({ state: 'retry', hours: 10 })

  const mails = await mailServer({ port })
  onTestFinished(() => mails.close())
  await asOwner(app.ownerUrl, (db) =>
    db.query(`update pgboss.job set start_after = now() where data->>'email' = $1`, [email]),
  )
  expect((await mails.next()).to).toEqual([email])
})

test('a job that finds too much going on in the account at once is tried again', async () => {
  const worker = await runtime.open({ appUrl: app.appUrl, config: testConfig({ ROLE: 'worker' }) })
  onTestFinished(() => worker.close())
  const coach = await createCoach()
  const busy = vi
    .spyOn(worker.tenantSlots, 'run')
    .mockRejectedValue(new AppError('rate_limited', 'Too much is going on'))
  const [job] = modules.flatMap(({ subscribers = [] }) => subscribers)
  await worker.boss.send(job!.name, { coachId: coach.id, eventId: 1, payload: {} })
  await startWorkers(worker)
  const readState = () =>
    asOwner(app.ownerUrl, async (db) => {
      const { rows } = await db.query(`select state from pgboss.job where name = $1 and data->>'coachId' = $2`, [
        job!.name,
        String(coach.id),
      ])
      return rows[0].state
    })
  await expect.poll(readState, { timeout: 10_000 }).toBe('retry')
  expect(busy).toHaveBeenCalledWith(coach.id, 'write', expect.any(Function))
})

test('workers ask for a job when they start, and then only when there is one to run', async () => {
  const worker = await runtime.open({ appUrl: app.appUrl, config: testConfig({ ROLE: 'worker' }) })
  onTestFinished(() => worker.close())
  const { id } = await createCoach()
  const job = { coachId: id, eventId: 0 }
  await worker.boss.send('mail.security', job, { startAfter: new Date(Date.now() + dayMs) })
  const statements = vi.spyOn(worker.boss.getDb(), 'executeSql')
  const count = (part: string) => statements.mock.calls.filter(([text]) => text.includes(part)).length
  const countFetches = () => count(`j.name = 'mail.security'`)
  await startWorkers(worker)
  await expect.poll(() => count('unnest($1::text[]) as queue'), { timeout: 30_000 }).toBeGreaterThanOrEqual(4)
  expect(countFetches()).toBe(1)

  await worker.boss.send('mail.security', job)
  // By itself it would ask after 30 seconds.
  await expect.poll(countFetches, { timeout: 15_000 }).toBeGreaterThan(1)
})

describe('the sweep', () => {
  let practices: TwoTenants
  let bea: Coach
  beforeAll(async () => {
    practices = await createTwoTenants(app)
    bea = practices.bea
  })

  test('erases every row of a removed coach after 30 days, and nothing of others', async () => {
    const { ada } = practices
    const before = { ada: await countRows(ada.id), bea: await countRows(bea.id) }
    expect(Object.values(before.bea).every((count) => count > 0)).toBe(true)
    await withTenant(app.platform, bea.id, ({ em }) =>
      em.nativeUpdate(Account, { id: bea.id }, { removedAt: app.clock.now }),
    )

    app.clock.now = new Date(app.clock.now.getTime() + 30 * dayMs - 1000)
    await deleteExpired(app.platform, runtime.entities)
    expect((await countRows(bea.id)).account).toBe(1)

    app.clock.now = new Date(app.clock.now.getTime() + 2000)
    await deleteExpired(app.platform, runtime.entities)
    expect(Object.values(await countRows(bea.id)).every((count) => count === 0)).toBe(true)
    // The other practice lost only what had expired.
    const { session: _session, one_time_token: _token, idempotency_key: _key, ...kept } = await countRows(ada.id)
    expect(before.ada).toMatchObject(kept)
    expect(Object.values(kept).every((count) => count > 0)).toBe(true)
  })

  test("goes on when one coach can't be erased, and is retried", async () => {
    const [first, stuck, last] = [await createCoach(), await createCoach(), await createCoach()]
    for (const { id } of [first, stuck, last])
      await withTenant(app.platform, id, ({ em }) => em.nativeUpdate(Account, { id }, { removedAt: app.clock.now }))
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await asOwner(app.ownerUrl, (db) =>
      db.query(`create function refuse_erasing() returns trigger language plpgsql as $$
          begin raise exception 'stuck'; end $$;
        create trigger refuse_erasing before delete on account
          for each row when (old.id = ${stuck.id}) execute function refuse_erasing()`),
    )
    await expect(deleteExpired(app.platform, runtime.entities)).rejects.toThrow(
      /^The job failed for 1 of \d+ coaches\.$/,
    )
    const left = await Promise.all([first, stuck, last].map(async ({ id }) => (await countRows(id)).account))
    expect(left).toEqual([0, 1, 0])
    await asOwner(app.ownerUrl, (db) => db.query('drop function refuse_erasing cascade'))
  })

  test('changes nothing more when repeated or run concurrently', async () => {
    const before = await countRows(practices.ada.id)
    await Promise.all([deleteExpired(app.platform, runtime.entities), deleteExpired(app.platform, runtime.entities)])
    expect(await countRows(practices.ada.id)).toEqual(before)
  })

  test('deletes expired sessions, links, idempotency keys and counters', async () => {
    const coach = await createCoach()
    await app.call('POST', '/api/subscription/trial', {
      as: await createCoach({ plan: 'free' }),
      headers: { 'idempotency-key': 'old' },
    })
    await app.call('POST', '/api/login', { body: { email: 'nobody@example.com', password: 'wrong' } })
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await deleteExpired(app.platform, runtime.entities)
    expect(await countRows(coach.id)).toMatchObject({ account: 1, session: 0, one_time_token: 0, idempotency_key: 0 })
    const [row] = await app.platform.readPool.queryGlobal<{ n: number }>({
      name: 'test.rate-limits',
      text: 'select count(*)::int as n from rate_limit',
    })
    expect(row!.n).toBe(0)
  })
})

describe.runIf(modules.some(({ id }) => id === 'crm'))('the trash', () => {
  test("is erased after 30 days, with the client's records and nothing else", async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    const add = async (as: Coach, name: string): Promise<number> =>
      (await app.call('POST', '/api/clients', { as, body: { name, email: `${name}@example.com` } })).body.id
    const [deleted, kept, theirs] = [await add(coach, 'deleted'), await add(coach, 'kept'), await add(other, 'theirs')]
    for (const [as, id] of [
      [coach, deleted],
      [other, theirs],
    ] as const)
      expect((await app.call('DELETE', `/api/clients/${id}`, { as })).status).toBe(204)
    expect((await app.call('POST', `/api/clients/${theirs}/restore`, { as: other })).status).toBe(200)

    app.clock.now = new Date(app.clock.now.getTime() + 30 * dayMs - 1000)
    await eraseTrash(app.platform)
    expect((await countRows(coach.id)).client).toBe(2)
    app.clock.now = new Date(app.clock.now.getTime() + 2000)
    await eraseTrash(app.platform)
    await eraseTrash(app.platform)
    expect(await countRows(coach.id)).toMatchObject({ client: 1, activity: 1 })
    expect((await countRows(other.id)).client).toBe(1)
    const { rows } = await asOwner(app.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
      return db.query('select id::int from client where coach_id = $1', [coach.id])
    })
    expect(rows).toEqual([{ id: kept }])
  })
})

describe.runIf(modules.some(({ id }) => id === 'crm'))('the tables of a module that is no longer installed', () => {
  beforeAll(() =>
    asOwner(app.ownerUrl, (db) =>
      db.query(
        nameRoles(
          `
        create table gadget (coach_id bigint, id bigserial, client_id bigint, primary key (coach_id, id),
          foreign key (coach_id, client_id) references client (coach_id, id));
        create table gadget_part (coach_id bigint, id bigserial, gadget_id bigint, primary key (coach_id, id),
          foreign key (coach_id, gadget_id) references gadget (coach_id, id));
        ${enableTenantPolicy('gadget')} ${enableTenantPolicy('gadget_part')}
        grant select, insert, update, delete on gadget, gadget_part to practice_app;
        grant usage on all sequences in schema public to practice_app;`,
          getDatabaseName(app.ownerUrl),
        ),
      ),
    ),
  )
  afterAll(() => asOwner(app.ownerUrl, (db) => db.query('drop table gadget_part, gadget')))

  test('keep neither a client nor a coach from being erased', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await inTenant(coach, async (ctx) => {
      const values = [ctx.coachId, id]
      await ctx.query({ text: 'insert into gadget (coach_id, id, client_id) values ($1, 1, $2)', values })
      await ctx.query({ text: 'insert into gadget_part (coach_id, gadget_id) values ($1, 1)', values: [ctx.coachId] })
    })
    await app.call('DELETE', `/api/clients/${id}`, { as: coach })
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await eraseTrash(app.platform)
    expect(await countRows(coach.id)).toMatchObject({ client: 0, gadget: 1, gadget_part: 1 })

    await withTenant(app.platform, coach.id, ({ em }) =>
      em.nativeUpdate(Account, { id: coach.id }, { removedAt: app.clock.now }),
    )
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await deleteExpired(app.platform, runtime.entities)
    expect(await countRows(coach.id)).toMatchObject({ account: 0, gadget: 0, gadget_part: 0 })
  })
})
