import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, test, vi } from 'vitest'
import { eraseRecord } from '#modules/core/trash.ts'
import { deleteClient } from '#modules/crm/index.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { visitorContext, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { asOwner, runForCoach } from '#tests/support/as-db-owner.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
  setPlan,
  type Coach,
} from '#tests/support/factories.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { getContractFile } from './documents/contract-file.ts'
import { findDrawingProblem } from './drawing.ts'
import type { EmailKind } from './fields.ts'
import contracts from './module.ts'
import { NewContract, NewTemplate, SignForm } from './forms.ts'
import { getContract } from './queries/contracts.ts'
import { findSigningContract, findVerifiedContract, listOwnContracts } from './queries/signing.ts'
import { listSignatures, listTrail } from './queries/trail.ts'
import { copyContract, createContract, updateContract } from './services/contracts.ts'
import { sendContractEmail } from './services/emails.ts'
import { saleQueue, sendRequired, sendRequiredOfSold } from './services/requirements.ts'
import { resendContract, sendContract, voidContract } from './services/sending.ts'
import { declineContract, signAsClient, signAsCoach, viewContract } from './services/signing.ts'
import { sweepContracts } from './services/sweep.ts'
import { createTemplate } from './services/templates.ts'

const app = createTestApp()
const device = { userAgent: 'Firefox on a phone', address: '203.0.113.7' }
const dayMs = 86_400_000

const body = 'Between {{practice name}} and {{client name}}, on {{date}}.\n\nThe price is {{price}} for {{product}}.'
const draft = (coach: Coach, clientId: number, fields: object = {}) =>
  inTenant(coach, (tx) =>
    createContract(
      tx,
      NewContract.parse({ clientId, title: 'Agreement', body, product: 'Ten sessions', price: 150_000, ...fields }),
    ),
  )

/** A practice with a client and a contract that was sent. */
async function setUp(fields: object = {}) {
  const coach = await createCoach({
    subdomain: `c${Date.now()}${Math.floor(Math.random() * 1e6)}`,
    businessName: 'Ada Coaching',
  })
  const client = await createClient({ coach, name: 'Grace Hopper', email: `grace-${coach.id}@example.com` })
  const { id } = await draft(coach, client.id, fields)
  const sent = await inTenant(coach, (tx) => sendContract(tx, id, { sendEmail: true, device }))
  return { coach, client, id, hash: sent.textSha256!, sent }
}

/** The person who has the link. */
async function asVisitor(coach: Coach): Promise<Ctx> {
  const { account } = await contextFor(coach)
  const permissions = ['contracts:signature:write', 'contracts:verification:read'] as const
  return visitorContext(app.platform, account, { requestId: 'visit', address: device.address }, permissions)
}

const signature = (hash: string, fields: object = {}) => ({ name: 'Grace Hopper', drawing: null, hash, ...fields })
const byClient = async (coach: Coach, id: number, hash: string, fields: object = {}) =>
  (await asVisitor(coach)).write((tx) => signAsClient(tx, id, signature(hash, fields), { device }))
const byCoach = (coach: Coach, id: number, hash: string) =>
  inTenant(coach, (tx) => signAsCoach(tx, id, signature(hash, { name: 'Ada Lovelace' }), device))
const getStatus = async (coach: Coach, id: number) => (await getContract(await contextFor(coach), id)).status

const run = (coach: Coach, statement: string) => runForCoach(app.ownerUrl, coach.id, statement)

