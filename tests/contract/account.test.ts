import { beforeAll, describe, expect, test } from 'vitest'
import { getUser } from '#tenants/accounts/accounts.ts'
import {
  cancelEmailChange,
  confirmEmailChange,
  denyEmailChange,
  findEmailChange,
  findEmailChangeLink,
  requestEmailChange,
  sendEmailChangeLink,
  type Side,
} from '#tenants/accounts/email-change.ts'
import { deleteImage, saveImage } from '#tenants/accounts/images.ts'
import { changePassword } from '#tenants/accounts/password-change.ts'
import { createInvitationToken } from '#tenants/auth/one-time-tokens.ts'
import { listSecurityEvents } from '#tenants/auth/security-events.ts'
import { listOutbox } from '#tenants/mail.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { png } from '#tests/support/images.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const password = 'correct horse'
const client = { address: '127.0.0.1', userAgent: null }
let created = 0
const newAddress = () => `new${++created}@example.com`
const account = async (coach: Coach) => (await contextFor(coach)).account
const message = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: Error) => error.message,
  )

async function request(coach: Coach, email: string, currentPassword = password): Promise<void> {
  await requestEmailChange(await contextFor(coach), { email, currentPassword })
}
/** Sends the link of one side as its job does. Returns the token. */
async function sendLink(coach: Coach, side: Side, to: string): Promise<string> {
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  await sendEmailChangeLink(app.platform, { coachId: coach.id, side })
  const [mail] = await listOutbox(app.platform.config, 1)
  expect(mail?.to).toBe(to)
  return /\/auth\/email-change\?token=([\w-]+)/.exec(mail!.text)![1]!
}
const confirm = (token: string) => confirmEmailChange(app.platform, token, client)
const used = 'This link has expired or was already used.'

