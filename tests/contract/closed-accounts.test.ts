import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { makeExport } from '#modules/core/practice-export/make-export.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { closeAccount, reminderQueue, reopenAccount, sendClosingReminder } from '#tenants/accounts/closing.ts'
import { deleteExpired } from '#tenants/accounts/jobs.ts'
import { createApiKey } from '#tenants/api-keys/api-keys.ts'
import { createResetToken } from '#tenants/auth/one-time-tokens.ts'
import { sendSecurityEmail } from '#tenants/auth/security-email.ts'
import { listSecurityEvents } from '#tenants/auth/security-events.ts'
import { createSession, findViewer } from '#tenants/auth/sessions.ts'
import { checkCredentials } from '#tenants/auth/sign-in.ts'
import { hashToken } from '#tenants/auth/signing-keys.ts'
import type { Ctx } from '#tenants/context.ts'
import { findExport, requestExport } from '#tenants/exports/exports.ts'
import { listOutbox } from '#tenants/mail.ts'
import { Account } from '#tenants/schema.ts'
import { asOwner, runForCoach } from '#tests/support/as-db-owner.ts'
import {
  addSecondFactors,
  contextFor,
  createClient,
  createCoach,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const password = 'correct horse'
const device = { address: '127.0.0.1', userAgent: null }
let coach: Coach
let created = 0
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ password, subdomain: `closing-${++created}`, timezone: 'UTC' })
})

const close = async (of = coach, currentPassword = password, currentHash: Buffer | null = null) =>
  closeAccount(await contextFor(of), currentPassword, { currentHash, device })
/** The context of an account that is closed. */
const closedContext = async (of = coach): Promise<Ctx> =>
  (await loadCoachContext(app.platform, of.id, 'test', { orClosed: true }))!
const reopen = async () => reopenAccount(await closedContext(), device)
const sweep = () => deleteExpired(app.platform, runtime.entities)
const goOn = (days: number, ms = 0): void => {
  app.clock.now = new Date(app.clock.now.getTime() + days * dayMs + ms)
}
const isStored = async (): Promise<boolean> =>
  asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    return (await db.query('select 1 from account where id = $1', [coach.id])).rows.length > 0
  })
const listTitles = async (): Promise<string[]> =>
  (await listSecurityEvents(await closedContext())).map(({ title }) => title).filter((title) => /^Account/.test(title))
const listMails = async () => (await listOutbox(app.platform.config)).filter(({ to }) => to === coach.email)
const findReminders = () =>
  app.platform.readPool.queryGlobal({
    text: `select 1 from pgboss.job where name = $1 and data->>'coachId' = $2`,
    values: [reminderQueue, String(coach.id)],
  })
const getUserWith = async (headers: Record<string, string>) => {
  const { status, body } = await app.call('GET', '/api/user', { headers })
  return [status, body.error?.code ?? body.code ?? null]
}

describe('closing an account', () => {
  test('needs the password, and ends all sessions but this one', async () => {
    const here = await createSession(app.platform, coach.id, device, null)
    await expect(close(coach, 'wrong')).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await findViewer(app.platform, here, null)).account?.id).toBe(coach.id)
    await close(coach, password, hashToken(here))
    const viewer = await findViewer(app.platform, here, null)
    expect([viewer.account, viewer.closed?.account.id, viewer.closed?.closedAt]).toEqual([
      null,
      coach.id,
      app.clock.now.toISOString(),
    ])
    const other = await app.call('GET', '/api/user', { as: coach })
    expect([other.status, other.text]).toEqual([401, expect.stringContaining('Please sign in.')])
  })

  test('stops host, jobs, API and keys, and says why to its owner alone', async () => {
    const input = { name: 'Reports', scopes: ['*:read' as const], days: null, currentPassword: password }
    const key = await inTenant(coach, (tx) => createApiKey(tx, input, device))
    const host = `${coach.subdomain}.localhost:3000`
    expect((await app.call('GET', '/api/login', { headers: { host } })).status).toBe(302)
    await close()
    expect((await app.call('GET', '/api/login', { headers: { host } })).status).toBe(421)
    // Jobs that email clients begin with it.
    expect(await loadCoachContext(app.platform, coach.id, 'test')).toBeNull()
    const refused = 'This account is closed. Sign in at http://localhost:3000/auth to reopen it.'
    const session = await createSession(app.platform, coach.id, device, null)
    const cookie = `${coach.cookie.split('=')[0]}=${session}`
    const callers: Record<string, string>[] = [{ authorization: `Bearer ${key}` }, { cookie }]
    for (const headers of callers) {
      const { status, text } = await app.call('GET', '/api/clients', { headers })
      expect([status, text]).toEqual([403, expect.stringContaining(refused)])
    }
    const login = await app.call('POST', '/api/login', { body: { email: coach.email, password } })
    expect([login.status, login.text]).toEqual([403, expect.stringContaining(refused)])
    const guess = await app.call('POST', '/api/login', { body: { email: coach.email, password: 'wrong' } })
    expect(guess.status).toBe(401)
    await reopen()
    expect(await getUserWith({ authorization: `Bearer ${key}` })).toEqual([200, null])
  })

  test('twice at once closes it once, and leaves another coach alone', async () => {
    const other = await createCoach({ password: 'another horse' })
    const ctx = await contextFor(coach)
    const results = await concurrently(5, () => closeAccount(ctx, password, { currentHash: null, device }))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listTitles()).toEqual(['Account closed'])
    expect((await contextFor(other)).account.id).toBe(other.id)
    await expect(close(other)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('is refused to an administrator', async () => {
    const admin = await createCoach({ password, isAdmin: true })
    await expect(close(admin)).rejects.toMatchObject({ code: 'conflict' })
    expect((await contextFor(admin)).account.id).toBe(admin.id)
  })

  test('tells the owner the day and how to reopen it, and reminds once, three days before', async () => {
    await close()
    const [event] = await listSecurityEvents(await closedContext())
    await sendSecurityEmail(app.platform, { coachId: coach.id, eventId: event!.id })
    const [mail] = await listMails()
    expect(mail?.subject).toBe('Your account was closed')
    expect(mail?.text).toContain('Day of deletion: April 9, 2026.')
    expect(mail?.text).toContain('http://localhost:3000/auth')
    goOn(27, -1000)
    await sweep()
    expect(await findReminders()).toHaveLength(0)
    goOn(0, 2000)
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect(await findReminders()).toHaveLength(1)
    await sendClosingReminder(app.platform, coach.id)
    expect((await listMails())[0]?.subject).toBe('Your account will be deleted on April 9, 2026')
    await reopen()
    const before = (await listMails()).length
    await sendClosingReminder(app.platform, coach.id)
    expect(await listMails()).toHaveLength(before)
  })
})

