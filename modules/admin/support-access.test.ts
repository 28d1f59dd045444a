import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '#app/lib/time.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { sendSecurityEmail } from '#tenants/auth/security-email.ts'
import { listSecurityEvents } from '#tenants/auth/security-events.ts'
import { hashToken } from '#tenants/auth/signing-keys.ts'
import { coachContext } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { withOtherTenant, withTenant } from '#tenants/platform.ts'
import { toReadOnly } from '#tenants/read-only.ts'
import { changeAccountAsOwner, runForCoach } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createSampleBody } from '#tests/support/request-samples.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { createTwoTenants, tenantFingerprint, type TwoTenants } from '#tests/support/two-tenants.ts'
import { findSupportGrant } from './queries/support-access.ts'
import { deleteCoach, restoreCoach } from './services/coaches.ts'
import { allowSupport, endSupportGrant } from './services/support-grants.ts'
import { endSupportVisits, startSupportVisit } from './services/support-visits.ts'

const app = createTestApp()
const start = new Date('2026-03-10T14:00:00Z')
const device = { address: '127.0.0.1', userAgent: null }
const readOnly = 'Support access is read-only: nothing was changed.'
let admin: Coach
let coach: Coach
beforeEach(async () => {
  app.clock.now = start
  admin = await createCoach({ isAdmin: true })
  coach = await createCoach({ firstName: 'Grace' })
})

const after = (ms: number) => (app.clock.now = new Date(start.getTime() + ms))
const allow = (by = coach, hours: '1' | '24' | '168' = '1') =>
  inTenant(by, (ctx) => allowSupport(ctx, { hours, reason: 'An invoice is wrong.' }, device))
const end = (by = coach) => inTenant(by, (ctx) => endSupportGrant(ctx, device))
const sessionHash = ({ cookie }: Coach) => hashToken(cookie.split('=')[1]!)
/** Opens the practice of `of`. Returns the administrator with the cookies of the visit. */
async function open(by = admin, of = coach): Promise<Coach> {
  const id = await inTenant(by, (ctx) => startSupportVisit(ctx, of.id, sessionHash(by)))
  return { ...by, cookie: `${by.cookie}; support=${id}` }
}
const read = (as: Coach, path = '/api/user') => app.call('GET', path, { as })
const listKinds = async (of = coach) =>
  (await contextFor(of)).query<{ kind: string; details: { name?: string } }>({
    name: 'test.security-kinds',
    text: `select kind, details from security_event where coach_id = $1 and kind like 'support%' order by id`,
    values: [of.id],
  })
const listAudit = async (by = admin) =>
  (await app.call('GET', '/api/admin/audit-log?limit=500', { as: by })).body
    .filter(({ actorId, action }: { actorId: number; action: string }) => actorId === by.id && /^support/.test(action))
    .toReversed()
const findGrantId = async () => (await findSupportGrant(await contextFor(admin), coach.id))!.id

