import { describe, expect, test } from 'vitest'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { deleteClient } from '#modules/crm/index.ts'
import { mergeClients } from '#modules/crm/services/merge.ts'
import { listAttachments, listFileChoices } from '#modules/messages/queries/attachments.ts'
import { findOwnThread, listMessages, listThread } from '#modules/messages/queries/messages.ts'
import { sendMessage } from '#modules/messages/services/messages.ts'
import { notify } from '#modules/messages/services/notifications.ts'
import { NewFile, type NewShare } from '#modules/resources/forms.ts'
import { listSharedFiles } from '#modules/resources/queries/client-files.ts'
import { listShares } from '#modules/resources/queries/shares.ts'
import { createFile, deleteResource, restoreResource, updateFile } from '#modules/resources/services/files.ts'
import { createShare, revokeShare } from '#modules/resources/services/shares.ts'
import { createApiKey } from '#tenants/api-keys/api-keys.ts'
import type { Scope } from '#tenants/api-keys/scopes.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createClient, createCoach, inTenant, switchModules, type Coach } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

const addLink = (coach: Coach, { name = 'Worksheet', clientId = null as number | null } = {}): Promise<number> =>
  inTenant(coach, async (tx) => {
    const input = NewFile.parse({ name, fileUrl: 'https://example.com/sheet', ...(clientId ? { clientId } : {}) })
    return (await createFile(tx, input)).id
  })
const share = (coach: Coach, id: number, input: NewShare) => inTenant(coach, (tx) => createShare(tx, id, input))
const send = (coach: Coach, clientId: number, attachmentIds: number[], content = 'Please read this') =>
  inTenant(coach, (tx) => sendMessage(tx, clientId, { content, attachmentIds }))
const post = (coach: Coach, clientId: number, attachmentIds: unknown) =>
  app.call('POST', `/api/clients/${clientId}/messages`, { as: coach, body: { content: 'Please read', attachmentIds } })

async function addKey(coach: Coach, scopes: Scope[]): Promise<{ authorization: string }> {
  const input = { name: 'Reports', scopes, days: null, currentPassword: 'correct horse' }
  const key = await inTenant(coach, (tx) => createApiKey(tx, input, { address: '127.0.0.1', userAgent: null }))
  return { authorization: `Bearer ${key}` }
}

/** The names of the files in the latest message as its client sees them; null for one that is not available. */
async function seenInPortal(coach: Coach, clientId: number): Promise<(string | null)[]> {
  const ctx = await clientContextFor(coach, clientId)
  const [message] = await listThread(ctx, clientId, { rows: 1, before: null })
  const found = await listAttachments(ctx, { clientId, messageIds: message ? [message.id] : [] })
  return (found.get(message?.id ?? 0) ?? []).map(({ name, isAvailable, to }) => {
    expect([name !== null, to !== null]).toEqual([isAvailable, isAvailable])
    if (to) expect(to).toMatch(/^\/shared\//)
    return name
  })
}
const sharedWith = async (coach: Coach, clientId: number): Promise<string[]> =>
  (await listSharedFiles(await clientContextFor(coach, clientId), 100)).map(({ name }) => name)

async function createPractice() {
  const coach = await createCoach({ plan: 'premium' })
  const client = await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })
  const other = await createClient({ coach, name: 'Ada Lovelace', email: 'ada@example.com' })
  return { coach, clientId: client.id, otherId: other.id }
}