describe('placeholders', () => {
  test('are filled when the contract is sent, each once, and an unknown one is refused with those there are', async () => {
    const { sent } = await setUp()
    expect(sent.text).toBe(
      'Agreement\n\nBetween Ada Coaching and Grace Hopper, on March 10, 2026.\n\nThe price is $1,500.00 for Ten sessions.',
    )
    const parse = (text: string) => NewTemplate.safeParse({ name: 'x', body: text }).error?.issues[0]!.message
    expect(parse('Dear {{client nam}}')).toMatch(/^There is no placeholder \{\{client nam\}\}. Use \{\{client name\}\}/)
    expect(parse('Dear {{client name}')).toBe('A placeholder needs two braces on each side: {{client name}}.')
    expect(parse('Dear {{ Client  Name }}')).toBeUndefined()
    expect(parse(' ')).toBe('Write the text of the contract')
    expect(parse('x'.repeat(200_000))).toBe('Use at most 50,000 characters')
  })

  test('without a value keep the contract from being sent, and values are no placeholders themselves', async () => {
    const coach = await createCoach({ businessName: 'Ada' })
    const client = await createClient({ coach, name: '{{price}} <script>' })
    const { id } = await draft(coach, client.id, { price: null })
    const send = () => inTenant(coach, (tx) => sendContract(tx, id))
    await expect(send()).rejects.toMatchObject({ code: 'validation_failed', message: expect.stringContaining('Price') })
    await inTenant(coach, (tx) => updateContract(tx, id, { body: 'For {{client name}}' }))
    expect((await send()).text).toBe('Agreement\n\nFor {{price}} <script>')
  })
})

describe('the text', () => {
  test('is hashed as another program does', async () => {
    const { sent } = await setUp()
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'contract-')), 'text.txt')
    writeFileSync(file, sent.text!)
    expect(execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ')[0]).toBe(sent.textSha256)
  })

  test('never changes once it is sent, by no call and no statement', async () => {
    const { coach, id, hash } = await setUp()
    await byClient(coach, id, hash)
    const edit = await app.call('PATCH', `/api/contracts/${id}`, { as: coach, body: { title: 'Another' } })
    expect(edit).toMatchObject({ status: 409, body: { message: expect.stringContaining('Void it and send a new') } })
    expect(await app.call('DELETE', `/api/contracts/${id}`, { as: coach })).toMatchObject({ status: 409 })
    const refused = [
      `update contract set text = 'x', text_sha256 = sha256('x') where id = ${id}`,
      `update contract set title = 'x' where id = ${id}`,
      `update contract set client_name = 'x' where id = ${id}`,
      `update contract set client_signed_at = null where id = ${id}`,
      `update contract set deleted_at = now() where id = ${id}`,
      `update contract_signature set name = 'x' where contract_id = ${id}`,
      `delete from contract_signature where contract_id = ${id}`,
      `update contract_event set detail = 'x' where contract_id = ${id}`,
      `delete from contract_event where contract_id = ${id}`,
    ]
    for (const statement of refused) await expect(run(coach, statement), statement).rejects.toThrow(/never change/)
    await byCoach(coach, id, hash)
    for (const statement of [
      `update contract set state = 'voided' where id = ${id}`,
      `delete from contract where id = ${id}`,
    ])
      await expect(run(coach, statement), statement).rejects.toThrow(/never/)
  })

  test('a new version is a draft of its own', async () => {
    const { coach, id } = await setUp()
    await inTenant(coach, (tx) => voidContract(tx, id, { reason: 'A wrong price' }))
    const copy = await inTenant(coach, (tx) => copyContract(tx, id))
    expect(copy).toMatchObject({ status: 'draft', body, title: 'Agreement', product: 'Ten sessions', text: null })
    expect(await getStatus(coach, id)).toBe('voided')
  })
})

