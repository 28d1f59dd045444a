import { expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { OwnMessage } from './forms.ts'
import { countUnread, findOwnThread, listMessages, listThread, listThreads } from './queries/messages.ts'
import { markOwnRead, markRead, sendMessage, sendOwnMessage } from './services/messages.ts'
import { notify } from './services/notifications.ts'

const app = createTestApp()

const write = (coach: Coach, clientId: number, content: string) =>
  inTenant(coach, (ctx) => sendMessage(ctx, clientId, { content }))
const answer = async (coach: Coach, clientId: number, content: string) =>
  (await clientContextFor(coach, clientId)).write((ctx) => sendOwnMessage(ctx, { content }))
const listEmails = async (to: string) =>
  (await listOutbox(app.platform.config, 100)).filter((mail) => mail.to === to).map(({ subject }) => subject)

test('messages of both sides are in one thread, which says what each has not read', async () => {
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  const sent = await write(coach, id, 'Hello')
  expect(sent).toMatchObject({ clientId: id, senderId: coach.id, receiverId: id, content: 'Hello', isRead: false })
  const received = await answer(coach, id, 'Hello, too')
  expect(received).toMatchObject({ senderId: id, receiverId: coach.id, isRead: false })
  const ctx = await contextFor(coach)
  expect((await listMessages(ctx, { clientId: id })).map(({ content }) => content)).toEqual(['Hello, too', 'Hello'])
  expect(await countUnread(ctx)).toBe(1)
  const { threads } = await listThreads(ctx, { q: '', page: 1 })
  expect(threads).toMatchObject([{ clientId: id, lastSender: 'client', excerpt: 'Hello, too', unread: 1 }])
  await inTenant(coach, (tx) => markRead(tx, { clientId: id, id: received.id }))
  expect(await countUnread(await contextFor(coach))).toBe(0)
  const client = await clientContextFor(coach, id)
  expect(await findOwnThread(client)).toMatchObject({ unread: 1 })
  await client.write((tx) => markOwnRead(tx, sent.id))
  expect(await findOwnThread(client)).toMatchObject({ unread: 0 })
  expect((await listMessages(ctx, { clientId: id })).every(({ isRead }) => isRead)).toBe(true)
})

test('a message that a client sends twice within ten seconds is one message', async () => {
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  await Promise.all(Array.from({ length: 5 }, () => answer(coach, id, 'I’ll be late')))
  await answer(coach, id, 'Ten minutes')
  const list = async () => (await listMessages(await contextFor(coach), { clientId: id })).map(({ content }) => content)
  expect(await list()).toEqual(['Ten minutes', 'I’ll be late'])
  app.clock.now = new Date(app.clock.now.getTime() + 11_000)
  await answer(coach, id, 'I’ll be late')
  expect(await list()).toEqual(['I’ll be late', 'Ten minutes', 'I’ll be late'])
})

test('reading marks the messages up to the last one on screen, not later ones', async () => {
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  const first = await answer(coach, id, 'One')
  await answer(coach, id, 'Two')
  await inTenant(coach, (tx) => markRead(tx, { clientId: id, id: first.id }))
  expect(await countUnread(await contextFor(coach))).toBe(1)
})

test('20 messages at once are all counted', async () => {
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  await Promise.all(Array.from({ length: 20 }, (_, index) => answer(coach, id, `Message ${index}`)))
  expect(await countUnread(await contextFor(coach))).toBe(20)
  const [last] = await listMessages(await contextFor(coach), { clientId: id, rows: 1 })
  expect((await listThreads(await contextFor(coach), { q: '', page: 1 })).threads[0]!.excerpt).toBe(last!.content)
})

test('a client sees and writes in their own thread alone', async () => {
  const coach = await createCoach()
  const [own, other] = [await createClient({ coach }), await createClient({ coach, email: 'b@example.com' })]
  await write(coach, other.id, 'For somebody else')
  const ctx = await clientContextFor(coach, own.id)
  expect(await listThread(ctx, other.id, { rows: 10, before: null })).toEqual([])
  await expect(ctx.write((tx) => sendMessage(tx, own.id, { content: 'As the coach' }))).rejects.toMatchObject({
    code: 'forbidden',
  })
  const forged = ctx.query({
    name: 'test.forged-message',
    text: `select id from message where coach_id = $1 and client_id = $2`,
    values: [coach.id, other.id],
  })
  expect(await forged).toEqual([])
})

test('blank messages, long ones and too many a minute are refused', async () => {
  const parse = (content: string) => OwnMessage.safeParse({ content })
  expect(parse('  \n\t ').error?.issues[0]!.message).toBe('Write a message')
  expect(parse('x'.repeat(5001)).error?.issues[0]!.message).toBe('Use at most 5,000 characters')
  expect(parse(' Hello \r\nyou ').data).toEqual({ content: 'Hello \nyou' })
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  for (let count = 0; count < 30; count++) await write(coach, id, 'Again')
  await expect(write(coach, id, 'Once more')).rejects.toMatchObject({ code: 'rate_limited' })
})

test('a client writes at most 500 messages a day', async () => {
  const coach = await createCoach()
  const { id } = await createClient({ coach })
  const before = app.clock.now
  const atMinute = async (minute: number, count: number) => {
    app.clock.now = new Date(before.getTime() + minute * 61_000)
    const sent = await Promise.allSettled(
      Array.from({ length: count }, (_, index) => answer(coach, id, `Again ${index}`)),
    )
    return sent.filter(({ status }) => status === 'fulfilled').length
  }
  let sent = 0
  for (let minute = 0; minute < 20; minute++) sent += await atMinute(minute, 30)
  expect(sent).toBe(500)
  expect(await atMinute(24 * 60, 1)).toBe(1)
  app.clock.now = before
})

test('one email tells of all unread messages, however many jobs and workers try', async () => {
  const coach = await createCoach({ subdomain: 'notify', businessName: 'Notify Coaching' })
  const { id, email } = await createClient({ coach, name: 'Grace Hopper', email: 'grace.messages@example.com' })
  await write(coach, id, 'One')
  await write(coach, id, 'Two')
  const job = { coachId: coach.id, clientId: id, sender: 'coach' } as const
  await Promise.all([notify(app.platform, job), notify(app.platform, job), notify(app.platform, job)])
  expect(await listEmails(email)).toEqual(['2 new messages from Notify Coaching'])
  const { id: read } = await write(coach, id, 'Three')
  await (await clientContextFor(coach, id)).write((tx) => markOwnRead(tx, read))
  await notify(app.platform, job)
  expect(await listEmails(email)).toHaveLength(1)
  await answer(coach, id, 'An answer')
  await notify(app.platform, { ...job, sender: 'client' })
  expect(await listEmails(coach.email)).toEqual(['New message from Grace Hopper'])
})

test('threads are found by the client and by what was written, without those of clients in the trash', async () => {
  const coach = await createCoach()
  const [ada, grace] = [
    await createClient({ coach, name: 'Ada Lovelace' }),
    await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' }),
  ]
  await write(coach, ada.id, 'About the engine')
  await write(coach, grace.id, 'About the compiler')
  const find = async (q: string) =>
    (await listThreads(await contextFor(coach), { q, page: 1 })).threads.map(({ clientName }) => clientName)
  expect(await find('')).toEqual(['Grace Hopper', 'Ada Lovelace'])
  expect(await find('lovelace')).toEqual(['Ada Lovelace'])
  expect(await find('COMPILER')).toEqual(['Grace Hopper'])
  await inTenant(coach, (tx) => deleteClient(tx, grace.id))
  expect(await find('')).toEqual(['Ada Lovelace'])
  await expect(write(coach, grace.id, 'Hello?')).rejects.toMatchObject({ code: 'not_found' })
})

test('the coach gets no email about a new message if they have switched it off', () =>
  expectSwitchable('messages.new', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await answer(coach, id, 'Hello')
    return {
      coach,
      send: async () => {
        await notify(app.platform, { coachId: coach.id, clientId: id, sender: 'client' })
        return (await listEmails(coach.email)).length
      },
    }
  }))
