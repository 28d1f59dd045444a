import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { beforeEach, describe, expect, test } from 'vitest'
import { listMessagesOfClient, listContactMessages } from '#modules/public-page/queries/contact-messages.ts'
import { signOpening } from '#modules/core/form-timing.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { deleteClient } from '#modules/crm/index.ts'
import { convertProspect, undoConversion } from '#modules/pipeline/services/conversion.ts'
import { listActivities } from '#modules/pipeline/queries/activities.ts'
import { listProspects } from '#modules/pipeline/index.ts'
import { extensions } from '#modules/registry.ts'
import { listOutbox } from '#tenants/mail.ts'
import { visitorContext, type PermissionName } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { contactAction } from '#modules/public-page/contact/contact-action.server.ts'
import { deleteContactMessage, restoreContactMessage } from '#modules/public-page/services/contact-messages.ts'
import { notify } from '#modules/public-page/services/notifications.ts'
import { switchContactForm } from '#modules/public-page/services/settings.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '1' })
let coach: Coach
let addresses = 0
let address: string

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  address = `203.0.113.${++addresses}`
  coach = await createCoach()
})

/** The context of a request of a visitor on the coach's host. `without`: modules that are switched off. */
function visit(without: string[], from: string): AppLoadContext {
  const { platform } = app
  return {
    log: platform.log,
    cookies: { toast: () => '' },
    tenant: { name: 'Ada Coaching' },
    requestContext: { platform, address: from, tenant: coach },
    async visitor(permissions: readonly PermissionName[]) {
      const { account } = await contextFor(coach)
      const viewed = { ...account, modulesOff: without }
      return visitorContext(platform, viewed, { requestId: 'test', address: from }, permissions)
    },
  } as unknown as AppLoadContext
}

type Sent = { status: number; to: string | null; errors: Record<string, string[]>; kept: Record<string, unknown> }
type Failure = {
  data: { result: { error: Sent['errors']; initialValue: Sent['kept'] } }
  init: { status: number }
}
const visitor = { name: 'Noor Aziz', email: 'noor@example.com', message: 'Do you have time in May?' }
const sign = (ageMs: number) =>
  signOpening(app.platform, {
    purpose: 'contact-form',
    coachId: coach.id,
    now: new Date(app.clock.now.getTime() - ageMs),
  })

/** Sends the form a minute after it was opened, as a browser without JavaScript does. */
async function send(
  fields: Record<string, string> = {},
  { without = [] as string[], from = address } = {},
): Promise<Sent> {
  const body = new URLSearchParams({ intent: 'send', signature: sign(60_000), ...visitor, ...fields })
  const request = new Request('http://localhost/contact', { method: 'POST', body })
  const response: unknown = await contactAction({
    request,
    params: {},
    context: visit(without, from),
  } as unknown as ActionFunctionArgs)
  if (response instanceof Response)
    return { status: response.status, to: response.headers.get('location'), errors: {}, kept: {} }
  const { data, init } = response as Failure
  return { status: init.status, to: null, errors: data.result.error, kept: data.result.initialValue }
}
const ctx = () => contextFor(coach)
const listReceived = async () => listContactMessages(await ctx())
const listEmails = async () => (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === coach.email)
const notifyAll = async () => {
  for (const { id } of await listReceived()) await notify(app.platform, { coachId: coach.id, contactMessageId: id })
}