describe('a closed account', () => {
  test('is signed in to, exported and reopened as it was', async () => {
    const client = await createClient({ coach, name: 'Ada Lovelace' })
    await addSecondFactors(coach)
    await close()
    goOn(29)
    const at = { address: device.address, tenant: null }
    expect(await checkCredentials(app.platform, { email: coach.email, password }, at)).toBe(coach.id)
    const passkeys = { text: 'select 1 from find_passkey($1)', values: [Buffer.from(`key of ${coach.id}`)] }
    expect(await app.platform.readPool.queryGlobal(passkeys)).toHaveLength(1)
    expect((await createResetToken(app.platform, coach.email))?.coachId).toBe(coach.id)
    const ctx = await closedContext()
    await requestExport(ctx, password, device)
    await makeExport(app.platform, { coachId: coach.id, id: (await findExport(ctx))!.id })
    expect((await findExport(ctx))?.state).toBe('ready')
    await concurrently(3, reopen)
    expect(await listTitles()).toEqual(['Account reopened', 'Account closed'])
    const session = await createSession(app.platform, coach.id, device, null)
    const { body } = await app.call('GET', `/api/clients/${client.id}`, {
      headers: { cookie: `${coach.cookie.split('=')[0]}=${session}` },
    })
    expect(body.name).toBe('Ada Lovelace')
    goOn(2)
    await sweep()
    expect(await isStored()).toBe(true)
  })

  test('is erased after 30 days, and not reopened then', async () => {
    await close()
    goOn(30, -1000)
    await sweep()
    expect(await isStored()).toBe(true)
    goOn(0, 1000)
    await expect(reopen()).rejects.toMatchObject({ code: 'not_found' })
    await Promise.all([sweep(), sweep()])
    expect(await isStored()).toBe(false)
  })

  test('that is reopened while the job erases it is there as a whole, or not at all', async () => {
    await close()
    const ctx = await closedContext()
    goOn(30)
    const erasing = sweep()
    // The clock of the process that reopens it is late.
    goOn(0, -1000)
    const [reopened] = await Promise.allSettled([reopenAccount(ctx, device), erasing])
    await erasing
    const session = await createSession(app.platform, coach.id, device, null).catch(() => null)
    expect([await isStored(), session !== null]).toEqual(Array(2).fill(reopened.status === 'fulfilled'))
  })

  test('is not one that an administrator removed: its coach has no way to open it', async () => {
    await inTenant(coach, ({ em, now }) => em.nativeUpdate(Account, { id: coach.id }, { removedAt: now() }))
    expect(await loadCoachContext(app.platform, coach.id, 'test', { orClosed: true })).toBeNull()
    expect((await findViewer(app.platform, coach.cookie.split('=')[1], null)).closed ?? null).toBeNull()
    const { status } = await app.call('POST', '/api/login', { body: { email: coach.email, password } })
    expect(status).toBe(401)
    // Taken back and removed again, it does not count as closed either.
    await runForCoach(app.ownerUrl, coach.id, `update account set closed_at = removed_at - interval '1 day'`)
    expect(await loadCoachContext(app.platform, coach.id, 'test', { orClosed: true })).toBeNull()
  })
})
