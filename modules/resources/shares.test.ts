import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { createClient, createCoach, inTenant, contextFor, setPlan, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { storeContent } from '#tenants/files/files.ts'
import { listOutbox } from '#tenants/mail.ts'
import { visitorContext } from '#tenants/context.ts'
import { NewFile, type NewShare } from './forms.ts'
import { readShareToken, getSharePath } from './public-link.ts'
import { findOpenShare, listOpens, listShares } from './queries/shares.ts'
import { createFile, createFromContent, deleteResource, restoreResource } from './services/files.ts'
import { action as openFileOfShare } from './routes/shared-file.ts'
import { action as openLink } from './routes/shared.tsx'
import {
  createShare,
  openShare,
  openSharedFile,
  resendShare,
  revokeShare,
  sendShareEmail,
  shareQueue,
} from './services/shares.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '1' })

const device = { address: '127.0.0.1', userAgent: null }
const addLink = (coach: Coach): Promise<number> =>
  inTenant(
    coach,
    async (tx) => (await createFile(tx, NewFile.parse({ name: 'Talk', fileUrl: 'https://example.com' }))).id,
  )
const share = (coach: Coach, id: number, input: NewShare) => inTenant(coach, (tx) => createShare(tx, id, input))

/** As somebody who has the link, and no account. */
async function visit(coach: Coach, shareId: number, clientId: number | null, password = ''): Promise<boolean> {
  const { account } = await contextFor(coach)
  const ctx = visitorContext(app.platform, account, { requestId: 'visit' }, ['resources:resource:read'])
  const found = await findOpenShare(ctx, shareId, clientId)
  if (!found) return false
  await openShare(ctx, found, { clientId, password, device })
  return true
}
const isShared = async (coach: Coach, id: number): Promise<boolean> =>
  (await app.call('GET', `/api/files/${id}`, { as: coach })).body.isShared

describe('a share', () => {
  test('is for its client alone, and says who opened it', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const [grace, ada] = [await createClient({ coach, name: 'Grace' }), await createClient({ coach, name: 'Ada' })]
    const id = await addLink(coach)
    const { id: shareId } = await share(coach, id, { audience: 'client', clientId: grace.id })
    expect(await visit(coach, shareId, ada.id)).toBe(false)
    expect(await visit(coach, shareId, null)).toBe(false)
    expect(await visit(coach, shareId, grace.id)).toBe(true)
    const opens = await listOpens(await contextFor(coach), id)
    expect(opens.map(({ clientName, ipAddress }) => [clientName, ipAddress])).toEqual([['Grace', '127.0.0.1']])
  })

  test('with all clients is for each of them, and for nobody else', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const client = await createClient({ coach })
    const { id: shareId } = await share(coach, await addLink(coach), { audience: 'all' })
    expect(await visit(coach, shareId, client.id)).toBe(true)
    expect(await visit(coach, shareId, null)).toBe(false)
    expect(await visit(coach, shareId, 999_999)).toBe(false)
    await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
    expect(await visit(coach, shareId, client.id)).toBe(false)
  })

  test('with the clients of a tag is for each who has it at that moment', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const [grace, ada] = [await createClient({ coach, name: 'Grace' }), await createClient({ coach, name: 'Ada' })]
    const setTags = (clientId: number, tags: string[]) =>
      app.call('PATCH', `/api/clients/${clientId}`, { as: coach, body: { tags } })
    await setTags(grace.id, ['Spring group', 'vip'])
    const id = await addLink(coach)
    await expect(share(coach, id, { audience: 'tag' })).rejects.toMatchObject({ issues: [{ path: 'tag' }] })
    const { id: shareId } = await share(coach, id, { audience: 'tag', tag: 'spring GROUP' })
    expect(await isShared(coach, id)).toBe(true)
    expect(await visit(coach, shareId, ada.id)).toBe(false)
    expect(await visit(coach, shareId, null)).toBe(false)
    expect(await visit(coach, shareId, grace.id)).toBe(true)
    await setTags(ada.id, ['Spring Group'])
    await setTags(grace.id, ['vip'])
    expect([await visit(coach, shareId, ada.id), await visit(coach, shareId, grace.id)]).toEqual([true, false])
    expect((await share(coach, id, { audience: 'tag', tag: 'Spring group', maxOpens: 5 })).id).toBe(shareId)
    expect((await share(coach, id, { audience: 'tag', tag: 'vip' })).id).not.toBe(shareId)
  })

  test('with several clients counts the opens of each of them, also at once, and begins again with new limits', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const clients = [await createClient({ coach }), await createClient({ coach }), await createClient({ coach })]
    const id = await addLink(coach)
    const limited = { audience: 'all', maxOpens: 2 } as const
    const { id: shareId } = await share(coach, id, limited)
    const visits = await concurrently(15, (index) => visit(coach, shareId, clients[index % 3]!.id))
    expect(visits.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(6)
    const opens = await listOpens(await contextFor(coach), id)
    expect(clients.map((client) => opens.filter(({ clientId }) => clientId === client.id).length)).toEqual([2, 2, 2])
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await share(coach, id, limited)
    expect(await visit(coach, shareId, clients[0]!.id)).toBe(true)
  })

  test('stops at once when it is revoked, expires or its resource is deleted', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const id = await addLink(coach)
    const { id: first } = await share(coach, id, { audience: 'link', expiresInDays: 7 })
    const { id: second } = await share(coach, id, { audience: 'link' })
    expect(await isShared(coach, id)).toBe(true)
    expect([await visit(coach, first, null), await visit(coach, second, null)]).toEqual([true, true])
    await inTenant(coach, (tx) => revokeShare(tx, second))
    await expect(inTenant(coach, (tx) => revokeShare(tx, second))).rejects.toMatchObject({ code: 'not_found' })
    expect(await visit(coach, second, null)).toBe(false)
    await inTenant(coach, (tx) => deleteResource(tx, id))
    expect(await visit(coach, first, null)).toBe(false)
    await inTenant(coach, (tx) => restoreResource(tx, id))
    expect(await visit(coach, first, null)).toBe(true)
    const today = app.clock.now
    app.clock.now = new Date(today.getTime() + 8 * 86_400_000)
    expect(await visit(coach, first, null)).toBe(false)
    app.clock.now = today
    expect((await app.call('PATCH', `/api/files/${id}`, { as: coach, body: { isShared: false } })).body.isShared).toBe(
      false,
    )
    expect(await visit(coach, first, null)).toBe(false)
  })

  test('ends for the former client when its resource is given to another one', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const [grace, ada] = [await createClient({ coach, name: 'Grace' }), await createClient({ coach, name: 'Ada' })]
    const id = await addLink(coach)
    const edit = async (body: object) => (await app.call('PATCH', `/api/files/${id}`, { as: coach, body })).body
    const listed = async () =>
      (await listShares(await contextFor(coach), id)).map(({ audience, clientName }) => clientName ?? audience)
    await edit({ isShared: true })
    const { id: link } = await share(coach, id, { audience: 'link' })
    expect(await edit({ clientId: grace.id })).toMatchObject({ clientId: grace.id, isShared: true })
    expect(await listed()).toEqual(['link'])
    await edit({ isShared: true })
    const ofGrace = (await listShares(await contextFor(coach), id))[0]!.id
    expect(await listed()).toEqual(['Grace', 'link'])
    expect(await edit({ clientId: ada.id, isShared: true })).toMatchObject({ clientId: ada.id, isShared: true })
    expect(await listed()).toEqual(['Ada', 'link'])
    expect(await visit(coach, ofGrace, grace.id)).toBe(false)
    expect(await visit(coach, link, null)).toBe(true)
    await inTenant(coach, (tx) => revokeShare(tx, link))
    const last = await edit({ clientId: grace.id })
    expect(await listed()).toEqual([])
    expect(last).toMatchObject({ clientId: grace.id, isShared: false })
  })

  test('ends for the clients of a tag, too, when its resource is given to one client', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const [grace, ada] = [await createClient({ coach, name: 'Grace' }), await createClient({ coach, tags: ['group'] })]
    const id = await addLink(coach)
    const { id: ofGroup } = await share(coach, id, { audience: 'tag', tag: 'group' })
    expect(await visit(coach, ofGroup, ada.id)).toBe(true)
    const { body } = await app.call('PATCH', `/api/files/${id}`, { as: coach, body: { clientId: grace.id } })
    expect(body).toMatchObject({ clientId: grace.id, isShared: false })
    expect(await visit(coach, ofGroup, ada.id)).toBe(false)
  })

  test.each([
    { audience: 'tag', tag: 'group' },
    { audience: 'all', expiresInDays: 7 },
  ] as const)('with $audience from two tabs is one share, emailed once', async (input) => {
    const coach = await createCoach({ plan: 'premium' })
    await createClient({ coach, email: 'ada@example.com', tags: ['group'] })
    const id = await addLink(coach)
    const countEmails = async () => {
      const [row] = await app.platform.readPool.queryGlobal<{ count: number }>({
        text: `select count(*)::int as count from pgboss.job where name = $1 and data->>'coachId' = $2`,
        values: [shareQueue, String(coach.id)],
      })
      return row!.count
    }
    const shareOnce = (more: object = {}) => share(coach, id, { ...input, sendEmail: true, ...more })
    const [first, second] = await Promise.all([shareOnce(), shareOnce()])
    expect(second.id).toBe(first.id)
    expect(await listShares(await contextFor(coach), id)).toHaveLength(1)
    expect(await countEmails()).toBe(1)
    await shareOnce({ maxOpens: 3 })
    expect(await countEmails()).toBe(2)
  })

  test('counts when the store sends the file, and not while it fails', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const ctx = await contextFor(coach)
    const content = await storeContent(ctx, Readable.from([Buffer.from('A plan')]))
    const { id } = await inTenant(coach, (tx) => createFromContent(tx, { name: 'plan.txt', content }, {}))
    const { id: shareId } = await share(coach, id, { audience: 'link', maxOpens: 1 })
    const found = (await findOpenShare(ctx, shareId, null))!
    const open = () => openSharedFile(ctx, found, { clientId: null, password: '', device })
    const read = vi.spyOn(app.platform.fileStore, 'read')
    read.mockRejectedValueOnce(new AppError('unavailable', 'The storage of files doesn’t answer.'))
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await listOpens(ctx, id)).toEqual([])
    expect(await text((await open()).content)).toBe('A plan')
    expect(await listOpens(ctx, id)).toHaveLength(1)
    await expect(open()).rejects.toMatchObject({ code: 'not_found' })
    expect((await read.mock.results.at(-1)!.value).destroyed).toBe(true)
    read.mockRestore()
  })

  test('opens exactly as often as allowed, also at once', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const id = await addLink(coach)
    const { id: shareId } = await share(coach, id, { audience: 'link', maxOpens: 3 })
    const visits = await concurrently(20, () => visit(coach, shareId, null))
    expect(visits.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(3)
    expect(await listOpens(await contextFor(coach), id)).toHaveLength(3)
  })

  test('with a password needs it, and ten wrong ones are enough', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const id = await addLink(coach)
    const { id: shareId } = await share(coach, id, { audience: 'link', password: 'open sesame' })
    expect(await visit(coach, shareId, null, 'open sesame')).toBe(true)
    for (let attempt = 0; attempt < 10; attempt++)
      await expect(visit(coach, shareId, null, 'guess')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(visit(coach, shareId, null, 'open sesame')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await listOpens(await contextFor(coach), id)).toHaveLength(1)
  })

  test('has a link that can’t be forged or used for another share', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const ctx = await contextFor(coach)
    const token = getSharePath(ctx, 7, 3).replace('/shared/', '')
    expect(readShareToken(app.platform, token)).toEqual({ coachId: coach.id, shareId: 7, clientId: 3 })
    const [, signature] = token.split('.')
    for (const forged of [
      `${Buffer.from(`${coach.id}.8.3`).toString('base64url')}.${signature}`,
      'x',
      '',
      `${token}x.y`,
      token.slice(0, -2),
    ])
      expect(readShareToken(app.platform, forged)).toBeNull()
  })
})