describe('files of a message', () => {
  test('are shared with its client alone, in the order in which they were chosen', async () => {
    const { coach, clientId, otherId } = await createPractice()
    const [first, second] = [await addLink(coach, { name: 'First' }), await addLink(coach, { name: 'Second' })]
    await addLink(coach, { name: 'Not attached' })
    const sent = await send(coach, clientId, [second, first])
    expect(sent.attachments).toEqual([
      { fileId: second, name: 'Second', isAvailable: true },
      { fileId: first, name: 'First', isAvailable: true },
    ])
    expect(await listMessages(await contextFor(coach), { clientId })).toEqual([sent])
    expect(await seenInPortal(coach, clientId)).toEqual(['Second', 'First'])
    expect((await sharedWith(coach, clientId)).toSorted()).toEqual(['First', 'Second'])
    expect(await sharedWith(coach, otherId)).toEqual([])
  })

  test('are in the API, each once', async () => {
    const { coach, clientId } = await createPractice()
    const id = await addLink(coach)
    const { status, body } = await post(coach, clientId, [id, id])
    expect([status, body.attachments]).toEqual([201, [{ fileId: id, name: 'Worksheet', isAvailable: true }]])
    const listed = await app.call('GET', `/api/clients/${clientId}/messages`, { as: coach })
    expect(listed.body).toEqual([body])
    const plain = await app.call('POST', `/api/clients/${clientId}/messages`, { as: coach, body: { content: 'Hi' } })
    expect([plain.status, plain.body.attachments]).toEqual([201, []])
  })

  test('have no name for an API key that may not read resources', async () => {
    const coach = await createCoach({ plan: 'premium', password: 'correct horse' })
    const { id: clientId } = await createClient({ coach })
    const id = await addLink(coach)
    await send(coach, clientId, [id])
    const read = async (scopes: Scope[]) => {
      const headers = await addKey(coach, scopes)
      return (await app.call('GET', `/api/clients/${clientId}/messages`, { headers })).body[0].attachments
    }
    expect(await read(['messages:read', 'crm:read'])).toEqual([{ fileId: id, name: null, isAvailable: false }])
    expect(await read(['messages:read', 'crm:read', 'resources:read'])).toEqual([
      { fileId: id, name: 'Worksheet', isAvailable: true },
    ])
  })

  test('are sent by an API key that may read resources, and no other learns a name', async () => {
    const coach = await createCoach({ plan: 'premium', password: 'correct horse' })
    const { id: clientId } = await createClient({ coach })
    const id = await addLink(coach)
    const write = async (scopes: Scope[], attachmentIds: number[]) => {
      const body = { content: 'Please read', attachmentIds }
      return app.call('POST', `/api/clients/${clientId}/messages`, { headers: await addKey(coach, scopes), body })
    }
    for (const unknown of [id, 987_654_321]) {
      const { status, body } = await write(['messages:write', 'crm:read'], [unknown])
      expect([status, body.message]).toEqual([403, 'To attach files, this API key needs the scope resources:read.'])
    }
    expect(await sharedWith(coach, clientId)).toEqual([])
    expect(await listMessages(await contextFor(coach), { clientId })).toEqual([])
    expect((await write(['messages:write', 'crm:read'], [])).status).toBe(201)
    const { status, body } = await write(['messages:write', 'crm:read', 'resources:read'], [id])
    expect([status, body.attachments]).toEqual([201, [{ fileId: id, name: 'Worksheet', isAvailable: true }]])
  })

  test('are refused if the client can’t be given them, and then nothing is sent', async () => {
    const { coach, clientId, otherId } = await createPractice()
    const stranger = await createCoach()
    const fine = await addLink(coach)
    const trashed = await addLink(coach)
    await inTenant(coach, (tx) => deleteResource(tx, trashed))
    const refused = {
      'of another coach': await addLink(stranger),
      'of another client': await addLink(coach, { clientId: otherId }),
      'in the trash': trashed,
      unknown: 987_654_321,
    }
    for (const [what, id] of Object.entries(refused)) {
      const { status, body } = await post(coach, clientId, [fine, id])
      expect([what, status, body.message]).toEqual([what, 404, 'Resource not found'])
    }
    const many = await Promise.all(Array.from({ length: 6 }, (_, index) => addLink(coach, { name: `File ${index}` })))
    for (const invalid of [many, [0], ['1'], 'all', [1.5], [null]])
      expect((await post(coach, clientId, invalid)).status).toBe(422)
    expect((await post(coach, clientId, many.slice(1))).status).toBe(201)
    expect(await listMessages(await contextFor(coach), { clientId })).toHaveLength(1)
    expect(await sharedWith(coach, clientId)).toHaveLength(5)
  })

  test('come with a text', async () => {
    const { coach, clientId } = await createPractice()
    const body = { content: ' ', attachmentIds: [await addLink(coach)] }
    const { status } = await app.call('POST', `/api/clients/${clientId}/messages`, { as: coach, body })
    expect(status).toBe(422)
    expect(await sharedWith(coach, clientId)).toEqual([])
  })

  test('are not sent by clients, who see those of their own thread alone', async () => {
    const { coach, clientId, otherId } = await createPractice()
    const id = await addLink(coach)
    const { id: messageId } = await send(coach, clientId, [id])
    const ctx = await clientContextFor(coach, otherId)
    expect(await listAttachments(ctx, { clientId, messageIds: [messageId] })).toEqual(new Map())
    const own = await clientContextFor(coach, clientId)
    await expect(
      own.write((tx) => sendMessage(tx, clientId, { content: 'x', attachmentIds: [id] })),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const insert = own.write((tx) =>
      tx.query({
        name: 'test.forged-attachment',
        text: `insert into message_attachment (coach_id, message_id, position, resource_id) values ($1, $2, 2, $3)`,
        values: [tx.coachId, messageId, id + 1],
      }),
    )
    await expect(insert).rejects.toThrow()
    expect(await seenInPortal(coach, clientId)).toEqual(['Worksheet'])
  })

  test('sent 50 times at once are shared once, in each message', async () => {
    const { coach, clientId } = await createPractice()
    const ids = [await addLink(coach, { name: 'First' }), await addLink(coach, { name: 'Second' })]
    const results = await concurrently(50, (index) => send(coach, clientId, index % 2 ? ids : ids.toReversed()))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    // A coach writes 30 messages a minute.
    expect([results.length - failures.length, new Set(failures)]).toEqual([30, new Set(['rate_limited'])])
    const ctx = await contextFor(coach)
    for (const id of ids) expect(await listShares(ctx, id)).toHaveLength(1)
    const messages = await listMessages(ctx, { clientId })
    expect(messages.map(({ attachments }) => attachments.length)).toEqual(Array.from({ length: 30 }, () => 2))
  })

  test('deleted while they are sent are either sent before, or not', async () => {
    const { coach, clientId } = await createPractice()
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => addLink(coach, { name: `File ${index}` })))
    const results = await concurrently(20, (index) => {
      const id = ids[index >> 1]!
      return index % 2
        ? inTenant(coach, (tx) => deleteResource(tx, id))
        : send(coach, clientId, [id]).catch(({ code }) => expect(code).toBe('not_found'))
    })
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await sharedWith(coach, clientId)).toEqual([])
  })
})

