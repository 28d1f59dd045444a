import { beforeAll, expect, test } from 'vitest'
import { deleteClient, updateClient } from '#modules/crm/index.ts'
import { endDomainSessions } from '#tenants/auth/sessions.ts'
import { visitorContext, type Ctx } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { testConfig } from '#tests/support/config.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { idleDays, linkMinutes } from '../fields.ts'
import { SignIn } from '../forms.ts'
import { endAccess, getAccess, inviteClient } from './access.ts'
import { cleanUp } from './clean-up.ts'
import { createDemoLink } from './demo-link.ts'
import { sendSignInLinks, signInQueue, type SignInJob } from './sign-in-email.ts'
import { createSession, findLink, findSessionClient, redeemLink, requestSignIn, signOut } from './sign-in.ts'

const app = createTestApp()
const address = '203.0.113.7'
const device = { userAgent: 'Firefox/140.0 (Windows)', address }
let coach: Coach
let host: string

beforeAll(async () => {
  coach = await createCoach({ subdomain: 'mara', businessName: 'Winter Coaching' })
  host = `mara.${new URL(app.platform.config.origin).hostname}`
})

const visit = async (of: Coach): Promise<Ctx> =>
  visitorContext(app.platform, (await contextFor(of)).account, { requestId: 'test', address }, [])

/** Asks for links as somebody on the sign-in page does, and runs the job. */
async function request(of: Coach, email: string): Promise<void> {
  // The outbox is in the order of time.
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  await requestSignIn(await visit(of), { email }, { address, next: '/portal/messages' })
  for (const { data } of await app.platform.boss.fetch<SignInJob>(signInQueue, { batchSize: 100 }))
    await sendSignInLinks(app.platform, data)
}

const listEmails = async (to: string) => (await listOutbox(app.platform.config, 100)).filter((mail) => mail.to === to)

/** The tokens of all links that were emailed to the address, the newest first. */
async function listTokens(email: string): Promise<string[]> {
  const texts = (await listEmails(email)).map(({ text }) => text)
  return texts.flatMap((text) => /\/portal\/sign-in\/([\w-]+)/.exec(text)?.[1] ?? [])
}

async function signIn(of: Coach, email: string): Promise<string> {
  await request(of, email)
  const [token] = await listTokens(email)
  return redeemLink(await visit(of), token!, { host, device })
}

/** Runs `work` so many minutes later. */
async function later<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  const before = app.clock.now
  app.clock.now = new Date(before.getTime() + minutes * 60_000)
  try {
    return await work()
  } finally {
    app.clock.now = before
  }
}

test('an invitation that the mail server didn’t take is sent later, and not shown as sent', async () => {
  const { id } = await createClient({ coach })
  const busy = await mailServer({ refuse: 1 })
  const platform = { ...app.platform, config: testConfig({ SMTP_URL: busy.url }) }
  const job = { coachId: coach.id, clientId: id }
  await expect(sendSignInLinks(platform, job)).rejects.toThrow()
  expect(await getAccess(await contextFor(coach), id)).toMatchObject({ invitedAt: null })
  await sendSignInLinks(platform, job)
  expect(busy.unread()).toBe(1)
  expect(await getAccess(await contextFor(coach), id)).toMatchObject({ invitedAt: expect.any(String) })
  await busy.close()
})

test('the link signs its client in once, also when it is opened twice at the same time', async () => {
  const { id, name, email } = await createClient({ coach, name: 'Grace Hopper', email: 'Grace@example.com' })
  await request(coach, ' grace@EXAMPLE.com ')
  const [mail] = await listEmails('grace@example.com')
  expect(mail).toMatchObject({
    subject: 'Sign in to Winter Coaching',
    from: expect.stringContaining('Winter Coaching'),
  })
  expect(mail!.text).toContain(`http://${host}`)
  expect(mail!.text).toContain('?next=%2Fportal%2Fmessages')
  const [token] = await listTokens('grace@example.com')
  expect(await findLink(await visit(coach), token!, host)).toMatchObject({ clientId: id, name })
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, async () => redeemLink(await visit(coach), token!, { host, device })),
  )
  const sessions = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(sessions).toHaveLength(1)
  const client = await findSessionClient(await visit(coach), sessions[0]!, null)
  const { timezone } = (await contextFor(coach)).account
  expect(client).toEqual({ id, name, email, timezone, signedInAt: app.clock.now })
  expect((await getAccess(await contextFor(coach), id)).devices).toMatchObject([{ device: 'Firefox on Windows' }])
})