describe('changing the email address', () => {
  test('takes effect when both addresses have confirmed, in any order, and the old one gets an email', async () => {
    for (const order of [
      ['old', 'new'],
      ['new', 'old'],
    ] as const) {
      const coach = await createCoach({ password })
      const email = newAddress()
      await request(coach, email)
      expect(await findEmailChange(await contextFor(coach))).toEqual({ newEmail: email, waitingFor: ['old', 'new'] })
      const tokens = {
        old: await sendLink(coach, 'old', coach.email),
        new: await sendLink(coach, 'new', email),
      }
      expect(await confirm(tokens[order[0]])).toEqual({ isChanged: false })
      expect((await account(coach)).email).toBe(coach.email)
      expect((await findEmailChange(await contextFor(coach)))?.waitingFor).toEqual([order[1]])
      expect(await message(confirm(tokens[order[0]]))).toBe(used)
      expect(await confirm(tokens[order[1]])).toEqual({ isChanged: true })
      expect(await account(coach)).toMatchObject({ email, emailVerified: true })
      expect(await findEmailChange(await contextFor(coach))).toBeNull()
      for (const token of [tokens.old, tokens.new]) expect(await message(confirm(token))).toBe(used)
      const { rows } = await asOwner(app.ownerUrl, (db) =>
        db.query(`select data from pgboss.job where name = 'mail.email-changed' and data->>'newEmail' = $1`, [email]),
      )
      expect(rows).toEqual([{ data: { oldEmail: coach.email, newEmail: email } }])
      expect(await listSecurityEvents(await contextFor(coach))).toMatchObject([
        { title: 'Email address changed', detail: email },
        {},
      ])
    }
  })

  test('confirmed by both links at the same time changes it once', async () => {
    const coach = await createCoach({ password })
    const email = newAddress()
    await request(coach, email)
    const tokens = [await sendLink(coach, 'old', coach.email), await sendLink(coach, 'new', email)]
    const results = await concurrently(10, (index) => confirm(tokens[index % 2]!))
    const changed = results.filter((result) => result.status === 'fulfilled' && result.value.isChanged)
    expect(changed).toHaveLength(1)
    expect((await account(coach)).email).toBe(email)
  })

  test('asks the new address alone while the old one was never verified', async () => {
    const coach = await createCoach({ password, emailVerified: false })
    const email = newAddress()
    await request(coach, email)
    expect(await confirm(await sendLink(coach, 'new', email))).toEqual({ isChanged: true })
    expect(await account(coach)).toMatchObject({ email, emailVerified: true })
  })

  test('needs the current password, another address, and one that nobody has', async () => {
    const [coach, other] = [await createCoach({ password }), await createCoach()]
    expect(await message(request(coach, newAddress(), 'wrong'))).toBe('This password is wrong.')
    expect(await message(request(coach, coach.email.toUpperCase()))).toBe('This is already your email address.')
    await expect(request(coach, other.email.toUpperCase())).rejects.toMatchObject({
      code: 'conflict',
      issues: [{ path: 'email', message: 'An account with this email already exists' }],
    })
    expect(await findEmailChange(await contextFor(coach))).toBeNull()
  })

  test('of an address that is taken in the meantime is cancelled with a message', async () => {
    const coach = await createCoach({ password })
    const email = newAddress()
    await request(coach, email)
    const [oldToken, newToken] = [await sendLink(coach, 'old', coach.email), await sendLink(coach, 'new', email)]
    await createCoach({ email })
    await confirm(oldToken)
    expect(await message(confirm(newToken))).toBe('Another account uses this address now, so yours was not changed.')
    expect((await account(coach)).email).toBe(coach.email)
    expect(await findEmailChange(await contextFor(coach))).toBeNull()
  })

  test('to one address by two coaches at the same time gives it to one of them', async () => {
    const coaches = [await createCoach({ password }), await createCoach({ password })]
    const email = newAddress()
    const tokens: string[] = []
    for (const coach of coaches) {
      await request(coach, email)
      await confirm(await sendLink(coach, 'old', coach.email))
      tokens.push(await sendLink(coach, 'new', email))
    }
    const results = await concurrently(2, (index) => confirm(tokens[index]!))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test.each([
    ['denied by the old address', 'old', (token: string) => denyEmailChange(app.platform, token, client)],
    ['denied by the new address', 'new', (token: string) => denyEmailChange(app.platform, token, client)],
  ] as const)('%s is cancelled', async (_what, side, act) => {
    const coach = await createCoach({ password })
    const email = newAddress()
    await request(coach, email)
    const tokens = { old: await sendLink(coach, 'old', coach.email), new: await sendLink(coach, 'new', email) }
    await act(tokens[side])
    for (const token of Object.values(tokens)) expect(await message(confirm(token))).toBe(used)
    expect((await account(coach)).email).toBe(coach.email)
  })

  test('is cancelled by the coach, by a newer request and by a new password', async () => {
    const coach = await createCoach({ password })
    const email = newAddress()
    await request(coach, email)
    const first = await sendLink(coach, 'new', email)
    await request(coach, newAddress())
    expect(await message(confirm(first))).toBe(used)
    await inTenant(coach, (ctx) => cancelEmailChange(ctx))
    expect(await findEmailChange(await contextFor(coach))).toBeNull()
    await request(coach, email)
    const again = await sendLink(coach, 'new', email)
    await app.call('POST', '/api/auth/reset-password', {
      body: { token: await createInvitationToken(app.platform, coach.id), password: 'battery staple' },
    })
    expect(await message(confirm(again))).toBe(used)
    expect(await findEmailChange(await contextFor(coach))).toBeNull()
  })

  test('must be confirmed within 24 hours, and can be requested five times an hour', async () => {
    const coach = await createCoach({ password })
    const email = newAddress()
    await request(coach, email)
    const token = await sendLink(coach, 'new', email)
    for (let requests = 1; requests < 5; requests++) await request(coach, newAddress())
    await expect(request(coach, newAddress())).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await message(confirm(token))).toBe(used)
    const last = await sendLink(coach, 'old', coach.email)
    app.clock.now = new Date(app.clock.now.getTime() + 24.1 * 3_600_000)
    expect(await message(confirm(last))).toBe(used)
  })

  test("shows a forged token nothing, and never another coach's change", async () => {
    const [ada, bea] = [await createCoach({ password }), await createCoach({ password })]
    const email = newAddress()
    await request(ada, email)
    const token = await sendLink(ada, 'new', email)
    expect(await findEmailChange(await contextFor(bea))).toBeNull()
    expect(await findEmailChangeLink(app.platform, token)).toEqual({ side: 'new', newEmail: email })
    for (const forged of ['', 'x', '\u0000', `${token}A`, await createInvitationToken(app.platform, bea.id)])
      expect(await findEmailChangeLink(app.platform, forged)).toBeNull()
    await inTenant(bea, (ctx) => cancelEmailChange(ctx))
    expect(await findEmailChange(await contextFor(ada))).not.toBeNull()
  })
})

describe('changing the password', () => {
  const change = async (coach: Coach, currentPassword: string, newPassword: string) =>
    changePassword(
      await contextFor(coach),
      { currentPassword, newPassword },
      {
        userAgent: null,
        address: '::1',
        viewer: { domain: null },
      },
    )
  const login = (coach: Coach, secret: string) =>
    app.call('POST', '/api/login', { body: { email: coach.email, password: secret } })

  test('ends all other sessions and starts a new one', async () => {
    const coach = await createCoach({ password })
    const token = await change(coach, password, 'battery staple')
    expect((await app.call('GET', '/api/user', { as: coach })).status).toBe(401)
    expect((await app.call('GET', '/api/user', { as: { cookie: `session=${token}` } })).status).toBe(200)
    expect((await login(coach, password)).status).toBe(401)
    expect((await login(coach, 'battery staple')).status).toBe(200)
  })

  test('needs the current password and a new one that is hard to guess', async () => {
    const coach = await createCoach({ password, firstName: 'Wilhelmina' })
    expect(await message(change(coach, 'wrong', 'battery staple'))).toBe('This password is wrong.')
    expect(await message(change(coach, password, password))).toBe('This is already your password.')
    expect(await message(change(coach, password, 'letmein'))).toBe(
      'Too many people use this password. Choose another one.',
    )
    expect(await message(change(coach, password, 'wilhelmina1'))).toBe(
      "Don't use your name or email address as the password.",
    )
    expect((await app.call('GET', '/api/user', { as: coach })).status).toBe(200)
  })

  test('allows ten wrong passwords in 15 minutes, and never signs the coach out', async () => {
    const coach = await createCoach({ password })
    for (let attempt = 0; attempt < 10; attempt++) await message(change(coach, 'wrong', 'battery staple'))
    await expect(change(coach, password, 'battery staple')).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await app.call('GET', '/api/user', { as: coach })).status).toBe(200)
  })
})

