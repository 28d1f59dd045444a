import { beforeAll, describe, expect, test } from 'vitest'
import { asOwner, changeAccountAsOwner } from '#tests/support/as-db-owner.ts'
import { createCoach, createSession, inTenant, type Coach } from '#tests/support/factories.ts'
import { testConfig } from '#tests/support/config.ts'
import { createOwnerPlatform, createTestApp } from '#tests/support/test-app.ts'
import { Account } from '#tenants/schema.ts'
import { ensureAdmin } from '#tenants/accounts/admin-account.ts'
import { deleteExpired } from '#tenants/accounts/jobs.ts'
import { findAccountByEmail } from '#tenants/auth/sign-in.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { dayMs } from '#app/lib/time.ts'
import type { AuditRecord } from './output.ts'

const app = createTestApp()
const owner = createOwnerPlatform(app)
let admin: Coach
let coach: Coach
beforeAll(async () => {
  admin = await createCoach({ isAdmin: true, email: 'root@example.com' })
  coach = await createCoach({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Winter', plan: 'free' })
})

const listWholeLog = async (as = admin): Promise<AuditRecord[]> =>
  (await app.call('GET', '/api/admin/audit-log?limit=500', { as })).body
/** Without the entries of the operator. */
const listLog = async (as = admin): Promise<AuditRecord[]> =>
  (await listWholeLog(as)).filter(({ actorId }) => actorId !== null)
const act = (method: string, path: string, body?: object) => app.call(method, `/api/admin${path}`, { as: admin, body })

describe('the audit log', () => {
  test('has each action with its administrator, coach, values before and after, time and address', async () => {
    await app.call('POST', '/api/subscription/trial', { as: coach })
    const added = await act('POST', '/coaches', { email: 'new@example.com', firstName: 'New' })
    await act('PUT', `/coaches/${coach.id}/subscription`, { status: 'premium' })
    await act('PUT', `/coaches/${coach.id}/subscription`, { status: 'pro' })
    await act('DELETE', `/coaches/${coach.id}`)
    const common = {
      actorId: admin.id,
      actorEmail: 'root@example.com',
      ipAddress: '127.0.0.1',
      createdAt: app.clock.now.toISOString(),
    }
    const target = { targetId: coach.id, targetEmail: 'ada@example.com' }
    expect(await listLog()).toEqual([
      {
        ...common,
        ...target,
        id: expect.any(Number),
        action: 'coach_removed',
        before: { firstName: 'Ada', lastName: 'Winter', businessName: null, plan: 'pro' },
        after: null,
      },
      {
        ...common,
        ...target,
        id: expect.any(Number),
        action: 'plan_changed',
        before: { plan: 'premium' },
        after: { plan: 'pro' },
      },
      {
        ...common,
        ...target,
        id: expect.any(Number),
        action: 'plan_changed',
        before: { plan: 'free', trialEndsAt: new Date(app.clock.now.getTime() + 14 * dayMs).toISOString() },
        after: { plan: 'premium', trialEndsAt: app.clock.now.toISOString() },
      },
      {
        ...common,
        id: expect.any(Number),
        action: 'coach_added',
        targetId: added.body.id,
        targetEmail: 'new@example.com',
        before: null,
        after: { firstName: 'New', lastName: '', businessName: null, plan: 'free' },
      },
    ])
  })

  test('has nothing of an action that failed', async () => {
    const before = await listLog()
    await act('POST', '/coaches', { email: 'root@example.com' })
    await act('PUT', `/coaches/${coach.id}/subscription`, { status: 'free' })
    await act('DELETE', `/coaches/${coach.id}`)
    await act('DELETE', `/coaches/${admin.id}`)
    expect(await listLog()).toEqual(before)
  })

  test('names the client behind trusted proxies', async () => {
    const proxied = await createCoach()
    await app.call('PUT', `/api/admin/coaches/${proxied.id}/subscription`, {
      as: admin,
      body: { status: 'pro' },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
    // Without TRUST_PROXY the header is the client's own.
    expect((await listLog())[0]!.ipAddress).toBe('127.0.0.1')
  })

  test('is read by every administrator and by nobody else', async () => {
    const other = await createCoach({ isAdmin: true })
    expect(await listLog(other)).toEqual(await listLog())
    const stranger = await createCoach()
    expect((await app.call('GET', '/api/admin/audit-log', { as: stranger })).status).toBe(403)
    expect((await app.call('GET', '/api/admin/audit-log')).status).toBe(401)
  })

  test('has the changes of the administrator by the operator, at the start', async () => {
    const env = { ADMIN_EMAIL: 'next@example.com', ADMIN_PASSWORD: 'chosen by the operator' }
    const latest = (await listWholeLog())[0]!.id
    for (let start = 0; start < 2; start++) await ensureAdmin({ ...owner.platform, config: testConfig(env) })
    const next = (await findAccountByEmail(app.platform, env.ADMIN_EMAIL))!.id
    admin = { ...admin, id: next, cookie: `session=${await createSession({ id: next, platform: app.platform })}` }
    const common = { actorId: null, actorEmail: null, ipAddress: null, before: null, after: null }
    const entries = (await listWholeLog()).filter(({ id }) => id > latest)
    expect(entries.at(-1)).toMatchObject({ ...common, action: 'administrator_added', targetId: next })
    expect(entries.slice(0, -1).length).toBeGreaterThan(0)
    for (const entry of entries.slice(0, -1))
      expect(entry).toMatchObject({ ...common, action: 'administrator_removed' })
    expect(entries.map(({ targetEmail }) => targetEmail)).toEqual(
      expect.arrayContaining(['next@example.com', 'root@example.com']),
    )
  })

  test('outlives the accounts in it', async () => {
    const former = await createCoach({ isAdmin: true })
    const removed = await createCoach()
    await app.call('DELETE', `/api/admin/coaches/${removed.id}`, { as: former })
    await changeAccountAsOwner(app.ownerUrl, former.id, { isAdmin: false })
    await inTenant(former, ({ em }) => em.nativeUpdate(Account, { id: former.id }, { removedAt: app.clock.now }))
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await deleteExpired(app.platform, runtime.entities)
    admin = await createCoach({ isAdmin: true })
    expect((await listLog())[0]).toMatchObject({ actorId: former.id, actorEmail: former.email, targetId: removed.id })
  })
})

describe('in the database, the audit log', () => {
  const columns = 'actor_id, actor_email, action, target_id, target_email, created_at'
  const insert = `insert into audit_entry (${columns}) values ($1, 'x@example.com', 'coach_removed', 1, 'y', now())`

  const sign = (id: number | null): string => (id === null ? '' : app.platform.databaseSigner.signActor(id, id))

  /** What `statement` does as the tenant `id`, which is signed: the number of rows, or the error. */
  async function runAs(
    id: number | null,
    statement: string,
    values: unknown[] = [],
    token = sign(id),
  ): Promise<number | string> {
    return asOwner(app.appUrl, async (db) => {
      await db.query('begin')
      await db.query(`select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)`, [
        String(id ?? ''),
        token,
      ])
      return db.query(statement, values).then(
        ({ rowCount }) => rowCount ?? 0,
        (error: Error) => error.message,
      )
    })
  }

  const refused = 'new row violates row-level security policy for table "audit_entry"'

  test('shows a coach, and a transaction without a tenant, nothing', async () => {
    const stranger = await createCoach()
    expect(await runAs(admin.id, 'select 1 from audit_entry')).toBeGreaterThan(0)
    expect(await runAs(stranger.id, 'select 1 from audit_entry')).toBe(0)
    expect(await runAs(null, 'select 1 from audit_entry')).toBe(0)
  })

  test('takes no entry from a coach, nor in the name of another administrator', async () => {
    const [stranger, other] = [await createCoach(), await createCoach({ isAdmin: true })]
    expect(await runAs(stranger.id, insert, [stranger.id])).toBe(refused)
    expect(await runAs(stranger.id, insert, [admin.id])).toBe(refused)
    expect(await runAs(null, insert, [admin.id])).toBe(refused)
    expect(await runAs(admin.id, insert, [other.id])).toBe(refused)
    expect(await runAs(admin.id, insert, [null])).toBe(refused)
    expect(await runAs(admin.id, insert, [admin.id])).toBe(1)
  })

  test('takes no entry of an administrator whom no process has signed', async () => {
    const stranger = await createCoach()
    for (const token of ['', `${admin.id}`, sign(stranger.id), app.platform.databaseSigner.signActor(admin.id, null)])
      expect(await runAs(admin.id, insert, [admin.id], token)).toMatch(/is not signed|violates row-level security/)
  })

  test('is changed and deleted by nobody, not even by the owner of the table', async () => {
    for (const url of [app.appUrl, app.ownerUrl])
      for (const statement of ['delete from audit_entry', `update audit_entry set actor_email = 'x'`])
        await asOwner(url, async (db) => {
          await db.query(`select set_config('app.coach_id', $1, false)`, [String(admin.id)])
          expect([statement, (await db.query(statement)).rowCount]).toEqual([statement, 0])
        })
  })
})