test('the client gets an email in the coach’s name, with the link, unless the share has ended', async () => {
  const coach = await createCoach({ plan: 'premium', subdomain: 'ada-shares' })
  const client = await createClient({ coach, name: 'Grace', email: 'grace-shares@example.com' })
  const id = await addLink(coach)
  const { id: shareId } = await share(coach, id, { audience: 'client', clientId: client.id, password: 'open sesame' })
  const send = () => sendShareEmail(app.platform, { coachId: coach.id, shareId, clientId: client.id })
  const received = async () =>
    (await listOutbox(app.platform.config)).filter(({ to }) => to === 'grace-shares@example.com')
  await send()
  const [email] = await received()
  expect(email!.subject).toMatch(/^Talk from /)
  expect(email!.text).toContain(getSharePath(await contextFor(coach), shareId, client.id))
  expect(email!.text).not.toContain('open sesame')
  await inTenant(coach, (tx) => revokeShare(tx, shareId))
  await send()
  expect(await received()).toHaveLength(1)
})

test('the same link is emailed five times an hour, and to groups of clients twenty times a day', async () => {
  const coach = await createCoach({ plan: 'premium', subdomain: 'ada-limits' })
  const client = await createClient({ coach, email: 'grace-limits@example.com' })
  const send = async (clientId: number | null) => {
    const audience = clientId === null ? ('all' as const) : ('client' as const)
    const input = { audience, sendEmail: true, ...(clientId === null ? {} : { clientId }) }
    return (await share(coach, await addLink(coach), input)).id
  }
  const resend = (id: number) => inTenant(coach, (tx) => resendShare(tx, id))
  const limited = { code: 'rate_limited' }
  const id = await send(client.id)
  for (let sent = 1; sent < 5; sent++) await resend(id)
  await expect(resend(id)).rejects.toMatchObject(limited)
  await resend(await send(client.id))
  for (let sent = 0; sent < 20; sent++) await send(null)
  await expect(send(null)).rejects.toMatchObject(limited)
})

