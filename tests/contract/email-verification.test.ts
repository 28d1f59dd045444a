import { describe, expect, test } from 'vitest'
import { createInvitationToken, createResetToken } from '#tenants/auth/one-time-tokens.ts'
import {
  findVerification,
  requireVerifiedEmail,
  resendVerification,
  sendVerificationEmail,
  verifyEmail,
} from '#tenants/accounts/email-verification.ts'
import { listOutbox } from '#tenants/mail.ts'
import { Account } from '#tenants/schema.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import {
  addSecondFactors,
  contextFor,
  countSecondFactors,
  createCoach,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'

const app = createTestApp()
const unverified = () => createCoach({ emailVerified: false })
const isVerified = async (coach: Coach) => (await contextFor(coach)).account.emailVerified
const advanceHours = (hours: number): void =>
  void (app.clock.now = new Date(app.clock.now.getTime() + hours * 3_600_000))

/** Sends the email as its job does. Returns the token of its link. */
async function sendLink(coach: Coach): Promise<string> {
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  await sendVerificationEmail(app.platform, { coachId: coach.id })
  const [mail] = await listOutbox(app.platform.config, 1)
  expect(mail).toMatchObject({ to: coach.email, subject: 'Confirm your email address' })
  return /\/auth\/verify\?token=([\w-]+)/.exec(mail!.text)![1]!
}
const verify = (token: string): Promise<string> =>
  verifyEmail(app.platform, token, { address: '127.0.0.1' }).then(
    () => 'verified',
    (error: Error) => error.message,
  )
const used = 'This link has expired or was already used.'

describe('registering', () => {
  test('sends a link once the account is saved', async () => {
    const { body } = await app.call('POST', '/api/register', {
      body: { email: 'new@example.com', password: 'correct horse', firstName: 'Nora', lastName: 'Lind' },
    })
    const queued = await asOwner(app.ownerUrl, (db) =>
      db.query(`select data from pgboss.job where name = 'mail.verification' and data->>'coachId' = $1`, [body.id]),
    )
    expect(queued.rows).toEqual([{ data: { coachId: body.id } }])
    expect(body).not.toHaveProperty('emailVerified')
  })
})

describe('the link', () => {
  test('verifies the address once', async () => {
    const coach = await unverified()
    const token = await sendLink(coach)
    expect(await isVerified(coach)).toBe(false)
    expect(await findVerification(app.platform, token, null)).toBe('valid')
    expect(await verify(token)).toBe('verified')
    expect(await isVerified(coach)).toBe(true)
    expect(await verify(token)).toBe(used)
    expect(await findVerification(app.platform, token, null)).toBe('invalid')
    expect(await findVerification(app.platform, token, (await contextFor(coach)).account)).toBe('verified')
  })

  test('used 20 times concurrently works once', async () => {
    const token = await sendLink(await unverified())
    const results = await concurrently(20, () => verify(token))
    expect(results.filter((result) => result.status === 'fulfilled' && result.value === 'verified')).toHaveLength(1)
  })

  test('lasts 24 hours', async () => {
    const coach = await unverified()
    const [first, second] = [await sendLink(coach), await sendLink(coach)]
    advanceHours(23.9)
    expect(await verify(first)).toBe('verified')
    advanceHours(0.2)
    expect(await verify(second)).toBe(used)
  })

  test('of an earlier address verifies nothing', async () => {
    const coach = await unverified()
    const token = await sendLink(coach)
    await inTenant(coach, ({ em }) => em.nativeUpdate(Account, { id: coach.id }, { email: 'other@example.com' }))
    expect(await verify(token)).toBe(used)
    expect(await isVerified(coach)).toBe(false)
  })

  test("of one coach doesn't verify another, and a forged one verifies nobody", async () => {
    const [ada, bea] = [await unverified(), await unverified()]
    expect(await verify(await sendLink(ada))).toBe('verified')
    expect(await isVerified(bea)).toBe(false)
    for (const token of ['', 'x', '\u0000', 'a'.repeat(1000), await createInvitationToken(app.platform, bea.id)])
      expect(await verify(token)).toBe(used)
    expect(await isVerified(bea)).toBe(false)
  })

  test('is not sent to a verified or a removed coach', async () => {
    const removed = await unverified()
    await inTenant(removed, ({ em }) => em.nativeUpdate(Account, { id: removed.id }, { removedAt: app.clock.now }))
    const before = (await listOutbox(app.platform.config)).length
    for (const coach of [await createCoach(), removed]) await sendVerificationEmail(app.platform, { coachId: coach.id })
    expect((await listOutbox(app.platform.config)).length).toBe(before)
  })
})

test('a link is sent again five times an hour, and never for a verified address', async () => {
  const coach = await unverified()
  const resend = () => inTenant(coach, (ctx) => resendVerification(ctx))
  for (let sent = 0; sent < 5; sent++) await resend()
  await expect(resend()).rejects.toMatchObject({ code: 'rate_limited' })
  advanceHours(1.1)
  await resend()
  await verify(await sendLink(coach))
  await expect(resend()).rejects.toMatchObject({ code: 'conflict' })
})

test('accepting an invitation or resetting the password by the emailed link verifies the address', async () => {
  const coach = await unverified()
  const token = await createInvitationToken(app.platform, coach.id)
  const { status } = await app.call('POST', '/api/auth/reset-password', { body: { token, password: 'correct horse' } })
  expect(status).toBe(204)
  expect(await isVerified(coach)).toBe(true)
})

describe('a new password by the emailed link', () => {
  const reset = async (coach: Coach) => {
    const { token } = (await createResetToken(app.platform, coach.email))!
    return app.call('POST', '/api/auth/reset-password', { body: { token, password: 'correct horse' } })
  }

  test('leaves no way in to somebody else who had registered the address', async () => {
    const coach = await unverified()
    await addSecondFactors(coach)
    expect((await reset(coach)).status).toBe(204)
    expect(await countSecondFactors(coach)).toEqual([0, 0, 0])
  })

  test('keeps the second factors of a verified address', async () => {
    const coach = await createCoach()
    await addSecondFactors(coach)
    expect((await reset(coach)).status).toBe(204)
    expect(await countSecondFactors(coach)).toEqual([1, 1, 1])
  })
})

describe('before the address is verified', () => {
  test('a service that needs it is forbidden, with a message that says what to do', async () => {
    const coach = await unverified()
    const ctx = await contextFor(coach)
    expect(() => requireVerifiedEmail(ctx)).toThrow(
      `Confirm your email address first. We sent a link to ${coach.email}.`,
    )
    requireVerifiedEmail(await contextFor(await createCoach()))
  })

  test('the administrator can not invite a coach', async () => {
    const body = { email: 'invited@example.com', firstName: 'In', lastName: 'Vited' }
    const invite = async (emailVerified: boolean) =>
      app.call('POST', '/api/admin/coaches', { as: await createCoach({ isAdmin: true, emailVerified }), body })
    expect((await invite(false)).body).toMatchObject({ code: 'forbidden' })
    expect((await invite(true)).status).toBe(201)
  })

  test('everything else works', async () => {
    const coach = await unverified()
    const client = { name: 'Ada', email: 'ada@example.com' }
    expect((await app.call('POST', '/api/clients', { as: coach, body: client })).status).toBe(201)
    expect((await app.call('GET', '/api/dashboard/stats', { as: coach })).status).toBe(200)
  })
})
