import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { deleteExpired } from '#tenants/accounts/jobs.ts'
import { describeDevice } from '#tenants/auth/device.ts'
import { sendSecurityEmail } from '#tenants/auth/security-email.ts'
import {
  listSecurityEvents,
  recordSecurityEvent,
  securityEventKinds,
  type SecurityEventKind,
  type SecurityEventText,
} from '#tenants/auth/security-events.ts'
import { endOtherSessions, endSession, listSessions } from '#tenants/auth/sessions.ts'
import { hashToken } from '#tenants/auth/signing-keys.ts'
import { listOutbox } from '#tenants/mail.ts'
import { platformEntities, Session } from '#tenants/schema.ts'
import { contextFor, createCoach, createSession, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const password = 'long enough'
const start = new Date('2026-03-10T14:00:00Z')
const after = (ms: number): void => void (app.clock.now = new Date(app.clock.now.getTime() + ms))
const statusWith = async (as: Pick<Coach, 'cookie'>) => (await app.call('GET', '/api/user', { as })).status
const firefox = { userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', address: '::1' }

beforeEach(() => {
  app.clock.now = start
})

/** The time of a session's last request, once it is `expected`: a request doesn't wait for the update. */
async function expectLastSeen(coach: Coach, expected: Date): Promise<void> {
  await expect
    .poll(() =>
      inTenant(coach, async ({ em }) => (await em.findOneOrFail(Session, { coachId: coach.id })).lastSeenAt.getTime()),
    )
    .toBe(expected.getTime())
}

describe('a session', () => {
  test('ends after 7 days without a request, and after 30 days in any case', async () => {
    const [idle, used] = [await createCoach(), await createCoach()]
    for (let day = 1; day <= 29; day++) {
      after(dayMs)
      expect(await statusWith(used)).toBe(200)
      await expectLastSeen(used, app.clock.now)
      if (day === 8) expect(await statusWith(idle)).toBe(401)
    }
    after(dayMs)
    expect(await statusWith(used)).toBe(401)
  })

  test('stores the time of its last request at most every 5 minutes', async () => {
    const coach = await createCoach()
    after(4 * 60_000)
    await statusWith(coach)
    await expectLastSeen(coach, start)
    after(2 * 60_000)
    await statusWith(coach)
    await expectLastSeen(coach, app.clock.now)
  })

  test('is deleted when it has ended', async () => {
    const coach = await createCoach()
    after(8 * dayMs)
    await deleteExpired(app.platform, platformEntities)
    expect(await inTenant(coach, ({ em }) => em.count(Session, { coachId: coach.id }))).toBe(0)
  })
})

describe('the list of devices', () => {
  test('has the device and address of each sign-in, this one first', async () => {
    const coach = await createCoach()
    const token = await createSession(coach, firefox)
    const sessions = await listSessions(await contextFor(coach), hashToken(token))

    expect(sessions).toMatchObject([
      { device: 'Firefox on Windows', address: '::1', isCurrent: true, signedInAt: start.toISOString() },
      { device: 'Chrome on Linux', address: '127.0.0.1', isCurrent: false },
    ])
  })

  test('signs out one device, once, with the password', async () => {
    const coach = await createCoach({ password })
    const other = { cookie: `session=${await createSession(coach, firefox)}` }
    const [first] = await listSessions(await contextFor(coach), hashToken(other.cookie.slice('session='.length)))
    const end = (currentPassword: string) =>
      inTenant(coach, (ctx) => endSession(ctx, { id: first!.id, currentPassword }, firefox))
    await expect(end('wrong')).rejects.toThrow('This password is wrong.')
    expect([await statusWith(coach), await statusWith(other)]).toEqual([200, 200])
    await end(password)

    expect([await statusWith(coach), await statusWith(other)]).toEqual([200, 401])
    await expect(end(password)).rejects.toThrow('already signed out')
    const [entry] = await listSecurityEvents(await contextFor(coach))
    expect(entry).toMatchObject({ title: 'Device signed out', detail: 'Firefox on Windows' })
  })

  test('signs out all other devices, of this coach only, with the password', async () => {
    const [coach, bystander] = [await createCoach({ password }), await createCoach()]
    const token = await createSession(coach, firefox)
    const device = { currentHash: hashToken(token), device: firefox }
    const end = (currentPassword: string) =>
      inTenant(coach, (ctx) => endOtherSessions(ctx, { currentPassword }, device))
    await expect(end('wrong')).rejects.toThrow('This password is wrong.')
    expect(await statusWith(coach)).toBe(200)
    await end(password)

    expect(await statusWith(coach)).toBe(401)
    expect([await statusWith({ cookie: `session=${token}` }), await statusWith(bystander)]).toEqual([200, 200])
    const [entry] = await listSecurityEvents(await contextFor(coach))
    expect(entry).toMatchObject({ title: 'All other devices signed out', detail: '' })
  })

  test('comes in pages with the total number, without gaps', async () => {
    const coach = await createCoach()
    for (let index = 0; index < 4; index++) await createSession(coach, firefox)
    const ctx = await contextFor(coach)
    const pages = await Promise.all([0, 2, 4].map((skip) => listSessions(ctx, null, { rows: 2, skip })))
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat().map(({ id }) => id)).toEqual((await listSessions(ctx, null)).map(({ id }) => id))
    expect(pages.flat().every(({ total }) => total === 5)).toBe(true)
  })

  test("can't sign out another coach's device", async () => {
    const [ada, bea] = [await createCoach({ password }), await createCoach()]
    const [session] = await listSessions(await contextFor(bea), null)
    const end = () => inTenant(ada, (ctx) => endSession(ctx, { id: session!.id, currentPassword: password }, firefox))
    await expect(end()).rejects.toThrow('already signed out')
    expect(await statusWith(bea)).toBe(200)
  })
})

describe('the security log', () => {
  const titles = async (coach: Coach) => (await listSecurityEvents(await contextFor(coach))).map(({ title }) => title)
  const pendingEmails = async (coach: Coach) => {
    const jobs = await app.platform.boss.findJobs<{ coachId: number; eventId: number }>('mail.security')
    return jobs.map(({ data }) => data).filter(({ coachId }) => coachId === coach.id)
  }

  test('has an entry for each sign-in, and an email about a new device but not about the first one', async () => {
    const coach = await createCoach()
    await createSession(coach)
    expect(await pendingEmails(coach)).toEqual([])
    await createSession(coach, firefox)

    expect(await titles(coach)).toEqual(['Signed in from a new device', 'Signed in', 'Signed in'])
    expect(await pendingEmails(coach)).toHaveLength(1)
  })

  test('is emailed to its owner as text and HTML, with device, address and time', async () => {
    const coach = await createCoach({ timezone: 'Europe/Berlin' })
    await createSession(coach, firefox)
    const [job] = await pendingEmails(coach)
    await sendSecurityEmail(app.platform, job!)
    const [mail] = await listOutbox(app.platform.config, 1)

    expect(mail).toMatchObject({
      to: coach.email,
      from: expect.stringContaining('Attune'),
      subject: 'New sign-in to your account',
    })
    for (const part of [mail!.text, mail!.html]) {
      expect(part).toContain('Firefox on Windows. Address: ::1. Time: March 10, 2026')
      expect(part).toContain('/security')
    }
  })

  test('is emailed for every change of the account, with its subject and detail', async () => {
    const coach = await createCoach()
    const kinds = Object.entries(securityEventKinds) as [SecurityEventKind, SecurityEventText][]
    for (const [kind] of kinds) {
      const event = { kind, device: firefox, now: start, details: { name: `detail of ${kind}` } }
      await inTenant(coach, (ctx) => recordSecurityEvent(ctx, coach.id, event))
    }
    const unsent = new Set(kinds.filter(([, { subject }]) => !subject).map(([kind]) => kind))
    // The email to the old address is a job of its own. Of support access, the beginning is emailed.
    const ofSupport = ['support_allowed', 'support_withdrawn', 'support_page_opened', 'support_ended']
    expect([...unsent]).toEqual(['sign_in', 'email_changed', ...ofSupport])
    for (const job of await pendingEmails(coach)) await sendSecurityEmail(app.platform, job)
    const mails = (await listOutbox(app.platform.config)).filter(({ to }) => to === coach.email)
    for (const [kind, { subject, text, label }] of kinds.filter(([name]) => !unsent.has(name))) {
      const detail = label ? `${text} ${label}: detail of ${kind}.` : text!
      const mail = mails.find((one) => one.subject === subject && one.text.includes(detail))
      expect(mail?.text, kind).toContain('Firefox on Windows')
    }
  })

  test('comes in pages with the total number, without gaps', async () => {
    const coach = await createCoach()
    for (let index = 0; index < 4; index++) await createSession(coach, firefox)
    const ctx = await contextFor(coach)
    const pages = await Promise.all([0, 2, 4].map((skip) => listSecurityEvents(ctx, { rows: 2, skip })))
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat().map(({ id }) => id)).toEqual((await listSecurityEvents(ctx)).map(({ id }) => id))
    expect(pages.flat().every(({ total }) => total === 5)).toBe(true)
  })

  test("shows nothing of another coach's", async () => {
    const [ada, bea] = [await createCoach(), await createCoach()]
    await createSession(bea, firefox)
    expect(await titles(ada)).toEqual(['Signed in'])
  })

  test('keeps entries for a year', async () => {
    const coach = await createCoach()
    after(366 * dayMs)
    await deleteExpired(app.platform, platformEntities)
    expect(await titles(coach)).toEqual([])
  })
})

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36', 'Chrome on macOS'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.5.0', 'curl'],
  ['<script>', 'Unknown device'],
  [null, 'Unknown device'],
])('describes the device of %j', (userAgent, expected) => {
  expect(describeDevice(userAgent)).toBe(expected)
})