test('a client who is read-only gets no email of a group', async () => {
  const coach = await createCoach({ plan: 'pro', subdomain: 'ada-archived' })
  const client = await createClient({ coach, email: 'grace-archived@example.com' })
  const { id: shareId } = await share(coach, await addLink(coach), { audience: 'all' })
  const send = () => sendShareEmail(app.platform, { coachId: coach.id, shareId, clientId: client.id })
  const count = async () =>
    (await listOutbox(app.platform.config)).filter(({ to }) => to === 'grace-archived@example.com').length
  await send()
  expect(await count()).toBe(1)
  await app.call('POST', `/api/clients/${client.id}/archive`, { as: coach })
  await setPlan(coach, 'free')
  await createClient({ coach })
  await send()
  expect(await count()).toBe(1)
})

test.each([
  ['no body', undefined],
  ['another type', new Blob(['password=guess'], { type: 'text/plain' })],
  ['a broken form', new Blob(['--x'], { type: 'multipart/form-data; boundary=x' })],
])('a page of a share refuses %s instead of a form', async (_name, body) => {
  const coach = await createCoach({ plan: 'premium' })
  const content = await storeContent(await contextFor(coach), Readable.from([Buffer.from('A plan')]))
  const form = { name: 'Plan', folderId: null, clientId: null, tags: [], isShared: false }
  const file = await inTenant(coach, (tx) => createFromContent(tx, { name: 'plan.txt', content }, form))
  const limits = { audience: 'link', password: 'open sesame' } as const
  const { account } = await contextFor(coach)
  for (const [action, id] of [
    [openLink, await addLink(coach)],
    [openFileOfShare, file.id],
  ] as const) {
    const { id: shareId } = await share(coach, id, limits)
    const context = {
      tenant: { id: coach.id },
      requestContext: { platform: app.platform, ...device },
      visitor: async () => visitorContext(app.platform, account, { requestId: 'visit' }, ['resources:resource:read']),
    } as unknown as AppLoadContext
    const request = new Request('http://localhost/shared', { method: 'POST', body: body ?? null })
    const token = getSharePath(await contextFor(coach), shareId, null).replace('/shared/', '')
    const args = { request, params: { token }, context } as ActionFunctionArgs
    await expect(action(args)).rejects.toMatchObject({ init: { status: 400 } })
  }
})