test('an unknown address gets no email and the same answer', async () => {
  await expect(request(coach, 'nobody@example.com')).resolves.toBeUndefined()
  expect(await listEmails('nobody@example.com')).toEqual([])
})

test('a link works for a quarter of an hour, on the host that it was sent for, with the address that it was sent to', async () => {
  const email = 'joan@example.com'
  const { id } = await createClient({ coach, name: 'Joan Clarke', email })
  await request(coach, email)
  const [token] = await listTokens(email)
  const redeem = async (of: Coach, at: string) => redeemLink(await visit(of), token!, { host: at, device })
  const other = await createCoach({ subdomain: 'other' })
  await expect(redeem(other, host)).rejects.toMatchObject({ code: 'not_found' })
  await expect(redeem(coach, 'coaching.example.com')).rejects.toMatchObject({ code: 'not_found' })
  await later(linkMinutes, () => expect(redeem(coach, host)).rejects.toMatchObject({ code: 'not_found' }))
  await inTenant(coach, (ctx) => updateClient(ctx, id, { email: 'joan.clarke@example.com' }))
  await expect(redeem(coach, host)).rejects.toMatchObject({ code: 'not_found' })
  await inTenant(coach, (ctx) => updateClient(ctx, id, { email }))
  const session = await redeem(coach, host)
  expect(await findSessionClient(await visit(coach), session, null)).toMatchObject({ id, email })
})

test('a session ends at sign-out, unused, with another address, in the trash, and when the coach ends it', async () => {
  const email = 'mary@example.com'
  const { id } = await createClient({ coach, name: 'Mary Jackson', email })
  const find = async (token: string) => (await findSessionClient(await visit(coach), token, null))?.id ?? null
  const token = await signIn(coach, email)
  expect(await find(token)).toBe(id)
  expect(await findSessionClient(await visit(await createCoach()), token, null)).toBeNull()
  await later(idleDays * 1440, async () => expect(await find(token)).toBeNull())
  await inTenant(coach, (ctx) => updateClient(ctx, id, { email: 'else@example.com' }))
  expect(await find(token)).toBeNull()
  await inTenant(coach, (ctx) => updateClient(ctx, id, { email }))
  await signOut(await visit(coach), token)
  expect(await find(token)).toBeNull()
  const next = await signIn(coach, email)
  await inTenant(coach, (ctx) => endAccess(ctx, id))
  expect(await find(next)).toBeNull()
  const last = await signIn(coach, email)
  await inTenant(coach, (ctx) => deleteClient(ctx, id))
  expect(await find(last)).toBeNull()
})

test('a session at the coach’s own domain is valid there alone, and ends with the domain', async () => {
  const domain = 'coaching.example'
  const email = 'annie@example.com'
  const { id } = await createClient({ coach, name: 'Annie Easley', email })
  const visitor = await visit(coach)
  const there = { ...visitor, account: { ...visitor.account, customDomain: domain, plan: 'premium' as const } }
  const start = (at: string) =>
    visitor.write((tx) =>
      createSession({ ...tx, account: there.account }, { clientId: id, email }, { host: at, device }),
    )
  const find = async (token: string, at: string | null) => (await findSessionClient(there, token, at))?.id ?? null
  const [atDomain, atSubdomain] = [await start(domain), await start(host)]
  expect([await find(atDomain, domain), await find(atSubdomain, null)]).toEqual([id, id])
  expect([await find(atDomain, null), await find(atSubdomain, domain), await find(atDomain, 'next.example')]).toEqual([
    null,
    null,
    null,
  ])
  await inTenant(coach, (tx) => endDomainSessions(app.platform, tx, coach.id))
  expect([await find(atDomain, domain), await find(atSubdomain, null)]).toEqual([null, id])
})