describe('a visit', () => {
  test('needs the consent of that coach', async () => {
    await allow(await createCoach())
    await expect(open()).rejects.toMatchObject({ code: 'forbidden' })
    await expect(open(admin, admin)).rejects.toMatchObject({ code: 'conflict' })
    await allow()
    await expect(open(await createCoach())).rejects.toMatchObject({ code: 'forbidden' })
    await open()
  })

  test('reads the practice as its coach does, without the rights of an administrator', async () => {
    const other = await createCoach({ isAdmin: true })
    const { id } = await createClient({ coach: other, name: 'Ada Lovelace' })
    await allow(other)
    const visitor = await open(admin, other)
    expect((await read(visitor)).body).toMatchObject({ id: other.id })
    expect((await read(visitor, `/api/clients/${id}`)).body.name).toBe('Ada Lovelace')
    expect((await read(visitor, '/api/admin/coaches')).status).toBe(403)
    expect((await read(admin, `/api/clients/${id}`)).status).toBe(404)
  })

  test('ends exactly at its time', async () => {
    await allow()
    const visitor = await open()
    after(hourMs - 1)
    expect((await read(visitor)).status).toBe(200)
    after(hourMs)
    expect([await read(visitor), await read(admin)].map(({ status }) => status)).toEqual([403, 200])
    await expect(open()).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('ends when the coach ends it, and a new consent does not bring it back', async () => {
    await allow()
    const visitor = await open()
    await end()
    expect((await read(visitor)).body.message).toBe('Support access has ended: nothing was changed.')
    await expect(end()).rejects.toMatchObject({ code: 'conflict' })
    await allow()
    expect((await read(visitor)).status).toBe(403)
    expect((await read(await open())).status).toBe(200)
  })

  test('ends with the rights of the administrator, and does not come back with them', async () => {
    await allow()
    const visitor = await open()
    await changeAccountAsOwner(app.ownerUrl, admin.id, { isAdmin: false })
    expect((await read(visitor)).status).toBe(403)
    await changeAccountAsOwner(app.ownerUrl, admin.id, { isAdmin: true })
    expect((await read(visitor)).status).toBe(403)
  })

  test('ends with the account, and does not come back with it', async () => {
    await allow()
    const visitor = await open()
    await inTenant(admin, (ctx) => deleteCoach(ctx, coach.id))
    expect((await read(visitor)).status).toBe(403)
    await inTenant(admin, (ctx) => restoreCoach(ctx, coach.id))
    expect((await read(visitor)).status).toBe(403)
    await expect(open()).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('belongs to one session of one administrator', async () => {
    await allow()
    const visitor = await open()
    const visit = visitor.cookie.split('; ')[1]!
    for (const other of [await createCoach({ isAdmin: true }), await createCoach(), coach])
      expect((await read({ ...other, cookie: `${other.cookie}; ${visit}` })).status).toBe(403)
    expect((await read({ ...admin, cookie: visit })).status).toBe(401)
    for (const value of ['0', '-1', '1e3', '%00', '9'.repeat(30)])
      expect((await read({ ...admin, cookie: `${admin.cookie}; support=${value}` })).status).toBe(403)
    const second = await createCoach({ isAdmin: true })
    expect((await read(await open(second))).body.id).toBe(coach.id)
    await app.call('POST', '/admin/support/leave', { as: visitor })
    expect((await read(visitor)).status).toBe(403)
  })

  test('leaves back to the administrator’s own account', async () => {
    await allow()
    const left = await app.call('POST', '/admin/support/leave', { as: await open() })
    expect([left.status, left.headers.get('location')]).toEqual([303, '/admin'])
    expect(left.headers.getSetCookie().join()).toContain('support=; Path=/; Max-Age=0')
  })

  test('is allowed once by two tabs at the same time', async () => {
    const results = await concurrently(2, () => allow())
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the logs of both', () => {
  test('have the beginning, each page and the end, and the coach gets an email', async () => {
    await allow()
    const visitor = await open()
    await read(visitor, '/api/clients?q=secret')
    await app.call('POST', '/admin/support/leave', { as: visitor })
    await app.call('POST', '/admin/support/leave', { as: visitor })
    expect(await listKinds()).toEqual([
      { kind: 'support_allowed', details: { name: '1 hour: An invoice is wrong.' } },
      { kind: 'support_started', details: { name: admin.email } },
      { kind: 'support_page_opened', details: { name: '/api/clients' } },
      { kind: 'support_ended', details: { name: admin.email } },
    ])
    expect(await listAudit()).toMatchObject([
      { action: 'support_started', targetId: coach.id },
      { action: 'support_page_opened', targetId: coach.id, after: { page: '/api/clients' } },
      { action: 'support_ended', targetId: coach.id },
    ])
    const events = await listSecurityEvents(await contextFor(coach))
    const { id: eventId } = events.find(({ title }) => title === 'Support opened the practice')!
    await sendSecurityEmail(app.platform, { coachId: coach.id, eventId })
    const mail = (await listOutbox(app.platform.config)).find(({ to }) => to === coach.email)
    expect(mail).toMatchObject({ subject: 'Support has opened your practice' })
    expect(mail!.text).toContain(admin.email)
  })

  test('have the end of a visit that nobody left, once', async () => {
    await allow()
    await open()
    const job = { coachId: coach.id, grantId: await findGrantId() }
    await endSupportVisits(app.platform, job)
    expect((await listKinds()).at(-1)!.kind).toBe('support_started')
    after(2 * hourMs)
    await concurrently(3, () => endSupportVisits(app.platform, job))
    expect((await listKinds()).map(({ kind }) => kind)).toEqual(['support_allowed', 'support_started', 'support_ended'])
    const audit = await listAudit()
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(['support_started', 'support_ended'])
    expect(audit[1].createdAt).toBe(new Date(start.getTime() + hourMs).toISOString())
  })
})

describe('nothing is changed on a visit', () => {
  let tenants: TwoTenants
  beforeAll(async () => {
    app.clock.now = start
    tenants = await createTwoTenants(app)
  })

  test('by any call of the API, whatever it is sent', async () => {
    await allow(tenants.bea)
    const visitor = await open(admin, tenants.bea)
    const before = await tenantFingerprint(app, tenants.bea.id)
    const own = await tenantFingerprint(app, admin.id)
    const changes = createAppApi().operations.filter(({ method }) => method !== 'get')
    expect(changes.length).toBeGreaterThan(50)
    for (const operation of changes) {
      const path = `/api${operation.path.replaceAll(/\{\w+\}/g, String(tenants.sampleIds[0]))}`
      const method = operation.method.toUpperCase()
      for (const headers of [{}, { 'idempotency-key': 'again', 'x-http-method-override': 'GET' }] as HeadersInit[]) {
        const sent = { as: visitor, body: createSampleBody(operation), headers: headers as Record<string, string> }
        const { status, body } = await app.call(method, path, sent)
        expect([method, path, status, body.message]).toEqual([method, path, 403, readOnly])
      }
    }
    expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
    expect(await tenantFingerprint(app, admin.id)).toBe(own)
  })

  test('by any call that only reads, but for the log', async () => {
    const withoutLog = async () =>
      (await tenantFingerprint(app, tenants.bea.id)).split('\n').filter((line) => !line.startsWith('security_event '))
    const visitor = await open(admin, tenants.bea)
    const before = await withoutLog()
    for (const operation of createAppApi().operations) {
      if (operation.method !== 'get' || operation.access !== 'coach') continue
      const path = `/api${operation.path.replaceAll(/\{\w+\}/g, String(tenants.sampleIds[0]))}`
      const [theirs, ours] = [await read(tenants.bea, path), await read(visitor, path)]
      expect([path, ours.status]).toEqual([path, theirs.status])
    }
    expect(await withoutLog()).toEqual(before)
  })

  test('by code that forgets to ask: Postgres and the services refuse it', async () => {
    const { account } = await contextFor(coach)
    const ctx = coachContext(toReadOnly(app.platform), account, { requestId: 'test' })
    const insert = 'insert into support_grant (coach_id, reason, created_at, expires_at) values ($1, $2, $3, $4)'
    const values = [coach.id, 'x', start, new Date(start.getTime() + dayMs)]
    const refused = { code: 'forbidden', message: readOnly }
    const write = { name: 'test.write', text: insert, values }
    await expect(ctx.write((tx) => tx.query(write))).rejects.toMatchObject(refused)
    await expect(ctx.write((tx) => tx.defer(write))).rejects.toMatchObject(refused)
    await expect(ctx.query(write)).rejects.toMatchObject(refused)
    const global = { name: 'test.write-global', text: 'delete from rate_limit where key = $1', values: ['x'] }
    await expect(ctx.platform.readPool.queryGlobal(global)).rejects.toMatchObject(refused)
    await expect(ctx.write((tx) => tx.enqueue('mail.reset', {}))).rejects.toMatchObject(refused)
    await expect((async () => ctx.platform.boss.send('mail.reset', {}))()).rejects.toMatchObject(refused)
    await expect((async () => ctx.platform.fileStore.delete('1/x'))()).rejects.toMatchObject(refused)
    const off = {
      name: 'test.read-write',
      text: `select set_config('transaction_read_only', 'off', true) from account where id = $1`,
      values: [coach.id],
    }
    await expect(ctx.write((tx) => tx.query(off))).rejects.toThrow()
  })
})

describe('the database', () => {
  const refusedSql = { code: '42501' }

  test('lets nobody but the coach consent, and nobody else than an administrator visit', async () => {
    const grant = (of: number) => ({
      name: 'test.grant',
      text: `insert into support_grant (coach_id, reason, created_at, expires_at)
        values ($1, 'x', now(), now() + interval '1 hour')`,
      values: [of],
    })
    await expect(
      inTenant(admin, (tx) =>
        withOtherTenant(app.platform, { tx, ownId: admin.id }, coach.id, (theirs) => theirs.query(grant(coach.id))),
      ),
    ).rejects.toMatchObject(refusedSql)
    const visit = {
      name: 'test.visit',
      text: `insert into support_visit
          (coach_id, admin_email, target_id, target_email, support_grant_id, session_hash, started_at)
        values ($1, 'x', $2, 'x', 1, '', now())`,
      values: [coach.id, admin.id],
    }
    await expect(inTenant(coach, (tx) => tx.query(visit))).rejects.toMatchObject(refusedSql)
    // Jobs and visitors of the coach's host are nobody.
    for (const query of [grant(coach.id), visit])
      await expect(withTenant(app.platform, coach.id, (tx) => tx.query(query))).rejects.toMatchObject(refusedSql)
  })

  test('brings nothing back that has ended', async () => {
    await allow()
    await open()
    const grantId = await findGrantId()
    await end()
    for (const [owner, change] of [
      [coach, `update support_grant set ended_at = null where coach_id = ${coach.id} and id = ${grantId}`],
      [coach, `update support_grant set expires_at = expires_at + interval '1 day' where coach_id = ${coach.id}`],
      [coach, `update support_grant set reason = 'y' where coach_id = ${coach.id}`],
      [admin, `update support_visit set admin_email = 'y' where coach_id = ${admin.id}`],
      [admin, `update support_visit set target_id = ${admin.id} where coach_id = ${admin.id}`],
    ] as const)
      await expect(runForCoach(app.ownerUrl, owner.id, change)).rejects.toMatchObject(refusedSql)
  })
})