describe('the photo', () => {
  let coach: Coach
  beforeAll(async () => {
    coach = await createCoach()
  })

  test('is kept beside the logo, replaced and removed without it', async () => {
    const logo = await inTenant(coach, (ctx) => saveImage(ctx, 'logo', png(2, 2)))
    const first = await inTenant(coach, (ctx) => saveImage(ctx, 'photo', png(2, 2)))
    const second = await inTenant(coach, (ctx) => saveImage(ctx, 'photo', png(2, 2)))
    const status = async (url: string) => (await app.call('GET', url)).status
    expect(await Promise.all([logo, first, second].map(status))).toEqual([200, 404, 200])
    expect(await getUser(await contextFor(coach))).toMatchObject({ logoUrl: logo, profileImageUrl: second })
    await inTenant(coach, (ctx) => deleteImage(ctx, 'photo'))
    expect(await Promise.all([logo, second].map(status))).toEqual([200, 404])
    expect(await getUser(await contextFor(coach))).toMatchObject({ logoUrl: logo, profileImageUrl: null })
  })

  test("can't be used as the logo, which would go with it", async () => {
    const photo = await inTenant(coach, (ctx) => saveImage(ctx, 'photo', png(2, 2)))
    const { status } = await app.call('PUT', '/api/branding', { as: coach, body: { logoUrl: photo } })
    expect(status).toBe(422)
  })
})