describe('a message', () => {
  test('of an unknown address makes a prospect, with it in their activity, and becomes the client’s with them', async () => {
    expect(await send()).toMatchObject({ status: 302, to: '/contact?sent' })
    const [prospect, ...others] = await listProspects(await ctx())
    expect([prospect, others]).toMatchObject([{ name: visitor.name, email: visitor.email, source: 'Contact form' }, []])
    expect(await listReceived()).toMatchObject([{ ...visitor, clientId: null, prospectId: prospect!.id }])
    const [latest] = await listActivities(await ctx(), prospect!.id)
    expect(latest).toMatchObject({ type: 'message', description: 'Sent a message with the contact form' })

    const client = await inTenant(coach, (tx) => convertProspect(tx, prospect!.id))
    expect(await listMessagesOfClient(await ctx(), client.id, 10)).toMatchObject([{ message: visitor.message }])
    await inTenant(coach, (tx) => undoConversion(tx, { id: prospect!.id, stageId: prospect!.stageId! }))
    expect(await listReceived()).toMatchObject([{ clientId: null, prospectId: prospect!.id }])
  })

  test('of a known address belongs to the client or prospect, and looks the same to the visitor', async () => {
    const known = await createClient({ coach, email: 'Noor@Example.com' })
    const toKnown = await send()
    const toNew = await send({ email: 'somebody@example.com' })
    expect(await send({ email: 'SOMEBODY@example.com', message: 'Once more' })).toEqual(toNew)
    expect(toKnown).toEqual(toNew)
    const prospects = await listProspects(await ctx())
    expect(prospects.map(({ email }) => email)).toEqual(['somebody@example.com'])
    expect(await listReceived()).toMatchObject([
      { prospectId: prospects[0]!.id },
      { prospectId: prospects[0]!.id },
      { clientId: known.id },
    ])
    expect(await listMessagesOfClient(await ctx(), known.id, 10)).toMatchObject([{ message: visitor.message }])
  })

  test('is emailed to the coach once, for replies to the visitor', async () => {
    await send({ message: 'First line\n<script>alert(1)</script>' })
    await notifyAll()
    await notifyAll()
    const [email, ...others] = await listEmails()
    expect([email, others]).toMatchObject([{ subject: 'Message from Noor Aziz', replyTo: 'noor@example.com' }, []])
    expect(email!.text).toContain('First line\n<script>alert(1)</script>')
    expect(email!.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(email!.html).not.toContain('<script>')
  })

  test('is emailed too without the pipeline, and kept without a person', async () => {
    expect(await send({}, { without: ['pipeline'] })).toMatchObject({ status: 302, to: '/contact?sent' })
    expect(await listReceived()).toMatchObject([{ ...visitor, clientId: null, prospectId: null }])
    expect(await listProspects(await ctx())).toEqual([])
    await notifyAll()
    expect(await listEmails()).toHaveLength(1)
  })

  test('is emailed too while the pipeline has no stage', async () => {
    await inTenant(coach, (tx) =>
      tx.query({
        name: 'test.no-stages',
        text: 'update pipeline_stage set deleted_at = now() where coach_id = $1',
        values: [coach.id],
      }),
    )
    expect((await send()).to).toBe('/contact?sent')
    expect(await listReceived()).toMatchObject([{ clientId: null, prospectId: null }])
  })

  test('goes to the trash and back, and is erased with the client', async () => {
    const { id: clientId } = await createClient({ coach, email: visitor.email })
    await send()
    const { id } = (await listReceived())[0]!
    await inTenant(coach, (tx) => deleteContactMessage(tx, id))
    expect(await listReceived()).toEqual([])
    await inTenant(coach, (tx) => restoreContactMessage(tx, id))
    await inTenant(coach, (tx) => deleteClient(tx, clientId))
    const client = extensions.recordKinds.find(({ kind }) => kind === 'client')!
    await inTenant(coach, (tx) => eraseRecord(tx, client, clientId))
    expect(await listReceived()).toEqual([])
  })
})

describe('programs are kept out', () => {
  test('by the field that only they fill in, the time that they need, and the signature', async () => {
    const refused: Record<string, string>[] = [
      { website: 'https://spam.example' },
      { signature: sign(500) },
      { signature: sign(25 * 3_600_000) },
      { signature: 'forged' },
      { signature: '' },
    ]
    for (const fields of refused) expect(await send(fields)).toMatchObject({ status: 400, kept: visitor })
    expect(await listReceived()).toEqual([])
  })

  test('a thousand posts of one client in a minute leave thirty messages', async () => {
    const results: Sent[] = []
    for (let index = 0; index < 1000; index += 50)
      results.push(
        ...(await Promise.all(Array.from({ length: 50 }, (_, offset) => send({ message: `No. ${index + offset}` })))),
      )
    expect(results.filter(({ to }) => to === '/contact?sent')).toHaveLength(30)
    const refused = results.find(({ status }) => status === 429)!
    expect(refused.errors['']).toEqual(['Too many attempts. Please try again later.'])
    expect(refused.kept.message).toMatch(/^No\. \d+$/)
    expect(await listReceived()).toHaveLength(30)
    expect(await listProspects(await ctx())).toHaveLength(1)
  }, 120_000)

  test('one client who is refused leaves the limit of the practice to others', async () => {
    for (let index = 0; index < 250; index++) await send({ message: `No. ${index}` })
    expect(await send({}, { from: '198.51.100.9' })).toMatchObject({ status: 302, to: '/contact?sent' })
  }, 120_000)

  test('many clients together send at most 200 messages an hour to one coach', async () => {
    const results: Sent[] = []
    for (let index = 0; index < 210; index++)
      results.push(await send({ message: `No. ${index}` }, { from: `198.51.${Math.floor(index / 20)}.7` }))
    expect(results.filter(({ status }) => status === 302)).toHaveLength(200)
    expect(results.filter(({ status }) => status === 429)).toHaveLength(10)
  }, 120_000)
})

test('the same form posted twenty times at once is one message and one prospect', async () => {
  const signature = sign(60_000)
  const results = await concurrently(20, () => send({ signature }))
  for (const result of results) expect(result).toMatchObject({ status: 'fulfilled', value: { to: '/contact?sent' } })
  expect(await listReceived()).toHaveLength(1)
  expect(await listProspects(await ctx())).toHaveLength(1)
})

test('twenty different messages of an unknown address at once make one prospect', async () => {
  let index = 0
  await concurrently(20, () => send({ message: `No. ${index++}` }))
  expect(await listReceived()).toHaveLength(20)
  expect(await listProspects(await ctx())).toHaveLength(1)
})

test.each([
  ['a header in the name', { name: 'Ada\r\nBcc: all@example.com' }, 'name'],
  ['a header in the address', { email: 'ada@example.com\r\nBcc: all@example.com' }, 'email'],
  ['two addresses', { email: 'ada@example.com, bea@example.com' }, 'email'],
  ['a name in the address', { email: '"Ada" <ada@example.com>' }, 'email'],
  ['no name', { name: ' ' }, 'name'],
  ['a long name', { name: 'x'.repeat(101) }, 'name'],
  ['no message', { message: ' \n ' }, 'message'],
  ['a message of 10,000 characters', { message: 'x'.repeat(10_000) }, 'message'],
  ['a control character', { message: 'a\u0000b' }, 'message'],
])('%s is refused at its field, and everything stays as it was typed', async (_title, fields, field) => {
  const sent = await send(fields)
  expect([sent.status, Object.keys(sent.errors)]).toEqual([422, [field]])
  const typed = Object.entries({ ...visitor, ...fields }).map(([name, text]) => [name, text.replaceAll('\r\n', '\n')])
  expect(sent.kept).toMatchObject(Object.fromEntries(typed))
  expect(await listReceived()).toEqual([])
})

test('a name with markup and quotes stays text in the subject', async () => {
  await send({ name: '"><img src=x onerror=alert(1)> O’Neil' })
  await notifyAll()
  const [email] = await listEmails()
  expect(email!.subject).toBe('Message from "><img src=x onerror=alert(1)> O’Neil')
  expect(email!.html).not.toContain('<img')
})

test('switched off there is no form, and nothing is sent', async () => {
  await inTenant(coach, (tx) => switchContactForm(tx, { isOn: false }))
  expect((await send()).status).toBe(404)
  expect(await listReceived()).toEqual([])
  await inTenant(coach, (tx) => switchContactForm(tx, { isOn: true }))
  expect((await send()).status).toBe(302)
})