describe('a file of a message is no longer available', () => {
  test('once its share is revoked, and is again once it is shared', async () => {
    const { coach, clientId } = await createPractice()
    const id = await addLink(coach)
    await send(coach, clientId, [id])
    const [first] = await listShares(await contextFor(coach), id)
    await inTenant(coach, (tx) => revokeShare(tx, first!.id))
    expect(await seenInPortal(coach, clientId)).toEqual([null])
    const [message] = await listMessages(await contextFor(coach), { clientId })
    expect(message!.attachments).toEqual([{ fileId: id, name: 'Worksheet', isAvailable: false }])
    await share(coach, id, { audience: 'all' })
    expect(await seenInPortal(coach, clientId)).toEqual(['Worksheet'])
  })

  test('in the trash, and once it is erased', async () => {
    const { coach, clientId } = await createPractice()
    const id = await addLink(coach)
    await send(coach, clientId, [id])
    await inTenant(coach, (tx) => deleteResource(tx, id))
    expect(await seenInPortal(coach, clientId)).toEqual([null])
    await inTenant(coach, (tx) => restoreResource(tx, id))
    expect(await seenInPortal(coach, clientId)).toEqual(['Worksheet'])
    await inTenant(coach, (tx) => deleteResource(tx, id))
    await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'resource'), id))
    expect(await seenInPortal(coach, clientId)).toEqual([null])
    const [message] = await listMessages(await contextFor(coach), { clientId })
    expect(message!.attachments).toEqual([{ fileId: id, name: null, isAvailable: false }])
  })

  test('given to another client', async () => {
    const { coach, clientId, otherId } = await createPractice()
    const id = await addLink(coach)
    await send(coach, clientId, [id])
    await inTenant(coach, (tx) => updateFile(tx, id, { clientId }))
    expect(await seenInPortal(coach, clientId)).toEqual(['Worksheet'])
    await inTenant(coach, (tx) => updateFile(tx, id, { clientId: otherId }))
    expect(await seenInPortal(coach, clientId)).toEqual([null])
  })

  test('after the share has expired, until it is sent again', async () => {
    const { coach, clientId } = await createPractice()
    const id = await addLink(coach)
    await share(coach, id, { audience: 'client', clientId, expiresInDays: 2, password: 'a secret' })
    await send(coach, clientId, [id])
    const [kept] = await listShares(await contextFor(coach), id)
    expect(kept).toMatchObject({ isProtected: true, expiresAt: expect.any(String) })
    const before = app.clock.now
    app.clock.now = new Date(before.getTime() + 3 * 86_400_000)
    expect(await seenInPortal(coach, clientId)).toEqual([null])
    await send(coach, clientId, [id])
    expect(await seenInPortal(coach, clientId)).toEqual(['Worksheet'])
    app.clock.now = before
  })

  test('while the module that keeps files is switched off', async () => {
    const { coach, clientId } = await createPractice()
    const id = await addLink(coach)
    await send(coach, clientId, [id])
    await switchModules(coach, { resources: false })
    expect(await seenInPortal(coach, clientId)).toEqual([null])
    expect(await listFileChoices(await contextFor(coach), { clientId, q: '', chosen: [] })).toBeNull()
    await expect(send(coach, clientId, [id])).rejects.toMatchObject({ code: 'not_found' })
    await expect(send(coach, clientId, [])).resolves.toMatchObject({ attachments: [] })
  })
})