test('a person who is a client of two coaches gets the link of the one whose page it is', async () => {
  const other = await createCoach({ subdomain: 'second', businessName: 'Second Practice' })
  const email = 'both@example.com'
  const first = await createClient({ coach, name: 'Both', email })
  await createClient({ coach: other, name: 'Both', email })
  const token = await signIn(coach, email)
  expect((await listEmails(email)).map(({ subject }) => subject)).toEqual(['Sign in to Winter Coaching'])
  expect(await findSessionClient(await visit(coach), token, null)).toMatchObject({ id: first.id })
  expect(await findSessionClient(await visit(other), token, null)).toBeNull()
})

test('the coach invites a client, unless their own address is unproved or their practice has none', async () => {
  const email = 'invited@example.com'
  const { id } = await createClient({ coach, name: 'Invited', email })
  await inTenant(coach, (ctx) => inviteClient(ctx, id))
  await sendSignInLinks(app.platform, { coachId: coach.id, clientId: id })
  expect((await listEmails(email))[0]!.subject).toBe('Your page at Winter Coaching')
  const [token] = await listTokens(email)
  const day = 1440
  await later(6 * day, async () => expect(await findLink(await visit(coach), token!, host)).not.toBeNull())
  const unproved = await createCoach({ emailVerified: false, subdomain: 'unproved' })
  const theirs = await createClient({ coach: unproved })
  await expect(inTenant(unproved, (ctx) => inviteClient(ctx, theirs.id))).rejects.toMatchObject({ code: 'forbidden' })
  const homeless = await createCoach()
  const client = await createClient({ coach: homeless })
  await expect(inTenant(homeless, (ctx) => inviteClient(ctx, client.id))).rejects.toMatchObject({ code: 'conflict' })
})

test('a long page to go on to is left out, a long address is refused', () => {
  const email = 'grace@example.com'
  expect(SignIn.parse({ email, next: `/portal?${'x'.repeat(600)}` })).toEqual({ email })
  expect(SignIn.safeParse({ email: `${'x'.repeat(300)}@example.com` }).success).toBe(false)
})

test('somebody who asks for many links, or tries many, is slowed down', async () => {
  const ask = () => request(coach, 'many@example.com')
  for (let count = 0; count < 5; count++) await ask()
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' })
})

test('ended sessions and old links are deleted', async () => {
  const email = 'old@example.com'
  const { id } = await createClient({ coach, name: 'Old', email })
  await signIn(coach, email)
  await later(200 * 1440, () => cleanUp(app.platform))
  const counts = await (await contextFor(coach)).query<{ count: number }>({
    name: 'test.portal-rows',
    text: `select (select count(*) from portal_link where coach_id = $1 and client_id = $2)
      + (select count(*) from portal_session where coach_id = $1 and client_id = $2) as count`,
    values: [coach.id, id],
  })
  expect(Number(counts[0]!.count)).toBe(0)
})

test('the link of the demo signs in its first client by name, once, for 15 minutes', async () => {
  const demo = await createCoach({ subdomain: 'demo-link' })
  const withoutHost = await createCoach({ subdomain: null })
  expect(await createDemoLink(await contextFor(demo))).toBeNull()
  await createClient({ coach: demo, name: 'Zoe', email: 'zoe.demo@example.com' })
  const first = await createClient({ coach: demo, name: 'Anna', email: 'Anna.Demo@example.com' })
  await createClient({ coach: withoutHost, name: 'Anna' })
  expect(await createDemoLink(await contextFor(withoutHost))).toBeNull()

  const origin = app.platform.config.origin.replace('//', '//demo-link.')
  const create = async () => {
    const link = await createDemoLink(await contextFor(demo))
    expect(link).toEqual({ name: 'Anna', url: expect.stringMatching(/\/portal\/sign-in\/[\w-]{20,}$/) })
    expect(link!.url.startsWith(`${origin}/`)).toBe(true)
    return link!.url.split('/').at(-1)!
  }
  const at = { host: new URL(origin).hostname, device }
  const ctx = await visit(demo)
  const token = await create()
  const client = await findSessionClient(ctx, await redeemLink(ctx, token, at), null)
  expect(client?.id).toBe(first.id)
  await expect(redeemLink(ctx, token, at)).rejects.toMatchObject({ code: 'not_found' })
  const late = await create()
  await later(16, async () => expect(await findLink(ctx, late, at.host)).toBeNull())
})