describe('signing', () => {
  test.each([['client first'], ['coach first']])(
    'by both completes the contract, %s, with all of it in the trail',
    async (order) => {
      const { coach, id, hash } = await setUp()
      await (await asVisitor(coach)).write((tx) => viewContract(tx, id, { device }))
      expect(await getStatus(coach, id)).toBe('viewed')
      const steps = [() => byClient(coach, id, hash), () => byCoach(coach, id, hash)]
      if (order === 'coach first') steps.reverse()
      await steps[0]!()
      expect(await getStatus(coach, id)).toBe(order === 'coach first' ? 'signed_by_coach' : 'signed_by_client')
      await steps[1]!()
      expect(await getStatus(coach, id)).toBe('completed')
      const trail = await listTrail(await contextFor(coach), id)
      expect(trail.map(({ kind }) => kind)).toEqual(['sent', 'viewed', 'signed', 'signed', 'completed'])
      expect(trail.find(({ party, kind }) => kind === 'signed' && party === 'client')).toMatchObject({
        name: 'Grace Hopper',
        detail: expect.stringContaining('electronically'),
        sha256: hash,
        ipAddress: '203.0.113.7',
        userAgent: 'Firefox on a phone',
      })
      expect(JSON.stringify(trail)).not.toMatch(/qualified/)
    },
  )

  test('a second time, of another text, or with a drawing that is none, is refused', async () => {
    const { coach, id, hash } = await setUp()
    await expect(byClient(coach, id, 'ff')).rejects.toMatchObject({ code: 'conflict', subject: 'text' })
    await expect(byClient(coach, id, hash, { drawing: 'M1 1L1 2' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await byClient(coach, id, hash)
    await expect(byClient(coach, id, hash)).rejects.toMatchObject({ code: 'conflict', subject: 'signed' })
    const decline = (await asVisitor(coach)).write((tx) => declineContract(tx, id, { reason: null, device }))
    await expect(decline).rejects.toMatchObject({ subject: 'signed' })
  })

  test('a drawing has strokes, and nothing else', () => {
    const stroke = `M10 100${Array.from({ length: 20 }, (_, index) => `L${20 + index * 10} ${100 + (index % 2) * 40}`).join('')}`
    expect(findDrawingProblem(stroke)).toBeNull()
    for (const refused of [
      '',
      'M1 1',
      'M1 1L1 2L2 1',
      'M700 1',
      `${stroke}"><script>`,
      `M10 10${'L11 11'.repeat(4000)}`,
    ])
      expect(findDrawingProblem(refused), refused.slice(0, 20)).not.toBeNull()
    const parse = (fields: object) =>
      SignForm.safeParse({ id: '1', hash: 'x', name: 'Grace Hopper', consent: 'yes', ...fields }).success
    expect([parse({}), parse({ name: '.' }), parse({ consent: '' }), parse({ drawing: 'x'.repeat(30_000) })]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('both at the same time complete it once, one party twice signs once, and a void wins or loses', async () => {
    const { coach, id, hash } = await setUp()
    const results = await Promise.allSettled([
      byClient(coach, id, hash),
      byClient(coach, id, hash),
      byCoach(coach, id, hash),
      byCoach(coach, id, hash),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await getStatus(coach, id)).toBe('completed')
    expect(await listSignatures(await contextFor(coach), id)).toHaveLength(2)
    for (let round = 0; round < 4; round++) {
      const other = await setUp()
      const [signed, voided] = await Promise.allSettled([
        byClient(other.coach, other.id, other.hash),
        inTenant(other.coach, (tx) => voidContract(tx, other.id)),
      ])
      expect(voided.status).toBe('fulfilled')
      expect(await getStatus(other.coach, other.id)).toBe('voided')
      const signatures = await listSignatures(await contextFor(other.coach), other.id)
      expect(signatures).toHaveLength(signed.status === 'fulfilled' ? 1 : 0)
    }
  })

  test('is over once it is declined, voided or expired', async () => {
    const start = app.clock.now
    for (const end of ['declined', 'voided', 'expired'] as const) {
      const { coach, id, hash } = await setUp({ expiresInDays: 2 })
      if (end === 'declined')
        await (await asVisitor(coach)).write((tx) => declineContract(tx, id, { reason: 'Too long', device }))
      else if (end === 'voided') await inTenant(coach, (tx) => voidContract(tx, id))
      else app.clock.now = new Date(start.getTime() + 2 * dayMs)
      expect(await getStatus(coach, id)).toBe(end)
      for (const sign of [byClient, byCoach])
        await expect(sign(coach, id, hash)).rejects.toMatchObject({ code: 'conflict', subject: end })
      app.clock.now = start
    }
  })
})

describe('links and the portal', () => {
  const asClient = clientContextFor

  test('a client reads and signs their own contracts, and no other client’s', async () => {
    const { coach, client, id, hash } = await setUp()
    const other = await createClient({ coach, name: 'Alan Turing', email: 'alan@example.com' })
    await draft(coach, client.id)
    const [own, foreign] = [await asClient(coach, client.id), await asClient(coach, other.id)]
    expect((await listOwnContracts(own, 10)).map((one) => one.id)).toEqual([id])
    expect([await listOwnContracts(foreign, 10), await findSigningContract(foreign, id)]).toEqual([[], null])
    await expect(foreign.write((tx) => signAsClient(tx, id, signature(hash), { device }))).rejects.toMatchObject({
      code: 'not_found',
    })
    await own.write((tx) => viewContract(tx, id, { device }))
    await own.write((tx) => signAsClient(tx, id, signature(hash), { device }))
    expect(await getStatus(coach, id)).toBe('signed_by_client')
    const { body: activities } = await app.call('GET', '/api/activities', { as: coach })
    expect(activities[0]).toMatchObject({ title: 'Contract signed', description: 'Grace Hopper: Agreement' })
  })

  test('a client can do nothing else with their contract, by no statement', async () => {
    const { coach, client, id, hash } = await setUp()
    const own = await asClient(coach, client.id)
    const sql = (ctx: Ctx, name: string, text: string) =>
      ctx.write((tx) => tx.query({ name: `test.refused-${name}`, text, values: [coach.id, id] }))
    const sign = (party: string) => `insert into contract_signature
        (coach_id, contract_id, party, name, method, consent, text_sha256, signed_at)
      select coach_id, id, '${party}', 'x', 'typed', 'x', text_sha256, now() from contract where coach_id = $1 and id = $2`
    const change = (set: string) => `update contract set ${set} where coach_id = $1 and id = $2`
    const complete = change(`state = 'completed', client_signed_at = now(), coach_signed_at = now(), closed_at = now()`)
    const addEvent = (kind: string, party: string) => `insert into contract_event
        (coach_id, contract_id, kind, party, created_at) values ($1, $2, '${kind}', ${party}, now())`
    const addFile = `insert into contract_file (coach_id, contract_id, content, sha256, created_at)
      values ($1, $2, 'x', sha256('x'), now())`
    const refused = [
      sign('coach'),
      complete,
      change('coach_signed_at = now()'),
      change('link_number = link_number + 1'),
      change(`expires_at = expires_at + interval '1 day'`),
      change(`state = 'voided', closed_at = now()`),
      addEvent('signed', `'coach'`),
      addEvent('linked', `'client'`),
      addEvent('completed', 'null'),
      addFile,
      `insert into contract (coach_id, client_id, source, state, title, body, expires_in_days, text, text_sha256,
          client_name, practice_name, code, sent_at, expires_at, created_at, updated_at)
        select coach_id, client_id, source, state, title, body, expires_in_days, text, text_sha256, client_name,
          practice_name, reverse(code), sent_at, expires_at, created_at, updated_at
        from contract where coach_id = $1 and id = $2`,
    ]
    for (const [at, text] of refused.entries())
      await expect(sql(own, `${at}`, text), text).rejects.toMatchObject({ code: '23001' })
    const asCoach = await contextFor(coach)
    for (const text of [complete, addFile])
      await expect(sql(asCoach, `coach-${text.length}`, text), text).rejects.toMatchObject({ code: '23001' })
    await byCoach(coach, id, hash)
    await own.write((tx) => signAsClient(tx, id, signature(hash), { device }))
    expect(await getStatus(coach, id)).toBe('completed')
    expect((await getContractFile(own, id)).content.length).toBeGreaterThan(1000)
  })

  test('stop with the client in the trash, and a new link ends the one before', async () => {
    const { coach, client, id, hash } = await setUp()
    const before = await findSigningContract(await asVisitor(coach), id)
    await inTenant(coach, (tx) => resendContract(tx, id))
    const after = await findSigningContract(await asVisitor(coach), id)
    expect(after!.linkNumber).toBe(before!.linkNumber + 1)
    // The page asked for the link before the new one was made.
    const visit = { device, linkNumber: before!.linkNumber }
    const late = [
      (tx: WriteCtx) => viewContract(tx, id, visit),
      (tx: WriteCtx) => signAsClient(tx, id, signature(hash), visit),
      (tx: WriteCtx) => declineContract(tx, id, { reason: null, ...visit }),
    ]
    for (const act of late)
      await expect((await asVisitor(coach)).write(act)).rejects.toMatchObject({ code: 'not_found' })
    await (await asVisitor(coach)).write((tx) => viewContract(tx, id, { device, linkNumber: after!.linkNumber }))
    await inTenant(coach, (tx) => deleteClient(tx, client.id))
    expect(await findSigningContract(await asVisitor(coach), id)).toBeNull()
    await expect(byClient(coach, id, hash)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('the page with the code shows the state and the hash, and nothing of the text', async () => {
    const { coach, hash, sent } = await setUp()
    const found = await findVerifiedContract(await asVisitor(coach), sent.verificationCode!)
    expect(found).toMatchObject({ status: 'sent', textSha256: hash, practiceName: 'Ada Coaching' })
    expect(JSON.stringify(found)).not.toMatch(/Agreement|Ten sessions/)
    expect(await findVerifiedContract(await asVisitor(await createCoach()), sent.verificationCode!)).toBeNull()
  })
})

test('the PDF has the text, and the trail on its last page; its own hash is in the trail, as another program computes it', async () => {
  const { coach, id, hash, sent } = await setUp()
  const drawing = `M10 100${Array.from({ length: 20 }, (_, index) => `L${20 + index * 10} ${100 + (index % 2) * 40}`).join('')}`
  await byClient(coach, id, hash, { drawing })
  await expect(getContractFile(await contextFor(coach), id)).rejects.toMatchObject({ code: 'not_found' })
  await byCoach(coach, id, hash)
  const [first, second] = await Promise.all([
    getContractFile(await contextFor(coach), id),
    getContractFile(await asVisitor(coach), id),
  ])
  expect(first.content.equals(second.content)).toBe(true)
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'contract-')), 'contract.pdf')
  writeFileSync(file, first.content)
  const sum = execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ')[0]
  const printed = (await listTrail(await contextFor(coach), id)).filter(({ kind }) => kind === 'printed')
  expect(printed).toMatchObject([{ sha256: sum }])
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(first.content)), { mergePages: false })
  const plain = text.map((page) => page.replaceAll(/\s+/g, ''))
  expect(plain[0]).toContain('Thepriceis$1,500.00forTensessions.')
  expect(plain.at(-1)).toContain('Signaturesandaudittrail')
  for (const part of [hash, sent.verificationCode!, '203.0.113.7', 'GraceHopper', 'AdaLovelace', 'notqualifiedones'])
    expect(plain.slice(1).join('')).toContain(part)
})

test('below Premium the PDF names the platform', async () => {
  const { coach, id, hash } = await setUp()
  await setPlan(coach, 'pro')
  await byClient(coach, id, hash)
  await byCoach(coach, id, hash)
  const { content } = await getContractFile(await contextFor(coach), id)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true })
  expect(text).toContain('Powered by Attune')
})

const listEmails = async (coach: Coach, kind: EmailKind) =>
  (await contextFor(coach)).query<{ id: number; state: string }>({
    name: 'test.contract-emails',
    text: 'select id, state from contract_email where coach_id = $1 and kind = $2 order by id',
    values: [coach.id, kind],
  })
/** Runs the jobs of these emails, each once. */
async function deliver(coach: Coach, ...kinds: EmailKind[]) {
  for (const kind of kinds)
    for (const { id } of await listEmails(coach, kind))
      await sendContractEmail(app.platform, { coachId: coach.id, emailId: id })
}
const subjects = async (to: string) =>
  (await listOutbox(app.platform.config, 100)).filter((mail) => mail.to === to).map(({ subject }) => subject)

test('an email is sent once, again only if the mail server did not take it, and never to a refused address', async () => {
  const sendTo = async (coach: Coach, smtpUrl?: string) => {
    const [email] = await listEmails(coach, 'link')
    const config = smtpUrl ? { ...app.platform.config, smtpUrl } : app.platform.config
    await sendContractEmail({ ...app.platform, config }, { coachId: coach.id, emailId: email!.id })
    return (await listEmails(coach, 'link'))[0]!.state
  }
  const refusing = await mailServer({ refuse: 2, refusal: 550 })
  const refused = await setUp()
  expect(await sendTo(refused.coach, refusing.url)).toBe('failed')
  expect(await sendTo(refused.coach)).toBe('failed')
  await refusing.close()
  const { coach, client } = await setUp()
  await expect(sendTo(coach, refusing.url)).rejects.toThrow('The mail server did not take an email.')
  await concurrently(3, () => sendTo(coach))
  expect(await sendTo(coach)).toBe('sent')
  expect(await subjects(client.email)).toEqual(['Please sign: Agreement'])
  const hanging = await mailServer({ hang: true })
  const unknown = await setUp()
  const sending = sendTo(unknown.coach, hanging.url).catch((error: Error) => error.message)
  await hanging.asked()
  await hanging.close()
  expect(await sending).toBe('The mail server did not take an email.')
  expect(await sendTo(unknown.coach)).toBe('sending')
  expect(await subjects(unknown.client.email)).toEqual([])
})

test('an email to the coach is left out once it is no longer true', async () => {
  const { coach, id, hash } = await setUp()
  await byClient(coach, id, hash)
  await byCoach(coach, id, hash)
  await deliver(coach, 'signed')
  expect(await subjects(coach.email)).toEqual([])
})

test('the client gets the link, one reminder and a copy; the coach what happened, and a copy', async () => {
  const start = app.clock.now
  const { coach, client, id, hash } = await setUp({ expiresInDays: 10 })
  await (await asVisitor(coach)).write((tx) => viewContract(tx, id, { device }))
  await deliver(coach, 'link', 'viewed')
  expect(await subjects(client.email)).toEqual(['Please sign: Agreement'])
  expect(await subjects(coach.email)).toEqual(['Grace Hopper has opened Agreement'])
  app.clock.now = new Date(start.getTime() + 8 * dayMs)
  for (const _ of [1, 2]) await sweepContracts(app.platform)
  const trail = async () => (await listTrail(await contextFor(coach), id)).map(({ kind }) => kind)
  expect((await trail()).filter((kind) => kind === 'reminded')).toHaveLength(1)
  await byClient(coach, id, hash)
  await deliver(coach, 'link', 'reminder')
  expect(await subjects(client.email)).toHaveLength(1)
  await byCoach(coach, id, hash)
  await deliver(coach, 'copy-client', 'copy-coach')
  const mails = (await listOutbox(app.platform.config, 100)).filter(({ subject }) => subject === 'Signed: Agreement')
  expect(mails.map(({ to, attachments }) => [to, attachments?.[0]?.fileName]).sort()).toEqual(
    [
      [client.email, 'Agreement.pdf'],
      [coach.email, 'Agreement.pdf'],
    ].sort(),
  )
  const late = await setUp({ expiresInDays: 1 })
  app.clock.now = new Date(start.getTime() + 20 * dayMs)
  await sweepContracts(app.platform)
  expect((await listTrail(await contextFor(late.coach), late.id)).map(({ kind }) => kind)).toEqual(['sent', 'expired'])
  app.clock.now = start
})

test('erasing a client erases what was not completed, and keeps a completed contract without them', async () => {
  const { coach, client, id, hash, sent } = await setUp()
  await draft(coach, client.id)
  const { id: open } = await draft(coach, client.id)
  await inTenant(coach, (tx) => sendContract(tx, open))
  await byClient(coach, id, hash)
  await byCoach(coach, id, hash)
  await inTenant(coach, (tx) => deleteClient(tx, client.id))
  const clients = app.platform.extensions.recordKinds.find(({ kind }) => kind === 'client')!
  await inTenant(coach, (tx) => eraseRecord(tx, clients, client.id))
  const { body: contracts } = await app.call('GET', '/api/contracts', { as: coach })
  expect(contracts).toMatchObject([{ id, clientId: null, clientName: 'Grace Hopper', status: 'completed' }])
  const verified = await findVerifiedContract(await asVisitor(coach), sent.verificationCode!)
  expect(verified).toMatchObject({ status: 'completed' })
})

test('a booking of an appointment type sends the contract that it requires, once', async () => {
  const coach = await createCoach()
  const { id: clientId } = await createClient({ coach })
  const type = await app.call('POST', '/api/appointment-types', { as: coach, body: { name: 'First session' } })
  const add = (text: string) => inTenant(coach, (tx) => createTemplate(tx, { name: 'Agreement', body: text }))
  const priced = await add(body)
  const { id: contractTemplateId } = await add('Between {{practice name}} and {{client name}}')
  const require = (id: number) =>
    app.call('POST', '/api/contract-requirements', {
      as: coach,
      body: { appointmentTypeId: type.body.id, contractTemplateId: id },
    })
  expect(await require(priced.id)).toMatchObject({ status: 422 })
  expect(await require(contractTemplateId)).toMatchObject({ status: 201 })
  const book = (startTime: string, endTime: string) =>
    app.call('POST', '/api/appointments', {
      as: coach,
      body: { title: 'First', clientId, appointmentTypeId: type.body.id, startTime, endTime },
    })
  const past = await book('2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z')
  const first = await book('2026-03-20T10:00:00Z', '2026-03-20T11:00:00Z')
  const second = await book('2026-03-27T10:00:00Z', '2026-03-27T11:00:00Z')
  // A forgotten draft of the coach's, and a limit of the emails that they ask for, keep no contract back.
  const forgotten = await draft(coach, clientId, { contractTemplateId, title: undefined, body: undefined })
  const rules = [{ key: `contract-email-all:${coach.id}`, attempts: 200, minutes: 60 }]
  await concurrently(200, () => countAttempt(app.platform, { rules, address: null }))
  const send = ({ body: session }: typeof past) =>
    inTenant(coach, (tx) => sendRequired(tx, { appointmentId: session.id }))
  // The queue completes a job that throws an AppError.
  vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValueOnce(true)
  await expect(send(first)).rejects.toThrow('There is no room for a required contract.')
  await send(past)
  await Promise.all([first, first, second].map(send))
  const { body: contracts } = await app.call('GET', '/api/contracts', { as: coach })
  expect(contracts).toMatchObject([
    { contractTemplateId, clientId, source: 'booking', status: 'sent' },
    { id: forgotten.id, status: 'draft' },
  ])
})

test('what a booking, a purchase or a new client requires is tried for hours while there is no room', () => {
  const jobs = [...contracts.jobs!, ...contracts.subscribers!].filter(({ name }) => /\.o[fn][-.]/.test(name))
  expect(jobs.map(({ name, retryLimit }) => [name, retryLimit])).toEqual([
    ['contracts.of-converted', 40],
    ['contracts.of-sold', 40],
    ['contracts.on.scheduling.appointment-created', 40],
  ])
})

test('a client who is read-only gets no contract, and signs the one that they have', async () => {
  const { coach, client, id, hash } = await setUp()
  await app.call('POST', `/api/clients/${client.id}/archive`, { as: coach })
  await setPlan(coach, 'free')
  await createClient({ coach })
  await expect(draft(coach, client.id)).rejects.toMatchObject({ code: 'plan_limit' })
  await byClient(coach, id, hash)
  expect(await getStatus(coach, id)).toBe('signed_by_client')
})

test('a purchase sends the contract that its product requires, filled in, once', async () => {
  const coach = await createCoach()
  const { id: clientId } = await createClient({ coach })
  const parts = { paymentType: 'installment', installmentCount: 3, sessionCount: 10 } as const
  const terms = { name: 'Ten sessions', price: '1500.00', ...parts }
  const { id: productId } = await createProduct({ coach, ...terms })
  const other = await createProduct({ coach })
  const { id: contractTemplateId } = await inTenant(coach, (tx) => createTemplate(tx, { name: 'Agreement', body }))
  const require = (fields: object) =>
    app.call('POST', '/api/contract-requirements', { as: coach, body: { contractTemplateId, ...fields } })
  expect(await require({})).toMatchObject({ status: 422 })
  expect(await require({ productId: other.id + 1000 })).toMatchObject({ status: 404 })
  const required = await require({ productId })
  expect(required).toMatchObject({ status: 201, body: { productId, appointmentTypeId: null } })
  expect((await require({ productId })).body.id).toBe(required.body.id)

  // Three installments are one sale; what failed, and other products, require nothing.
  await createPurchase({ coach, clientId, productId, amount: 50_000, status: 'failed' })
  await createPurchase({ coach, clientId, productId: other.id })
  for (let part = 1; part <= 3; part++) await createPurchase({ coach, clientId, productId, amount: 50_000 })
  const jobs = await asOwner(app.ownerUrl, (db) =>
    db.query(`select data from pgboss.job where name = $1 and data->>'coachId' = $2`, [saleQueue, coach.id]),
  )
  const sale = { clientId, productId, productName: terms.name, price: 150_000 }
  expect(jobs.rows).toEqual([{ data: { coachId: coach.id, ...sale } }])

  const send = (price: number) => sendRequiredOfSold(app.platform, { coachId: coach.id, ...sale, price })
  vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValueOnce(true)
  await expect(send(150_000)).rejects.toThrow('There is no room for a required contract.')
  await concurrently(5, () => send(150_000))
  const list = async () => (await app.call('GET', '/api/contracts', { as: coach })).body
  expect(await list()).toMatchObject([
    {
      contractTemplateId,
      clientId,
      source: 'purchase',
      status: 'sent',
      text: expect.stringContaining('$1,500.00 for Ten sessions'),
    },
  ])
  // At another price it is another agreement.
  await send(120_000)
  expect(await list()).toMatchObject([{ price: 120_000 }, { price: 150_000 }])
  expect(await app.call('DELETE', `/api/contract-requirements/${required.body.id}`, { as: coach })).toMatchObject({
    status: 204,
  })
  await send(90_000)
  expect(await list()).toHaveLength(2)
})

test.each([
  ['contracts.viewed', 'viewed'],
  ['contracts.signed', 'signed'],
  ['contracts.declined', 'declined'],
  ['contracts.completed', 'copy-coach'],
] as const)('the coach gets no email of the kind %s if they have switched it off', (notification, kind) =>
  expectSwitchable(notification, async () => {
    const { coach, id, hash } = await setUp()
    if (kind === 'viewed') await (await asVisitor(coach)).write((tx) => viewContract(tx, id, { device }))
    if (kind === 'declined')
      await (await asVisitor(coach)).write((tx) => declineContract(tx, id, { reason: 'No', device }))
    if (kind === 'signed' || kind === 'copy-coach') await byClient(coach, id, hash)
    if (kind === 'copy-coach') await byCoach(coach, id, hash)
    return {
      coach,
      send: async () => {
        await deliver(coach, kind)
        return (await subjects(coach.email)).length
      },
    }
  }),
)