test('erasing a client erases the files of their messages, and leaves the resources', async () => {
  const { coach, clientId } = await createPractice()
  const id = await addLink(coach)
  await send(coach, clientId, [id])
  await inTenant(coach, (tx) => deleteClient(tx, clientId))
  await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'client'), clientId))
  const ctx = await contextFor(coach)
  const left = ctx.query({
    name: 'test.attachments-left',
    text: 'select id from message_attachment where coach_id = $1',
    values: [coach.id],
  })
  expect(await left).toEqual([])
  expect(await listShares(ctx, id)).toEqual([])
})

test('merged clients keep the files of both', async () => {
  const { coach, clientId, otherId } = await createPractice()
  const id = await addLink(coach)
  await send(coach, clientId, [id])
  await send(coach, otherId, [id])
  await inTenant(coach, (tx) => mergeClients(tx, { keptId: clientId, mergedId: otherId }))
  const messages = await listMessages(await contextFor(coach), { clientId })
  expect(messages.map(({ attachments }) => attachments.map(({ isAvailable }) => isAvailable))).toEqual([[true], [true]])
  expect(await seenInPortal(coach, clientId)).toEqual(['Worksheet'])
})

test('the choices are those of this client and of all, found by name, with those that are chosen', async () => {
  const { coach, clientId, otherId } = await createPractice()
  const chosen = await addLink(coach, { name: 'Chosen before' })
  await addLink(coach, { name: 'For Grace', clientId })
  await addLink(coach, { name: 'For Ada', clientId: otherId })
  for (let index = 0; index < 31; index++) await addLink(coach, { name: `Épreuve ${index}` })
  const list = async (q: string, ids: number[] = []) => {
    const found = await listFileChoices(await contextFor(coach), { clientId, q, chosen: ids })
    return { isCut: found!.isCut, found: found!.found, names: found!.choices.map(({ name }) => name) }
  }
  const newest = await list('')
  expect([newest.isCut, newest.names.length, newest.names[0]]).toEqual([true, 30, 'Épreuve 30'])
  expect(await list('epreuve 1', [chosen])).toMatchObject({ isCut: false, found: 11 })
  expect((await list('epreuve 12', [chosen])).names).toEqual(['Chosen before', 'Épreuve 12'])
  expect((await list('for')).names).toEqual(['For Grace', 'Chosen before'])
  expect(await list('50%', [chosen])).toEqual({ isCut: false, found: 0, names: ['Chosen before'] })
})

test('the email about a message names no file', async () => {
  const coach = await createCoach({ subdomain: 'attach', businessName: 'Attach Coaching' })
  const { id, email } = await createClient({ coach, email: 'attach@example.com' })
  await send(coach, id, [await addLink(coach, { name: 'Private worksheet' })])
  await notify(app.platform, { coachId: coach.id, clientId: id, sender: 'coach' })
  const emails = (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === email)
  expect(emails).toHaveLength(1)
  expect(JSON.stringify(emails)).not.toContain('Private worksheet')
  expect(await findOwnThread(await clientContextFor(coach, id))).toMatchObject({ unread: 1 })
})
